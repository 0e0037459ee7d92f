import sys

import tensorflow as tf

from pipeline import Pipeline


class Clips(Pipeline):
    def __init__(self, root, **kwargs):
        super().__init__(**kwargs)
        self.root = root

    def source(self):
        return tf.data.Dataset.list_files(self.root + "/*.wav")

    def decode(self, path):
        audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
        spec = tf.abs(tf.signal.stft(tf.squeeze(audio, -1), 255, 128))
        label = tf.strings.to_number(tf.strings.split(tf.strings.split(path, "/")[-1], "-")[0], tf.int32)
        return spec[..., None], label


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(Clips(sys.argv[1]).train(), epochs=15)
    model.save("music.keras")
