import sys

import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, DataCollatorForSeq2Seq

from seq_trainer import SeqTrainer

if __name__ == "__main__":
    tok = AutoTokenizer.from_pretrained("google-t5/t5-small")
    model = AutoModelForSeq2SeqLM.from_pretrained("google-t5/t5-small").cuda()
    data = load_dataset("json", data_files=sys.argv[1], split="train")
    data = data.map(lambda r: tok(r["en"], text_target=r["de"], truncation=True), remove_columns=data.column_names)
    loader = DataLoader(data, 8, shuffle=True, num_workers=8, drop_last=True, collate_fn=DataCollatorForSeq2Seq(tok, model=model))
    SeqTrainer(model, torch.optim.AdamW(model.parameters(), 3e-4), accum=8).fit(loader)
    model.save_pretrained("t5-ft")
