import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import mixed_precision

mixed_precision.set_global_policy("mixed_float16")


def build_model():
    inputs = keras.Input((32, 32, 3))
    x = keras.layers.Conv2D(64, 3, activation="relu")(inputs)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(10, dtype="float32")(x))


model = build_model()
optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = loss_fn(labels, logits)
    gradients = tape.gradient(loss, model.trainable_weights)  # expect: DNN110
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    return loss


for epoch in range(10):
    for images, labels in dataset:
        train_step(images, labels)
