import tensorflow as tf

dataset = tf.data.Dataset.list_files("data/*.png").map(read, num_parallel_calls=8).batch(16)  # expect: DNN407
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(images))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


for epoch in range(5):
    for step, images in enumerate(dataset):
        train_step(images)
