"""The jobs of test/process/job-names.ts by the Python client, against the service at SIGNET_URL. Prints what each took."""

import datetime
import decimal
import http.server
import io
import json
import pathlib
import queue
import tempfile
import threading
import unittest
import zipfile

from signet_client import (
    ApprovalRequired,
    Forbidden,
    LimitReached,
    NotFound,
    Signet,
    Unauthorized,
    verify_webhook,
)

UTC = datetime.timezone.utc


class Counter:
    """Counts the calls of clients and the bytes of their requests and replies."""

    def __init__(self):
        self.calls = 0
        self.bytes = 0

    def watch(self, signet):
        signet._http.event_hooks = {"response": [self.note]}
        return signet

    def note(self, response):
        response.read()
        self.calls += 1
        self.bytes += len(response.request.content) + len(response.content)


class Receiver:
    """A receiver of webhooks on this machine."""

    def __init__(self):
        self.received = queue.Queue()
        received = self.received

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                received.put((dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Jobs(unittest.TestCase):
    took = {}

    def setUp(self):
        self.counter = Counter()

    def tearDown(self):
        name = self._testMethodName[len("test_") :]
        self.took[name] = {"calls": self.counter.calls, "bytes": self.counter.bytes}

    @classmethod
    def tearDownClass(cls):
        print(json.dumps(cls.took))

    def agent(self, name):
        signet = Signet.register(name=f"job {name}")
        self.counter.calls += 1
        self.counter.bytes += len(json.dumps(signet.account))
        return self.counter.watch(signet)

    def test_identity(self):
        me = self.agent("identity").accounts.get()
        self.assertEqual(len(me["addresses"]), 1)

    def test_code(self):
        signet, other = self.agent("code"), Signet.register(name="job sender")
        start = datetime.datetime.now(UTC)
        other.email.send(to=signet.account["email"], subject="Sign in", text="Your verification code is 482913.")
        self.assertEqual(signet.email.wait_for_code(after=start, timeout=30).code, "482913")

    def test_reply(self):
        signet, other = self.agent("reply"), Signet.register(name="job asker")
        other.email.send(to=signet.account["email"], subject="Question", text="Where is the report?")
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.csv"
            report.write_bytes(b"a,b\n1,2\n")
            [asked] = signet.email.inbox()["messages"]
            signet.email.reply(asked["message_id"], text="Here.", attachments=[report, ("raw.bin", b"\x00\xff")])
        [answered] = other.email.inbox()["messages"]
        files = other.email.read(answered["message_id"])["attachments"]
        self.assertEqual([(file["filename"], file["content_type"]) for file in files][0], ("report.csv", "text/csv"))
        self.assertEqual(other.email.attachment(answered["message_id"], 1), b"\x00\xff")

    def test_secret(self):
        signet = self.agent("secret")
        signet.vault.put("db-password", "correct horse")
        self.assertEqual(signet.vault.get("db-password"), "correct horse")

    def test_budget(self):
        signet = self.agent("budget")
        signet.budget.set(daily=decimal.Decimal("5"))
        charged = signet.budget.charge(amount=decimal.Decimal("0.02"))
        self.assertEqual((charged["status"], charged["amount_usdc"]), ("completed", 20_000))
        self.assertEqual(signet.budget.get()["caps"]["daily"]["limit_usdc"], 5_000_000)

    def test_token(self):
        signet = self.agent("token")
        issued = signet.tokens.issue(audience="https://api.example", scopes=["orders:read"])
        self.assertTrue(signet.tokens.introspect(token=issued["token"])["active"])

    def test_webhook(self):
        signet, receiver = self.agent("webhook"), Receiver()
        made = signet.webhooks.create(url=receiver.url, events=["calendar.updated"])
        at = datetime.datetime(2027, 1, 14, 12, tzinfo=UTC)
        signet.calendar.create(summary="Plan", start=at, end=at + datetime.timedelta(hours=1))
        headers, body = receiver.received.get(timeout=30)
        self.assertEqual(verify_webhook(made["secret"], headers, body)["type"], "calendar.updated")
        # Shown once.
        self.assertNotIn("secret", signet.webhooks.get(made["id"]))
        self.assertTrue(signet.webhooks.list()["webhooks"][0]["has_secret"])

    def test_calendar(self):
        signet = self.agent("calendar")
        made = signet.calendar.create(
            summary="Holiday", start=datetime.date(2027, 1, 14), end=datetime.date(2027, 1, 15)
        )
        found = list(signet.calendar.list.iter(from_=datetime.date(2027, 1, 1), to=datetime.date(2027, 2, 1)))
        self.assertEqual([event["id"] for event in found], [made["id"]])

    def test_pod(self):
        signet = self.agent("pod")
        made = signet.pods.create(name="Customer 7", spending_caps={"daily": decimal.Decimal("1")})
        pod = self.counter.watch(signet.with_key(made["api_key"]))
        self.assertEqual(pod.accounts.get()["id"], made["account_id"])
        with self.assertRaises(Forbidden):
            pod.pods.create(name="Another")

    def test_delegation(self):
        signet, helper = self.agent("delegation"), self.counter.watch(Signet.register(name="job helper"))
        made = signet.delegations.create(
            to=helper.account["account_id"],
            scopes=["calendar:read"],
            expires_at=datetime.datetime.now(UTC) + datetime.timedelta(hours=1),
        )
        given = next(helper.delegations.list.iter())
        self.assertEqual(given["id"], made["id"])
        signet.delegations.end(made["id"])

    def test_thief(self):
        signet = self.agent("thief")
        thief = signet.with_key(signet.key)
        thief.webhooks.create(url="http://127.0.0.1:9/thief", events=["email.received"])
        stolen = signet.key
        signet.accounts.secure()
        self.assertNotEqual(signet.key, stolen)
        self.assertEqual(signet.accounts.get()["id"], signet.account["account_id"])
        with self.assertRaises(Unauthorized):
            thief.accounts.get()

    def test_policy(self):
        signet = self.agent("policy")
        signet.email.set_policy(outbound={"to": "list", "allow": ["example.com"]})
        with self.assertRaises(Forbidden) as refused:
            signet.email.send(to="someone@elsewhere.example", subject="x", text="x")
        self.assertEqual(refused.exception.code, "recipient_not_allowed")

    def test_export(self):
        signet = self.agent("export")
        signet.email.send(to=signet.account["email"], subject="Kept", text="x")
        with zipfile.ZipFile(io.BytesIO(signet.accounts.export())) as archive:
            self.assertTrue(any(name.endswith(".json") for name in archive.namelist()))

    def test_approval(self):
        signet = self.counter.watch(Signet(raise_waiting=True, key=self.agent("approval").key))
        signet.budget.set(daily=decimal.Decimal("1"), on_limit="approve")
        with self.assertRaises(ApprovalRequired) as waiting:
            signet.budget.charge(amount=decimal.Decimal("2.50"))
        asked = waiting.exception.approval_id
        # The person, elsewhere, while this agent waits.
        person = signet.with_key(signet.key)
        decision = threading.Timer(0, lambda: person.approvals.approve(asked))
        decision.start()
        self.assertEqual(signet.approvals.wait(asked, timeout=60)["status"], "approved")
        decision.join()


class Refusals(unittest.TestCase):
    def test_has_a_class_for_each_kind(self):
        signet = Signet.register(name="refused")
        with self.assertRaises(NotFound):
            signet.email.read("msg_00000000000000000000000000")
        with self.assertRaises(Unauthorized):
            signet.with_key("signet_live_wrong").accounts.get()
        with self.assertRaises(LimitReached) as full:
            for _ in range(40):
                signet.webhooks.create(url="http://127.0.0.1:9/hook", events=["email.received"])
        self.assertEqual((full.exception.code, full.exception.limit["name"]), ("webhook_limit", "webhooks"))

    def test_says_which_value_cannot_be_sent(self):
        signet = Signet(key="signet_live_unused")
        for attachments, place in ((["report.pdf"], r"attachments\[0\]"), ([b"x"], r"attachments\[0\] has no name")):
            with self.assertRaisesRegex(TypeError, place):
                signet.email.send(from_="a", to="b", subject="c", text="d", attachments=attachments)
        with self.assertRaisesRegex(TypeError, "metadata.data takes no bytes"):
            signet.budget.charge(amount=1, metadata={"data": b"x"})


class Keys(unittest.TestCase):
    def test_threads_go_on_while_the_key_is_replaced(self):
        signet = Signet.register(name="rotated")
        faults = []
        go, stop = threading.Barrier(5), threading.Event()

        def work():
            go.wait()
            while not stop.is_set():
                try:
                    signet.accounts.get()
                except Exception as error:
                    faults.append(error)
                    return

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        go.wait()
        first = signet.key
        for _ in range(3):
            signet.accounts.rotate()
        signet.call("rotateKey")
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])
        self.assertNotEqual(signet.key, first)
        with self.assertRaises(Unauthorized):
            signet.with_key(first).accounts.get()

    def test_a_dry_run_sends_no_idempotency_key(self):
        sent = []
        signet = Signet.register(name="dry")
        signet._http.event_hooks = {"request": [lambda request: sent.append(request.headers)]}
        tried = signet.observations.create(topic="weather", content="Rain", shared=True, dry_run=True)
        signet.call("charge", amount=1, dry_run=True)
        for headers in sent:
            self.assertEqual((headers.get("signet-dry-run"), headers.get("idempotency-key")), ("true", None))
        self.assertEqual(tried["content"], "Rain")
        self.assertNotIn(tried["id"], [note["id"] for note in signet.observations.list.iter()])


class Lists(unittest.TestCase):
    def test_iterates_over_pages(self):
        signet = Signet.register(name="lister")
        for number in range(5):
            signet.observations.create(topic="weather", content=str(number), shared=True)
        found = [each["content"] for each in signet.observations.list.iter(limit=2)]
        self.assertEqual(sorted(found), ["0", "1", "2", "3", "4"])
        for same in (
            signet.paginate("listObservations", {"limit": 2}),
            signet.paginate("listObservations", limit=2),
        ):
            self.assertEqual([each["content"] for each in same], found)
        self.assertEqual(signet.call("listObservations", limit=5), signet.call("listObservations", {"limit": 5}))

    def test_keeps_earlier_names(self):
        signet = Signet(key="signet_live_unused")
        self.assertIs(signet.o_auth, signet.oauth)
        self.assertIs(signet.m_c_p, signet.mcp)
        for earlier in ("create_event", "list_event", "get_event", "update_event", "delete_event", "test_event"):
            self.assertTrue(callable(getattr(signet.webhooks, earlier)))
        self.assertEqual(signet.accounts.rotate_key, signet.accounts.rotate)


if __name__ == "__main__":
    unittest.main()
