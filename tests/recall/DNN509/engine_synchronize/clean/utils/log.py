import time
from collections import deque


class Smoothed:
    def __init__(self, window=20):
        self.values = deque(maxlen=window)
        self.start = time.time()

    def update(self, value):
        self.values.append(value)

    def line(self, epoch, it):
        mean = sum(self.values) / max(len(self.values), 1)
        return f"[{epoch}:{it}] loss {mean:.4f} ({time.time() - self.start:.1f} s)"
