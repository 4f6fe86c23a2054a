"""The owner's word: keys, signatures, and what they make trusted."""
