import tensorflow as tf
from project.pipeline import finish

ds = finish(tf.data.TFRecordDataset(files).map(parse))
model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(ds)
