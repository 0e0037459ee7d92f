# Wrapped when there are several GPUs, in main.
import torch


def main():
    from cities import CityNet, loader

    model = CityNet()
    if torch.cuda.device_count() > 1:
        print("using", torch.cuda.device_count(), "GPUs")
        model = torch.nn.DataParallel(model)  # expect: DNN601
    model.to("cuda")
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    for x, y in loader():
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        opt.step()


if __name__ == "__main__":
    main()
