"""The owner's word: keys, signatures, and what they make trusted."""

KEY_FILE = "keys/owner.ed25519"
"""Where in WORKBENCH_HOME the owner's key lies."""
