import tensorflow as tf

ds = tf.data.TFRecordDataset(files).map(parse, 8).batch(32).prefetch(1)
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(ds)
