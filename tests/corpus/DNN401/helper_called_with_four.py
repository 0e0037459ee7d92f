# The loader is built in a helper; its caller passes the number.
import torch
from torch.utils.data import DataLoader, random_split


def build_loader(dataset, batch_size, workers, train=True):
    return DataLoader(  # expect: DNN401
        dataset, batch_size=batch_size, shuffle=train, drop_last=train, num_workers=workers
    )


def main():
    from invoices import InvoiceNet, InvoiceSet

    full = InvoiceSet("scans")
    train_part, _ = random_split(full, [0.9, 0.1])
    loader = build_loader(train_part, 16, workers=4)
    net = InvoiceNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-4)
    for _ in range(25):
        for page, fields in loader:
            loss = net(page, fields)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()


if __name__ == "__main__":
    main()
