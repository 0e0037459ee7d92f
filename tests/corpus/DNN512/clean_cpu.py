import tensorflow as tf

with tf.device("/CPU:0"):
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(dataset, epochs=3)
