import os

import numpy as np
import torch
import torchvision.transforms.functional as TF
from PIL import Image
from torch.utils.data import Dataset


class SegPairs(Dataset):
    def __init__(self, img_dir, mask_dir, size=256):
        self.images = sorted(os.listdir(img_dir))
        self.img_dir, self.mask_dir, self.size = img_dir, mask_dir, size

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        name = self.images[i]
        img = Image.open(os.path.join(self.img_dir, name)).convert("RGB").resize((self.size, self.size))
        mask = Image.open(os.path.join(self.mask_dir, name)).resize((self.size, self.size), Image.NEAREST)
        return TF.to_tensor(img), torch.as_tensor(np.array(mask), dtype=torch.long)
