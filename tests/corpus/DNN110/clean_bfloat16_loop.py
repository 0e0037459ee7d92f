import keras
import tensorflow as tf

keras.config.set_dtype_policy("mixed_bfloat16")
optimizer = keras.optimizers.AdamW()
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) - y)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
