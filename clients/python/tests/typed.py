"""Read by mypy, never run: what the types of the replies promise. A line that must be refused says so, and mypy reports
the comment if it is not."""

from typing import List, Optional

from signet_client import AsyncSignet, Signet, replies, verify_webhook


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
    return await signet.budget.get()
