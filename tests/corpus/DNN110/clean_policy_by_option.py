import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--policy", default="float32")
args = parser.parse_args()
tf.keras.mixed_precision.set_global_policy(args.policy)
optimizer = tf.keras.optimizers.Adam()
for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = compute(model, x, y)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
