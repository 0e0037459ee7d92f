import tensorflow as tf  # or: DNN512


def make_strategy():
    gpus = tf.config.list_physical_devices("GPU")  # or: DNN512
    return tf.distribute.MirroredStrategy([f"/gpu:{i}" for i in range(len(gpus))])  # expect: DNN512
