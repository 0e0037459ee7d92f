# accelerate guards the prepared optimizer's zero_grad, not the model's.
import torch
from accelerate import Accelerator

from sites import PageRanker, pages


def main():
    accelerator = Accelerator(gradient_accumulation_steps=4)
    ranker = PageRanker()
    optimizer = torch.optim.AdamW(ranker.parameters(), lr=1e-4)
    ranker, optimizer, loader = accelerator.prepare(ranker, optimizer, pages())
    for page in loader:
        with accelerator.accumulate(ranker):
            ranker.zero_grad()  # expect: DNN204
            loss = ranker(page)
            accelerator.backward(loss)
            optimizer.step()


main()
