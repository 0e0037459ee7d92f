"""Gradients of the input that nothing applies."""
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf.keras.applications.ResNet50()
model.compile(optimizer=tf.keras.optimizers.Adam(), loss="mse")
model.fit(data)


def saliency(image):
    with tf.GradientTape() as tape:
        tape.watch(image)
        score = tf.reduce_max(model(image))
    return tape.gradient(score, image)
