# The loader of a Lightning data module.
import lightning as L
from torch.utils.data import DataLoader


class KelpData(L.LightningDataModule):
    def __init__(self, root, batch_size=32):
        super().__init__()
        self.root, self.batch_size = root, batch_size

    def setup(self, stage=None):
        from kelp import KelpSet

        self.train_set = KelpSet(self.root)

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.batch_size, shuffle=True, num_workers=4)  # expect: DNN401
