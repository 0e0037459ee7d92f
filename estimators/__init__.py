"""The memory estimator: a traced training step on a simulated CUDA device."""
