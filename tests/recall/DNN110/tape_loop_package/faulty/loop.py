import tensorflow as tf

loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


class TapeTrainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(lr)  # or: DNN110

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:  # expect: DNN110
            loss = loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)  # or: DNN110
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))  # or: DNN110
        return loss

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            mean = tf.keras.metrics.Mean()
            for x, y in dataset:
                mean.update_state(self.step(x, y))
            tf.print("epoch", epoch, "loss", mean.result())
            self.model.save_weights(f"ck/epoch_{epoch}.weights.h5")
