import tensorflow as tf


def main(dataset):
    strategy = tf.distribute.MirroredStrategy()  # expect: DNN512
    with strategy.scope():
        model = tf.keras.applications.ResNet50(weights=None)
        model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
    model.fit(dataset, epochs=90)


main(read())
