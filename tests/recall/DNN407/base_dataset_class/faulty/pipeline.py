class Pipeline:
    def __init__(self, batch_size=64, buffer=5000):
        self.batch_size, self.buffer = batch_size, buffer

    def source(self):
        raise NotImplementedError

    def decode(self, *row):
        raise NotImplementedError

    def train(self):
        ds = self.source().shuffle(self.buffer)
        ds = ds.map(self.decode)  # expect: DNN407
        return ds.batch(self.batch_size)  # or: DNN407
