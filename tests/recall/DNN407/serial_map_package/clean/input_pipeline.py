import tensorflow as tf

FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_image(example["image"], channels=3, expand_animations=False)
    image = tf.image.resize(image, (160, 160))
    return tf.image.random_flip_left_right(image) / 255.0, example["label"]


def train_dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    records = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    examples = records.shuffle(10_000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return examples.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
