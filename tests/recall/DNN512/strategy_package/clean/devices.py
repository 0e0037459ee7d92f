import tensorflow as tf


def make_strategy():
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    return tf.distribute.MirroredStrategy([f"/gpu:{i}" for i in range(len(gpus))])
