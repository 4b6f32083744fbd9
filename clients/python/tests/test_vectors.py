"""The same vectors as the TypeScript client: docs/vectors."""

import base64
import hashlib
import hmac
import json
import pathlib
import time
import unittest

import signet_client as library
from signet_client import SignetCryptoError

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "docs" / "vectors"


def read(name):
    return json.loads((VECTORS / name).read_text("utf-8"))


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Vault(unittest.TestCase):
    vectors = read("vault.json")

    def test_opens_and_proves_each_entry(self):
        for vector in self.vectors["entries"]:
            with self.subTest(vector["name"]):
                seed, name, blob = decode(vector["seed"]), vector["key"], vector["ciphertext"]
                self.assertEqual(library.open_vault_entry(seed, name, blob), decode(vector["plaintext"]))
                proof = library.prove_vault_version(seed, name, vector["version"], blob)
                self.assertEqual(proof, vector["version_proof"])
                again = library.seal_vault_entry(seed, name, decode(vector["plaintext"]))
                self.assertNotEqual(again, blob)
                self.assertEqual(library.open_vault_entry(seed, name, again), decode(vector["plaintext"]))

    def test_refuses_what_must_be_refused(self):
        for vector in self.vectors["refused"]:
            with self.subTest(vector["name"]), self.assertRaises(SignetCryptoError) as refused:
                seed, name, blob = decode(vector["seed"]), vector["key"], vector["ciphertext"]
                library.open_vault_entry(seed, name, blob)
                library.check_vault_version(seed, name, vector["version"], blob, vector["version_proof"])
            self.assertEqual(refused.exception.code, vector["code"], vector["name"])

    def test_derives_and_restores_seeds(self):
        for vector in self.vectors["passphrase_seeds"]:
            seed = library.seed_from_passphrase(vector["passphrase"], decode(vector["salt"]))
            self.assertEqual(seed, decode(vector["seed"]), vector["name"])
        for vector in self.vectors["seed_backups"]:
            self.assertEqual(library.restore_seed(vector["encrypted_seed"], vector["passphrase"]), decode(vector["seed"]))
        seed = library.random_seed()
        backup = library.back_up_seed(seed, "pass")
        self.assertEqual(library.restore_seed(backup, "pass"), seed)
        with self.assertRaises(SignetCryptoError):
            library.restore_seed(backup, "other")


class SealedForTheAgent(unittest.TestCase):
    def test_opens_sealed_mail(self):
        for vector in read("e2e-mail.json")["vectors"]:
            keys = {"public_key": vector["recipient_public_key"], "private_key": vector["recipient_private_key"]}
            message = {
                "message_id": vector["message_id"],
                "e2e_encrypted": True,
                "body": vector["sealed"],
                "ephemeral_public_key": vector["ephemeral_public_key"],
                "encryption": {"alg": "X25519-HKDF-SHA256-A256GCM", "key_id": vector["key_id"]},
            }
            former = library.generate_mail_keys()
            self.assertEqual(library.open_message(message, [former, keys])["body"], vector["plaintext"])
            with self.assertRaises(SignetCryptoError) as refused:
                library.open_message(message, [former])
            self.assertEqual(refused.exception.code, "unknown_key")
            with self.assertRaises(SignetCryptoError) as weak:
                library.open_message({**message, "ephemeral_public_key": "A" * 43}, keys)
            self.assertEqual(weak.exception.code, "weak_public_key")

    def test_opens_sealed_credentials(self):
        for vector in read("credential.json")["vectors"]:
            keys = {"public_key": vector["agent_public_key"], "private_key": vector["agent_private_key"]}
            delivered = {"request_id": vector["request_id"], "sealed_value": vector["sealed_value"]}
            self.assertEqual(library.open_credential(delivered, keys), vector["plaintext"])
            with self.assertRaises(SignetCryptoError):
                library.open_credential({**delivered, "request_id": "crd_other"}, keys)


class Webhooks(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"a secret of the webhook").decode()

    def signed(self, body, at):
        key = base64.b64decode(self.secret[6:])
        mac = hmac.new(key, f"ev_1.{at}.".encode() + body, hashlib.sha256).digest()
        signature = "v1,unknown v1," + base64.b64encode(mac).decode()
        return {"Webhook-Id": "ev_1", "Webhook-Timestamp": str(at), "Webhook-Signature": signature}

    def test_accepts_the_service_and_refuses_others(self):
        body, now = b'{"type":"email.received"}', int(time.time())
        self.assertEqual(library.verify_webhook(self.secret, self.signed(body, now), body)["type"], "email.received")
        refusals = [
            ("signature_invalid", self.signed(body, now), body + b" "),
            ("signature_missing", {}, body),
            ("expired", self.signed(body, now - 400), body),
            ("not_yet_valid", self.signed(body, now + 400), body),
            ("malformed", self.signed(b"no json", now), b"no json"),
        ]
        for code, headers, given in refusals:
            with self.assertRaises(SignetCryptoError) as refused:
                library.verify_webhook(self.secret, headers, given)
            self.assertEqual(refused.exception.code, code)


if __name__ == "__main__":
    unittest.main()
