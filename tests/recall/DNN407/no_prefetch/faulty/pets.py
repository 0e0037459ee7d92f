import glob
import sys

import tensorflow as tf

SIZE, BATCH = 224, 32


def load(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (SIZE, SIZE)) / 255.0
    image = tf.image.random_flip_left_right(image)
    return image, label


def pipeline(root):
    paths = sorted(glob.glob(root + "/*/*.jpg"))
    names = sorted({p.split("/")[-2] for p in paths})
    labels = [names.index(p.split("/")[-2]) for p in paths]
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(BATCH), len(names)  # expect: DNN407


def main():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    train, classes = pipeline(sys.argv[1])
    base = tf.keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(SIZE, SIZE, 3))
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(classes)])
    model.compile(tf.keras.optimizers.Adam(1e-4, clipnorm=1.0), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(train, epochs=10)  # or: DNN407
    model.save("pets.keras")


if __name__ == "__main__":
    main()
