"""Sealing and opening: the formats of docs/client.md, checked against docs/vectors."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
import struct
import unicodedata
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ._errors import SignetCryptoError

SEED_BYTES = 32
_IV_BYTES = 12
_TAG_BYTES = 16
_NAME = re.compile(r"[A-Za-z0-9_\-.]{1,128}")
_PROOF = re.compile(r"v1\.([A-Za-z0-9_-]{43})")
_HEX_SEED = re.compile(r"[0-9a-fA-F]{64}")
VERSION_PROOF = "signet_version_proof"


def _malformed(message: str) -> SignetCryptoError:
    return SignetCryptoError("malformed", message)


def to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64(text: str) -> bytes:
    """Reads base64url or base64, padded or not. No two texts decode to the same bytes, padding aside."""
    bare = re.sub(r"={1,2}\Z", "", text).replace("+", "-").replace("/", "_")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", bare):
        raise _malformed("The text is not base64url.")
    try:
        data = base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    except (binascii.Error, ValueError):
        raise _malformed("The text is not base64url.") from None
    if to_base64url(data) != bare:
        raise _malformed("The text is not base64url.")
    return data


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _malformed("The content is not UTF-8 text; read it as bytes.") from None


def _bytes(content: Union[str, bytes]) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else bytes(content)


def _hkdf(secret: bytes, info: str) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=bytes(32), info=info.encode()).derive(secret)


def _seal(key: bytes, plaintext: bytes, aad: bytes, iv: Optional[bytes] = None) -> bytes:
    nonce = os.urandom(_IV_BYTES) if iv is None else iv
    return nonce + AESGCM(key).encrypt(nonce, plaintext, aad)


def _open(key: bytes, sealed: bytes, aad: bytes) -> bytes:
    if len(sealed) < _IV_BYTES + _TAG_BYTES:
        raise SignetCryptoError("truncated", f"{len(sealed)} bytes are too few to have been sealed.")
    try:
        return AESGCM(key).decrypt(sealed[:_IV_BYTES], sealed[_IV_BYTES:], aad)
    except InvalidTag:
        message = "Cannot open it: the key or name is wrong, or the bytes were changed."
        raise SignetCryptoError("not_authentic", message) from None


# Seeds


def random_seed() -> bytes:
    """Creates a seed. Only the seed opens the vault: the service cannot."""
    return os.urandom(SEED_BYTES)


def read_seed(seed: Union[str, bytes]) -> bytes:
    """Reads a seed of 32 bytes, written as base64url, base64 or hex, as in `SIGNET_SEED`."""
    if isinstance(seed, str):
        text = seed.strip()
        seed = bytes.fromhex(text) if _HEX_SEED.fullmatch(text) else from_base64(text)
    if len(seed) != SEED_BYTES:
        raise _malformed(f"A seed has {SEED_BYTES} bytes.")
    return bytes(seed)


def write_seed(seed: bytes) -> str:
    """Writes a seed as base64url, as `read_seed` reads it."""
    return to_base64url(seed)


_ITERATIONS = 600_000
_ITERATIONS_MAX = 10_000_000
_SALT_BYTES = 16
_MAGIC = b"SGB1"
_HEADER_BYTES = len(_MAGIC) + 4 + _SALT_BYTES
_BACKUP_BYTES = _HEADER_BYTES + _IV_BYTES + SEED_BYTES + _TAG_BYTES
_BACKUP_CONTEXT = b"signet:seed-backup:v1"


def random_salt() -> bytes:
    """Creates a salt for `seed_from_passphrase`. It is no secret, but is needed with the passphrase."""
    return os.urandom(_SALT_BYTES)


def _pbkdf2(passphrase: str, salt: bytes, iterations: int) -> bytes:
    # Keyboards encode an umlaut differently.
    secret = unicodedata.normalize("NFKC", passphrase).encode("utf-8")
    return hashlib.pbkdf2_hmac("sha256", secret, salt, iterations, 32)


def seed_from_passphrase(passphrase: str, salt: bytes) -> bytes:
    """Derives a seed: PBKDF2-SHA-256 with 600,000 rounds over the passphrase in NFKC."""
    if len(salt) < _SALT_BYTES:
        raise _malformed(f"A salt has at least {_SALT_BYTES} bytes.")
    return _pbkdf2(passphrase, salt, _ITERATIONS)


def back_up_seed(seed: bytes, passphrase: str) -> str:
    """Seals a seed with a passphrase, as the `encrypted_seed` of a vault recovery."""
    salt = random_salt()
    head = _MAGIC + struct.pack(">I", _ITERATIONS) + salt
    sealed = _seal(_pbkdf2(passphrase, salt, _ITERATIONS), read_seed(seed), _BACKUP_CONTEXT + head)
    return base64.b64encode(head + sealed).decode("ascii")


def restore_seed(encrypted_seed: str, passphrase: str) -> bytes:
    """Opens a backup, written as base64, base64url or hex."""
    is_hex = re.fullmatch(r"(?:[0-9a-fA-F]{2})+", encrypted_seed) and len(encrypted_seed) >= 2 * _BACKUP_BYTES
    data = bytes.fromhex(encrypted_seed) if is_hex else from_base64(encrypted_seed)
    if data[:4] != _MAGIC:
        raise _malformed("This backup was not made by this library.")
    if len(data) < _BACKUP_BYTES:
        raise SignetCryptoError("truncated", "The backup is truncated.")
    head = data[:_HEADER_BYTES]
    (iterations,) = struct.unpack(">I", head[4:8])
    if not _ITERATIONS <= iterations <= _ITERATIONS_MAX:
        raise _malformed(f"The backup requires {iterations} rounds, which is out of range.")
    return _open(_pbkdf2(passphrase, head[8:], iterations), data[_HEADER_BYTES:], _BACKUP_CONTEXT + head)


# Vault entries


def _derive(seed: bytes, purpose: str, name: str) -> bytes:
    if len(seed) != SEED_BYTES:
        raise _malformed(f"A seed has {SEED_BYTES} bytes.")
    if not _NAME.fullmatch(name):
        raise _malformed("This is not a valid name of a vault entry.")
    return _hkdf(seed, f"signet:{purpose}:v1:{name}")


def seal_vault_entry(seed: bytes, name: str, content: Union[str, bytes]) -> str:
    """Seals bytes, or text as UTF-8, under a name. The blob differs each time."""
    return to_base64url(_seal(_derive(seed, "vault", name), _bytes(content), name.encode()))


def open_vault_entry(seed: bytes, name: str, blob: str) -> bytes:
    return _open(_derive(seed, "vault", name), from_base64(blob), name.encode())


def _version_mac(seed: bytes, name: str, version: int, blob: str) -> bytes:
    return hmac.new(_derive(seed, "vault-version", name), f"{version}.{blob}".encode(), hashlib.sha256).digest()


def prove_vault_version(seed: bytes, name: str, version: int, blob: str) -> str:
    """Proves that a blob was sealed as this version of the name."""
    return f"v1.{to_base64url(_version_mac(seed, name, version, blob))}"


def check_vault_version(seed: bytes, name: str, version: int, blob: str, proof: Any) -> None:
    if proof is None:
        raise SignetCryptoError("version_unproven", f"Nothing proves that {name} was sealed as version {version}.")
    found = _PROOF.fullmatch(proof) if isinstance(proof, str) else None
    if not found:
        raise _malformed("The version proof is malformed.")
    if not hmac.compare_digest(from_base64(found.group(1)), _version_mac(seed, name, version, blob)):
        raise SignetCryptoError("version_mismatch", f"{name} was not sealed as version {version}.")


# X25519: mail and credentials


def _key(text: str) -> bytes:
    data = from_base64(text)
    if len(data) != 32:
        raise _malformed("An X25519 key must have 32 bytes.")
    return data


def _x25519(private_key: bytes, public_key: bytes) -> bytes:
    try:
        return X25519PrivateKey.from_private_bytes(private_key).exchange(X25519PublicKey.from_public_bytes(public_key))
    except ValueError:
        message = "This public key gives every key pair the same secret."
        raise SignetCryptoError("weak_public_key", message) from None


def generate_mail_keys() -> Dict[str, str]:
    """Creates an X25519 key pair, `public_key` and `private_key`, 32 bytes each as base64url."""
    own = X25519PrivateKey.generate()
    raw = serialization.Encoding.Raw
    private = own.private_bytes(raw, serialization.PrivateFormat.Raw, serialization.NoEncryption())
    public = own.public_key().public_bytes(raw, serialization.PublicFormat.Raw)
    return {"public_key": to_base64url(public), "private_key": to_base64url(private)}


def mail_key_id(public_key: str) -> str:
    """The `encryption.key_id` of a message: the first 16 hex digits of the SHA-256 of the public key."""
    return hashlib.sha256(_key(public_key)).hexdigest()[:16]


_MAIL_FORMAT = "signet:e2e-mail:v1"
_MAIL_ALG = "X25519-HKDF-SHA256-A256GCM"
_CREDENTIAL_FORMAT = "signet:credential:v1"

Keys = Union[Mapping[str, str], Iterable[Mapping[str, str]]]


class MessageOpener:
    """Opens the parts of one sealed message. Pass former keys too, for mail from before a rotation."""

    def __init__(self, message: Mapping[str, Any], keys: Keys) -> None:
        pairs: List[Mapping[str, str]] = [keys] if isinstance(keys, Mapping) else list(keys)
        message_id = message.get("message_id") or message.get("id")
        ephemeral = message.get("ephemeral_public_key")
        if not message_id or not ephemeral:
            raise _malformed("This is not a sealed message.")
        encryption = message.get("encryption") or {}
        if encryption.get("alg", _MAIL_ALG) != _MAIL_ALG:
            raise _malformed(f"This library opens {_MAIL_ALG}, not {encryption['alg']}.")
        key_id = encryption.get("key_id")
        fitting = [pair for pair in pairs if (len(pairs) == 1 if key_id is None else mail_key_id(pair["public_key"]) == key_id)]
        if not fitting:
            message_text = f"None of the keys can open this message. Its key_id is {key_id or 'missing'}."
            raise SignetCryptoError("unknown_key", message_text)
        self._aad = str(message_id).encode()
        self._secret = _hkdf(_x25519(_key(fitting[0]["private_key"]), _key(ephemeral)), _MAIL_FORMAT)

    def open(self, sealed: bytes) -> bytes:
        """Opens an attachment or the raw message."""
        return _open(self._secret, sealed, self._aad)

    def open_text(self, sealed: str) -> str:
        """Opens a base64url part of the reply."""
        return _text(self.open(from_base64(sealed)))


def open_message(message: Mapping[str, Any], keys: Keys) -> Dict[str, Any]:
    """Opens `body` and `html` of a message. A message that is not sealed stays as it is."""
    if message.get("e2e_encrypted") is not True:
        return dict(message)
    opener = MessageOpener(message, keys)
    opened = {**message, "body": opener.open_text(message["body"])}
    if isinstance(message.get("html"), str):
        opened["html"] = opener.open_text(message["html"])
    return opened


def open_credential(delivered: Mapping[str, Any], keys: Mapping[str, str]) -> str:
    """Opens the value that `credentials.poll` returned for a request with a public key."""
    sealed = delivered.get("sealed_value")
    if not isinstance(sealed, str):
        raise _malformed("The reply has no sealed value.")
    data = from_base64(sealed)
    if len(data) < 32 + _IV_BYTES + _TAG_BYTES:
        raise _malformed("The sealed value is truncated.")
    secret = _hkdf(_x25519(_key(keys["private_key"]), data[:32]), _CREDENTIAL_FORMAT)
    return _text(_open(secret, data[32:], str(delivered["request_id"]).encode()))
