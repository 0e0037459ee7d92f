import lightning as L


def main(module, loader):
    trainer = L.Trainer(devices=8, max_epochs=10, strategy="ddp_find_unused_parameters_true")  # expect: DNN606
    trainer.fit(module, loader)
