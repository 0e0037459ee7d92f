import tensorflow as tf


def configure(policy="mixed_float16"):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    tf.keras.mixed_precision.set_global_policy(policy)  # or: DNN110
