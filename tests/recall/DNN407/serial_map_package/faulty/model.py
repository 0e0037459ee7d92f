import tensorflow as tf
from tensorflow.keras import layers


def build(classes):
    inputs = tf.keras.Input((160, 160, 3))
    x = inputs
    for width in (32, 64, 128):
        x = layers.Conv2D(width, 3, padding="same", activation="relu")(x)
        x = layers.MaxPool2D()(x)
    return tf.keras.Model(inputs, layers.Dense(classes)(layers.GlobalAveragePooling2D()(x)))
