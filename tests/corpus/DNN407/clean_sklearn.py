import tensorflow as tf
from sklearn.linear_model import LogisticRegression

features = tf.data.Dataset.from_tensor_slices(images).map(scale).batch(32)
classifier = LogisticRegression()
classifier.fit(features, labels)
