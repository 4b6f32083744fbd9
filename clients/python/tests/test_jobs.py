"""An agent's twelve everyday jobs, by both clients, against the service at SIGNET_URL."""

import asyncio
import datetime
import inspect
import os
import tempfile
import unittest
import unittest.mock

import signet_client._operations as operations
from signet_client import AsyncSignet, Signet, SignetConnectionError, SignetCryptoError, SignetError, random_seed
from signet_client._seen import SeenVersions

CODE = "Your verification code is 482913."


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class Jobs(unittest.TestCase):
    def test_an_agent_does_its_twelve_jobs(self):
        with Signet.register(name="py agent") as signet:
            address = signet.account["email"]
            self.assertEqual(signet.account.email, address)
            self.assertEqual(signet.accounts.get()["id"], signet.account["account_id"])
            # Mail.
            start = now()
            signet.email.send(to=address, subject="Sign in", text=CODE)
            message = signet.email.inbox()["messages"][0]
            self.assertEqual(signet.email.read(message["message_id"])["body"].strip(), CODE)
            signet.email.reply(message["message_id"], text="Thank you.")
            self.assertEqual(signet.email.inbox(q="Thank")["messages"][0]["subject"], "Re: Sign in")
            found = signet.email.wait_for_code(from_=address, after=start, timeout=5)
            self.assertEqual((found.code, found.links, found.message["subject"]), ("482913", [], "Sign in"))
            self.assertEqual(found.sender["domain"], address.split("@")[1])
            self.assertIsNone(signet.email.wait_for_code(timeout=1))
            # The vault.
            signet.vault.put("db-password", "correct horse")
            signet.vault.put("db-password", "battery staple", metadata={"rotates_days": 30})
            self.assertEqual(signet.vault.get("db-password"), "battery staple")
            self.assertEqual(signet.vault.get("db-password", version=1), "correct horse")
            self.assertEqual(signet.vault.entry("db-password").metadata, {"rotates_days": 30})
            self.assertEqual(signet.vault.list(), ["db-password"])
            # Money.
            signet.budget.set(daily=5_000_000, on_limit="approve")
            self.assertEqual(signet.budget.charge(amount=3_000_000)["status"], "completed")
            asked = signet.budget.charge(amount=3_000_000, idempotency_key="again")
            self.assertEqual(signet.budget.charge(amount=3_000_000, idempotency_key="again"), asked)
            self.assertEqual(signet.approvals.list()["approvals"][0]["id"], asked["approval_id"])
            signet.approvals.approve(asked["approval_id"])
            self.assertEqual(signet.approvals.get(asked["approval_id"])["status"], "approved")
            # Identity, calendar, notes, log.
            token = signet.tokens.issue(audience="https://api.example", scopes=["orders:read"])
            self.assertEqual(len(token["token"].split(".")), 3)
            event = signet.calendar.create(summary="Plan", start="2027-01-14T12:00:00Z", end="2027-01-14T13:00:00Z")
            self.assertEqual(signet.calendar.get(event["id"])["summary"], "Plan")
            self.assertTrue(signet.observations.create(topic="weather", content="Rain", shared=True)["shared"])
            actions = [entry["action"] for entry in signet.paginate("listAuditEntries", limit=3)]
            self.assertIn("observation.created", actions)
            first = next(signet.events.follow(after="ev_00000000000000000000000000"))
            self.assertTrue(first["id"].startswith("ev_"))

    def test_the_same_with_asyncio(self):
        async def agent():
            async with await AsyncSignet.register(name="async agent") as signet:
                address = signet.account["email"]
                start = now()
                waiting = asyncio.ensure_future(signet.email.wait_for_code(after=start, timeout=30))
                await signet.email.send(to=[address], subject="Sign in", text=CODE)
                self.assertEqual((await waiting).code, "482913")
                message = (await signet.email.inbox())["messages"][0]
                await signet.email.reply(message["message_id"], text="Thank you.")
                await signet.vault.put("db-password", b"\x00\xff")
                self.assertEqual((await signet.vault.entry("db-password")).content, b"\x00\xff")
                self.assertEqual(await signet.vault.list(), ["db-password"])
                charged = await signet.budget.charge(amount=10_000)
                self.assertEqual(charged["status"], "completed")
                listed = [entry async for entry in signet.paginate("listOutbox", limit=1)]
                self.assertEqual(len(listed), 2)
                async for event in signet.events.follow(after="ev_00000000000000000000000000"):
                    self.assertTrue(event["id"].startswith("ev_"))
                    break
                return signet.key, signet.seed

        key, seed = asyncio.run(agent())
        # Another process, with key and seed alone.
        self.assertEqual(Signet(key=key, seed=seed).vault.entry("db-password").content, b"\x00\xff")

    def test_errors_say_what_happened(self):
        signet = Signet.register(name="faulty")
        with self.assertRaises(SignetError) as missing:
            signet.email.read("msg_00000000000000000000000000")
        self.assertEqual((missing.exception.code, missing.exception.status), ("not_found", 404))
        self.assertTrue(hasattr(missing.exception, "suggestion"))
        with self.assertRaises(SignetError) as stranger:
            Signet(key="signet_live_wrong").accounts.get()
        self.assertEqual((stranger.exception.code, stranger.exception.status), ("unauthorized", 401))
        with self.assertRaises(SignetConnectionError) as nowhere:
            Signet("http://127.0.0.1:1", key="x", retries=0).accounts.get()
        self.assertEqual(nowhere.exception.code, "unreachable")
        with self.assertRaises(SignetCryptoError) as foreign:
            signet.vault.put("a", "b")
            Signet(key=signet.key, seed=random_seed()).vault.get("a")
        self.assertEqual(foreign.exception.code, "not_authentic")
        with self.assertRaises(SignetCryptoError) as unseeded:
            Signet(key=signet.key).vault.get("a")
        self.assertEqual(unseeded.exception.code, "seed_missing")
        signet.email.claim(address="faulty-two")
        with self.assertRaises(ValueError):
            Signet(key=signet.key).email.inbox()

    def test_keeps_the_key_of_the_environment_from_other_services(self):
        url = os.environ["SIGNET_URL"]
        with unittest.mock.patch.dict(os.environ, {"SIGNET_KEY": "signet_live_own"}):
            keys = [Signet(base)._settings.key for base in (None, url, f"{url}/", "https://other.example")]
            self.assertEqual(keys, ["signet_live_own"] * 3 + [None])
            self.assertEqual(Signet("https://other.example", key="k")._settings.key, "k")

    def test_keeps_the_versions_seen_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "seen.json")
            one, other = SeenVersions(path), SeenVersions(path)
            one.note("a", 3)
            other.note("b", 1)
            other.note("a", 2)
            self.assertEqual([SeenVersions(path).get(name) for name in "abc"], [3, 1, 0])
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            one.forget("a")
            self.assertEqual(SeenVersions(path).get("a"), 0)
            signet = Signet(key=os.environ["VAULT_KEY"], seed=os.environ["VAULT_SEED"], versions=path)
            version = signet.vault.put("kept", "x")["version"]
            self.assertEqual(SeenVersions(path).get("kept"), version)
            SeenVersions(path).note("kept", version + 1)
            again = Signet(key=signet.key, seed=signet.seed, versions=path)
            with self.assertRaises(SignetCryptoError) as older:
                again.vault.get("kept")
            self.assertEqual(older.exception.code, "version_rolled_back")

    def test_shares_the_vault_with_the_typescript_client(self):
        signet = Signet(key=os.environ["VAULT_KEY"], seed=os.environ["VAULT_SEED"])
        self.assertEqual(signet.vault.get("from-typescript"), "Grüße")
        signet.vault.put("from-typescript", "Grüße zurück")
        signet.vault.put("from-python", "Grüße", metadata={"a": 1})


class Table(unittest.TestCase):
    def test_every_operation_has_a_method_in_both_clients(self):
        source = inspect.getsource(operations)
        for name in operations.OPERATIONS:
            self.assertEqual(source.count(f'self._call("{name}"'), 2, name)


if __name__ == "__main__":
    unittest.main()
