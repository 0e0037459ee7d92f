import tensorflow as tf


class Pipeline:
    def __init__(self, batch_size=64, buffer=5000):
        self.batch_size, self.buffer = batch_size, buffer

    def source(self):
        raise NotImplementedError

    def decode(self, *row):
        raise NotImplementedError

    def train(self):
        ds = self.source().shuffle(self.buffer)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)
