import argparse

import tensorflow as tf
from tensorflow.keras import layers


def build(width):
    return tf.keras.Sequential([
        layers.Rescaling(1 / 255.0, input_shape=(32, 32, 3)),
        layers.Conv2D(width, 3, padding="same", activation="relu"),
        layers.MaxPool2D(),
        layers.Conv2D(2 * width, 3, padding="same", activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(10),
    ])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--width", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=20)
    args = ap.parse_args()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    print(f"{len(gpus)} GPUs")
    (x, y), test = tf.keras.datasets.cifar10.load_data()
    train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(50_000).batch(256).prefetch(tf.data.AUTOTUNE)
    with tf.device("/GPU:0"):
        model = build(args.width)
        model.compile(tf.keras.optimizers.Adam(clipnorm=1.0), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
        model.fit(train, validation_data=test, epochs=args.epochs)
    model.save("cifar.keras")


if __name__ == "__main__":
    main()
