import tensorflow as tf


class KerasExperiment:
    policy = "mixed_float16"

    def __init__(self, out_dir):
        self.out_dir = out_dir
        tf.keras.mixed_precision.set_global_policy(self.policy)

    def make_optimizer(self, lr):
        optimizer = tf.keras.optimizers.SGD(lr, momentum=0.9, clipnorm=5.0)
        return optimizer

    def build(self):
        raise NotImplementedError

    def run(self, train, val, epochs, lr=0.1):
        model = self.build()
        model.compile(self.make_optimizer(lr), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
        callbacks = [tf.keras.callbacks.ModelCheckpoint(self.out_dir + "/best.keras", save_best_only=True), tf.keras.callbacks.TensorBoard(self.out_dir)]
        return model.fit(train, validation_data=val, epochs=epochs, callbacks=callbacks)
