import tensorflow as tf

loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


class TapeTrainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.Adam(lr))

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, self.model(x, training=True))
            scaled = self.optimizer.scale_loss(loss)
        grads = tape.gradient(scaled, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            mean = tf.keras.metrics.Mean()
            for x, y in dataset:
                mean.update_state(self.step(x, y))
            tf.print("epoch", epoch, "loss", mean.result())
            self.model.save_weights(f"ck/epoch_{epoch}.weights.h5")
