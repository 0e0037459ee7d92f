import argparse

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def build(num_classes, size):
    base = keras.applications.EfficientNetB0(include_top=False, weights="imagenet", input_shape=(size, size, 3), pooling="avg")
    inputs = keras.Input((size, size, 3))
    x = base(inputs)
    x = layers.Dropout(0.3)(x)
    x = layers.Dense(num_classes)(x)
    outputs = layers.Activation("softmax", dtype="float32")(x)
    return keras.Model(inputs, outputs)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("data_dir")
    ap.add_argument("--size", type=int, default=224)
    ap.add_argument("--epochs", type=int, default=10)
    args = ap.parse_args()

    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    tf.keras.mixed_precision.set_global_policy("mixed_float16")

    train = keras.utils.image_dataset_from_directory(args.data_dir, image_size=(args.size, args.size), batch_size=32)
    model = build(len(train.class_names), args.size)
    model.compile(optimizer=keras.optimizers.Adam(1e-3, clipnorm=1.0), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=args.epochs, callbacks=[keras.callbacks.ModelCheckpoint("flowers.keras")])


if __name__ == "__main__":
    main()
