import csv
import sys

import tensorflow as tf  # or: DNN512

from devices import make_strategy
from inputs import dataset


def main(table):
    rows = list(csv.reader(open(table)))
    paths, labels = [r[0] for r in rows], [int(r[1]) for r in rows]
    strategy = make_strategy()  # or: DNN512
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None, classes=max(labels) + 1)
        model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9, clipnorm=1.0), "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(dataset(paths, labels, 64 * strategy.num_replicas_in_sync), epochs=50)  # or: DNN512
    model.save_weights("resnet.weights.h5")


if __name__ == "__main__":
    main(sys.argv[1])
