"""Key figures of training and of inference, and what they mean."""
