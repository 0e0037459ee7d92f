import tensorflow as tf
from tensorflow.keras.mixed_precision import experimental as mixed_precision


def set_precision(name):
    if name == "mixed_float16":
        mixed_precision.set_policy(name)  # expect: DNN110


set_precision("mixed_float16")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(data)
