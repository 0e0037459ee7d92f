import tensorflow as tf

print("devices:", tf.config.list_physical_devices("GPU"))  # expect: DNN512
model = build()
optimizer = tf.keras.optimizers.Adam()


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


for x, y in batches:
    step(x, y)
