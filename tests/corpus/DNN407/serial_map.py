import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((paths, labels))
train = train.shuffle(len(paths))
train = train.map(load_image)  # expect: DNN407
train = train.batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(train, validation_data=valid, epochs=20)
