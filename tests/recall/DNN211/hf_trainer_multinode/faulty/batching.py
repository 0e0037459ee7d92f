import torch


class BatchPlan:
    def __init__(self, target, per_device):
        self.target, self.per_device = target, per_device

    @property
    def replicas(self):
        return max(1, torch.cuda.device_count())  # or: DNN211

    @property
    def accumulation(self):
        return max(1, self.target // (self.per_device * self.replicas))  # expect: DNN211
