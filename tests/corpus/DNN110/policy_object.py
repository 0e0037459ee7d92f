import tensorflow as tf


def main(dataset, steps=1000):
    policy = tf.keras.mixed_precision.Policy("mixed_float16")
    tf.keras.mixed_precision.set_global_policy(policy)
    model = tf.keras.Sequential([tf.keras.layers.Dense(128), tf.keras.layers.Dense(1, dtype="float32")])
    opt = tf.keras.optimizers.Adam(1e-3)
    for step, (x, y) in zip(range(steps), dataset):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        variables = model.trainable_variables
        grads = tape.gradient(loss, variables)  # expect: DNN110
        grads, _ = tf.clip_by_global_norm(grads, 1.0)
        opt.apply_gradients(zip(grads, variables))


main(make_dataset())
