# Indented with tabs; two parameter groups, one step, no clip.
import torch
from torch import nn


class Tuner:
	def __init__(self, backbone, head):
		self.net = nn.Sequential(backbone, head)
		groups = [
			{"params": backbone.parameters(), "lr": 1e-5},
			{"params": head.parameters(), "lr": 1e-3},
		]
		self.opt = torch.optim.AdamW(groups, weight_decay=0.01)

	def fit(self, loader, epochs=3):
		for _ in range(epochs):
			for x, y in loader:
				self.opt.zero_grad()
				loss = nn.functional.cross_entropy(self.net(x), y)
				loss.backward()
				self.opt.step()  # expect: DNN301
