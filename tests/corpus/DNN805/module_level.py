# Left over at the top of a script.
import torch

torch.backends.cudnn.enabled = False  # expect: DNN805
model = torch.nn.Conv2d(3, 8, 3).cuda()
