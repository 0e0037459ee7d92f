# hydra makes the loader from a configuration file.
import hydra
import torch
from omegaconf import DictConfig


@hydra.main(config_path="conf", config_name="train", version_base=None)
def main(cfg: DictConfig):
    net = hydra.utils.instantiate(cfg.model)
    loader = hydra.utils.instantiate(cfg.loader)
    same = torch.utils.data.DataLoader(loader.dataset, shuffle=True, num_workers=cfg.workers)
    opt = hydra.utils.instantiate(cfg.optimizer, net.parameters())
    for x, y in same:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


if __name__ == "__main__":
    main()
