import tensorflow as tf

with tf.device("/GPU:0"):
    model = tf.keras.models.load_model("model.keras")
    print(model.predict(images))
