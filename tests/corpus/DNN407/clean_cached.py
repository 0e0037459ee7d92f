import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(images).map(scale).cache().shuffle(1000).batch(32).prefetch(2)
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(ds)
