import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(load()).batch(32).prefetch(1)
with tf.device("/GPU:0"):  # expect: DNN512
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(dataset, epochs=3)
