import tensorflow as tf

valid = tf.data.TFRecordDataset(files).map(parse).batch(32)
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, validation_data=valid)
model.evaluate(valid)
