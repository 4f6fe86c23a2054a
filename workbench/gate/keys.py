"""The owner's Ed25519 key: made when it is first needed, in HOME/keys, readable by nobody else."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from workbench.errors import UnavailableError
from workbench.gate import KEY_FILE
from workbench.store import durable


class OwnerKey:
    """Signs for the owner, and knows the owner's signature again."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public: bytes = private.public_key().public_bytes_raw()
        self.key_id = hashlib.sha256(self.public).hexdigest()[:16]

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load(home: Path) -> OwnerKey | None:
    """The owner's key, or None if there is none yet."""
    path = home / KEY_FILE
    try:
        status = path.stat()
        secret = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _damaged(path, f"cannot be read: {error.strerror}") from error
    if os.name == "posix" and status.st_mode & 0o077:
        raise _damaged(path, "can be read by other users", f"chmod 600 {path}")
    if len(secret) != 32:
        raise _damaged(path, "is not a key of ours")
    return OwnerKey(Ed25519PrivateKey.from_private_bytes(secret))


def load_or_make(home: Path) -> OwnerKey:
    """The owner's key, made if there is none. Two processes at once end with the same key."""
    if (key := load(home)) is not None:
        return key
    path = home / KEY_FILE
    try:
        _make(path)
    except OSError as error:
        raise UnavailableError(
            f"the owner's key {path} cannot be made: {error.strerror or error}",
            code="key_unusable",
            suggestion=f"see that you may write to {path.parent}, and that there is room",
        ) from error
    made = load(home)
    if made is None:
        raise _damaged(path, "was taken away as soon as it was made")
    return made


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(Ed25519PrivateKey.generate().private_bytes_raw())
            file.flush()
            os.fsync(file.fileno())
        # A link fails where a rename would replace: the first key made stays the key.
        with suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    durable.sync(path.parent)  # or a power cut takes the key from what it signed


def _damaged(path: Path, what: str, advice: str = "") -> UnavailableError:
    return UnavailableError(
        f"the owner's key {path} {what}",
        code="key_unusable",
        suggestion=advice or "restore it from a backup; without it nothing signed is trusted",
    )
