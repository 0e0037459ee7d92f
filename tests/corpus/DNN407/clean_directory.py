import tensorflow as tf

ds = tf.keras.utils.image_dataset_from_directory("data", batch_size=32)
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(ds)
