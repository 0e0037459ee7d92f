import tensorflow as tf

from experiment import Experiment


class Imdb(Experiment):
    vocab, length = 20000, 200
    loss = "binary_crossentropy"

    def build(self):
        return tf.keras.Sequential([
            tf.keras.layers.Embedding(self.vocab, 128),
            tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ])


if __name__ == "__main__":
    experiment = Imdb()
    (x, y), _ = tf.keras.datasets.imdb.load_data(num_words=Imdb.vocab)
    x = tf.keras.utils.pad_sequences(x, maxlen=Imdb.length)
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(25000).batch(128).prefetch(tf.data.AUTOTUNE)
    experiment.run(ds, epochs=5)
