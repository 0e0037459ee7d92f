import tensorflow as tf  # or: DNN512


class Experiment:
    memory_mib = 8192

    def __init__(self):
        gpus = tf.config.list_physical_devices("GPU")  # or: DNN512
        tf.config.set_visible_devices(gpus[0], "GPU")  # expect: DNN512
        self.model = self.build()

    def build(self):
        raise NotImplementedError

    def run(self, train, epochs):
        self.model.compile("adam", self.loss, metrics=["accuracy"])
        self.model.fit(train, epochs=epochs, callbacks=[tf.keras.callbacks.BackupAndRestore("backup")])  # or: DNN512
        self.model.save(type(self).__name__ + ".keras")
