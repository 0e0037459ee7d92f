import tensorflow as tf

ds = tf.data.TFRecordDataset(files).map(parse).batch(32)
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels)
for batch in ds:
    print(model.predict(batch))
