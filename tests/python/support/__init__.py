"""What tests share: running the tool, its contract's invariants, expectations in programs."""
