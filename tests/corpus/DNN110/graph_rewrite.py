import tensorflow as tf

opt = tf.keras.optimizers.Adam(1e-4)
opt = tf.train.experimental.enable_mixed_precision_graph_rewrite(opt)  # expect: DNN110
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile(optimizer=opt, loss="mse")
model.fit(x, y)
