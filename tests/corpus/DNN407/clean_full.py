import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=AUTOTUNE).shuffle(99).batch(32).prefetch(AUTOTUNE)
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(ds, epochs=2)
