"""The client of Signet, the identity service for AI agents. See README.md."""

from . import replies
from ._async_client import AsyncSignet
from ._client import Signet
from ._crypto import (
    MessageOpener,
    back_up_seed,
    check_vault_version,
    generate_mail_keys,
    open_credential,
    open_message,
    open_vault_entry,
    prove_vault_version,
    random_salt,
    random_seed,
    read_seed,
    restore_seed,
    seal_vault_entry,
    seed_from_passphrase,
    write_seed,
)
from ._errors import SignetConnectionError, SignetCryptoError, SignetError
from ._steps import Code, VaultEntry
from ._webhooks import verify_webhook

__all__ = [
    "AsyncSignet",
    "Code",
    "MessageOpener",
    "Signet",
    "SignetConnectionError",
    "SignetCryptoError",
    "SignetError",
    "VaultEntry",
    "back_up_seed",
    "check_vault_version",
    "generate_mail_keys",
    "open_credential",
    "open_message",
    "open_vault_entry",
    "prove_vault_version",
    "random_salt",
    "random_seed",
    "read_seed",
    "replies",
    "restore_seed",
    "seal_vault_entry",
    "seed_from_passphrase",
    "verify_webhook",
    "write_seed",
]
