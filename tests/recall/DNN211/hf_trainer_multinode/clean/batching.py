import os


class BatchPlan:
    def __init__(self, target, per_device):
        self.target, self.per_device = target, per_device

    @property
    def replicas(self):
        return int(os.environ.get("WORLD_SIZE", 1))

    @property
    def accumulation(self):
        return max(1, self.target // (self.per_device * self.replicas))
