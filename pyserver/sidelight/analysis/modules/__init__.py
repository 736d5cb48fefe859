"""Which ``nn.Module`` device time is of."""
