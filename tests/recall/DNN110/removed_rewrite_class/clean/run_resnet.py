import sys

import tensorflow as tf

from base_experiment import KerasExperiment


class ResNetExperiment(KerasExperiment):
    def __init__(self, out_dir, classes):
        super().__init__(out_dir)
        self.classes = classes

    def build(self):
        body = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg", input_shape=(160, 160, 3))
        return tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 255.0), body, tf.keras.layers.Dense(self.classes, dtype="float32")])


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    kwargs = dict(image_size=(160, 160), batch_size=128)
    train = tf.keras.utils.image_dataset_from_directory(sys.argv[1] + "/train", shuffle=True, **kwargs).prefetch(tf.data.AUTOTUNE)
    val = tf.keras.utils.image_dataset_from_directory(sys.argv[1] + "/val", **kwargs).prefetch(tf.data.AUTOTUNE)
    ResNetExperiment("runs/r50", classes=100).run(train, val, epochs=90)
