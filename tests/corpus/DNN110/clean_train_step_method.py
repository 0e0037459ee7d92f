"""The optimizer that compile() wraps belongs to the base class."""
import keras
import tensorflow as tf

keras.mixed_precision.set_global_policy("mixed_float16")


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
            loss = self.optimizer.scale_loss(loss)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}
