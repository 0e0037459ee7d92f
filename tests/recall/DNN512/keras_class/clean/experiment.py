import tensorflow as tf


class Experiment:
    memory_mib = 8192

    def __init__(self):
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(gpus[0], "GPU")
        limit = tf.config.LogicalDeviceConfiguration(memory_limit=self.memory_mib)
        tf.config.set_logical_device_configuration(gpus[0], [limit])
        self.model = self.build()

    def build(self):
        raise NotImplementedError

    def run(self, train, epochs):
        self.model.compile("adam", self.loss, metrics=["accuracy"])
        self.model.fit(train, epochs=epochs, callbacks=[tf.keras.callbacks.BackupAndRestore("backup")])
        self.model.save(type(self).__name__ + ".keras")
