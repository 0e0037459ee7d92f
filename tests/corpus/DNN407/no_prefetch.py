import tensorflow as tf


def make_dataset(files, batch_size):
    ds = tf.data.TFRecordDataset(files)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2048)
    return ds.batch(batch_size)  # expect: DNN407


model = tf.keras.applications.MobileNetV2(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(make_dataset(files, 64), epochs=20)
