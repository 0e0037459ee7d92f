from datasets import load_dataset
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    Trainer,
    TrainingArguments,
)

from batching import BatchPlan


def main():
    plan = BatchPlan(target=512, per_device=8)
    tok = AutoTokenizer.from_pretrained("gpt2")
    tok.pad_token = tok.eos_token
    data = load_dataset("wikitext", "wikitext-103-raw-v1", split="train")
    data = data.map(lambda r: tok(r["text"], truncation=True, max_length=512), batched=True, remove_columns=["text"])
    args = TrainingArguments(
        output_dir="gpt2-wiki",
        per_device_train_batch_size=plan.per_device,
        gradient_accumulation_steps=plan.accumulation,  # or: DNN211
        bf16=True,
        max_steps=20000,
        dataloader_num_workers=8,
        logging_steps=20,
    )
    model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained("gpt2"))
    Trainer(model=model, args=args, train_dataset=data, data_collator=DataCollatorForLanguageModeling(tok, mlm=False)).train()


if __name__ == "__main__":
    main()
