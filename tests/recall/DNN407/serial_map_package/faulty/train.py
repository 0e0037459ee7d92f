import argparse

import tensorflow as tf

from input_pipeline import train_dataset
from model import build

if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("pattern")
    ap.add_argument("--batch-size", type=int, default=64)
    args = ap.parse_args()
    model = build(101)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    ckpt = tf.keras.callbacks.ModelCheckpoint("ck/{epoch:02d}.weights.h5", save_weights_only=True)
    model.fit(train_dataset(args.pattern, args.batch_size), epochs=20, callbacks=[ckpt])  # or: DNN407
