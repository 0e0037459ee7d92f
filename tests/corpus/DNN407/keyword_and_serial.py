import tensorflow as tf


class Experiment:
    def __init__(self, files):
        self.train_data = (
            tf.data.TextLineDataset(files)
            .map(tokenize)  # expect: DNN407
            .padded_batch(32)
            .prefetch(2)
        )

    def run(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(x=self.train_data, epochs=3)


Experiment(files).run()
