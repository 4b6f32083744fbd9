# Made from the endpoint table by npm run generate: change the endpoint, not this file.
"""The replies as they are typed: dicts at run time, with the fields of the table for type checkers and editors.

Each operation has one: `GetBudgetReply` is what `getBudget` returns. `Event` is told apart by `event["type"]`.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _Event(TypedDict):
    id: str
    """Also a cursor."""
    created_at: str


class Location(TypedDict):
    location: str


_From = TypedDict("_From", {"from": "str"})


class EmailReceivedData(_From):
    address: str
    message_id: str
    subject: str
    received_at: str
    snippet: str
    """empty when sealed"""
    has_code: bool
    link_kinds: List[str]


class EmailReceivedEvent(_Event):
    """A message became visible in an inbox."""
    type: Literal["email.received"]
    data: EmailReceivedData


class EmailSentData(_From):
    id: str
    to: List[str]
    subject: str
    provider: str


class EmailSentEvent(_Event):
    """A sent email was delivered within the service, accepted by the relay, or written to the development outbox."""
    type: Literal["email.sent"]
    data: EmailSentData


class EmailFailedDataRecipient(TypedDict):
    address: str
    error: str


class EmailFailedData(_From):
    id: str
    to: List[str]
    subject: str
    error: str
    status: str
    """`sent` if another recipient got it"""
    recipients: List[EmailFailedDataRecipient]
    """`address` and `error` of each recipient that did not get it"""


class EmailFailedEvent(_Event):
    """A sent email failed or bounced, for all or some of its recipients."""
    type: Literal["email.failed"]
    data: EmailFailedData


class EmailHeldData(_From):
    review_id: str
    id: str
    to: List[str]
    subject: str
    reason: str
    expires_at: str


class EmailHeldEvent(_Event):
    """A sent email waits until an operator approves it."""
    type: Literal["email.held"]
    data: EmailHeldData


class EmailReleasedData(_From):
    review_id: str
    id: str
    to: List[str]
    subject: str


class EmailReleasedEvent(_Event):
    """An operator approved an email that waited. `email.sent` or `email.failed` follows."""
    type: Literal["email.released"]
    data: EmailReleasedData


class EmailRejectedData(_From):
    review_id: str
    id: str
    to: List[str]
    subject: str
    reason: Literal["rejected", "expired", "withdrawn"]


class EmailRejectedEvent(_Event):
    """An email that waited was rejected or withdrawn, or was not approved in time. It is not sent."""
    type: Literal["email.rejected"]
    data: EmailRejectedData


class EmailQuarantinedData(TypedDict):
    address: str
    message_id: str
    reason: str


class EmailQuarantinedEvent(_Event):
    """A message came that the mail policy keeps from the agent. The event says nothing of its content."""
    type: Literal["email.quarantined"]
    data: EmailQuarantinedData


class EmailSuppressedData(_From):
    id: str
    """of the email"""
    recipient: str
    reason: Literal["hard_bounce", "complaint", "unsubscribed"]


class EmailSuppressedEvent(_Event):
    """A recipient gets no more mail from the account: an email came back for good or was reported as spam, or the recipient unsubscribed."""
    type: Literal["email.suppressed"]
    data: EmailSuppressedData


class SendingPausedData(TypedDict):
    sent: int
    bad: int
    """bounced or reported, of those `sent` in 7 days"""
    resumes_at: str


class SendingPausedEvent(_Event):
    """Too much mail came back. The account sends none to other services until `resumes_at`."""
    type: Literal["sending.paused"]
    data: SendingPausedData


class StorageFillingData(TypedDict):
    percent: int
    """80 or 100"""
    used: int
    max: int


class StorageFillingEvent(_Event):
    """The storage of the account is 80 percent full, or it is full and mail was deferred."""
    type: Literal["storage.filling"]
    data: StorageFillingData


class AddressReleasedData(TypedDict):
    address: str


class AddressReleasedEvent(_Event):
    """An address of the account was released. No other account ever gets it."""
    type: Literal["address.released"]
    data: AddressReleasedData


class VaultUpdatedData(TypedDict):
    key: Optional[str]
    """null if not about one entry"""
    version: Optional[int]
    """null if not about one entry"""
    action: Literal["created", "updated", "deleted", "version_deleted", "recovery_set", "recovered"]


class VaultUpdatedEvent(_Event):
    """A [vault](vault.md) entry was stored or deleted, a recovery address was set, or a vault was recovered."""
    type: Literal["vault.updated"]
    data: VaultUpdatedData


class PaymentSettledData(TypedDict):
    payment_id: str
    amount_usdc: int
    transaction: Optional[str]
    """null if the hash is unknown"""


class PaymentSettledEvent(_Event):
    """A payment was settled on the blockchain."""
    type: Literal["payment.settled"]
    data: PaymentSettledData


class PaymentFailedData(TypedDict):
    payment_id: str
    amount_usdc: int
    error: str


class PaymentFailedEvent(_Event):
    """A payment will not be settled, although its purchase was delivered."""
    type: Literal["payment.failed"]
    data: PaymentFailedData


class KeyRotatedData(TypedDict):
    key_prefix: str
    reason: Literal["rotated", "backup_activated"]


class KeyRotatedEvent(_Event):
    """A key was rotated, or the backup key was activated."""
    type: Literal["key.rotated"]
    data: KeyRotatedData


class AccountSuspendedData(TypedDict):
    operator: str
    """the operator’s address"""


class AccountSuspendedEvent(_Event):
    """An operator suspended the account."""
    type: Literal["account.suspended"]
    data: AccountSuspendedData


class AccountResumedEvent(_Event):
    """An operator’s suspension of the account ended, or one of several."""
    type: Literal["account.resumed"]
    data: AccountSuspendedData


class AccountPersonChangedData(TypedDict):
    person_id: str
    role: Literal["email", "recovery", "operator"]
    address: str
    change: Literal["named", "confirmed", "refused", "removed"]


class AccountPersonChangedEvent(_Event):
    """An address of a person was named, confirmed, refused or removed."""
    type: Literal["account.person_changed"]
    data: AccountPersonChangedData


class AccountNoticeStartedData(TypedDict):
    notice_id: str
    what: Literal["backup_key", "e2e_key", "vault_recovery_email", "email", "recovery_email", "operator", "operator_replacement"]
    target: str
    """the prefix of a key, a public key, or an address"""
    ends_at: str


class AccountNoticeStartedEvent(_Event):
    """Something old will be removed from the account, unless somebody undoes it."""
    type: Literal["account.notice_started"]
    data: AccountNoticeStartedData


class AccountNoticeEndedData(TypedDict):
    notice_id: str
    what: Literal["backup_key", "e2e_key", "vault_recovery_email", "email", "recovery_email", "operator", "operator_replacement"]
    target: str
    outcome: Literal["done", "undone", "cancelled"]


class AccountNoticeEndedEvent(_Event):
    """An announced removal was carried out, undone or cancelled."""
    type: Literal["account.notice_ended"]
    data: AccountNoticeEndedData


class AccountSecuredData(TypedDict):
    key_prefix: str
    reverted: List[str]


class AccountSecuredEvent(_Event):
    """The account was secured: a new key, and everything that a thief may hold has ended."""
    type: Literal["account.secured"]
    data: AccountSecuredData


class AccountDeletionScheduledData(TypedDict):
    deletes_at: str
    by: Literal["key", "session", "operator", "administrator"]
    asked_by: str
    """the prefix of a key, an address, or `administrator`"""


class AccountDeletionScheduledEvent(_Event):
    """The account will be deleted at `deletes_at`, unless somebody cancels it."""
    type: Literal["account.deletion_scheduled"]
    data: AccountDeletionScheduledData


class AccountDeletionCancelledData(TypedDict):
    cancelled_by: str


class AccountDeletionCancelledEvent(_Event):
    """The account will not be deleted."""
    type: Literal["account.deletion_cancelled"]
    data: AccountDeletionCancelledData


class ChargeCompletedData(TypedDict):
    charge_id: str
    amount_usdc: int
    category: str
    reference_id: Optional[str]


class ChargeCompletedEvent(_Event):
    """A charge was recorded."""
    type: Literal["charge.completed"]
    data: ChargeCompletedData


class ApprovalRequestedData(TypedDict):
    approval_id: str
    account_id: str
    """the account that wants to spend; may be a pod of the platform"""
    amount_usdc: int
    category: str
    cause: Literal["budget_exceeded", "single_tx_limit_exceeded"]
    expires_at: str


class ApprovalRequestedEvent(_Event):
    """A charge waits for approval. The platform of a pod gets the event too if it decides."""
    type: Literal["approval.requested"]
    data: ApprovalRequestedData


class ApprovalResolvedData(TypedDict):
    approval_id: str
    account_id: str
    amount_usdc: int
    status: Literal["approved", "rejected", "expired"]
    resolved_by: Optional[str]
    charge_id: Optional[str]


class ApprovalResolvedEvent(_Event):
    """An approval was approved, rejected, or expired."""
    type: Literal["approval.resolved"]
    data: ApprovalResolvedData


class BudgetLimitReachedData(TypedDict):
    period: Literal["daily", "weekly", "monthly"]
    limit_usdc: int
    spent_usdc: int
    resets_at: str
    limit_set_by: Literal["account", "platform"]


class BudgetLimitReachedEvent(_Event):
    """A spending cap is used up until `resets_at`."""
    type: Literal["budget.limit_reached"]
    data: BudgetLimitReachedData


class TokenIssuedData(TypedDict):
    jti: str
    audience: str
    scopes: List[str]
    expires_at: str


class TokenIssuedEvent(_Event):
    """A [token](tokens.md) was issued."""
    type: Literal["token.issued"]
    data: TokenIssuedData


class TokenRevokedData(TypedDict):
    jti: str


class TokenRevokedEvent(_Event):
    """A [token](tokens.md) was revoked."""
    type: Literal["token.revoked"]
    data: TokenRevokedData


class DelegationCreatedData(_From):
    delegation_id: str
    account_id: str
    """the account whose authority it is"""
    to: str
    """the delegate"""
    scopes: List[str]
    budget_usdc: Optional[int]
    expires_at: str


class DelegationCreatedEvent(_Event):
    """An account [delegated](delegation.md) authority, or passed it on. The account, the maker and the delegate get the event."""
    type: Literal["delegation.created"]
    data: DelegationCreatedData


class DelegationEndedData(_From):
    delegation_id: str
    account_id: str
    to: str


class DelegationEndedEvent(_Event):
    """A [delegation](delegation.md) was ended, with all that was passed on from it. Expiry has no event."""
    type: Literal["delegation.ended"]
    data: DelegationEndedData


class GrantCreatedData(TypedDict):
    grant_id: str
    client_id: str
    client_name: str
    """the client chose it"""
    scopes: List[str]
    allowed_by: str
    """the person’s address"""


class GrantCreatedEvent(_Event):
    """A person let an [OAuth client](oauth.md) act for the account."""
    type: Literal["grant.created"]
    data: GrantCreatedData


class GrantEndedData(TypedDict):
    grant_id: str
    client_id: str
    client_name: str
    reason: Literal["ended", "revoked", "reused", "secured", "operator_removed"]


class GrantEndedEvent(_Event):
    """An [OAuth client](oauth.md) may no longer act for the account."""
    type: Literal["grant.ended"]
    data: GrantEndedData


class CalendarUpdatedData(TypedDict):
    event_id: str
    action: Literal["created", "updated", "deleted"]
    summary: str
    start: str
    end: str


class CalendarUpdatedEvent(_Event):
    """A [calendar](calendar.md) event changed."""
    type: Literal["calendar.updated"]
    data: CalendarUpdatedData


class CredentialRequestedData(TypedDict):
    request_id: str
    description: str
    vault_key: Optional[str]
    expires_at: str


class CredentialRequestedEvent(_Event):
    """An agent requested a [credential](credentials.md)."""
    type: Literal["credential.requested"]
    data: CredentialRequestedData


class CredentialResolvedData(TypedDict):
    request_id: str
    status: Literal["approved", "denied"]
    reason: Literal["operator", "wrong_codes"]
    vault_key: Optional[str]


class CredentialResolvedEvent(_Event):
    """A request for a [credential](credentials.md) was approved or denied."""
    type: Literal["credential.resolved"]
    data: CredentialResolvedData


class FindingJudgedData(TypedDict):
    jti: str
    outcome: Literal["accepted", "rejected"]
    severity: str
    program_id: str


class FindingJudgedEvent(_Event):
    """A program judged a [finding](findings.md)."""
    type: Literal["finding.judged"]
    data: FindingJudgedData


class Health(TypedDict):
    status: str
    timestamp: str
    version: str
    """Version of the API."""
    release: str
    """Version of the software."""


class Ready(TypedDict):
    status: str
    timestamp: str
    version: str
    """Version of the API."""
    release: str
    """Version of the software."""
    disk: Literal["ok", "low"]


class Payment(TypedDict):
    id: str
    status: Literal["pending", "settled", "failed", "verified"]
    """`pending`: delivered and not settled yet. `settled`: on the chain. `failed`: see `error`. `verified`: delivered by a development server; no money moves."""
    amount_usdc: int
    """Atomic units."""
    amount_usdc_display: str
    network: str
    asset: str
    """Contract of the token."""
    payer: str
    """Wallet that pays."""
    pay_to: str
    """Wallet that is paid."""
    nonce: str
    resource: str
    """URL of the request that it paid for."""
    description: str
    transaction: Optional[str]
    error: Optional[str]
    created_at: str
    settled_at: Optional[str]


class ListPaymentsReply(TypedDict):
    payments: List[Payment]
    count: int
    """Payments on this page."""
    next_cursor: Optional[str]


class Notice(TypedDict):
    id: str
    what: Literal["backup_key", "e2e_key", "vault_recovery_email", "email", "recovery_email", "operator", "operator_replacement"]
    target: str
    """The prefix of a key, a public key, or an address."""
    asked_at: str
    ends_at: str
    """When it is removed."""


class ListNoticesReply(TypedDict):
    notices: List[Notice]


class UndoNoticeReply(TypedDict):
    ok: bool


_From2 = TypedDict("_From2", {"from": "Literal[\"default\", \"own\", \"platform\"]"})


class WayPolicy(_From2):
    rule: Literal["open", "list", "operator", "off", "known"]
    allow: List[str]


class GetAccountPolicyReplyWays(TypedDict):
    mail: WayPolicy
    webhook: WayPolicy
    feed: WayPolicy
    share: WayPolicy
    publish: WayPolicy
    delegate: WayPolicy
    grant: WayPolicy
    invite: WayPolicy
    fetch: WayPolicy
    token: WayPolicy
    pay: WayPolicy


class GetAccountPolicyReply(TypedDict):
    ways: GetAccountPolicyReplyWays


class _WayOut(_From2):
    way: Literal["mail", "webhook", "feed", "share", "publish", "delegate", "grant", "invite", "fetch", "token", "pay"]
    rule: Literal["open", "list", "operator", "off", "known"]
    targets: int


class WayOut(_WayOut, total=False):
    allow: List[str]
    """As far as there is room."""


class AccountLimits(TypedDict):
    requests_per_day: int
    """API requests of an account per UTC day. A pod shares the quota of its platform."""
    emails_per_day: int
    """Emails that an account can send per UTC day without paying. A pod shares the quota of its platform."""
    emails_per_hour: int
    """Emails that an account can send per clock hour without paying. A pod shares the quota of its platform."""
    recipients_per_send: int
    """Recipients of one email."""
    addresses: int
    """Addresses of an account."""
    vault_keys: Optional[int]
    """Keys in the vault of an account. Keys that it paid for do not count. Null: no limit."""
    vault_versions_per_key: int
    """Versions kept for each vault key. A new version removes the oldest."""
    vault_ciphertext_bytes: int
    """Size of the ciphertext of a vault entry, in bytes."""
    storage_bytes: int
    """Bytes that an account stores: mail, drafts and vault. One sender’s mail fills at most a quarter."""
    mail_program_bytes_per_day: int
    """Bytes that mail programs get by IMAP per UTC day. A pod shares the quota of its platform."""
    stacks: int
    """Domains of an account and its pods."""
    dns_records: int
    """DNS records of a domain."""
    pods: int
    """Active pods of a platform."""
    calendar_events: int
    """Events in the calendar of an account."""
    drafts: int
    """Drafts and scheduled mails of an account that are not sent."""
    named_keys: int
    """Named keys of an account that have not expired."""
    delegations: int
    """Delegations that an account made or passed on and that stand."""
    event_streams: int
    """Open WebSockets, event streams and waiting `GET /v1/events` requests of an account and its pods, on each instance."""


class _GetPowerReply(TypedDict):
    authority: Literal["account", "operator"]
    operators: int
    can: List[str]
    """The operations that this credential may call now."""
    operator_decides: List[str]
    """Those that it must leave to an operator."""
    ways_out: List[WayOut]
    limits: AccountLimits
    """The limits of the account’s tier."""


class GetPowerReply(_GetPowerReply, total=False):
    operator_addresses: List[str]


class _LoginReply(TypedDict):
    sent: bool


class LoginReply(_LoginReply, total=False):
    message: str


class LogoutReply(TypedDict):
    ok: bool
    ended_at: str


class Delegation(_From):
    id: str
    account_id: str
    """The account whose authority it is."""
    to: str
    """The delegate."""
    scopes: List[Scope]
    addresses: Optional[List[str]]
    """Null: every address of the account."""
    audience: Optional[str]
    budget_usdc: Optional[int]
    spent_usdc: int
    budget_usdc_display: Optional[str]
    spent_usdc_display: str
    may_delegate: int
    created_at: str
    expires_at: str
    status: Literal["active", "expired", "revoked"]


class ListDelegationsReply(TypedDict):
    delegations: List[Delegation]
    next_cursor: Optional[str]


class ClaimAddressReply(TypedDict):
    address: str
    claimed: bool
    """Always true."""
    already_owned: bool
    """True if this account had the address before."""
    account_id: str
    e2e_enabled: bool
    """True if the address has a public key."""


class ReleaseAddressReply(TypedDict):
    released: bool
    """Always true."""


class AddressSettings(TypedDict):
    address: str
    display_name: Optional[str]
    retention_days: Optional[int]


class ListAddressesReply(TypedDict):
    addresses: List[str]
    count: int
    settings: List[AddressSettings]


class CreateKeyReplyLimits(TypedDict):
    stacks: int
    addresses: int
    dns_records: int
    emails_per_day: int
    requests_per_day: int


class _CreateKeyReply(TypedDict):
    api_key: str
    key_prefix: str
    account_id: str
    tier: Literal["free", "paid"]
    created_at: str
    limits: CreateKeyReplyLimits


class CreateKeyReply(_CreateKeyReply, total=False):
    backup_key: str
    warning: str


class RotateKeyReplyStanding(TypedDict):
    id: str
    kind: Literal["backup", "named"]
    key_prefix: str


class _RotateKeyReply(TypedDict):
    api_key: str
    key_prefix: str
    account_id: str
    rotated_at: str
    standing: List[RotateKeyReplyStanding]
    """The other keys of the account, which still work."""


class RotateKeyReply(_RotateKeyReply, total=False):
    warning: str


class _GenerateBackupKeyReply(TypedDict):
    backup_key: str
    key_prefix: str
    status: Literal["backup"]
    created_at: str


class GenerateBackupKeyReply(_GenerateBackupKeyReply, total=False):
    warning: str


class _ActivateBackupKeyReply(TypedDict):
    activated_key_prefix: str
    account_id: str
    activated_at: str


class ActivateBackupKeyReply(_ActivateBackupKeyReply, total=False):
    message: str


class DeleteBackupKeyReply(TypedDict):
    status: Literal["ended", "scheduled"]
    ends_at: str


class Key(TypedDict):
    prefix: str
    status: Literal["active", "backup", "revoked"]
    label: Optional[str]
    created_at: str
    activated_at: Optional[str]
    """Null before activation."""


class ListKeysReply(TypedDict):
    account_id: str
    keys: List[Key]


class AccountKeyDay(TypedDict):
    day: str
    requests: int


class AccountKey(TypedDict):
    id: str
    kind: Literal["primary", "backup", "named"]
    name: Optional[str]
    key_prefix: str
    scopes: List[Scope]
    addresses: Optional[List[str]]
    requests_share: Optional[int]
    created_at: str
    expires_at: Optional[str]
    last_used_at: Optional[str]
    """Of a primary or backup key only what is within the last 30 days."""
    last_used_from: Optional[str]
    days: List[AccountKeyDay]
    """Its calls by UTC day, of the last 30 days. Days without any are left out."""
    status: Literal["active", "expired"]


class ListAccountKeysReply(TypedDict):
    keys: List[AccountKey]


class CreateNamedKeyReply(TypedDict):
    id: str
    api_key: str
    key_prefix: str
    name: str
    scopes: List[Scope]
    addresses: Optional[List[str]]
    requests_share: Optional[int]
    expires_at: Optional[str]
    created_at: str


class ChangeNamedKeyReply(TypedDict):
    id: str
    name: str
    scopes: List[Scope]
    requests_share: Optional[int]
    expires_at: Optional[str]


class RotateNamedKeyReply(TypedDict):
    api_key: str
    key_prefix: str
    previous_valid_until: str


class SecuredAccountEnded(TypedDict):
    keys: int
    """Named keys, and a backup key that was young."""
    sessions: int
    links: int
    tokens: int
    grants: int
    delegations: int
    streams: int
    """Streams that were open on this instance."""


class SecuredAccountWebhook(TypedDict):
    id: str
    url: str
    paused: bool
    secret: Optional[str]
    """The new secret. Null if it had none."""


class SecuredAccountRecentChange(TypedDict):
    at: str
    what: str
    detail: str
    count: int
    """Equal changes are one row. `at` is the time of the latest."""


class SecuredAccountBackup(TypedDict):
    created_at: str
    ends_at: Optional[str]


class _SecuredAccount(TypedDict):
    api_key: str
    key_prefix: str
    ended: SecuredAccountEnded
    webhooks: List[SecuredAccountWebhook]
    recent_changes: List[SecuredAccountRecentChange]
    """What changed in 30 days, newest first."""
    backup: Optional[SecuredAccountBackup]
    """The backup key that stays."""


class SecuredAccount(_SecuredAccount, total=False):
    warning: str


class SpendingCap(TypedDict):
    limit_usdc: int
    """Atomic USDC."""
    spent_usdc: int
    remaining_usdc: int
    """Never negative."""
    limit_usdc_display: str
    spent_usdc_display: str
    remaining_usdc_display: str
    resets_at: str


class SpendingCaps(TypedDict):
    daily: Optional[SpendingCap]
    weekly: Optional[SpendingCap]
    monthly: Optional[SpendingCap]


class BudgetSettings(TypedDict):
    on_limit: Literal["reject", "approve"]
    """What happens to a charge over a limit: 402, or a wait for approval."""
    single_tx_limit_cents: Optional[int]
    single_tx_limit_cents_display: Optional[str]
    authority: Literal["account", "operator"]
    """With `operator`, only an operator session may approve charges and raise or remove limits."""


class _GetBudgetReply(TypedDict):
    agent_id: str
    currency: str
    """Always `USDC`."""
    atomic_unit: str
    """The value of an amount of 1."""
    caps: SpendingCaps
    has_caps: bool
    status: Literal["active", "limit_reached"]
    """`limit_reached` when any cap is used up, for a pod also one of its platform."""
    settings: BudgetSettings
    spending_caps: Optional[SpendingCaps]


class GetBudgetReply(_GetBudgetReply, total=False):
    note: str


class SetBudgetReplyCaps(TypedDict, total=False):
    daily: Optional[SpendingCap]
    weekly: Optional[SpendingCap]
    monthly: Optional[SpendingCap]


class _SetBudgetReply(TypedDict):
    ok: bool
    agent_id: str
    caps: SetBudgetReplyCaps
    """The caps in the request."""
    settings: BudgetSettings
    budget: GetBudgetReply
    """As `GET /v1/budget` returns it. `caps` and `settings` say what changed."""


class SetBudgetReply(_SetBudgetReply, total=False):
    warning: str


class GetBudgetHistoryReplyEntry(TypedDict):
    id: str
    """The `charge_id`."""
    timestamp: str
    amount_usdc: int
    amount_usdc_display: str
    category: str
    description: str
    reference_id: Optional[str]
    metadata: Optional[Dict[str, Any]]
    account_id: str
    """The account that spent it: the caller or one of its pods."""
    approval_id: Optional[str]


class GetBudgetHistoryReplySummary(TypedDict):
    count: int
    """Entries on all pages."""
    total_usdc: int
    total_usdc_display: str
    by_category: Dict[str, int]


class GetBudgetHistoryReplyPagination(TypedDict):
    limit: int
    has_more: bool
    next_before: Optional[str]
    next_cursor: Optional[str]


class _GetBudgetHistoryReply(TypedDict):
    agent_id: str
    currency: str
    """Always `USDC`."""
    atomic_unit: str
    """The value of an amount of 1."""
    entries: List[GetBudgetHistoryReplyEntry]
    summary: GetBudgetHistoryReplySummary
    pagination: GetBudgetHistoryReplyPagination


class GetBudgetHistoryReply(_GetBudgetHistoryReply, total=False):
    note: str


class ChargeDoneRemaining(TypedDict, total=False):
    daily: int
    weekly: int
    monthly: int


class ChargeDoneRemainingDisplay(TypedDict, total=False):
    daily: str
    weekly: str
    monthly: str


class _ChargeDone(TypedDict):
    status: Literal["completed"]
    charge_id: str
    amount_usdc: int
    """Atomic USDC."""
    amount_usdc_display: str
    category: str
    description: str
    reference_id: Optional[str]
    remaining: ChargeDoneRemaining
    """Atomic USDC left in each capped period."""
    remaining_display: ChargeDoneRemainingDisplay


class ChargeDone(_ChargeDone, total=False):
    message: str
    warning: str


class ChargeAcceptedExceeded(TypedDict):
    period: Literal["daily", "weekly", "monthly"]
    spent_usdc: Optional[int]
    limit_usdc: Optional[int]
    remaining_usdc: Optional[int]
    spent_usdc_display: Optional[str]
    limit_usdc_display: Optional[str]
    remaining_usdc_display: Optional[str]
    resets_at: str
    limit_set_by: Literal["account", "platform"]
    """`account`: a limit of this account, set by account, operator or platform. For a limit of the platform’s own budget, the amounts are null."""


class ChargeAcceptedAsked(TypedDict):
    whom: Literal["operator", "platform", "account"]
    by: List[Literal["mail", "event", "console"]]


class _ChargeAccepted(TypedDict):
    status: Literal["approval_required"]
    approval_id: str
    reason: Literal["budget_exceeded", "single_tx_limit_exceeded"]
    amount_usdc: int
    amount_usdc_display: str
    expires_at: str
    check_url: str
    """Returns the approval. Poll it for the outcome."""
    asked: ChargeAcceptedAsked


class ChargeAccepted(_ChargeAccepted, total=False):
    exceeded: List[ChargeAcceptedExceeded]
    single_tx_limit_usdc: Optional[int]
    single_tx_limit_usdc_display: Optional[str]
    message: str
    warning: str


class Approval(TypedDict):
    id: str
    account_id: str
    """The account that wants to spend: the caller or one of its pods."""
    amount_usdc: int
    """Atomic USDC."""
    amount_usdc_display: str
    category: str
    description: str
    reference_id: Optional[str]
    status: Literal["pending", "approved", "rejected", "expired"]
    created_at: str
    resolved_at: Optional[str]
    resolved_by: Optional[str]
    expires_at: str
    metadata: Optional[Dict[str, Any]]
    cause: Literal["budget_exceeded", "single_tx_limit_exceeded"]
    """The limit that the charge exceeds."""
    reason: Optional[str]
    charge_id: Optional[str]
    delegation_id: Optional[str]
    """The delegation that the charge came by."""
    decided_by: Optional[Literal["operator", "person", "platform", "account"]]
    """Who decided; null while pending, and for a decision of before."""
    decided_by_account: str
    """The account whose limit it is: the caller, or a pod’s platform."""


class ListApprovalsReply(TypedDict):
    agent_id: str
    status_filter: str
    approvals: List[Approval]
    count: int
    next_cursor: Optional[str]


class ResolvedApproval(TypedDict):
    ok: bool
    id: str
    approval_id: str
    """The same as `id`."""
    status: Literal["approved", "rejected"]
    amount_usdc: int
    amount_usdc_display: str
    category: str
    description: str
    reason: Optional[str]
    resolved_at: str
    resolved_by: str
    charge_id: Optional[str]


class AskingAgent(TypedDict):
    account_id: str
    name: Optional[str]
    address: Optional[str]


class ViewApprovalReply(TypedDict):
    id: str
    account_id: str
    """The account that wants to spend: the caller or one of its pods."""
    amount_usdc: int
    """Atomic USDC."""
    amount_usdc_display: str
    category: str
    description: str
    reference_id: Optional[str]
    status: Literal["pending", "approved", "rejected", "expired"]
    created_at: str
    resolved_at: Optional[str]
    resolved_by: Optional[str]
    expires_at: str
    metadata: Optional[Dict[str, Any]]
    cause: Literal["budget_exceeded", "single_tx_limit_exceeded"]
    """The limit that the charge exceeds."""
    reason: Optional[str]
    charge_id: Optional[str]
    delegation_id: Optional[str]
    """The delegation that the charge came by."""
    decided_by: Optional[Literal["operator", "person", "platform", "account"]]
    """Who decided; null while pending, and for a decision of before."""
    decided_by_account: str
    """The account whose limit it is: the caller, or a pod’s platform."""
    agent: AskingAgent
    caps: SpendingCaps
    passkey_required: bool
    """The link shows it. To decide, log in with a passkey."""


class SetRecoveryEmailReply(TypedDict):
    ok: bool
    recovery_email: Optional[str]
    confirmed: bool
    """False until the owner of the address confirms it."""


class _SetOperatorEmailReply(TypedDict):
    ok: bool
    operator_email: Optional[str]
    confirmed: bool
    """False until the owner of the address confirms it."""


class SetOperatorEmailReply(_SetOperatorEmailReply, total=False):
    warning: str


class ViewConfirmationReply(TypedDict):
    id: str
    role: Literal["email", "recovery", "operator"]
    address: str
    account_id: str
    name: Optional[str]
    agent: AskingAgent
    named_at: str
    confirmed: bool
    removable_days: int
    """So many days the account’s key can remove it at once."""
    authority: Optional[Literal["account", "operator"]]
    """The answer that the agent proposed."""


class ConfirmPersonReply(TypedDict):
    status: Literal["confirmed", "refused"]


class DecideConsentReply(TypedDict):
    redirect_to: str


class StartDeviceLoginReply(TypedDict):
    device_code: str
    user_code: str
    verification_uri: str
    expires_in: int
    """Seconds."""
    interval: int
    """Seconds between two polls."""


class DecideDeviceLoginReply(TypedDict):
    client_name: str
    scopes: List[str]
    """What it asks for, or was let do."""
    created_at: str
    expires_at: str


class _ExchangeTokenReply(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int
    """Seconds."""
    scope: str


class ExchangeTokenReply(_ExchangeTokenReply, total=False):
    issued_token_type: str
    refresh_token: str


class ListGrantsReplyGrant(TypedDict):
    id: str
    client_id: str
    client_name: str
    scopes: List[str]
    allowed_by: str
    created_at: str
    last_used_at: Optional[str]
    """When it last got tokens."""


class ListGrantsReply(TypedDict):
    grants: List[ListGrantsReplyGrant]
    next_cursor: Optional[str]


class CreatePasskeyOptionsReplyRp(TypedDict):
    id: str
    name: str


class CreatePasskeyOptionsReplyUser(TypedDict):
    id: str
    name: str
    displayName: str


class CreatePasskeyOptionsReplyPubKeyCredParam(TypedDict):
    alg: int
    type: Literal["public-key"]


class _CreatePasskeyOptionsReply(TypedDict):
    rp: CreatePasskeyOptionsReplyRp
    user: CreatePasskeyOptionsReplyUser
    challenge: str
    pubKeyCredParams: List[CreatePasskeyOptionsReplyPubKeyCredParam]
    timeout: int
    attestation: str
    authenticatorSelection: Dict[str, Any]
    extensions: Dict[str, Any]
    hints: List[str]


class CreatePasskeyOptionsReply(_CreatePasskeyOptionsReply, total=False):
    excludeCredentials: List[Dict[str, Any]]


class AddPasskeyCreated(TypedDict):
    id: str
    name: str
    status: Literal["active", "pending"]
    created_at: str
    active_at: str
    """From then on it logs in."""
    last_used_at: Optional[str]


class ListPasskeysReply(TypedDict):
    passkeys: List[AddPasskeyCreated]
    next_cursor: Optional[str]


class CreateRecoveryCodesReply(TypedDict):
    codes: List[str]


class CreatePasskeyLoginOptionsReply(TypedDict):
    rpId: str
    challenge: str
    timeout: int
    userVerification: str


class LogInWithPasskeyReply(TypedDict):
    session: str
    """Send it as `Authorization: Bearer session_…`."""
    account_id: str
    expires_at: str


class GetOperatorSettingsReply(TypedDict):
    address: str
    require_passkey: bool
    """Whether mailed links and mailed logins can no longer decide."""
    mails: Literal["now", "hourly", "daily", "decisions"]
    """News of your agents: each at once, together once an hour or a day, or none (`decisions`). Logins, confirmations, security notices and what you must decide in time are mailed at once always."""
    passkeys: int
    """How many are active."""
    recovery_codes: int
    """How many are left."""


class OpenConsoleSessionReply(TypedDict):
    session: str
    """Send it as `Authorization: Bearer session_…`."""
    expires_at: str


class ListSessionsReplySession(TypedDict):
    id: str
    operator: bool
    """Opened through the operator email."""
    address: Optional[str]
    """The address whose login link opened it. Null: the key did."""
    created_at: str
    expires_at: str
    current: bool
    """Whether it makes this call."""


class ListSessionsReply(TypedDict):
    sessions: List[ListSessionsReplySession]
    next_cursor: Optional[str]


_From3 = TypedDict("_From3", {"from": "Literal[\"open\", \"list\"]"})


class MailPolicyInbound(_From3):
    allow: List[str]
    """Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties."""
    block: List[str]
    """Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties."""
    unauthenticated: Literal["accept", "quarantine", "reject"]
    """For mail whose From address is not proven."""
    suspicious: Literal["accept", "quarantine"]
    dangerous: Literal["accept", "quarantine", "reject"]


class MailPolicyOutbound(TypedDict):
    to: Literal["open", "list", "known"]
    """`list`: only recipients in `allow`. `known`: also those that an operator remembered."""
    otherwise: Literal["refuse", "review"]
    """For other recipients under `list` and `known`. `review`: the mail waits for an operator; those remembered pass."""
    allow: List[str]
    """Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties."""
    block: List[str]
    """Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties."""
    hold: Literal["never", "first_contact", "after_suspicious", "always"]
    """Which mail waits until an operator approves it."""
    secrets: Literal["accept", "hold", "reject"]
    """For mail with a key of a well-known kind. Our own are refused."""
    max_recipients_per_day: Optional[int]


class MailPolicy(TypedDict):
    inbound: MailPolicyInbound
    outbound: MailPolicyOutbound


class _Review(_From):
    review_id: str
    account_id: str
    id: str
    """The id of the email in the outbox."""
    to: List[str]
    """Every recipient, blind copies too."""
    subject: str
    reason: str
    """Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`."""
    created_at: str
    expires_at: str
    status: Literal["pending", "approved", "rejected", "expired", "withdrawn"]
    resolved_at: Optional[str]
    resolved_by: Optional[str]
    comment: Optional[str]


class Review(_Review, total=False):
    masked: bool
    """Codes and links are hidden."""


class ListReviewsReply(TypedDict):
    reviews: List[Review]
    count: int
    next_cursor: Optional[str]


class WholeReviewAttachment(TypedDict):
    filename: Optional[str]
    content_type: str
    size_bytes: int


class _WholeReview(_From):
    review_id: str
    account_id: str
    id: str
    """The id of the email in the outbox."""
    to: List[str]
    """Every recipient, blind copies too."""
    subject: str
    reason: str
    """Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`."""
    created_at: str
    expires_at: str
    status: Literal["pending", "approved", "rejected", "expired", "withdrawn"]
    resolved_at: Optional[str]
    resolved_by: Optional[str]
    comment: Optional[str]
    why: str
    from_name: str
    """The display name in From; empty for none."""
    reply_to: List[str]
    """Where answers go, if not to `from`."""
    secrets: List[str]
    """The kinds of secrets found in it."""
    text: Optional[str]
    html: Optional[str]
    attachments: List[WholeReviewAttachment]


class WholeReview(_WholeReview, total=False):
    masked: bool
    """Codes and links are hidden."""


class _DecidedReview(_From):
    review_id: str
    account_id: str
    id: str
    """The id of the email in the outbox."""
    to: List[str]
    """Every recipient, blind copies too."""
    subject: str
    reason: str
    """Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`."""
    created_at: str
    expires_at: str
    status: Literal["pending", "approved", "rejected", "expired", "withdrawn"]
    resolved_at: Optional[str]
    resolved_by: Optional[str]
    comment: Optional[str]
    error: Optional[str]


class DecidedReview(_DecidedReview, total=False):
    masked: bool
    """Codes and links are hidden."""


class _ViewReviewReply(_From):
    review_id: str
    account_id: str
    id: str
    """The id of the email in the outbox."""
    to: List[str]
    """Every recipient, blind copies too."""
    subject: str
    reason: str
    """Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`."""
    created_at: str
    expires_at: str
    status: Literal["pending", "approved", "rejected", "expired", "withdrawn"]
    resolved_at: Optional[str]
    resolved_by: Optional[str]
    comment: Optional[str]
    why: str
    from_name: str
    """The display name in From; empty for none."""
    reply_to: List[str]
    """Where answers go, if not to `from`."""
    secrets: List[str]
    """The kinds of secrets found in it."""
    text: Optional[str]
    html: Optional[str]
    attachments: List[WholeReviewAttachment]
    agent: AskingAgent
    passkey_required: bool


class ViewReviewReply(_ViewReviewReply, total=False):
    masked: bool
    """Codes and links are hidden."""


class ListOperatorAgentsReplyAgent(TypedDict):
    account_id: str
    name: Optional[str]
    parent_account_id: Optional[str]
    """The platform of a pod."""
    status: Literal["active", "suspended"]
    suspended_by: List[Literal["operator", "administrator"]]
    """Who has to resume it. An operator resumes what operators suspended."""
    authority: Literal["account", "operator"]
    spent_today_usdc: int
    """Atomic USDC."""
    spent_today_usdc_display: str
    open_approvals: int
    open_reviews: int
    """Mails that wait for a review."""
    open_items: int
    """What else waits for a person: the next three together."""
    open_quarantined: int
    """Quarantined mails."""
    open_credential_requests: int
    open_notices: int
    """Announced removals."""
    caps: SpendingCaps
    last_active_day: Optional[str]
    """The latest of the last 30 UTC days with a request of its own. Null for a pod: its platform counts them."""
    active_today: bool
    """Whether that is this UTC day."""
    emails_today: Optional[int]
    """Emails of this UTC day. Null for a pod."""
    addresses: List[str]


class ListOperatorAgentsReplyWaiting(TypedDict):
    id: str
    account_id: str
    name: Optional[str]
    role: Literal["email", "recovery", "operator"]
    named_at: str
    removable_days: int
    """So many days its key can remove you at once."""


class ListOperatorAgentsReply(TypedDict):
    agents: List[ListOperatorAgentsReplyAgent]
    waiting: List[ListOperatorAgentsReplyWaiting]
    """At most 100: the oldest and the newest."""
    next_cursor: Optional[str]


class SuspendAgentReply(TypedDict):
    account_id: str
    status: Literal["active", "suspended"]
    suspended_by: List[Literal["operator", "administrator"]]
    """Who has to resume it. An operator resumes what operators suspended."""


class _RotateEncryptionKeyReply(TypedDict):
    ok: bool
    account_id: str
    active_public_key: str
    """Base64url."""
    key_history_count: int
    """How many keys this account has had, the active one included."""
    first_setup: bool
    """True if this call registered the master seed."""
    updated_at: str


class RotateEncryptionKeyReply(_RotateEncryptionKeyReply, total=False):
    note: str


class RegisterReply(TypedDict):
    api_key: str
    account_id: str
    email: str
    tier: Literal["free", "paid"]
    limits: AccountLimits
    """The limits of the account’s tier."""


class ListEventsReply(TypedDict):
    events: List[Event]
    count: int
    has_more: bool
    next_cursor: Optional[str]


class CreateSocketTicketReply(TypedDict):
    ticket: str
    expires_in: int
    """Seconds."""


class MailAuth(TypedDict):
    method: Literal["internal", "smtp", "imported"]
    """`imported`: a mail program brought it."""
    spf: Optional[str]
    dkim: Optional[str]
    dmarc: Optional[str]
    verified_from: bool
    """True when the From address is proven. It always is for mail from an agent of this service."""


class _MessageSummary(_From):
    message_id: str
    """Id of this copy, chosen by the service. The sender chooses `rfc_message_id` and may repeat it."""
    rfc_message_id: Optional[str]
    thread_id: Optional[str]
    from_name: Optional[str]
    to: str
    """The To header, comma-separated."""
    subject: str
    snippet: str
    """First 120 characters of the body; empty when sealed."""
    message_id_url: str
    """`message_id` as it goes into a path."""
    body_preview: str
    """The same as `snippet`."""
    received_at: str
    read: bool
    archived: bool
    starred: bool
    answered: bool
    folder: Literal["inbox", "spam", "trash"]
    labels: List[str]
    metadata: Dict[str, Any]
    has_attachments: bool
    danger: Optional[Literal["suspicious", "dangerous"]]
    auth: MailAuth


class MessageSummary(_MessageSummary, total=False):
    e2e_encrypted: bool
    """Present and true when the body is sealed to the address’s public key."""
    masked: bool
    """Codes and links are hidden."""


class _ListInboxReply(TypedDict):
    messages: List[MessageSummary]
    has_more: bool
    count: int
    """Messages on this page."""
    address: str
    next_cursor: Optional[str]
    claimed: bool
    """True when this call claimed the address."""
    already_owned: bool
    """True when the address was yours before."""


class ListInboxReply(_ListInboxReply, total=False):
    warning: str


class _Attachment(TypedDict):
    filename: Optional[str]
    content_type: str
    size: int
    """Bytes, before sealing."""
    url: str
    """Path to download it from, with the same key."""


class Attachment(_Attachment, total=False):
    content_id: str
    """The HTML names it as `cid:`."""


class MailSafetySignal(TypedDict):
    name: str
    weight: float
    """From 0 to 1."""
    where: Literal["subject", "from", "reply_to", "text", "hidden", "plain", "link", "attachment"]


class MailSafety(TypedDict):
    verdict: Literal["clean", "suspicious", "dangerous"]
    signals: List[MailSafetySignal]
    """What speaks against the mail, heaviest first."""


class MailCodeSender(TypedDict):
    domain: str
    dmarc: Optional[str]


class MailCode(TypedDict):
    code: Optional[str]
    kind: Literal["code"]
    confidence: float
    """From 0 to 1."""
    method: Literal["header", "origin_line", "keyword"]
    sender: MailCodeSender
    expires_hint: Optional[int]
    candidates: List[str]
    """Best first, at most 3."""
    message_id: str


class MailLink(TypedDict):
    url: str
    text: str
    host: str
    kind: Literal["verify", "reset", "login", "unsubscribe", "other"]
    mismatch: bool
    """The text names another host."""


class MessageEncryption(TypedDict):
    alg: str
    key_id: str


class _Message(_From):
    message_id: str
    """Id of this copy, chosen by the service. The sender chooses `rfc_message_id` and may repeat it."""
    rfc_message_id: Optional[str]
    thread_id: Optional[str]
    from_name: Optional[str]
    to: str
    """The To header, comma-separated."""
    subject: str
    snippet: str
    """First 120 characters of the body; empty when sealed."""
    message_id_url: str
    """`message_id` as it goes into a path."""
    body_preview: str
    """The same as `snippet`."""
    received_at: str
    read: bool
    archived: bool
    starred: bool
    answered: bool
    folder: Literal["inbox", "spam", "trash"]
    labels: List[str]
    metadata: Dict[str, Any]
    has_attachments: bool
    danger: Optional[Literal["suspicious", "dangerous"]]
    auth: MailAuth
    cc: List[str]
    reply_to: List[str]
    in_reply_to: Optional[str]
    references: List[str]
    sent_at: Optional[str]
    body: str
    """Plain text; base64url(IV ‖ ciphertext ‖ tag) when `e2e_encrypted`."""
    html: Optional[str]
    text: Optional[str]
    reply_text: Optional[str]
    attachments: List[Attachment]
    size: int
    """Bytes of the raw message."""
    safety: Optional[MailSafety]
    hidden_text_chars: Optional[int]
    code: Optional[MailCode]
    links: Optional[List[MailLink]]
    parsed: bool
    """False when the MIME structure could not be read. The raw message still has every byte."""
    problem: Optional[str]


class Message(_Message, total=False):
    e2e_encrypted: bool
    """Present and true when the body is sealed to the address’s public key."""
    masked: bool
    """Codes and links are hidden."""
    hidden_text: str
    """With `include=hidden`, up to 20,000 characters of them."""
    sealed: bool
    """True when the mail is sealed, so that nobody screened it."""
    ephemeral_public_key: str
    """X25519 key to open the sealed message with, base64url."""
    encryption: MessageEncryption


class UpdateMessageReply(TypedDict):
    updated: bool
    message_id: str
    read: bool
    archived: bool
    starred: bool
    answered: bool
    folder: Literal["inbox", "spam", "trash"]
    labels: List[str]
    metadata: Dict[str, Any]


class DeleteMessageReply(TypedDict):
    deleted: bool
    message_id: str


class WaitForMailReplyMessage(TypedDict):
    message_id: str
    received_at: str
    quarantined: bool


class _WaitForMailReply(TypedDict):
    message: Optional[Union[MessageSummary, WaitForMailReplyMessage]]
    code: Optional[MailCode]
    links: Optional[List[MailLink]]


class WaitForMailReply(_WaitForMailReply, total=False):
    sealed: bool


class LoadPicturesReplyPicture(TypedDict):
    url: str
    content_type: str
    content: str
    """Base64."""


class LoadPicturesReply(TypedDict):
    pictures: List[LoadPicturesReplyPicture]


class CreateInboxReply(TypedDict):
    address: str
    created: bool
    already_owned: bool
    account_id: str


class _GetInboxReplyMessage(_From):
    id: str
    subject: str
    preview: str
    """First 120 characters of the body; empty when sealed."""
    received_at: str
    read: bool


class GetInboxReplyMessage(_GetInboxReplyMessage, total=False):
    masked: bool
    """Codes and links are hidden."""


class _GetInboxReply(TypedDict):
    messages: List[GetInboxReplyMessage]
    total: int
    """Messages in the inbox. Only `unread` filters this count."""
    address: str
    next_cursor: Optional[str]
    claimed: bool
    """True when this call claimed the address."""
    already_owned: bool
    """True when the address was yours before."""


class GetInboxReply(_GetInboxReply, total=False):
    warning: str


class GetInboxMessageReplyAuth(TypedDict):
    method: str


class _GetInboxMessageReply(_From):
    id: str
    to: str
    """The To header, comma-separated."""
    subject: str
    body: str
    html: Optional[str]
    received_at: str
    auth: GetInboxMessageReplyAuth
    thread_id: Optional[str]
    rfc_message_id: Optional[str]


class GetInboxMessageReply(_GetInboxMessageReply, total=False):
    e2e_encrypted: bool
    """Present and true when the message is sealed."""
    ephemeral_public_key: str
    """X25519 key to open the sealed message with, base64url."""
    masked: bool
    """Codes and links are hidden."""


class QuarantinedMail(_From):
    message_id: str
    address: str
    received_at: str
    reason: str
    """`blocked`, `not_listed`, `unauthenticated`, `suspicious` or `dangerous`."""


class ListQuarantineReply(TypedDict):
    messages: List[QuarantinedMail]
    count: int
    next_cursor: Optional[str]


class ReleaseQuarantinedReply(TypedDict):
    ok: bool
    message_id: str


_From4 = TypedDict("_From4", {"from": "Optional[str]"})


class _ListThreadsReplyThread(_From4):
    thread_id: str
    address: str
    subject: str
    """Subject of the first message."""
    participants: List[str]
    """Up to 50 addresses, in the order in which they joined."""
    message_count: int
    """Messages received and sent."""
    unread_count: int
    last_message_at: str
    snippet: str
    """Beginning of the latest message; empty when sealed."""
    archived: bool
    """True when every message received is archived."""
    labels: List[str]
    """Labels of all its messages."""
    latest_message_id: Optional[str]
    from_name: Optional[str]
    has_attachments: bool
    """In one of its 50 latest messages."""
    danger: Optional[Literal["suspicious", "dangerous"]]
    has_code: bool
    """The latest message received holds a code. Needs `mail:codes`."""
    held: bool
    """A mail of it waits for an operator."""
    starred: bool


class ListThreadsReplyThread(_ListThreadsReplyThread, total=False):
    masked: bool
    """Codes and links are hidden."""
    e2e_encrypted: bool
    """The latest message received is sealed."""


class ListThreadsReply(TypedDict):
    threads: List[ListThreadsReplyThread]
    count: int
    """Conversations on this page."""
    address: Optional[str]
    next_cursor: Optional[str]


class _GetThreadReplyMessage(_From):
    direction: Literal["received"]
    message_id: str
    """Id of this copy, chosen by the service. The sender chooses `rfc_message_id` and may repeat it."""
    rfc_message_id: Optional[str]
    thread_id: Optional[str]
    from_name: Optional[str]
    to: str
    """The To header, comma-separated."""
    subject: str
    snippet: str
    """First 120 characters of the body; empty when sealed."""
    message_id_url: str
    """`message_id` as it goes into a path."""
    body_preview: str
    """The same as `snippet`."""
    received_at: str
    read: bool
    archived: bool
    starred: bool
    answered: bool
    folder: Literal["inbox", "spam", "trash"]
    labels: List[str]
    metadata: Dict[str, Any]
    has_attachments: bool
    danger: Optional[Literal["suspicious", "dangerous"]]
    auth: MailAuth
    text: Optional[str]


class GetThreadReplyMessage(_GetThreadReplyMessage, total=False):
    e2e_encrypted: bool
    """Present and true when the body is sealed to the address’s public key."""
    masked: bool
    """Codes and links are hidden."""


class _GetThreadReplyMessage2(_From):
    direction: Literal["sent"]
    id: str
    """Id in the outbox."""
    rfc_message_id: str
    to: List[str]
    """All recipients."""
    subject: str
    snippet: str
    metadata: Dict[str, Any]
    text: Optional[str]
    status: Literal["pending", "sent", "failed"]
    error: Optional[str]
    queued_at: str
    sent_at: Optional[str]


class GetThreadReplyMessage2(_GetThreadReplyMessage2, total=False):
    masked: bool
    """Codes and links are hidden."""


class _GetThreadReply(TypedDict):
    thread_id: str
    address: str
    subject: str
    """Subject of the first message."""
    participants: List[str]
    """Up to 50 addresses, in the order in which they joined."""
    message_count: int
    """Messages received and sent."""
    unread_count: int
    last_message_at: str
    snippet: str
    """Beginning of the latest message; empty when sealed."""
    archived: bool
    """True when every message received is archived."""
    labels: List[str]
    """Labels of all its messages."""
    messages: List[Union[GetThreadReplyMessage, GetThreadReplyMessage2]]
    count: int
    """Messages on this page."""
    next_cursor: Optional[str]


class GetThreadReply(_GetThreadReply, total=False):
    masked: bool
    """Codes and links are hidden."""


class _UpdateThreadReply(TypedDict):
    updated: bool
    messages_changed: int
    """Messages that this request changed."""
    thread_id: str
    address: str
    subject: str
    """Subject of the first message."""
    participants: List[str]
    """Up to 50 addresses, in the order in which they joined."""
    message_count: int
    """Messages received and sent."""
    unread_count: int
    last_message_at: str
    snippet: str
    """Beginning of the latest message; empty when sealed."""
    archived: bool
    """True when every message received is archived."""
    labels: List[str]
    """Labels of all its messages."""


class UpdateThreadReply(_UpdateThreadReply, total=False):
    masked: bool
    """Codes and links are hidden."""


class ListSuppressionsReplySuppression(TypedDict):
    address: str
    reason: Literal["hard_bounce", "complaint", "unsubscribed"]
    created_at: str


class ListSuppressionsReply(TypedDict):
    suppressions: List[ListSuppressionsReplySuppression]
    count: int
    next_cursor: Optional[str]


class DeleteSuppressionReply(TypedDict):
    deleted: Literal[True]
    address: str


class SentEmailInternalRecipient(TypedDict):
    address: str
    delivered: bool
    error: Optional[str]


class SentEmailRateLimit(TypedDict):
    daily_remaining: int
    hourly_remaining: int


class _SentEmail(_From):
    id: str
    provider_id: Optional[str]
    status: Literal["pending", "sent", "failed"]
    to: List[str]
    sent_at: Optional[str]
    provider: str
    """`smtp`, `file` (development outbox), or `internal` if every recipient is on this service."""
    rfc_message_id: str
    thread_id: Optional[str]
    rate_limit: SentEmailRateLimit
    """Emails left in this UTC day and hour."""


class SentEmail(_SentEmail, total=False):
    internal_recipients: List[SentEmailInternalRecipient]
    payment_id: str
    """The payment, if the email was over the limit."""
    warning: str


class _HeldEmail(_From):
    id: str
    status: Literal["pending"]
    review_id: str
    reason: str
    """Why an operator sees it first. The event `email.released` or `email.rejected` follows."""
    to: List[str]
    rfc_message_id: str
    thread_id: Optional[str]
    rate_limit: SentEmailRateLimit


class HeldEmail(_HeldEmail, total=False):
    warning: str


class ListOutboxReplyMessageRecipient(TypedDict):
    address: str
    status: Literal["pending", "sent", "failed"]
    error: Optional[str]


class ListOutboxReplyMessageReview(TypedDict):
    id: str
    reason: str
    asked_at: str
    expires_at: str


class _ListOutboxReplyMessage(_From):
    id: str
    to: List[str]
    subject: str
    status: Literal["pending", "sent", "failed"]
    queued_at: str
    sent_at: Optional[str]
    error: Optional[str]
    recipients: List[ListOutboxReplyMessageRecipient]
    """The outcome for each recipient. An email is `failed` if no recipient got it."""
    provider: str
    metadata: Dict[str, Any]
    thread_id: Optional[str]
    rfc_message_id: str
    review: Optional[ListOutboxReplyMessageReview]
    """The review that it waits for. Null if it waits for none."""


class ListOutboxReplyMessage(_ListOutboxReplyMessage, total=False):
    left_machine: bool
    """Present and false if the service only wrote the mail to a file."""
    guidance: str
    masked: bool
    """Codes and links are hidden."""


class ListOutboxReply(TypedDict):
    messages: List[ListOutboxReplyMessage]
    count: int
    next_cursor: Optional[str]


class DeliveryStep(TypedDict):
    at: str
    step: Literal["queued", "held", "deferred", "accepted", "delivered", "written", "failed", "bounced"]
    """`accepted`: the server of the recipient, or the relay, took it. `delivered`: it is in an inbox of this service. `written`: to a file, as there is no relay. `bounced`: a server took it, and a report came back."""
    recipients: List[str]
    reply: Optional[str]
    next_at: Optional[str]


class _GetSentEmailReply(_From):
    id: str
    to: List[str]
    subject: str
    status: Literal["pending", "sent", "failed"]
    queued_at: str
    sent_at: Optional[str]
    error: Optional[str]
    recipients: List[ListOutboxReplyMessageRecipient]
    """The outcome for each recipient. An email is `failed` if no recipient got it."""
    provider: str
    metadata: Dict[str, Any]
    thread_id: Optional[str]
    rfc_message_id: str
    review: Optional[ListOutboxReplyMessageReview]
    """The review that it waits for. Null if it waits for none."""
    text: Optional[str]
    delivery: List[DeliveryStep]
    """Oldest first."""


class GetSentEmailReply(_GetSentEmailReply, total=False):
    left_machine: bool
    """Present and false if the service only wrote the mail to a file."""
    guidance: str
    masked: bool
    """Codes and links are hidden."""


class _SendFromInboxDone(_From):
    sent: bool
    """False if no recipient exists."""
    id: str
    to: List[str]
    subject: str
    status: str
    """`pending`, `sent` or `failed`."""


class SendFromInboxDone(_SendFromInboxDone, total=False):
    payment_id: str
    """The payment, if the email was over the limit."""


class SendFromInboxAccepted(_From):
    sent: bool
    """False: the email waits for a review."""
    id: str
    to: List[str]
    subject: str
    status: str
    review_id: str
    reason: str


class DraftAttachment(TypedDict):
    filename: str
    content_type: str
    size: int


class _Draft(_From):
    draft_id: str
    status: Literal["draft", "scheduled", "sent", "failed"]
    """`failed`: it could not leave at `send_at`; see `error`."""
    to: List[str]
    cc: List[str]
    bcc: List[str]
    reply_to: Optional[str]
    subject: str
    in_reply_to: Optional[str]
    references: List[str]
    metadata: Dict[str, Any]
    unsubscribe: bool
    autosaved: bool
    """It goes 7 days after `updated_at`, if nothing changes it or sends it."""
    send_at: Optional[str]
    error: Optional[str]
    email_id: Optional[str]
    created_at: str
    updated_at: str


class Draft(_Draft, total=False):
    masked: bool
    """Codes and links are hidden."""
    text: Optional[str]
    html: Optional[str]
    attachments: List[DraftAttachment]


class ListDraftsReply(TypedDict):
    drafts: List[Draft]
    count: int
    next_cursor: Optional[str]


class DeleteDraftReply(TypedDict):
    deleted: bool
    draft_id: str


class Webhook(TypedDict):
    id: str
    address: Optional[str]
    url: str
    has_secret: bool
    """True if deliveries are signed."""
    events: List[Literal["email.received", "email.sent", "email.failed", "email.held", "email.released", "email.rejected", "email.quarantined", "email.suppressed", "sending.paused", "storage.filling", "address.released", "vault.updated", "payment.settled", "payment.failed", "key.rotated", "account.suspended", "account.resumed", "account.person_changed", "account.notice_started", "account.notice_ended", "account.secured", "account.deletion_scheduled", "account.deletion_cancelled", "charge.completed", "approval.requested", "approval.resolved", "budget.limit_reached", "token.issued", "token.revoked", "delegation.created", "delegation.ended", "grant.created", "grant.ended", "calendar.updated", "credential.requested", "credential.resolved", "finding.judged"]]
    created_at: str
    status: Literal["active", "disabled"]
    """`disabled`: events are not sent. Resume it, or let a test or retry succeed unless it was paused."""
    disabled_reason: Optional[Literal["gone", "failing", "secured", "paused"]]
    failing_since: Optional[str]
    paused: bool
    """True: nothing is sent now, for `paused_reason`."""
    paused_reason: Optional[Literal["policy"]]


class ListWebhooksReply(TypedDict):
    webhooks: List[Webhook]
    count: int


class _CreateEventWebhookReply(TypedDict):
    id: str
    address: Optional[str]
    url: str
    has_secret: bool
    """True if deliveries are signed."""
    events: List[Literal["email.received", "email.sent", "email.failed", "email.held", "email.released", "email.rejected", "email.quarantined", "email.suppressed", "sending.paused", "storage.filling", "address.released", "vault.updated", "payment.settled", "payment.failed", "key.rotated", "account.suspended", "account.resumed", "account.person_changed", "account.notice_started", "account.notice_ended", "account.secured", "account.deletion_scheduled", "account.deletion_cancelled", "charge.completed", "approval.requested", "approval.resolved", "budget.limit_reached", "token.issued", "token.revoked", "delegation.created", "delegation.ended", "grant.created", "grant.ended", "calendar.updated", "credential.requested", "credential.resolved", "finding.judged"]]
    created_at: str
    status: Literal["active", "disabled"]
    """`disabled`: events are not sent. Resume it, or let a test or retry succeed unless it was paused."""
    disabled_reason: Optional[Literal["gone", "failing", "secured", "paused"]]
    failing_since: Optional[str]
    paused: bool
    """True: nothing is sent now, for `paused_reason`."""
    paused_reason: Optional[Literal["policy"]]


class CreateEventWebhookReply(_CreateEventWebhookReply, total=False):
    secret: str
    """Only if you gave none, and only now: it signs every delivery. Keep it."""


class GetEventWebhookReplyDay(TypedDict):
    day: str
    delivered: int
    failed: int
    """Given up."""


class GetEventWebhookReply(TypedDict):
    id: str
    address: Optional[str]
    url: str
    has_secret: bool
    """True if deliveries are signed."""
    events: List[Literal["email.received", "email.sent", "email.failed", "email.held", "email.released", "email.rejected", "email.quarantined", "email.suppressed", "sending.paused", "storage.filling", "address.released", "vault.updated", "payment.settled", "payment.failed", "key.rotated", "account.suspended", "account.resumed", "account.person_changed", "account.notice_started", "account.notice_ended", "account.secured", "account.deletion_scheduled", "account.deletion_cancelled", "charge.completed", "approval.requested", "approval.resolved", "budget.limit_reached", "token.issued", "token.revoked", "delegation.created", "delegation.ended", "grant.created", "grant.ended", "calendar.updated", "credential.requested", "credential.resolved", "finding.judged"]]
    created_at: str
    status: Literal["active", "disabled"]
    """`disabled`: events are not sent. Resume it, or let a test or retry succeed unless it was paused."""
    disabled_reason: Optional[Literal["gone", "failing", "secured", "paused"]]
    failing_since: Optional[str]
    paused: bool
    """True: nothing is sent now, for `paused_reason`."""
    paused_reason: Optional[Literal["policy"]]
    days: List[GetEventWebhookReplyDay]
    """Deliveries of each of the last 7 UTC days, oldest first."""


class WebhookAttempt(TypedDict):
    at: str
    response_status: Optional[int]
    response_snippet: Optional[str]
    error: Optional[str]
    duration_ms: Optional[int]


class GetEventWebhookDeliveryReply(TypedDict):
    id: str
    webhook_id: str
    event: Literal["email.received", "email.sent", "email.failed", "email.held", "email.released", "email.rejected", "email.quarantined", "email.suppressed", "sending.paused", "storage.filling", "address.released", "vault.updated", "payment.settled", "payment.failed", "key.rotated", "account.suspended", "account.resumed", "account.person_changed", "account.notice_started", "account.notice_ended", "account.secured", "account.deletion_scheduled", "account.deletion_cancelled", "charge.completed", "approval.requested", "approval.resolved", "budget.limit_reached", "token.issued", "token.revoked", "delegation.created", "delegation.ended", "grant.created", "grant.ended", "calendar.updated", "credential.requested", "credential.resolved", "finding.judged", "webhook.test"]
    event_id: str
    """The `id` in the body and in the `webhook-id` header. The same in every attempt."""
    message_id: Optional[str]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    """Attempts since the delivery was created or retried by `/retry`."""
    created_at: str
    last_attempt_at: Optional[str]
    next_attempt_at: Optional[str]
    delivered_at: Optional[str]
    response_status: Optional[int]
    response_snippet: Optional[str]
    error: Optional[str]
    duration_ms: Optional[int]
    attempt_log: List[WebhookAttempt]
    """The last 16 attempts, also before a retry; oldest first."""
    body: str
    """JSON, as it is signed and sent."""


class DeleteWebhookReply(TypedDict):
    deleted: bool
    id: str


class WebhookDelivery(TypedDict):
    id: str
    webhook_id: str
    event: Literal["email.received", "email.sent", "email.failed", "email.held", "email.released", "email.rejected", "email.quarantined", "email.suppressed", "sending.paused", "storage.filling", "address.released", "vault.updated", "payment.settled", "payment.failed", "key.rotated", "account.suspended", "account.resumed", "account.person_changed", "account.notice_started", "account.notice_ended", "account.secured", "account.deletion_scheduled", "account.deletion_cancelled", "charge.completed", "approval.requested", "approval.resolved", "budget.limit_reached", "token.issued", "token.revoked", "delegation.created", "delegation.ended", "grant.created", "grant.ended", "calendar.updated", "credential.requested", "credential.resolved", "finding.judged", "webhook.test"]
    event_id: str
    """The `id` in the body and in the `webhook-id` header. The same in every attempt."""
    message_id: Optional[str]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    """Attempts since the delivery was created or retried by `/retry`."""
    created_at: str
    last_attempt_at: Optional[str]
    next_attempt_at: Optional[str]
    delivered_at: Optional[str]
    response_status: Optional[int]
    response_snippet: Optional[str]
    error: Optional[str]
    duration_ms: Optional[int]
    attempt_log: List[WebhookAttempt]
    """The last 16 attempts, also before a retry; oldest first."""


class ListWebhookDeliveriesReply(TypedDict):
    deliveries: List[WebhookDelivery]
    count: int
    next_cursor: Optional[str]


class RotateWebhookSecretReply(TypedDict):
    id: str
    secret: str
    """Standard Webhooks: `whsec_` and base64."""
    previous_valid_until: Optional[str]


class VaultKeyListKey(TypedDict):
    key: str
    version: int
    """The latest version."""
    metadata: Optional[Dict[str, Any]]
    created_at: str
    updated_at: str


class VaultKeyList(TypedDict):
    keys: List[VaultKeyListKey]
    count: int
    """Keys on all pages."""
    limit: Optional[int]
    tier: Literal["free", "paid"]
    next_cursor: Optional[str]


class _StoredVaultEntry(TypedDict):
    key: str
    stored: bool
    version: int
    created_at: str
    """When the key was created."""
    updated_at: str
    """When this version was stored."""


class StoredVaultEntry(_StoredVaultEntry, total=False):
    payment_id: str
    """The payment for a key over the limit."""
    warning: str
    """The value looks like plain text."""
    docs_url: str
    """How to seal a value."""


class VaultEntry(TypedDict):
    key: str
    ciphertext: str
    value: str
    """The same as `ciphertext`."""
    metadata: Optional[Dict[str, Any]]
    version: int
    latest_version: int
    created_at: str
    """When the key was created."""
    updated_at: str
    """When this version was stored."""


class ListVaultVersionsReplyVersion(TypedDict):
    version: int
    metadata: Optional[Dict[str, Any]]
    stored_at: str


class ListVaultVersionsReply(TypedDict):
    key: str
    versions: List[ListVaultVersionsReplyVersion]
    """Those that are kept, newest first."""


class DeleteVaultEntryReply(TypedDict):
    key: str
    deleted: bool
    versions_removed: int


class SetVaultRecoveryReply(TypedDict):
    ok: bool
    registered: bool
    email: str
    """The address in lower case."""
    stored_at: str


class _StoreSeedReply(TypedDict):
    vault_id: str
    stored_at: str


class StoreSeedReply(_StoreSeedReply, total=False):
    message: str


class VerifyVaultRecoveryReplyEntry(TypedDict):
    account_id: str
    key: str
    ciphertext: str
    metadata: Optional[Dict[str, Any]]
    version: int
    created_at: str
    """When this version was stored."""


class VerifyVaultRecoveryReplyLegacyEntry(TypedDict):
    vault_id: str
    encrypted_seed: str
    created_at: str


class VerifyVaultRecoveryReplyAccountEntry(TypedDict):
    account_id: str
    encrypted_seed: str


class _VerifyVaultRecoveryReply(TypedDict):
    recovered: bool
    """False when nothing is stored for the address."""
    entries: List[VerifyVaultRecoveryReplyEntry]
    """The latest version of each key."""
    legacy_entries: List[VerifyVaultRecoveryReplyLegacyEntry]
    """Seeds stored without an account."""
    account_entries: List[VerifyVaultRecoveryReplyAccountEntry]
    """Seeds of accounts."""
    next_token: Optional[str]


class VerifyVaultRecoveryReply(_VerifyVaultRecoveryReply, total=False):
    note: str


class _WaitingItemDo(TypedDict):
    operation: str
    method: str
    path: str


class WaitingItemDo(_WaitingItemDo, total=False):
    body: Dict[str, Any]


_For = TypedDict("_For", {"for": "Literal[\"you\", \"operator\", \"administrator\", \"other\"]"})


class WaitingItem(_For):
    kind: Literal["approval", "held_mail", "quarantined_mail", "failed_mail", "unread_code", "credential_request", "answer", "confirmation", "removal", "deletion", "paused_webhook", "low_budget", "expiring_key"]
    id: str
    since: str
    expires_at: Optional[str]
    summary: str
    do: Optional[WaitingItemDo]
    """The call that comes next, if it is yours. What it needs beside is for you to choose."""


class ListWaitingReply(TypedDict):
    items: List[WaitingItem]
    next_cursor: Optional[str]


class OpenCredentialRequest(TypedDict):
    request_id: str
    description: str
    vault_key: Optional[str]
    public_key: Optional[str]
    created_at: str
    expires_at: str


class WaitingRole(TypedDict):
    id: str
    role: Literal["email", "recovery", "operator"]
    named_at: str
    removable_days: int
    """So many days its key can remove you at once."""


class OperatorWaitingItem(_For):
    kind: Literal["approval", "held_mail", "quarantined_mail", "failed_mail", "unread_code", "credential_request", "answer", "confirmation", "removal", "deletion", "paused_webhook", "low_budget", "expiring_key"]
    id: str
    since: str
    expires_at: Optional[str]
    summary: str
    do: Optional[WaitingItemDo]
    """The call that comes next, if it is yours. What it needs beside is for you to choose."""
    account_id: str
    """The agent in whose list it is."""
    agent: AskingAgent
    about: Optional[Union[Approval, Review, QuarantinedMail, OpenCredentialRequest, Notice, WaitingRole]]
    """Its entry in its own list, where a person decides."""


class ListOperatorWaitingReply(TypedDict):
    items: List[OperatorWaitingItem]
    next_cursor: Optional[str]


class SearchReplyResult(TypedDict):
    kind: Literal["agent", "address", "domain", "pod", "key", "webhook", "secret", "event", "draft", "mail", "sent_mail", "charge"]
    id: str
    account_id: str
    title: str
    href: str
    """Its page in the console."""
    at: str


class SearchReply(TypedDict):
    results: List[SearchReplyResult]


class Person(TypedDict):
    role: Literal["email", "recovery", "operator"]
    address: str
    confirmed: bool
    confirmed_at: Optional[str]
    removal_due_at: Optional[str]
    """When it ends, if its removal is announced."""


class GetAccountReplyLeft(TypedDict):
    requests_per_day: int
    emails_per_day: int
    emails_per_hour: int


class GetAccountReplyDeletion(TypedDict):
    ends_at: str
    by: Literal["key", "session", "operator", "administrator"]


class GetAccountReplyWaiting(TypedDict):
    total: int
    by_kind: Dict[str, int]


class _GetAccountReply(TypedDict):
    id: str
    account_id: str
    """The same as `id`."""
    key_prefix: str
    """First characters of the key in use; for a session, of the active key."""
    name: str
    """Empty when not set."""
    tier: Literal["free", "paid"]
    recovery_email: Optional[str]
    """Receives login links."""
    email: Optional[str]
    """A person’s, set at sign-up; your own mail addresses are in `addresses`. Also receives login links."""
    operator_email: Optional[str]
    """The first confirmed operator, else who was named last."""
    people: List[Person]
    """Oldest first."""
    vault_recovery_email: Optional[str]
    addresses: List[str]
    """Mail addresses of the account, oldest first."""
    scopes: List[Literal["account:read", "account:manage", "mail:read", "mail:codes", "mail:send", "mail:manage", "vault:read", "vault:write", "money:read", "money:spend", "money:manage", "money:approve", "calendar:read", "calendar:write", "identity:read", "identity:issue", "identity:manage", "trust:read", "trust:write", "events:read", "webhooks:manage", "pods:manage", "stacks:manage", "credentials:request", "findings:write", "audit:read"]]
    """What this credential may do."""
    limits: AccountLimits
    """The limits of the account’s tier."""
    left: GetAccountReplyLeft
    storage_used: int
    """Bytes, of `limits.storage_bytes`."""
    parent_account_id: Optional[str]
    """The platform of a pod; null for a platform."""
    deletion: Optional[GetAccountReplyDeletion]
    """The deletion that waits, and who asked for it, which decides who can cancel it."""
    capabilities: List[str]
    created_at: str


class GetAccountReply(_GetAccountReply, total=False):
    waiting: GetAccountReplyWaiting
    """With `include=waiting`: how many wait, at most 100 of a kind."""


class PodRateLimits(TypedDict, total=False):
    requests_per_minute: int
    requests_per_hour: int
    requests_per_day: int


class PodCaps(TypedDict, total=False):
    daily: int
    weekly: int
    monthly: int


class PodCapsDisplay(TypedDict, total=False):
    daily: str
    weekly: str
    monthly: str


class _CreatePodReply(TypedDict):
    pod_id: str
    account_id: str
    """The pod’s own account."""
    name: Optional[str]
    status: Literal["active", "suspended"]
    created_at: str
    updated_at: str
    parent_account_id: str
    rate_limits: Optional[PodRateLimits]
    spending_caps: Optional[PodCaps]
    spending_caps_display: Optional[PodCapsDisplay]
    allowed_scopes: Optional[List[str]]
    api_key: str


class CreatePodReply(_CreatePodReply, total=False):
    warning: str


class Pod(TypedDict):
    pod_id: str
    account_id: str
    """The pod’s own account."""
    name: Optional[str]
    status: Literal["active", "suspended"]
    created_at: str
    updated_at: str
    parent_account_id: str
    rate_limits: Optional[PodRateLimits]
    spending_caps: Optional[PodCaps]
    spending_caps_display: Optional[PodCapsDisplay]
    allowed_scopes: Optional[List[str]]


class ListPodsReply(TypedDict):
    pods: List[Pod]
    count: int
    next_cursor: Optional[str]


class _WayRule(TypedDict):
    rule: Literal["open", "list", "operator", "off"]


class WayRule(_WayRule, total=False):
    allow: List[str]


class WayRules(TypedDict, total=False):
    webhook: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    feed: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    share: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    publish: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    delegate: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    grant: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    invite: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    fetch: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""
    token: Union[WayRule, Optional[Literal["open", "list", "operator", "off"]]]
    """A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate)."""


class OutboundChange(TypedDict, total=False):
    to: Literal["open", "list", "known"]
    """`list`: only recipients in `allow`. `known`: also those that an operator remembered."""
    otherwise: Literal["refuse", "review"]
    """For other recipients under `list` and `known`. `review`: the mail waits for an operator; those remembered pass."""
    allow: List[str]
    """Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties."""
    block: List[str]
    """Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties."""
    hold: Literal["never", "first_contact", "after_suspicious", "always"]
    """Which mail waits until an operator approves it."""
    secrets: Literal["accept", "hold", "reject"]
    """For mail with a key of a well-known kind. Our own are refused."""
    max_recipients_per_day: Optional[int]


class PodPolicy(TypedDict, total=False):
    ways: Optional[WayRules]
    outbound: Optional[OutboundChange]


class _GetPodReply(TypedDict):
    pod_id: str
    account_id: str
    """The pod’s own account."""
    name: Optional[str]
    status: Literal["active", "suspended"]
    created_at: str
    updated_at: str
    parent_account_id: str
    rate_limits: Optional[PodRateLimits]
    spending_caps: Optional[PodCaps]
    spending_caps_display: Optional[PodCapsDisplay]
    allowed_scopes: Optional[List[str]]
    recovery_email: Optional[str]
    """Receives login links."""
    email: Optional[str]
    """A person’s, set at sign-up; your own mail addresses are in `addresses`. Also receives login links."""
    operator_email: Optional[str]
    """The first confirmed operator, else who was named last."""
    people: List[Person]
    """Oldest first."""


class GetPodReply(_GetPodReply, total=False):
    policy: PodPolicy


class UpdatePodReply(TypedDict):
    id: str
    pod_id: str
    account_id: str
    """The pod’s own account."""
    name: Optional[str]
    status: Literal["active", "suspended"]
    created_at: str
    updated_at: str
    parent_account_id: str
    rate_limits: Optional[PodRateLimits]
    spending_caps: Optional[PodCaps]
    spending_caps_display: Optional[PodCapsDisplay]
    allowed_scopes: Optional[List[str]]
    recovery_email: Optional[str]
    """Receives login links."""
    email: Optional[str]
    """A person’s, set at sign-up; your own mail addresses are in `addresses`. Also receives login links."""
    operator_email: Optional[str]
    """The first confirmed operator, else who was named last."""
    people: List[Person]
    """Oldest first."""
    policy: PodPolicy
    updated: bool


class _ReplacePodKeyReply(TypedDict):
    api_key: str
    key_prefix: str
    pod_id: str
    created_at: str


class ReplacePodKeyReply(_ReplacePodKeyReply, total=False):
    warning: str


class StackRecord(TypedDict):
    purpose: Literal["ownership", "mx", "spf", "dkim", "dmarc"]
    type: Literal["MX", "TXT"]
    name: str
    value: str
    """The value to set. An SPF record that includes ours and any DMARC record also pass."""
    priority: Optional[int]
    status: Literal["unchecked", "found", "missing", "different", "unreachable"]
    """`unreachable`: the DNS did not answer."""
    found: List[str]


class _Stack(TypedDict):
    id: str
    domain: str
    """Lower case; an IDN as A-labels."""
    status: Literal["provisioning", "active", "failed"]
    """`failed`: not verified within three days, or the ownership record was removed. Verify again at any time."""
    nameservers: List[str]
    """Name servers of the domain at the latest check."""
    records: List[StackRecord]
    created_at: str
    checked_at: Optional[str]
    verified_at: Optional[str]


class Stack(_Stack, total=False):
    next_steps: List[str]


class ListStacksReply(TypedDict):
    stacks: List[Stack]
    count: int
    next_cursor: Optional[str]


class Usage(TypedDict):
    used: int
    limit: int


class VaultUsage(TypedDict):
    used: int
    limit: Optional[int]


class Spent(TypedDict):
    daily_spent_usdc: int
    """Atomic USDC."""
    weekly_spent_usdc: int
    monthly_spent_usdc: int
    daily_spent_usdc_display: str
    weekly_spent_usdc_display: str
    monthly_spent_usdc_display: str
    status: Literal["active", "limit_reached"]
    """`limit_reached` when any spending cap is used up."""


class GetUsageReplyEmails(TypedDict):
    daily_used: int
    daily_limit: int
    daily_remaining: int
    hourly_limit: int
    hourly_remaining: int
    reset_at: str
    """When the daily count resets."""


class GetUsageReply(TypedDict):
    account_id: str
    tier: Literal["free", "paid"]
    period: str
    """The UTC day, YYYY-MM-DD."""
    requests: Usage
    stacks: Usage
    pods: Usage
    addresses: Usage
    vault_keys: VaultUsage
    calendar_events: Usage
    storage: Usage
    budget: Spent
    emails: GetUsageReplyEmails


class GetUsageDaysReplyDay(TypedDict):
    day: str
    requests: int
    emails: int


class GetUsageDaysReply(TypedDict):
    days: List[GetUsageDaysReplyDay]


class GetPodUsageReply(TypedDict):
    requests: Optional[Usage]
    addresses: Usage
    vault_keys: VaultUsage
    calendar_events: Usage
    storage: Usage
    budget: Spent


class GetBillingReplyX402(TypedDict):
    supported: bool
    """True when this service takes x402 payments."""
    settlement: Literal["facilitator", "off"]
    """`facilitator`: payments are settled on the blockchain. `off`: no money moves."""
    network: str
    asset: str
    email_price: str
    """USDC for each email over the limit."""


class _GetBillingReply(TypedDict):
    account_id: str
    tier: Literal["free", "paid"]
    plan: str
    x402: GetBillingReplyX402


class GetBillingReply(_GetBillingReply, total=False):
    note: Optional[str]


class Observation(TypedDict):
    id: str
    agent_id: str
    """The account that made it, set by the service."""
    subject_agent_id: Optional[str]
    """The account that it is about."""
    display_name: Optional[str]
    topic: str
    content: str
    shared: bool
    created_at: str


class ListObservationsReplyFilters(TypedDict):
    topic: Optional[str]
    agent_id: Optional[str]
    subject_agent_id: Optional[str]
    since: Optional[str]
    scope: Literal["all", "mine", "shared"]
    limit: int


class ListObservationsReply(TypedDict):
    observations: List[Observation]
    count: int
    """Entries on this page."""
    filters: ListObservationsReplyFilters
    next_cursor: Optional[str]


class ListObservationTopicsReplyTopic(TypedDict):
    topic: str
    count: int
    latest: str


class ListObservationTopicsReply(TypedDict):
    topics: List[ListObservationTopicsReplyTopic]
    count: int
    """Topics on this page."""
    next_cursor: Optional[str]


class SubmitTelemetryReplyObservation(TypedDict):
    observation_id: str
    event: str
    ingested_at: str


class _SubmitTelemetryReply(TypedDict):
    accepted: Literal[True]
    count: int
    account_id: str
    """The caller’s. The events belong to this account."""
    agent_token: str
    """The same as `account_id`."""
    observations: List[SubmitTelemetryReplyObservation]


class SubmitTelemetryReply(_SubmitTelemetryReply, total=False):
    observation_id: str
    """Only for a single event."""
    ingested_at: str
    """Only for a single event."""


class GetTrustReplyBreakdown(TypedDict):
    behavioral: int
    """25 per observation, for up to 10."""
    consistency: int
    """round(250 · 2^(−age / 7 days)), with the age of the latest observation."""
    reputation: int
    """50 per distinct topic, for up to 5."""
    transparency: int
    """round(250 · shared / all observations)."""


class GetTrustReplyEvidence(TypedDict):
    self: int
    """Observations by the agent itself."""
    peer: int
    """Telemetry of other accounts about this agent. It does not change the score."""


class GetTrustReply(TypedDict):
    agent_id: str
    agentId: str
    """The same as `agent_id`."""
    score: int
    tier: Literal["untrusted", "provisional", "trusted", "verified"]
    breakdown: GetTrustReplyBreakdown
    computed_at: str
    computedAt: str
    """The same as `computed_at`."""
    observation_count: int
    observationCount: int
    """The same as `observation_count`."""
    evidence: GetTrustReplyEvidence


class IssueTokenReply(TypedDict):
    token: str
    expires_at: str
    jti: str
    audit_url: str
    """Shows the status of the token to anyone who knows the `jti`."""


class ListTokensReplyToken(TypedDict):
    jti: str
    audience: str
    scopes: List[str]
    issued_at: str
    expires_at: str
    status: Literal["active", "expired", "revoked"]


class ListTokensReply(TypedDict):
    tokens: List[ListTokensReplyToken]
    next_cursor: Optional[str]


class _IntrospectTokenReply(TypedDict):
    active: bool


class IntrospectTokenReply(_IntrospectTokenReply, total=False):
    sub: str
    aud: str
    iat: int
    """Unix seconds."""
    exp: int
    """Unix seconds."""
    jti: str
    scopes: List[str]
    agent_id: str
    agent_name: str
    agent_email: str
    agent_email_verified: bool
    iss: str
    client_id: str
    scope: str
    token_type: str
    act: Dict[str, Any]
    """Who acts (RFC 8693): `sub`, and in `act` who passed the delegation on."""


class RevokeTokenReply(TypedDict):
    revoked: bool
    jti: Optional[str]


class RevokeClientTokenReply(TypedDict):
    pass


class PublicJwk(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    use: Literal["sig"]
    alg: Literal["EdDSA"]


class GetJwksReply(TypedDict):
    keys: List[PublicJwk]


class ServerMetadata(TypedDict):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    device_authorization_endpoint: str
    registration_endpoint: str
    jwks_uri: str
    introspection_endpoint: str
    revocation_endpoint: str
    scopes_supported: List[str]
    response_types_supported: List[str]
    response_modes_supported: List[str]
    grant_types_supported: List[str]
    code_challenge_methods_supported: List[str]
    authorization_response_iss_parameter_supported: bool
    client_id_metadata_document_supported: bool
    subject_types_supported: List[str]
    id_token_signing_alg_values_supported: List[str]
    token_endpoint_auth_methods_supported: List[str]
    introspection_endpoint_auth_methods_supported: List[str]
    revocation_endpoint_auth_methods_supported: List[str]
    claims_supported: List[str]
    service_documentation: str


class DidDocumentVerificationMethod(TypedDict):
    id: str
    type: str
    controller: str
    publicKeyJwk: PublicJwk


class DidDocumentService(TypedDict):
    id: str
    type: str
    serviceEndpoint: str


_Context = TypedDict("_Context", {"@context": "List[str]"})


class DidDocument(_Context):
    id: str
    verificationMethod: List[DidDocumentVerificationMethod]
    authentication: List[str]
    assertionMethod: List[str]
    service: List[DidDocumentService]


class GetAgentCardReplyProvider(TypedDict):
    organization: str
    url: str


class GetAgentCardReplyCapabilities(TypedDict):
    streaming: bool
    pushNotifications: bool
    stateTransitionHistory: bool


class GetAgentCardReplyAuthentication(TypedDict):
    schemes: List[str]


class GetAgentCardReplyRegistrationBody(TypedDict):
    name: str


class GetAgentCardReplyRegistration(TypedDict):
    method: str
    url: str
    body: GetAgentCardReplyRegistrationBody


class GetAgentCardReplySkill(TypedDict):
    id: str
    name: str
    description: str
    tags: List[str]


class GetAgentCardReply(TypedDict):
    name: str
    description: str
    url: str
    version: str
    provider: GetAgentCardReplyProvider
    documentationUrl: str
    capabilities: GetAgentCardReplyCapabilities
    authentication: GetAgentCardReplyAuthentication
    registration: GetAgentCardReplyRegistration
    defaultInputModes: List[str]
    defaultOutputModes: List[str]
    skills: List[GetAgentCardReplySkill]


class SigningKey(TypedDict):
    keyid: str
    """RFC 7638 thumbprint, the key’s `kid` in the agent’s JWKS."""
    public_key: str
    """Ed25519, 32 bytes, base64url."""
    label: Optional[str]
    created_at: str


class ListSigningKeysReply(TypedDict):
    keys: List[SigningKey]
    count: int


class DeleteSigningKeyReply(TypedDict):
    deleted: Literal[True]
    keyid: str


class OwnProfile(TypedDict):
    name: Optional[str]
    description: Optional[str]
    capabilities: List[str]
    unlisted: bool
    profile_url: str


class _AuditActor(TypedDict):
    kind: Literal["person", "key", "delegate", "client", "administrator", "anonymous", "service"]


class AuditActor(_AuditActor, total=False):
    chain: List[str]
    """Of a delegate: its delegations."""
    id: str
    """`per_…`, `key_…`, `grt_…` of a client, `acc_…` of a delegate."""
    name: str
    """Of a key, or the id of a client."""
    prefix: str
    """Of the key or token."""
    role: Literal["email", "operator", "recovery", "vault_recovery"]


class AuditEntryTarget(TypedDict):
    kind: str
    id: str
    href: Optional[str]


class _AuditEntry(TypedDict):
    account_id: str
    action: str
    """`category.verb`"""
    actor: Union[AuditActor, str]
    """Who acted. Text in entries of before 0.20."""
    at: str
    category: str
    ip: str
    """A keyed hash of the client’s address. Equal addresses have equal hashes."""
    prev_hash: str
    """SHA-256 of the previous entry, hex."""
    request_id: str
    resource_id: Optional[str]
    result: Literal["success", "refused", "dry_run"]
    seq: int
    """1 for the first entry."""
    status: int
    """HTTP status of the reply."""
    id: str
    """`aud_…`. Not hashed, as the rest but `hash`."""
    target: Optional[AuditEntryTarget]
    """What it was done to."""
    hash: str
    """SHA-256 of this entry as JSON with sorted keys and no white space, hex: all but `hash`, `id`, `target`, `address`, `network`."""


class AuditEntry(_AuditEntry, total=False):
    act: List[str]
    """Who acted by delegation: the caller, then who passed it on."""
    after: Dict[str, Optional[Union[str, float, bool, List[str]]]]
    """What was changed, as it is now. Secrets and words of mail are never in it."""
    before: Dict[str, Optional[Union[str, float, bool, List[str]]]]
    """The same, as it was."""
    console: Literal[True]
    """The console of a person read it."""
    count: int
    """Mails that a job deleted."""
    summary: str
    """What was done, in words. Not recorded before 0.20."""
    address: str
    """The person’s, for a primary key or an operator session."""
    network: Optional[str]


class ListAuditEntriesReply(TypedDict):
    entries: List[AuditEntry]
    count: int
    next_cursor: Optional[str]


class ListAuditSealsReplySeal(TypedDict):
    seq: int
    hash: str
    kid: str
    signature: str
    """base64url"""
    sealed_at: str


class ListAuditSealsReplyKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    kid: str
    x: str


class ListAuditSealsReply(TypedDict):
    seals: List[ListAuditSealsReplySeal]
    keys: List[ListAuditSealsReplyKey]
    count: int
    next_cursor: Optional[str]


class TokenRecord(TypedDict):
    jti: str
    status: Literal["active", "expired", "revoked"]
    audience: str
    scopes: List[str]
    issued_at: str
    expires_at: str
    revoked_at: Optional[str]


class ListOperatorDecisionsReplyDecisionBy(TypedDict):
    kind: str
    """`person`, `key`, `delegate`, `client`, `service` …"""
    name: Optional[str]


class ListOperatorDecisionsReplyDecision(TypedDict):
    action: str
    """As in the audit log, such as `approval.approved`."""
    at: str
    by: ListOperatorDecisionsReplyDecisionBy
    agent: AskingAgent
    resource_id: Optional[str]
    summary: str
    """In words."""


class ListOperatorDecisionsReply(TypedDict):
    decisions: List[ListOperatorDecisionsReplyDecision]


class LoggedRequest(TypedDict):
    request_id: str
    at: str
    method: str
    path: str
    """A pattern."""
    status: int
    ms: int
    credential: Literal["primary_key", "backup_key", "named_key", "session", "access_token"]
    actor: str
    """The start of the key, or `session`."""
    key: Optional[str]
    console: bool
    """The console of a person read it."""


class ListRequestsReply(TypedDict):
    requests: List[LoggedRequest]
    next_cursor: Optional[str]


class DeleteAccountReply(TypedDict):
    deletes_at: str
    pods: List[str]
    """The pods that go with it."""


class CalendarEventAttendeeStatusProposal(TypedDict):
    start: str
    end: str


class _CalendarEventAttendeeStatus(TypedDict):
    address: str
    status: Literal["not_invited", "held", "invited", "accepted", "declined", "tentative"]


class CalendarEventAttendeeStatus(_CalendarEventAttendeeStatus, total=False):
    reason: str
    """The error that refused the mail."""
    proposal: CalendarEventAttendeeStatusProposal


class CalendarEventOccurrence(TypedDict):
    recurrence_id: str
    """When it starts by the `rrule`."""
    cancelled: bool
    start: str
    end: str
    summary: str
    location: Optional[str]


class CalendarEventProposal(TypedDict):
    recurrence_id: Optional[str]
    sequence: int
    cancelled: bool
    start: str
    end: str
    summary: str
    location: Optional[str]


class _CalendarEvent(TypedDict):
    id: str
    event_id: str
    """The same as `id`."""
    summary: str
    start: str
    end: str
    """Exclusive."""
    all_day: bool
    """True for an event of whole days: `start` and `end` are midnights in UTC."""
    description: Optional[str]
    location: Optional[str]
    attendees: List[str]
    attendee_status: List[CalendarEventAttendeeStatus]
    organizer: Optional[str]
    status: Literal["confirmed", "pending", "accepted", "declined", "tentative", "cancelled"]
    """`confirmed` for your own event; else your answer, or `cancelled` by the organizer."""
    rrule: Optional[str]
    sequence: int
    """Rises by one with each change (RFC 5545 3.8.7.4)."""
    created_at: str
    updated_at: str


class CalendarEvent(_CalendarEvent, total=False):
    occurrences: List[CalendarEventOccurrence]
    """Single days of the series that the organizer changed."""
    proposal: CalendarEventProposal
    """A change that came by mail, without proof that the organizer wrote it. It is not applied."""


class ListCalendarEventsReply(TypedDict):
    events: List[CalendarEvent]
    count: int
    """Events on this page."""
    total: int
    """Events in the window, on all pages."""
    limit: int
    next_cursor: Optional[str]


class DeleteCalendarEventReply(TypedDict):
    deleted: Literal[True]
    id: str
    event_id: str


class _FeedLink(TypedDict):
    feed_url: str
    """Anyone with this URL can read the calendar without a key."""
    cal_token: str


class FeedLink(_FeedLink, total=False):
    how_to_subscribe: List[str]


class _RequestCredentialReply(TypedDict):
    request_id: str
    device_code: str
    """For polling. Keep it secret. Shown once."""
    user_code: str
    """`XXXX-XXXX`, for the operator."""
    verification_url: str
    verification_url_complete: str
    """The page with the code filled in."""
    expires_in: int
    """Seconds."""
    interval: int
    """Seconds to wait between polls."""
    expires_at: str


class RequestCredentialReply(_RequestCredentialReply, total=False):
    message: str


class _PollCredentialReply(TypedDict):
    status: Literal["authorization_pending", "slow_down", "approved", "denied", "expired"]
    request_id: str
    vault_key: Optional[str]


class PollCredentialReply(_PollCredentialReply, total=False):
    interval: int
    """While pending: seconds to wait before the next poll."""
    expires_in: int
    """While pending: seconds until the request expires."""
    reason: Literal["operator", "wrong_codes"]
    """Why it was denied."""
    credential_value: str
    """The value, when the request had no `public_key`."""
    sealed_value: str
    """The sealed value, when it had one. Open it with the private key."""
    message: str


class ListCredentialRequestsReplyRequest(TypedDict):
    request_id: str
    description: str
    vault_key: Optional[str]
    public_key: Optional[str]
    created_at: str
    expires_at: str
    agent: AskingAgent


class ListCredentialRequestsReply(TypedDict):
    requests: List[ListCredentialRequestsReplyRequest]
    next_cursor: Optional[str]


class ViewCredentialRequestReplyAgent(TypedDict):
    account_id: str
    name: Optional[str]
    address: Optional[str]
    registered_at: str


class ViewCredentialRequestReply(TypedDict):
    request_id: str
    status: Literal["pending"]
    agent: ViewCredentialRequestReplyAgent
    description: str
    vault_key: Optional[str]
    public_key: Optional[str]
    created_at: str
    expires_at: str


class ApproveCredentialReply(TypedDict):
    request_id: str
    status: Literal["approved", "denied"]
    vault_key: Optional[str]
    resolved_at: str


class SignedFindingOutcomes(TypedDict):
    accepted: int
    """Programs that accepted it."""
    rejected: int
    """Programs that rejected it."""


class SignedFinding(TypedDict):
    jti: str
    agent_id: str
    title: str
    severity: Literal["CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO"]
    target: str
    evidence_hash: str
    cwe: Optional[str]
    evidence_url: Optional[str]
    tools_used: List[str]
    time_to_find_ms: Optional[int]
    audience: Optional[str]
    outcomes: SignedFindingOutcomes
    created_at: str
    finding_url: str
    token: str
    """The finding as a JWT (`typ: finding+jwt`, EdDSA). Verify it with the service’s JWKS."""


class ListFindingsReplyFinding(TypedDict):
    jti: str
    agent_id: str
    title: str
    severity: Literal["CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO"]
    target: str
    evidence_hash: str
    cwe: Optional[str]
    evidence_url: Optional[str]
    tools_used: List[str]
    time_to_find_ms: Optional[int]
    audience: Optional[str]
    outcomes: SignedFindingOutcomes
    created_at: str
    finding_url: str


class ListFindingsReply(TypedDict):
    findings: List[ListFindingsReplyFinding]
    count: int
    next_cursor: Optional[str]


class FindingTally(TypedDict):
    submitted: int
    accepted: int
    rejected: int


class FindingRecordBySeverity(TypedDict):
    CRITICAL: FindingTally
    HIGH: FindingTally
    MEDIUM: FindingTally
    LOW: FindingTally
    INFO: FindingTally


class FindingRecord(TypedDict):
    agent_id: str
    submitted: int
    accepted: int
    """Judgements that accepted a finding, one per program."""
    rejected: int
    by_severity: FindingRecordBySeverity


class JudgeFindingReply(TypedDict):
    jti: str
    program_id: str
    outcome: Literal["accepted", "rejected"]
    recorded_at: str
    track_record: FindingRecord


class _CreateProgramReply(TypedDict):
    program_id: str
    name: str
    audience: str
    key_prefix: str
    created_at: str
    ended_at: Optional[str]
    api_key: str


class CreateProgramReply(_CreateProgramReply, total=False):
    warning: str


class ListProgramsReplyProgram(TypedDict):
    program_id: str
    name: str
    audience: str
    key_prefix: str
    created_at: str
    ended_at: Optional[str]


class ListProgramsReply(TypedDict):
    programs: List[ListProgramsReplyProgram]
    count: int
    next_cursor: Optional[str]


class EndProgramReply(TypedDict):
    program_id: str
    ended_at: str


class _CallMcpDone(TypedDict):
    jsonrpc: str
    id: Optional[Union[str, float]]


class CallMcpDone(_CallMcpDone, total=False):
    result: Dict[str, Any]
    """By method."""
    error: Dict[str, Any]
    """`code` and `message`."""


Event = Union[
    EmailReceivedEvent,
    EmailSentEvent,
    EmailFailedEvent,
    EmailHeldEvent,
    EmailReleasedEvent,
    EmailRejectedEvent,
    EmailQuarantinedEvent,
    EmailSuppressedEvent,
    SendingPausedEvent,
    StorageFillingEvent,
    AddressReleasedEvent,
    VaultUpdatedEvent,
    PaymentSettledEvent,
    PaymentFailedEvent,
    KeyRotatedEvent,
    AccountSuspendedEvent,
    AccountResumedEvent,
    AccountPersonChangedEvent,
    AccountNoticeStartedEvent,
    AccountNoticeEndedEvent,
    AccountSecuredEvent,
    AccountDeletionScheduledEvent,
    AccountDeletionCancelledEvent,
    ChargeCompletedEvent,
    ApprovalRequestedEvent,
    ApprovalResolvedEvent,
    BudgetLimitReachedEvent,
    TokenIssuedEvent,
    TokenRevokedEvent,
    DelegationCreatedEvent,
    DelegationEndedEvent,
    GrantCreatedEvent,
    GrantEndedEvent,
    CalendarUpdatedEvent,
    CredentialRequestedEvent,
    CredentialResolvedEvent,
    FindingJudgedEvent,
]
GetHealthReply = Health
GetReadinessReply = Ready
GetApiDescriptionReply = Dict[str, Any]
GetOpenApiFileReply = Dict[str, Any]
ListPaymentsItem = Payment
SetAccountPolicyReply = GetAccountPolicyReply
VerifyLoginReply = Location
Scope = Literal["account:read", "account:manage", "mail:read", "mail:codes", "mail:send", "mail:manage", "vault:read", "vault:write", "money:read", "money:spend", "money:manage", "money:approve", "calendar:read", "calendar:write", "identity:read", "identity:issue", "identity:manage", "trust:read", "trust:write", "events:read", "webhooks:manage", "pods:manage", "stacks:manage", "credentials:request", "findings:write", "audit:read"]
CreateDelegationReply = Delegation
ListDelegationsItem = Delegation
EndDelegationReply = UndoNoticeReply
UpdateAddressReply = AddressSettings
DeleteNamedKeyReply = UndoNoticeReply
SecureAccountReply = SecuredAccount
GetBudgetHistoryItem = GetBudgetHistoryReplyEntry
ChargeReply = Union[ChargeDone, ChargeAccepted]
ListApprovalsItem = Approval
GetApprovalReply = Approval
ApproveChargeReply = ResolvedApproval
RejectChargeReply = ResolvedApproval
DecideApprovalReply = ResolvedApproval
RemoveOperatorReply = DeleteBackupKeyReply
RegisterClientReply = Dict[str, Any]
ListGrantsItem = ListGrantsReplyGrant
EndGrantReply = UndoNoticeReply
AddPasskeyReply = AddPasskeyCreated
ListPasskeysItem = AddPasskeyCreated
RemovePasskeyReply = UndoNoticeReply
LogInWithRecoveryCodeReply = LogInWithPasskeyReply
UpdateOperatorSettingsReply = GetOperatorSettingsReply
ListSessionsItem = ListSessionsReplySession
EndSessionReply = LogoutReply
GetMailPolicyReply = MailPolicy
SetMailPolicyReply = MailPolicy
ListReviewsItem = Review
GetReviewReply = WholeReview
ApproveReviewReply = DecidedReview
RejectReviewReply = DecidedReview
WithdrawReviewReply = DecidedReview
DecideReviewReply = DecidedReview
ListOperatorAgentsItem = ListOperatorAgentsReplyAgent
ResumeAgentReply = SuspendAgentReply
DeleteEncryptionKeyReply = DeleteBackupKeyReply
ListEventsItem = Event
ListInboxItem = MessageSummary
GetMessageReply = Message
GetInboxItem = GetInboxReplyMessage
ListQuarantineItem = QuarantinedMail
DeleteQuarantinedReply = UndoNoticeReply
ListThreadsItem = ListThreadsReplyThread
GetThreadItem = Union[GetThreadReplyMessage, GetThreadReplyMessage2]
ListSuppressionsItem = ListSuppressionsReplySuppression
SendEmailReply = Union[SentEmail, HeldEmail]
ListOutboxItem = ListOutboxReplyMessage
ReplyToMessageReply = Union[SentEmail, HeldEmail]
ReplyToAllReply = Union[SentEmail, HeldEmail]
ForwardMessageReply = Union[SentEmail, HeldEmail]
SendFromInboxReply = Union[SendFromInboxDone, SendFromInboxAccepted]
CreateDraftReply = Draft
ListDraftsItem = Draft
GetDraftReply = Draft
UpdateDraftReply = Draft
SendDraftReply = Union[SentEmail, HeldEmail]
CreateWebhookReply = Webhook
ListEventWebhooksReply = ListWebhooksReply
UpdateEventWebhookReply = Webhook
TestWebhookReply = WebhookDelivery
ListWebhookDeliveriesItem = WebhookDelivery
RetryWebhookDeliveryReply = WebhookDelivery
DeleteEventWebhookReply = DeleteWebhookReply
TestEventWebhookReply = WebhookDelivery
ListEventWebhookDeliveriesReply = ListWebhookDeliveriesReply
ListEventWebhookDeliveriesItem = WebhookDelivery
RetryEventWebhookDeliveryReply = WebhookDelivery
RotateEmailWebhookSecretReply = RotateWebhookSecretReply
ListVaultKeysReply = VaultKeyList
ListVaultKeysItem = VaultKeyListKey
PutVaultEntryReply = StoredVaultEntry
GetVaultEntryReply = VaultEntry
RequestVaultRecoveryReply = LoginReply
ListWaitingItem = WaitingItem
ListOperatorWaitingItem = OperatorWaitingItem
SearchAgentsReply = SearchReply
ListPodsItem = Pod
SuspendPodReply = Pod
CreateStackReply = Stack
ListStacksItem = Stack
GetStackReply = Stack
VerifyStackReply = Stack
DeleteStackReply = DeleteWebhookReply
CreateObservationReply = Observation
ListObservationsItem = Observation
ListObservationTopicsItem = ListObservationTopicsReplyTopic
GetObservationReply = Observation
ListTokensItem = ListTokensReplyToken
GetOpenIdConfigurationReply = ServerMetadata
GetAuthorizationServerMetadataReply = ServerMetadata
GetProtectedResourceMetadataReply = Dict[str, Any]
GetServiceDidReply = DidDocument
RegisterSigningKeyReply = SigningKey
GetAgentDidReply = DidDocument
GetAgentJwksReply = GetJwksReply
GetProfileReply = OwnProfile
UpdateProfileReply = OwnProfile
ListAuditEntriesItem = AuditEntry
ListAuditSealsItem = ListAuditSealsReplySeal
GetAuditRecordReply = Union[AuditEntry, TokenRecord]
ListRequestsItem = LoggedRequest
GetRequestReply = LoggedRequest
CancelAccountDeletionReply = UndoNoticeReply
CreateCalendarEventReply = CalendarEvent
ListCalendarEventsItem = CalendarEvent
GetCalendarEventReply = CalendarEvent
UpdateCalendarEventReply = CalendarEvent
RespondToInvitationReply = CalendarEvent
GetCalendarFeedReply = FeedLink
RotateCalendarFeedReply = FeedLink
GetCalendarSettingsReply = GetAgentCardReplyRegistrationBody
SetCalendarSettingsReply = GetAgentCardReplyRegistrationBody
ListCredentialRequestsItem = ListCredentialRequestsReplyRequest
VerifyCredentialOperatorReply = LoginReply
SubmitFindingReply = SignedFinding
ListFindingsItem = ListFindingsReplyFinding
GetFindingReply = SignedFinding
GetTrackRecordReply = FindingRecord
ListProgramsItem = ListProgramsReplyProgram
CallMcpReply = Optional[CallMcpDone]
CallMcpGroupReply = Optional[CallMcpDone]
