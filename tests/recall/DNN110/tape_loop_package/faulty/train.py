import tensorflow as tf

from loop import TapeTrainer
from precision import configure


def make_dataset(batch=256):
    (x, y), _ = tf.keras.datasets.cifar10.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x.astype("float32") / 255.0, y.squeeze()))
    return ds.shuffle(50_000).batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def make_model():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, activation="relu", padding="same", input_shape=(32, 32, 3)),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(128, 3, activation="relu", padding="same"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10, dtype="float32"),
    ])


if __name__ == "__main__":
    configure()
    TapeTrainer(make_model()).fit(make_dataset(), epochs=20)
