import time


class StepLogger:
    def __init__(self, every):
        self.every, self.start = every, time.time()

    def __call__(self, step, loss, lr):
        if step % self.every:
            return
        line = f"step {step} loss {loss.item():.4f} lr {lr:.2e} {time.time() - self.start:.0f} s"
        print(line, flush=True)
