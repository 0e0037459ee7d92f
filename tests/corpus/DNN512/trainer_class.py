import tensorflow as tf


class Trainer:
    def __init__(self):
        self.gpus = tf.config.list_physical_devices(device_type="GPU")  # expect: DNN512
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

    def run(self, data):
        self.model.compile("adam", "mse")
        self.model.fit(data, epochs=2)


Trainer().run(data)
