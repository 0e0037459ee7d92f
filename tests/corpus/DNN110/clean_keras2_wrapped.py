import tensorflow as tf
from tensorflow.keras import mixed_precision

mixed_precision.set_global_policy("mixed_float16")
opt = mixed_precision.LossScaleOptimizer(tf.keras.optimizers.Adam())
for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x, y)
        scaled = opt.get_scaled_loss(loss)
    grads = opt.get_unscaled_gradients(tape.gradient(scaled, model.trainable_variables))
    opt.apply_gradients(zip(grads, model.trainable_variables))
