import tensorflow as tf


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, label


def dataset(paths, labels, batch):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    return ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(batch).prefetch(tf.data.AUTOTUNE)
