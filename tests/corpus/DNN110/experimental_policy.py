import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--fp16", action="store_true")
args = parser.parse_args()

if args.fp16:
    policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16")  # expect: DNN110
    tf.keras.mixed_precision.experimental.set_policy(policy)

model = tf.keras.applications.ResNet50(weights=None)
model.compile("sgd", loss="sparse_categorical_crossentropy")
model.fit(train_ds, epochs=90)
