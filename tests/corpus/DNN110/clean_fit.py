import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf.keras.applications.EfficientNetB0(weights=None)
model.compile(optimizer=tf.keras.optimizers.Adam(), loss="sparse_categorical_crossentropy")
model.fit(train_ds, validation_data=val_ds, epochs=10)
