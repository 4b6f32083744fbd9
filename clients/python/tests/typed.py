"""Read by mypy, never run: what the types of the replies promise. A line that must be refused says so, and mypy reports
the comment if it is not."""

import datetime
import decimal
import pathlib
from typing import List, Optional

from signet_client import ApprovalRequired, AsyncSignet, LimitReached, RateLimited, Signet, replies, verify_webhook


def sync(signet: Signet) -> None:
    account_id: str = signet.accounts.get()["account_id"]
    addresses: List[str] = signet.accounts.get()["addresses"]
    sender: str = signet.email.inbox()["messages"][0]["from"]
    name: Optional[str] = signet.email.read("msg_1")["from_name"]
    version: int = signet.vault.put("name", "value")["version"]
    limit = signet.budget.get()["caps"]["daily"]
    shown: str = limit["limit_usdc_display"] if limit else "none"
    charge = signet.budget.charge(amount="3.00")
    # Told apart by `status`, as the service replies.
    if charge["status"] == "approval_required":
        asked: str = charge["asked"]["whom"]
        wrong_branch = charge["charge_id"]  # type: ignore[typeddict-item]
    for event in signet.events.follow():
        data(event)
    data(signet.events.list()["events"][0])
    data(verify_webhook("whsec_", {}, b""))
    unknown_field = signet.accounts.get()["acount_id"]  # type: ignore[typeddict-item]
    wrong_type: int = signet.accounts.get()["account_id"]  # type: ignore[assignment]
    not_null: str = signet.email.read("msg_1")["from_name"]  # type: ignore[assignment]
    found = signet.email.wait_for_code()
    if found is not None:
        domain: str = found.sender["domain"]
        links: List[str] = [link["url"] for link in found.links]


def values(signet: Signet) -> None:
    at = datetime.datetime.now(datetime.timezone.utc)
    signet.email.send(to="a", subject="b", text="c", attachments=[pathlib.Path("d"), ("e", b"f"), {"filename": "g"}])
    signet.email.send(to="a", subject="b", attachments=["d"])  # type: ignore[list-item]
    signet.calendar.create(summary="a", start=at, end=at.date(), dry_run=True)
    signet.calendar.create(summary="a", start=1, end=at)  # type: ignore[arg-type]
    signet.budget.set(daily=decimal.Decimal("1"), weekly=None)
    signet.budget.charge(amount=0.02)  # type: ignore[arg-type]
    for note in signet.observations.list.iter(since=at, limit=10):
        topic: str = note["topic"]
    page: replies.ListObservationsReply = signet.observations.list(since=at)
    for event in signet.events.list.iter(after="ev_1"):
        data(event)
    signet.audit.list.iter(acount="a")  # type: ignore[call-arg]
    other: Signet = signet.with_key("key")
    status: str = signet.approvals.wait("apr_1", timeout=1)["status"]
    made: Optional[str] = signet.webhooks.create(url="https://a.example", events=["email.received"]).get("secret")
    try:
        signet.mcp.call(method="tools/list", id=1)
        signet.oauth.list_grants()
    except RateLimited as limited:
        seconds: Optional[float] = limited.retry_after
    except LimitReached as reached:
        limit = reached.limit
    except ApprovalRequired as waiting:
        approval: Optional[str] = waiting.approval_id


def data(event: replies.Event) -> None:
    if event["type"] == "email.received":
        message_id: str = event["data"]["message_id"]
        not_of_this_event = event["data"]["charge_id"]  # type: ignore[typeddict-item]
    elif event["type"] == "charge.completed":
        charge_id: str = event["data"]["charge_id"]


async def with_asyncio(signet: AsyncSignet) -> replies.GetBudgetReply:
    account_id: str = (await signet.accounts.get())["account_id"]
    unknown_field = (await signet.accounts.get())["acount_id"]  # type: ignore[typeddict-item]
    async for event in signet.events.follow():
        data(event)
    async for note in signet.observations.list.iter():
        topic: str = note["topic"]
    decided: str = (await signet.approvals.wait("apr_1"))["status"]
    other: AsyncSignet = signet.with_key("key")
    return await signet.budget.get()
