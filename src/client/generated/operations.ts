// Made from the endpoint table by `npm run generate`: change the endpoint, not this file.
import type { AttachedFile, CallOptions, Operation } from '../operation.ts';

export type GetHealthInput = Record<string, never>;
export type Health = {
  status: string;
  timestamp: string;
  /** Version of the API. */
  version: string;
  /** Version of the software. */
  release: string;
};
export type GetHealthReply = Health;

export type GetReadinessInput = Record<string, never>;
export type Ready = {
  status: string;
  timestamp: string;
  /** Version of the API. */
  version: string;
  /** Version of the software. */
  release: string;
  disk: "ok" | "low";
};
export type GetReadinessReply = Ready;

export type GetApiDescriptionInput = {
  /** `index`: all operations by job, as text. `full`: the document with all that it says elsewhere. */
  format?: "index" | "full" | undefined;
  /** Only the operations of this tag. */
  tag?: string | undefined;
  /** Only the operation with this `operationId`. */
  operation?: string | undefined;
};
export type GetApiDescriptionReply = Record<string, unknown>;

export type GetOpenApiFileInput = Record<string, never>;
export type GetOpenApiFileReply = Record<string, unknown>;

export type GetMetricsInput = Record<string, never>;
export type GetMetricsReply = string;

export type ListPaymentsInput = {
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type Payment = {
  id: string;
  /** `pending`: delivered and not settled yet. `settled`: on the chain. `failed`: see `error`. `verified`: delivered by a development server; no money moves. */
  status: "pending" | "settled" | "failed" | "verified";
  /** Atomic units. */
  amount_usdc: number;
  amount_usdc_display: string;
  network: string;
  /** Contract of the token. */
  asset: string;
  /** Wallet that pays. */
  payer: string;
  /** Wallet that is paid. */
  pay_to: string;
  nonce: string;
  /** URL of the request that it paid for. */
  resource: string;
  description: string;
  transaction: string | null;
  error: string | null;
  created_at: string;
  settled_at: string | null;
};
export type ListPaymentsReply = {
  payments: Payment[];
  /** Payments on this page. */
  count: number;
  next_cursor: string | null;
};

export type ListNoticesInput = Record<string, never>;
export type Notice = {
  id: string;
  what: "backup_key" | "e2e_key" | "vault_recovery_email" | "email" | "recovery_email" | "operator" | "operator_replacement";
  /** The prefix of a key, a public key, or an address. */
  target: string;
  asked_at: string;
  /** When it is removed. */
  ends_at: string;
};
export type ListNoticesReply = { notices: Notice[] };

export type UndoNoticeInput = { id: string };
export type UndoNoticeReply = { ok: boolean };

export type GetAccountPolicyInput = Record<string, never>;
export type WayPolicy = {
  rule: "open" | "list" | "operator" | "off" | "known";
  allow: string[];
  from: "default" | "own" | "platform";
};
export type GetAccountPolicyReplyWays = {
  mail: WayPolicy;
  webhook: WayPolicy;
  feed: WayPolicy;
  share: WayPolicy;
  publish: WayPolicy;
  delegate: WayPolicy;
  grant: WayPolicy;
  invite: WayPolicy;
  fetch: WayPolicy;
  token: WayPolicy;
  pay: WayPolicy;
};
export type GetAccountPolicyReply = { ways: GetAccountPolicyReplyWays };

export type WayRules = {
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  webhook?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  feed?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  share?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  publish?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  delegate?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  grant?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  invite?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  fetch?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  token?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] | undefined } | "open" | "list" | "operator" | "off" | null | undefined;
};
export type SetAccountPolicyInput = { ways: WayRules };
export type SetAccountPolicyReply = { ways: GetAccountPolicyReplyWays };

export type GetPowerInput = Record<string, never>;
export type WayOut = {
  way: "mail" | "webhook" | "feed" | "share" | "publish" | "delegate" | "grant" | "invite" | "fetch" | "token" | "pay";
  rule: "open" | "list" | "operator" | "off" | "known";
  from: "default" | "own" | "platform";
  targets: number;
  /** As far as there is room. */
  allow?: string[];
};
export type AccountLimits = {
  /** API requests of an account per UTC day. A pod shares the quota of its platform. */
  requests_per_day: number;
  /** Emails that an account can send per UTC day without paying. A pod shares the quota of its platform. */
  emails_per_day: number;
  /** Emails that an account can send per clock hour without paying. A pod shares the quota of its platform. */
  emails_per_hour: number;
  /** Recipients of one email. */
  recipients_per_send: number;
  /** Addresses of an account. */
  addresses: number;
  /** Keys in the vault of an account. Keys that it paid for do not count. Null: no limit. */
  vault_keys: number | null;
  /** Versions kept for each vault key. A new version removes the oldest. */
  vault_versions_per_key: number;
  /** Size of the ciphertext of a vault entry, in bytes. */
  vault_ciphertext_bytes: number;
  /** Bytes that an account stores: mail, drafts and vault. One sender’s mail fills at most a quarter. */
  storage_bytes: number;
  /** Bytes that mail programs get by IMAP per UTC day. A pod shares the quota of its platform. */
  mail_program_bytes_per_day: number;
  /** Domains of an account and its pods. */
  stacks: number;
  /** DNS records of a domain. */
  dns_records: number;
  /** Active pods of a platform. */
  pods: number;
  /** Events in the calendar of an account. */
  calendar_events: number;
  /** Drafts and scheduled mails of an account that are not sent. */
  drafts: number;
  /** Named keys of an account that have not expired. */
  named_keys: number;
  /** Delegations that an account made or passed on and that stand. */
  delegations: number;
  /** Open WebSockets, event streams and waiting `GET /v1/events` requests of an account and its pods, on each instance. */
  event_streams: number;
};
export type GetPowerReply = {
  authority: "account" | "operator";
  operators: number;
  operator_addresses?: string[];
  /** The operations that this credential may call now. */
  can: string[];
  /** Those that it must leave to an operator. */
  operator_decides: string[];
  ways_out: WayOut[];
  /** The limits of the account’s tier. */
  limits: AccountLimits;
};

export type LoginInput = {
  /** The account’s email, recovery email or operator email. */
  email: string;
};
export type LoginReply = { sent: boolean; message?: string };

export type VerifyLoginInput = {
  /** From the login link. */
  token: string;
};
export type VerifyLoginReply = { location: string };

export type LogoutInput = Record<string, never>;
export type LogoutReply = { ok: boolean; ended_at: string };

export type Scope = "account:read" | "account:manage" | "mail:read" | "mail:codes" | "mail:send" | "mail:manage" | "vault:read" | "vault:write" | "money:read" | "money:spend" | "money:manage" | "money:approve" | "calendar:read" | "calendar:write" | "identity:read" | "identity:issue" | "identity:manage" | "trust:read" | "trust:write" | "events:read" | "webhooks:manage" | "pods:manage" | "stacks:manage" | "credentials:request" | "findings:write" | "audit:read";
export type CreateDelegationInput = {
  /** The account id of the delegate. */
  to: string;
  scopes: Scope[];
  /** The service it is for. Default: this one. */
  audience?: string | undefined;
  /** How much it may ever spend: atomic USDC, or USDC as in `"3.00"`. */
  budget_usdc?: number | string | undefined;
  expires_at: string | Date;
  /** How many times it may be passed on, one after the other. */
  may_delegate?: number | undefined;
};
export type Delegation = {
  id: string;
  /** The account whose authority it is. */
  account_id: string;
  /** The account that made it. */
  from: string;
  /** The delegate. */
  to: string;
  scopes: Scope[];
  /** Null: every address of the account. */
  addresses: string[] | null;
  audience: string | null;
  budget_usdc: number | null;
  spent_usdc: number;
  budget_usdc_display: string | null;
  spent_usdc_display: string;
  may_delegate: number;
  created_at: string;
  expires_at: string;
  status: "active" | "expired" | "revoked";
};
export type CreateDelegationReply = Delegation;

export type ListDelegationsInput = ListPaymentsInput;
export type ListDelegationsReply = { delegations: Delegation[]; next_cursor: string | null };

export type EndDelegationInput = { id: string };
export type EndDelegationReply = { ok: boolean };

export type ClaimAddressInput = {
  /** `hello`, `hello@…` on the mail domain, or an address at a domain you have verified. Case is ignored. */
  address: string;
  /** X25519, 32 bytes, as base64url, base64 or hex. Incoming mail is encrypted to it from now on. */
  public_key?: string | undefined;
};
export type ClaimAddressReply = {
  address: string;
  /** Always true. */
  claimed: boolean;
  /** True if this account had the address before. */
  already_owned: boolean;
  account_id: string;
  /** True if the address has a public key. */
  e2e_enabled: boolean;
};

export type ReleaseAddressInput = { address: string };
export type ReleaseAddressReply = {
  /** Always true. */
  released: boolean;
};

export type UpdateAddressInput = {
  address: string;
  /** The name in From. Null: none. */
  display_name?: string | null | undefined;
  /** Mail is deleted for good after so many days. Null: never. */
  retention_days?: number | null | undefined;
};
export type AddressSettings = { address: string; display_name: string | null; retention_days: number | null };
export type UpdateAddressReply = AddressSettings;

export type ListAddressesInput = Record<string, never>;
export type ListAddressesReply = { addresses: string[]; count: number; settings: AddressSettings[] };

export type CreateKeyInput = {
  /** A label for the account. */
  name?: string | undefined;
  /** Receives login links. Optional. */
  email?: string | undefined;
  /** Also create a backup key, in case the primary is lost. */
  backup?: boolean | undefined;
  /** Needed where sign-up is by invite. */
  invite?: string | undefined;
};
export type CreateKeyReplyLimits = {
  stacks: number;
  addresses: number;
  dns_records: number;
  emails_per_day: number;
  requests_per_day: number;
};
export type CreateKeyReply = {
  api_key: string;
  backup_key?: string;
  key_prefix: string;
  account_id: string;
  tier: "free" | "paid";
  created_at: string;
  warning?: string;
  limits: CreateKeyReplyLimits;
};

export type RotateKeyInput = Record<string, never>;
export type RotateKeyReply = {
  api_key: string;
  key_prefix: string;
  account_id: string;
  rotated_at: string;
  /** The other keys of the account, which still work. */
  standing: { id: string; kind: "backup" | "named"; key_prefix: string }[];
  warning?: string;
};

export type GenerateBackupKeyInput = { label?: string | undefined };
export type GenerateBackupKeyReply = { backup_key: string; key_prefix: string; status: "backup"; created_at: string; warning?: string };

export type ActivateBackupKeyInput = Record<string, never>;
export type ActivateBackupKeyReply = { activated_key_prefix: string; account_id: string; activated_at: string; message?: string };

export type DeleteBackupKeyInput = Record<string, never>;
export type DeleteBackupKeyReply = { status: "ended" | "scheduled"; ends_at: string };

export type ListKeysInput = Record<string, never>;
export type Key = {
  prefix: string;
  status: "active" | "backup" | "revoked";
  label: string | null;
  created_at: string;
  /** Null before activation. */
  activated_at: string | null;
};
export type ListKeysReply = { account_id: string; keys: Key[] };

export type ListAccountKeysInput = Record<string, never>;
export type AccountKey = {
  id: string;
  kind: "primary" | "backup" | "named";
  name: string | null;
  key_prefix: string;
  scopes: Scope[];
  addresses: string[] | null;
  requests_share: number | null;
  created_at: string;
  expires_at: string | null;
  /** Of a primary or backup key only what is within the last 30 days. */
  last_used_at: string | null;
  last_used_from: string | null;
  /** Its calls by UTC day, of the last 30 days. Days without any are left out. */
  days: { day: string; requests: number }[];
  status: "active" | "expired";
};
export type ListAccountKeysReply = { keys: AccountKey[] };

export type CreateNamedKeyInput = {
  name: string;
  scopes: Scope[];
  /** It sees only these. */
  addresses?: string[] | undefined;
  /** What it may use of the requests that named keys and clients share, in percent. Default: all. */
  requests_share?: number | undefined;
  /** Default: no end. */
  expires_in_seconds?: number | undefined;
};
export type CreateNamedKeyReply = {
  id: string;
  api_key: string;
  key_prefix: string;
  name: string;
  scopes: Scope[];
  addresses: string[] | null;
  requests_share: number | null;
  expires_at: string | null;
  created_at: string;
};

export type ChangeNamedKeyInput = {
  id: string;
  name?: string | undefined;
  scopes?: Scope[] | undefined;
  /** Null: all of them. */
  requests_share?: number | null | undefined;
  /** From now. Null: no end. */
  expires_in_seconds?: number | null | undefined;
};
export type ChangeNamedKeyReply = {
  id: string;
  name: string;
  scopes: Scope[];
  requests_share: number | null;
  expires_at: string | null;
};

export type DeleteNamedKeyInput = { id: string };
export type DeleteNamedKeyReply = { ok: boolean };

export type RotateNamedKeyInput = { id: string; grace_seconds?: number | undefined };
export type RotateNamedKeyReply = { api_key: string; key_prefix: string; previous_valid_until: string };

export type SecureAccountInput = {
  /** False keeps addresses, operators, keys and settings of the last 7 days. */
  revert?: boolean | undefined;
};
export type SecuredAccountEnded = {
  /** Named keys, and a backup key that was young. */
  keys: number;
  sessions: number;
  links: number;
  tokens: number;
  grants: number;
  delegations: number;
  /** Streams that were open on this instance. */
  streams: number;
};
export type SecuredAccountWebhook = {
  id: string;
  url: string;
  paused: boolean;
  /** The new secret. Null if it had none. */
  secret: string | null;
};
export type SecuredAccountRecentChange = {
  at: string;
  what: string;
  detail: string;
  /** Equal changes are one row. `at` is the time of the latest. */
  count: number;
};
export type SecuredAccount = {
  api_key: string;
  key_prefix: string;
  ended: SecuredAccountEnded;
  webhooks: SecuredAccountWebhook[];
  /** What changed in 30 days, newest first. */
  recent_changes: SecuredAccountRecentChange[];
  /** The backup key that stays. */
  backup: { created_at: string; ends_at: string | null } | null;
  warning?: string;
};
export type SecureAccountReply = SecuredAccount;

export type GetBudgetInput = Record<string, never>;
export type SpendingCap = {
  /** Atomic USDC. */
  limit_usdc: number;
  spent_usdc: number;
  /** Never negative. */
  remaining_usdc: number;
  limit_usdc_display: string;
  spent_usdc_display: string;
  remaining_usdc_display: string;
  resets_at: string;
};
export type SpendingCaps = { daily: SpendingCap | null; weekly: SpendingCap | null; monthly: SpendingCap | null };
export type BudgetSettings = {
  /** What happens to a charge over a limit: 402, or a wait for approval. */
  on_limit: "reject" | "approve";
  single_tx_limit_cents: number | null;
  single_tx_limit_cents_display: string | null;
  /** With `operator`, only an operator session may approve charges and raise or remove limits. */
  authority: "account" | "operator";
};
export type GetBudgetReply = {
  agent_id: string;
  /** Always `USDC`. */
  currency: string;
  /** The value of an amount of 1. */
  atomic_unit: string;
  caps: SpendingCaps;
  has_caps: boolean;
  /** `limit_reached` when any cap is used up, for a pod also one of its platform. */
  status: "active" | "limit_reached";
  settings: BudgetSettings;
  spending_caps: SpendingCaps | null;
  note?: string;
};

export type SetBudgetInputCaps = {
  /** Atomic USDC, or USDC as in `"3.00"`, per UTC day; null removes the cap. */
  daily?: number | string | null | undefined;
  /** Atomic USDC, or USDC as in `"3.00"`, per UTC week; null removes the cap. */
  weekly?: number | string | null | undefined;
  /** Atomic USDC, or USDC as in `"3.00"`, per UTC month; null removes the cap. */
  monthly?: number | string | null | undefined;
};
export type SetBudgetInput = {
  caps?: SetBudgetInputCaps | undefined;
  /** @deprecated As `caps.daily`. */
  daily?: number | string | null | undefined;
  /** @deprecated As `caps.weekly`. */
  weekly?: number | string | null | undefined;
  /** @deprecated As `caps.monthly`. */
  monthly?: number | string | null | undefined;
  on_limit?: "reject" | "approve" | undefined;
  /** The largest single charge, in atomic USDC despite the name; null removes the limit. */
  single_tx_limit_cents?: number | string | null | undefined;
  authority?: "account" | "operator" | undefined;
};
export type SetBudgetReply = {
  ok: boolean;
  agent_id: string;
  /** The caps in the request. */
  caps: { daily?: SpendingCap | null; weekly?: SpendingCap | null; monthly?: SpendingCap | null };
  settings: BudgetSettings;
  /** @deprecated As `GET /v1/budget` returns it. `caps` and `settings` say what changed. */
  budget: GetBudgetReply;
  warning?: string;
};

export type GetBudgetHistoryInput = {
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** Return only older entries: the `next_before` of the previous page. */
  before?: string | Date | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
  category?: string | undefined;
};
export type GetBudgetHistoryReplyEntry = {
  /** The `charge_id`. */
  id: string;
  timestamp: string;
  amount_usdc: number;
  amount_usdc_display: string;
  category: string;
  description: string;
  reference_id: string | null;
  metadata: Record<string, unknown> | null;
  /** The account that spent it: the caller or one of its pods. */
  account_id: string;
  approval_id: string | null;
};
export type GetBudgetHistoryReplySummary = {
  /** Entries on all pages. */
  count: number;
  total_usdc: number;
  total_usdc_display: string;
  by_category: Record<string, number>;
};
export type GetBudgetHistoryReply = {
  agent_id: string;
  /** Always `USDC`. */
  currency: string;
  /** The value of an amount of 1. */
  atomic_unit: string;
  entries: GetBudgetHistoryReplyEntry[];
  summary: GetBudgetHistoryReplySummary;
  pagination: { limit: number; has_more: boolean; next_before: string | null; next_cursor: string | null };
  note?: string;
};

export type ChargeInput = {
  /** Atomic USDC (1,000,000 is 1 USDC), or USDC with a point: `"3.00"`. */
  amount: number | string;
  category?: string | undefined;
  description?: string | undefined;
  reference_id?: string | undefined;
  /** Your own JSON object, up to 4 KB, returned unchanged. */
  metadata?: Record<string, unknown> | undefined;
};
export type ChargeDone = {
  status: "completed";
  charge_id: string;
  /** Atomic USDC. */
  amount_usdc: number;
  amount_usdc_display: string;
  category: string;
  description: string;
  reference_id: string | null;
  /** Atomic USDC left in each capped period. */
  remaining: { daily?: number; weekly?: number; monthly?: number };
  remaining_display: { daily?: string; weekly?: string; monthly?: string };
  message?: string;
  warning?: string;
};
export type ChargeAcceptedExceeded = {
  period: "daily" | "weekly" | "monthly";
  spent_usdc: number | null;
  limit_usdc: number | null;
  remaining_usdc: number | null;
  spent_usdc_display: string | null;
  limit_usdc_display: string | null;
  remaining_usdc_display: string | null;
  resets_at: string;
  /** `account`: a limit of this account, set by account, operator or platform. For a limit of the platform’s own budget, the amounts are null. */
  limit_set_by: "account" | "platform";
};
export type ChargeAccepted = {
  status: "approval_required";
  approval_id: string;
  reason: "budget_exceeded" | "single_tx_limit_exceeded";
  amount_usdc: number;
  amount_usdc_display: string;
  exceeded?: ChargeAcceptedExceeded[];
  single_tx_limit_usdc?: number | null;
  single_tx_limit_usdc_display?: string | null;
  expires_at: string;
  /** Returns the approval. Poll it for the outcome. */
  check_url: string;
  asked: { whom: "operator" | "platform" | "account"; by: ("mail" | "event" | "console")[] };
  message?: string;
  warning?: string;
};
export type ChargeReply = ChargeDone | ChargeAccepted;

export type ListApprovalsInput = {
  status?: "pending" | "approved" | "rejected" | "expired" | "all" | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type Approval = {
  id: string;
  /** The account that wants to spend: the caller or one of its pods. */
  account_id: string;
  /** Atomic USDC. */
  amount_usdc: number;
  amount_usdc_display: string;
  category: string;
  description: string;
  reference_id: string | null;
  status: "pending" | "approved" | "rejected" | "expired";
  created_at: string;
  resolved_at: string | null;
  resolved_by: string | null;
  expires_at: string;
  metadata: Record<string, unknown> | null;
  /** The limit that the charge exceeds. */
  cause: "budget_exceeded" | "single_tx_limit_exceeded";
  reason: string | null;
  charge_id: string | null;
  /** The delegation that the charge came by. */
  delegation_id: string | null;
  /** Who decided; null while pending, and for a decision of before. */
  decided_by: "operator" | "person" | "platform" | "account" | null;
  /** The account whose limit it is: the caller, or a pod’s platform. */
  decided_by_account: string;
};
export type ListApprovalsReply = {
  agent_id: string;
  status_filter: string;
  approvals: Approval[];
  count: number;
  next_cursor: string | null;
};

export type GetApprovalInput = {
  /** The `approval_id` of a charge. */
  id: string;
};
export type GetApprovalReply = Approval;

export type ApproveChargeInput = {
  /** The `approval_id` of a charge. */
  id: string;
  /** A comment, kept with the approval. */
  reason?: string | undefined;
};
export type ResolvedApproval = {
  ok: boolean;
  id: string;
  /** @deprecated The same as `id`. */
  approval_id: string;
  status: "approved" | "rejected";
  amount_usdc: number;
  amount_usdc_display: string;
  category: string;
  description: string;
  reason: string | null;
  resolved_at: string;
  resolved_by: string;
  charge_id: string | null;
};
export type ApproveChargeReply = ResolvedApproval;

export type RejectChargeInput = ApproveChargeInput;
export type RejectChargeReply = ResolvedApproval;

export type ViewApprovalInput = {
  /** The `approval_id` of a charge. */
  id: string;
  /** The `token` in the fragment of the emailed link. */
  token: string;
};
export type AskingAgent = { account_id: string; name: string | null; address: string | null };
export type ViewApprovalReply = {
  id: string;
  /** The account that wants to spend: the caller or one of its pods. */
  account_id: string;
  /** Atomic USDC. */
  amount_usdc: number;
  amount_usdc_display: string;
  category: string;
  description: string;
  reference_id: string | null;
  status: "pending" | "approved" | "rejected" | "expired";
  created_at: string;
  resolved_at: string | null;
  resolved_by: string | null;
  expires_at: string;
  metadata: Record<string, unknown> | null;
  /** The limit that the charge exceeds. */
  cause: "budget_exceeded" | "single_tx_limit_exceeded";
  reason: string | null;
  charge_id: string | null;
  /** The delegation that the charge came by. */
  delegation_id: string | null;
  /** Who decided; null while pending, and for a decision of before. */
  decided_by: "operator" | "person" | "platform" | "account" | null;
  /** The account whose limit it is: the caller, or a pod’s platform. */
  decided_by_account: string;
  agent: AskingAgent;
  caps: SpendingCaps;
  /** The link shows it. To decide, log in with a passkey. */
  passkey_required: boolean;
};

export type DecideApprovalInput = {
  /** The `approval_id` of a charge. */
  id: string;
  /** The `token` in the fragment of the emailed link. */
  token: string;
  decision: "approve" | "reject";
  /** A comment, kept with the approval. */
  reason?: string | undefined;
};
export type DecideApprovalReply = ResolvedApproval;

export type SetRecoveryEmailInput = {
  /** A personal email address. Null clears it. */
  email: string | null;
};
export type SetRecoveryEmailReply = {
  ok: boolean;
  recovery_email: string | null;
  /** False until the owner of the address confirms it. */
  confirmed: boolean;
};

export type SetOperatorEmailInput = {
  /** A personal email address. Null clears it. */
  email: string | null;
  /** The proposed answer to “Must you approve spending and changes?”. The owner of the address decides. */
  authority?: "account" | "operator" | undefined;
};
export type SetOperatorEmailReply = {
  ok: boolean;
  operator_email: string | null;
  /** False until the owner of the address confirms it. */
  confirmed: boolean;
  warning?: string;
};

export type RemoveOperatorInput = { address: string };
export type RemoveOperatorReply = {
  status: "ended" | "scheduled";
  /** When it ends or ended. */
  ends_at: string;
};

export type ViewConfirmationInput = {
  /** From the fragment of the emailed link. */
  token?: string | undefined;
  /** Instead of `token`, with a session of the address. */
  id?: string | undefined;
};
export type ViewConfirmationReply = {
  id: string;
  role: "email" | "recovery" | "operator";
  address: string;
  account_id: string;
  name: string | null;
  agent: AskingAgent;
  named_at: string;
  confirmed: boolean;
  /** So many days the account’s key can remove it at once. */
  removable_days: number;
  /** The answer that the agent proposed. */
  authority: "account" | "operator" | null;
};

export type ConfirmPersonInput = {
  /** From the fragment of the emailed link. */
  token?: string | undefined;
  /** Instead of `token`, with a session of the address. */
  id?: string | undefined;
  decision: "confirm" | "refuse";
  authority?: "account" | "operator" | undefined;
};
export type ConfirmPersonReply = { status: "confirmed" | "refused" };

export type DecideConsentInput = {
  /** The query of `GET /oauth/authorize`. */
  request: string;
  decision: "allow" | "deny";
  account_id?: string | undefined;
  /** Default: all that the client asks for but `mail:codes` and `money:approve`. */
  scopes?: string[] | undefined;
};
export type DecideConsentReply = { redirect_to: string };

export type RegisterClientInput = { redirect_uris?: string[] | undefined; client_name?: string | undefined };
export type RegisterClientReply = Record<string, unknown>;

export type StartDeviceLoginInput = { client_id?: string | undefined; scope?: string | undefined; resource?: string | undefined };
export type StartDeviceLoginReply = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds between two polls. */
  interval: number;
};

export type DecideDeviceLoginInput = {
  /** As the command line shows it. Case and hyphen do not matter. */
  user_code: string;
  decision?: "allow" | "deny" | undefined;
  account_id?: string | undefined;
  /** Default: all that it asks for but `mail:codes` and `money:approve`. */
  scopes?: string[] | undefined;
};
export type DecideDeviceLoginReply = {
  client_name: string;
  /** What it asks for, or was let do. */
  scopes: string[];
  created_at: string;
  expires_at: string;
};

export type ExchangeTokenInput = {
  /** `authorization_code`, `refresh_token`, `urn:ietf:params:oauth:grant-type:device_code` or `urn:ietf:params:oauth:grant-type:token-exchange` (with a key of the delegate). */
  grant_type: string;
  /** For a code or refresh token. */
  client_id?: string | undefined;
  code?: string | undefined;
  /** RFC 7636. */
  code_verifier?: string | undefined;
  redirect_uri?: string | undefined;
  /** Works once: the reply has the next one. */
  refresh_token?: string | undefined;
  /** RFC 8628. */
  device_code?: string | undefined;
  /** Separated by spaces. Default: every scope that was granted. */
  scope?: string | undefined;
  resource?: string | undefined;
  audience?: string | undefined;
  /** The id of a delegation to the caller. */
  subject_token?: string | undefined;
  /** `urn:signet:token-type:delegation` */
  subject_token_type?: string | undefined;
  requested_token_type?: string | undefined;
  actor_token?: string | undefined;
  actor_token_type?: string | undefined;
};
export type ExchangeTokenReply = {
  access_token: string;
  issued_token_type?: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_token?: string;
  scope: string;
};

export type ListGrantsInput = ListPaymentsInput;
export type ListGrantsReplyGrant = {
  id: string;
  client_id: string;
  client_name: string;
  scopes: string[];
  allowed_by: string;
  created_at: string;
  /** When it last got tokens. */
  last_used_at: string | null;
};
export type ListGrantsReply = { grants: ListGrantsReplyGrant[]; next_cursor: string | null };

export type EndGrantInput = { id: string };
export type EndGrantReply = { ok: boolean };

export type CreatePasskeyOptionsInput = Record<string, never>;
export type CreatePasskeyOptionsReply = {
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { alg: number; type: "public-key" }[];
  timeout: number;
  attestation: string;
  excludeCredentials?: Record<string, unknown>[];
  authenticatorSelection: Record<string, unknown>;
  extensions: Record<string, unknown>;
  hints: string[];
};

export type AddPasskeyInput = {
  id: string;
  rawId: string;
  type: "public-key";
  authenticatorAttachment?: string | null | undefined;
  clientExtensionResults?: Record<string, unknown> | undefined;
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined };
  /** For the list. Default: Passkey. */
  name?: string | undefined;
};
export type AddPasskeyCreated = {
  id: string;
  name: string;
  status: "active" | "pending";
  created_at: string;
  /** From then on it logs in. */
  active_at: string;
  last_used_at: string | null;
};
export type AddPasskeyReply = AddPasskeyCreated;

export type ListPasskeysInput = ListPaymentsInput;
export type ListPasskeysReply = { passkeys: AddPasskeyCreated[]; next_cursor: string | null };

export type RemovePasskeyInput = { id: string };
export type RemovePasskeyReply = { ok: boolean };

export type CreateRecoveryCodesInput = Record<string, never>;
export type CreateRecoveryCodesReply = { codes: string[] };

export type CreatePasskeyLoginOptionsInput = {
  /** Accept only passkeys of this address. */
  email?: string | undefined;
};
export type CreatePasskeyLoginOptionsReply = { rpId: string; challenge: string; timeout: number; userVerification: string };

export type LogInWithPasskeyInputResponse = {
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string | null | undefined;
};
export type LogInWithPasskeyInput = {
  id: string;
  rawId: string;
  type: "public-key";
  authenticatorAttachment?: string | null | undefined;
  clientExtensionResults?: Record<string, unknown> | undefined;
  response: LogInWithPasskeyInputResponse;
  /** The account to act for. Default: the one you operate longest. */
  account_id?: string | undefined;
};
export type LogInWithPasskeyReply = {
  /** Send it as `Authorization: Bearer session_…`. */
  session: string;
  account_id: string;
  expires_at: string;
};

export type LogInWithRecoveryCodeInput = {
  email: string;
  code: string;
  /** The account to act for. Default: the one you operate longest. */
  account_id?: string | undefined;
};
export type LogInWithRecoveryCodeReply = LogInWithPasskeyReply;

export type GetOperatorSettingsInput = Record<string, never>;
export type GetOperatorSettingsReply = {
  address: string;
  /** Whether mailed links and mailed logins can no longer decide. */
  require_passkey: boolean;
  /** News of your agents: each at once, together once an hour or a day, or none (`decisions`). Logins, confirmations, security notices and what you must decide in time are mailed at once always. */
  mails: "now" | "hourly" | "daily" | "decisions";
  /** How many are active. */
  passkeys: number;
  /** How many are left. */
  recovery_codes: number;
};

export type UpdateOperatorSettingsInput = {
  require_passkey?: boolean | undefined;
  mails?: "now" | "hourly" | "daily" | "decisions" | undefined;
};
export type UpdateOperatorSettingsReply = GetOperatorSettingsReply;

export type OpenConsoleSessionInput = Record<string, never>;
export type OpenConsoleSessionReply = {
  /** Send it as `Authorization: Bearer session_…`. */
  session: string;
  expires_at: string;
};

export type ListSessionsInput = ListPaymentsInput;
export type ListSessionsReplySession = {
  id: string;
  /** Opened through the operator email. */
  operator: boolean;
  /** The address whose login link opened it. Null: the key did. */
  address: string | null;
  created_at: string;
  expires_at: string;
  /** Whether it makes this call. */
  current: boolean;
};
export type ListSessionsReply = { sessions: ListSessionsReplySession[]; next_cursor: string | null };

export type EndSessionInput = { id: string };
export type EndSessionReply = { ok: boolean; ended_at: string };

export type GetMailPolicyInput = {
  /** The policy of one address. Absent: of the account. */
  address?: string | undefined;
};
export type MailPolicyInbound = {
  /** With `list`, only senders in `allow` whose From address is proven by DMARC. Other mail is rejected. */
  from: "open" | "list";
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  allow: string[];
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  block: string[];
  /** For mail whose From address is not proven. */
  unauthenticated: "accept" | "quarantine" | "reject";
  suspicious: "accept" | "quarantine";
  dangerous: "accept" | "quarantine" | "reject";
};
export type MailPolicyOutbound = {
  /** `list`: only recipients in `allow`. `known`: also those that an operator remembered. */
  to: "open" | "list" | "known";
  /** For other recipients under `list` and `known`. `review`: the mail waits for an operator; those remembered pass. */
  otherwise: "refuse" | "review";
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  allow: string[];
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  block: string[];
  /** Which mail waits until an operator approves it. */
  hold: "never" | "first_contact" | "after_suspicious" | "always";
  /** For mail with a key of a well-known kind. Our own are refused. */
  secrets: "accept" | "hold" | "reject";
  max_recipients_per_day: number | null;
};
export type MailPolicy = { inbound: MailPolicyInbound; outbound: MailPolicyOutbound };
export type GetMailPolicyReply = MailPolicy;

export type SetMailPolicyInputInbound = {
  /** With `list`, only senders in `allow` whose From address is proven by DMARC. Other mail is rejected. */
  from?: "open" | "list" | undefined;
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  allow?: string[] | undefined;
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  block?: string[] | undefined;
  /** For mail whose From address is not proven. */
  unauthenticated?: "accept" | "quarantine" | "reject" | undefined;
  suspicious?: "accept" | "quarantine" | undefined;
  dangerous?: "accept" | "quarantine" | "reject" | undefined;
};
export type OutboundChange = {
  /** `list`: only recipients in `allow`. `known`: also those that an operator remembered. */
  to?: "open" | "list" | "known" | undefined;
  /** For other recipients under `list` and `known`. `review`: the mail waits for an operator; those remembered pass. */
  otherwise?: "refuse" | "review" | undefined;
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  allow?: string[] | undefined;
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  block?: string[] | undefined;
  /** Which mail waits until an operator approves it. */
  hold?: "never" | "first_contact" | "after_suspicious" | "always" | undefined;
  /** For mail with a key of a well-known kind. Our own are refused. */
  secrets?: "accept" | "hold" | "reject" | undefined;
  max_recipients_per_day?: number | null | undefined;
};
export type SetMailPolicyInput = {
  /** The policy of one address. Absent: of the account. */
  address?: string | undefined;
  inbound?: SetMailPolicyInputInbound | undefined;
  outbound?: OutboundChange | undefined;
};
export type SetMailPolicyReply = MailPolicy;

export type ListReviewsInput = {
  status?: "pending" | "approved" | "rejected" | "expired" | "withdrawn" | undefined;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type Review = {
  review_id: string;
  account_id: string;
  /** The id of the email in the outbox. */
  id: string;
  from: string;
  /** Every recipient, blind copies too. */
  to: string[];
  subject: string;
  /** Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`. */
  reason: string;
  created_at: string;
  expires_at: string;
  status: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
  resolved_at: string | null;
  resolved_by: string | null;
  comment: string | null;
  /** Codes and links are hidden. */
  masked?: boolean;
};
export type ListReviewsReply = { reviews: Review[]; count: number; next_cursor: string | null };

export type GetReviewInput = {
  /** The `review_id` of the held email. */
  id: string;
};
export type WholeReview = {
  review_id: string;
  account_id: string;
  /** The id of the email in the outbox. */
  id: string;
  from: string;
  /** Every recipient, blind copies too. */
  to: string[];
  subject: string;
  /** Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`. */
  reason: string;
  created_at: string;
  expires_at: string;
  status: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
  resolved_at: string | null;
  resolved_by: string | null;
  comment: string | null;
  /** Codes and links are hidden. */
  masked?: boolean;
  why: string;
  /** The display name in From; empty for none. */
  from_name: string;
  /** Where answers go, if not to `from`. */
  reply_to: string[];
  /** The kinds of secrets found in it. */
  secrets: string[];
  text: string | null;
  html: string | null;
  attachments: { filename: string | null; content_type: string; size_bytes: number }[];
};
export type GetReviewReply = WholeReview;

export type GetReviewAttachmentInput = {
  /** The `review_id` of the held email. */
  id: string;
  n: number;
};
export type GetReviewAttachmentReply = Uint8Array<ArrayBuffer>;

export type ApproveReviewInput = {
  /** The `review_id` of the held email. */
  id: string;
  /** A comment, kept with the review. */
  reason?: string | undefined;
  /** Of an approval: `recipient` makes the recipients known; `domain` adds their domains to `allow`. */
  remember?: "none" | "recipient" | "domain" | undefined;
};
export type DecidedReview = {
  review_id: string;
  account_id: string;
  /** The id of the email in the outbox. */
  id: string;
  from: string;
  /** Every recipient, blind copies too. */
  to: string[];
  subject: string;
  /** Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`. */
  reason: string;
  created_at: string;
  expires_at: string;
  status: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
  resolved_at: string | null;
  resolved_by: string | null;
  comment: string | null;
  /** Codes and links are hidden. */
  masked?: boolean;
  error: string | null;
};
export type ApproveReviewReply = DecidedReview;

export type RejectReviewInput = {
  /** The `review_id` of the held email. */
  id: string;
  /** A comment, kept with the review. */
  reason?: string | undefined;
};
export type RejectReviewReply = DecidedReview;

export type WithdrawReviewInput = GetReviewInput;
export type WithdrawReviewReply = DecidedReview;

export type ViewReviewInput = {
  /** The `review_id` of the held email. */
  id: string;
  /** The `token` in the fragment of the emailed link. */
  token: string;
};
export type ViewReviewReply = {
  review_id: string;
  account_id: string;
  /** The id of the email in the outbox. */
  id: string;
  from: string;
  /** Every recipient, blind copies too. */
  to: string[];
  subject: string;
  /** Why it is held: `always`, `first_contact`, `not_listed`, `after_suspicious` or `secrets`. */
  reason: string;
  created_at: string;
  expires_at: string;
  status: "pending" | "approved" | "rejected" | "expired" | "withdrawn";
  resolved_at: string | null;
  resolved_by: string | null;
  comment: string | null;
  /** Codes and links are hidden. */
  masked?: boolean;
  why: string;
  /** The display name in From; empty for none. */
  from_name: string;
  /** Where answers go, if not to `from`. */
  reply_to: string[];
  /** The kinds of secrets found in it. */
  secrets: string[];
  text: string | null;
  html: string | null;
  attachments: { filename: string | null; content_type: string; size_bytes: number }[];
  agent: AskingAgent;
  passkey_required: boolean;
};

export type ViewReviewAttachmentInput = {
  /** The `review_id` of the held email. */
  id: string;
  n: number;
  /** The `token` in the fragment of the emailed link. */
  token: string;
};
export type ViewReviewAttachmentReply = Uint8Array<ArrayBuffer>;

export type DecideReviewInput = {
  /** The `review_id` of the held email. */
  id: string;
  /** The `token` in the fragment of the emailed link. */
  token: string;
  decision: "approve" | "reject";
  /** A comment, kept with the review. */
  reason?: string | undefined;
  /** Of an approval: `recipient` makes the recipients known; `domain` adds their domains to `allow`. */
  remember?: "none" | "recipient" | undefined;
};
export type DecideReviewReply = DecidedReview;

export type ListOperatorAgentsInput = {
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListOperatorAgentsReplyAgent = {
  account_id: string;
  name: string | null;
  /** The platform of a pod. */
  parent_account_id: string | null;
  status: "active" | "suspended";
  /** Who has to resume it. An operator resumes what operators suspended. */
  suspended_by: ("operator" | "administrator")[];
  authority: "account" | "operator";
  /** Atomic USDC. */
  spent_today_usdc: number;
  spent_today_usdc_display: string;
  open_approvals: number;
  /** Mails that wait for a review. */
  open_reviews: number;
  /** What else waits for a person: the next three together. */
  open_items: number;
  /** Quarantined mails. */
  open_quarantined: number;
  open_credential_requests: number;
  /** Announced removals. */
  open_notices: number;
  caps: SpendingCaps;
  /** The latest of the last 30 UTC days with a request of its own. Null for a pod: its platform counts them. */
  last_active_day: string | null;
  /** Whether that is this UTC day. */
  active_today: boolean;
  /** Emails of this UTC day. Null for a pod. */
  emails_today: number | null;
  addresses: string[];
};
export type ListOperatorAgentsReplyWaiting = {
  id: string;
  account_id: string;
  name: string | null;
  role: "email" | "recovery" | "operator";
  named_at: string;
  /** So many days its key can remove you at once. */
  removable_days: number;
};
export type ListOperatorAgentsReply = {
  agents: ListOperatorAgentsReplyAgent[];
  /** At most 100: the oldest and the newest. */
  waiting: ListOperatorAgentsReplyWaiting[];
  next_cursor: string | null;
};

export type SuspendAgentInput = {
  /** The `account_id`. */
  id: string;
};
export type SuspendAgentReply = {
  account_id: string;
  status: "active" | "suspended";
  /** Who has to resume it. An operator resumes what operators suspended. */
  suspended_by: ("operator" | "administrator")[];
};

export type ResumeAgentInput = SuspendAgentInput;
export type ResumeAgentReply = SuspendAgentReply;

export type RotateEncryptionKeyInput = {
  /** Proves that you own the key. Only its SHA-256 is stored. */
  master_seed: string;
  /** X25519, 32 bytes, as base64, base64url or hex. */
  new_public_key: string;
};
export type RotateEncryptionKeyReply = {
  ok: boolean;
  account_id: string;
  /** Base64url. */
  active_public_key: string;
  /** How many keys this account has had, the active one included. */
  key_history_count: number;
  /** True if this call registered the master seed. */
  first_setup: boolean;
  updated_at: string;
  note?: string;
};

export type DeleteEncryptionKeyInput = Record<string, never>;
export type DeleteEncryptionKeyReply = { status: "ended" | "scheduled"; ends_at: string };

export type RegisterInput = {
  name?: string | undefined;
  /** On the mail domain. */
  address?: string | undefined;
  /** Receives login links. */
  recovery_email?: string | undefined;
  /** What the agent can do. Shown on its profile. */
  capabilities?: string[] | undefined;
  /** Needed where sign-up is by invite. */
  invite?: string | undefined;
};
export type RegisterReply = {
  api_key: string;
  account_id: string;
  email: string;
  tier: "free" | "paid";
  /** The limits of the account’s tier. */
  limits: AccountLimits;
};

export type ListEventsInput = {
  /** Return events after this event id, or only new ones (`latest`). Default: from the beginning. */
  after?: string | undefined;
  /** Return events before this event id, newest first. */
  before?: string | undefined;
  /** Oldest first (`asc`, the default) or newest first (`desc`, the default with `before`). */
  order?: "asc" | "desc" | undefined;
  /** Types to return, separated by commas. Default: all. One or more of: email.received, email.sent, email.failed, email.held, email.released, email.rejected, email.quarantined, email.suppressed, sending.paused, storage.filling, address.released, vault.updated, payment.settled, payment.failed, key.rotated, account.suspended, account.resumed, account.person_changed, account.notice_started, account.notice_ended, account.secured, account.deletion_scheduled, account.deletion_cancelled, charge.completed, approval.requested, approval.resolved, budget.limit_reached, token.issued, token.revoked, delegation.created, delegation.ended, grant.created, grant.ended, calendar.updated, credential.requested, credential.resolved, finding.judged. */
  type?: string | undefined;
  /** Seconds to wait when there is no event after `after`. The reply comes with the first event. */
  wait?: number | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
};
export type Event = {
  /** Also a cursor: pass it as `after`, or as `before` to go back. */
  id: string;
  type: "email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged";
  created_at: string;
  /** The fields depend on `type`. */
  data: Record<string, unknown>;
};
export type ListEventsReply = { events: Event[]; count: number; has_more: boolean; next_cursor: string | null };

export type CreateSocketTicketInput = Record<string, never>;
export type CreateSocketTicketReply = {
  ticket: string;
  /** Seconds. */
  expires_in: number;
};

export type ListInboxInput = {
  /** An address, or only its local part. */
  address: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** Only unread messages (`true`) or only read ones (`false`). */
  unread?: boolean | undefined;
  folder?: "inbox" | "spam" | "trash" | undefined;
  /** Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them. */
  label?: string | undefined;
  /** Mail that came at this time or later. */
  since?: string | Date | undefined;
  /** Mail that came before this time. */
  until?: string | Date | undefined;
  /** An address or a domain. */
  from?: string | undefined;
  /** An address or a domain, in To or Cc. */
  to?: string | undefined;
  has_attachment?: boolean | undefined;
  starred?: boolean | undefined;
  answered?: boolean | undefined;
  /** Written `metadata.<name>=<value>`, once for each name. */
  metadata?: Record<string, string> | undefined;
  /** Full-text search. All words must occur. Supports `"a phrase"`, `begin*`, `from:`, `to:` and `subject:`. Ignores case and accents. Never finds sealed mail. */
  q?: string | undefined;
  /** List archived messages instead of the others. */
  archived?: boolean | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
  /** Seconds to wait while the list is empty. The reply comes as soon as it has an entry. */
  wait?: number | undefined;
  /** `false`: a free address is 404. */
  claim?: boolean | undefined;
};
export type MailAuth = {
  /** `imported`: a mail program brought it. */
  method: "internal" | "smtp" | "imported";
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  /** True when the From address is proven. It always is for mail from an agent of this service. */
  verified_from: boolean;
};
export type MessageSummary = {
  /** Id of this copy, chosen by the service. The sender chooses `rfc_message_id` and may repeat it. */
  message_id: string;
  rfc_message_id: string | null;
  thread_id: string | null;
  from: string;
  from_name: string | null;
  /** The To header, comma-separated. */
  to: string;
  subject: string;
  /** First 120 characters of the body; empty when sealed. */
  snippet: string;
  /** `message_id` as it goes into a path. */
  message_id_url: string;
  /** @deprecated The same as `snippet`. */
  body_preview: string;
  received_at: string;
  read: boolean;
  archived: boolean;
  starred: boolean;
  answered: boolean;
  folder: "inbox" | "spam" | "trash";
  labels: string[];
  metadata: Record<string, unknown>;
  has_attachments: boolean;
  danger: "suspicious" | "dangerous" | null;
  /** Present and true when the body is sealed to the address’s public key. */
  e2e_encrypted?: boolean;
  auth: MailAuth;
  /** Codes and links are hidden. */
  masked?: boolean;
};
export type ListInboxReply = {
  messages: MessageSummary[];
  has_more: boolean;
  /** Messages on this page. */
  count: number;
  address: string;
  next_cursor: string | null;
  /** True when this call claimed the address. */
  claimed: boolean;
  /** True when the address was yours before. */
  already_owned: boolean;
  warning?: string;
};

export type GetMessageInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** The inbox: an address of this account. */
  address: string;
  /** Needed for a message in the trash. */
  folder?: "trash" | undefined;
  format?: "llm" | undefined;
  /** Adds `hidden_text`. */
  include?: "hidden" | undefined;
};
export type Attachment = {
  filename: string | null;
  content_type: string;
  /** Bytes, before sealing. */
  size: number;
  /** The HTML names it as `cid:`. */
  content_id?: string;
  /** Path to download it from, with the same key. */
  url: string;
};
export type MailSafetySignal = {
  name: string;
  /** From 0 to 1. */
  weight: number;
  where: "subject" | "from" | "reply_to" | "text" | "hidden" | "plain" | "link" | "attachment";
};
export type MailSafety = {
  verdict: "clean" | "suspicious" | "dangerous";
  /** What speaks against the mail, heaviest first. */
  signals: MailSafetySignal[];
};
export type MailCode = {
  code: string | null;
  kind: "code";
  /** From 0 to 1. */
  confidence: number;
  method: "header" | "origin_line" | "keyword";
  sender: { domain: string; dmarc: string | null };
  expires_hint: number | null;
  /** Best first, at most 3. */
  candidates: string[];
  message_id: string;
};
export type MailLink = {
  url: string;
  text: string;
  host: string;
  kind: "verify" | "reset" | "login" | "unsubscribe" | "other";
  /** The text names another host. */
  mismatch: boolean;
};
export type Message = {
  /** Id of this copy, chosen by the service. The sender chooses `rfc_message_id` and may repeat it. */
  message_id: string;
  rfc_message_id: string | null;
  thread_id: string | null;
  from: string;
  from_name: string | null;
  /** The To header, comma-separated. */
  to: string;
  subject: string;
  /** First 120 characters of the body; empty when sealed. */
  snippet: string;
  /** `message_id` as it goes into a path. */
  message_id_url: string;
  /** @deprecated The same as `snippet`. */
  body_preview: string;
  received_at: string;
  read: boolean;
  archived: boolean;
  starred: boolean;
  answered: boolean;
  folder: "inbox" | "spam" | "trash";
  labels: string[];
  metadata: Record<string, unknown>;
  has_attachments: boolean;
  danger: "suspicious" | "dangerous" | null;
  /** Present and true when the body is sealed to the address’s public key. */
  e2e_encrypted?: boolean;
  auth: MailAuth;
  /** Codes and links are hidden. */
  masked?: boolean;
  cc: string[];
  reply_to: string[];
  in_reply_to: string | null;
  references: string[];
  sent_at: string | null;
  /** Plain text; base64url(IV ‖ ciphertext ‖ tag) when `e2e_encrypted`. */
  body: string;
  html: string | null;
  text: string | null;
  reply_text: string | null;
  attachments: Attachment[];
  /** Bytes of the raw message. */
  size: number;
  safety: MailSafety | null;
  hidden_text_chars: number | null;
  /** With `include=hidden`, up to 20,000 characters of them. */
  hidden_text?: string;
  code: MailCode | null;
  links: MailLink[] | null;
  /** True when the mail is sealed, so that nobody screened it. */
  sealed?: boolean;
  /** False when the MIME structure could not be read. The raw message still has every byte. */
  parsed: boolean;
  problem: string | null;
  /** X25519 key to open the sealed message with, base64url. */
  ephemeral_public_key?: string;
  encryption?: { alg: string; key_id: string };
};
export type GetMessageReply = Message;

export type UpdateMessageInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** The inbox: an address of this account. */
  address: string;
  /** Needed for a message in the trash. */
  query_folder?: "trash" | undefined;
  read?: boolean | undefined;
  archived?: boolean | undefined;
  starred?: boolean | undefined;
  answered?: boolean | undefined;
  /** Replaces all labels of the message. */
  labels?: string[] | undefined;
  /** Labels to add. A message with too many is refused with `invalid_request`. */
  add_labels?: string[] | undefined;
  /** Labels to remove. Labels the message does not have are ignored. */
  remove_labels?: string[] | undefined;
  /** Your notes. Null removes. */
  metadata?: Record<string, string | number | boolean | null> | null | undefined;
  /** Moves the message there. */
  folder?: "inbox" | "spam" | undefined;
};
export type UpdateMessageReply = {
  updated: boolean;
  message_id: string;
  read: boolean;
  archived: boolean;
  starred: boolean;
  answered: boolean;
  folder: "inbox" | "spam" | "trash";
  labels: string[];
  metadata: Record<string, unknown>;
};

export type DeleteMessageInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** The inbox: an address of this account. */
  address: string;
  /** Needed for a message in the trash. */
  folder?: "trash" | undefined;
  permanent?: boolean | undefined;
};
export type DeleteMessageReply = { deleted: boolean; message_id: string };

export type WaitForMailInput = {
  /** Default: your only address. */
  address?: string | undefined;
  /** An address or a domain. */
  from?: string | undefined;
  /** A part of the subject, in any case. */
  subject?: string | undefined;
  /** A time or an event id: mail from that time on, or after that event, counts. Default: the start of the call. */
  after?: string | Date | undefined;
  /** Wait for mail with a code. Needs `mail:codes` too. */
  code?: boolean | undefined;
  /** Seconds. */
  wait?: number | undefined;
};
export type WaitForMailReply = {
  message: MessageSummary | { message_id: string; received_at: string; quarantined: boolean } | null;
  code: MailCode | null;
  links: MailLink[] | null;
  sealed?: boolean;
};

export type GetRawMessageInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** The inbox. Default: that of the `message_id`. */
  address?: string | undefined;
  /** Needed for a message in the trash. */
  folder?: "trash" | undefined;
};
export type GetRawMessageReply = Uint8Array<ArrayBuffer>;

export type GetAttachmentInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** Number of the attachment, from 0. */
  n: number;
  /** The inbox. Default: that of the `message_id`. */
  address?: string | undefined;
  /** Needed for a message in the trash. */
  folder?: "trash" | undefined;
};
export type GetAttachmentReply = Uint8Array<ArrayBuffer>;

export type LoadPicturesInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** The inbox. Default: that of the `message_id`. */
  address?: string | undefined;
  /** Needed for a message in the trash. */
  folder?: "trash" | undefined;
  urls: string[];
};
export type LoadPicturesReplyPicture = {
  url: string;
  content_type: string;
  /** Base64. */
  content: string;
};
export type LoadPicturesReply = { pictures: LoadPicturesReplyPicture[] };

export type CreateInboxInput = {
  /** An address, or only its local part. A random one by default. */
  name?: string | undefined;
};
export type CreateInboxReply = { address: string; created: boolean; already_owned: boolean; account_id: string };

export type GetInboxInput = {
  /** An address, or only its local part. */
  address: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** Only unread messages (`true`) or only read ones (`false`). */
  unread?: boolean | undefined;
  folder?: "inbox" | "spam" | "trash" | undefined;
  /** Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them. */
  label?: string | undefined;
  /** Mail that came at this time or later. */
  since?: string | Date | undefined;
  /** Mail that came before this time. */
  until?: string | Date | undefined;
  /** An address or a domain. */
  from?: string | undefined;
  /** An address or a domain, in To or Cc. */
  to?: string | undefined;
  has_attachment?: boolean | undefined;
  starred?: boolean | undefined;
  answered?: boolean | undefined;
  /** Written `metadata.<name>=<value>`, once for each name. */
  metadata?: Record<string, string> | undefined;
  /** Full-text search. All words must occur. Supports `"a phrase"`, `begin*`, `from:`, `to:` and `subject:`. Ignores case and accents. Never finds sealed mail. */
  q?: string | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
  /** Seconds to wait while the list is empty. The reply comes as soon as it has an entry. */
  wait?: number | undefined;
  /** `false`: a free address is 404. */
  claim?: boolean | undefined;
};
export type GetInboxReplyMessage = {
  id: string;
  from: string;
  subject: string;
  /** First 120 characters of the body; empty when sealed. */
  preview: string;
  received_at: string;
  read: boolean;
  /** Codes and links are hidden. */
  masked?: boolean;
};
export type GetInboxReply = {
  messages: GetInboxReplyMessage[];
  /** Messages in the inbox. Only `unread` filters this count. */
  total: number;
  address: string;
  next_cursor: string | null;
  /** True when this call claimed the address. */
  claimed: boolean;
  /** True when the address was yours before. */
  already_owned: boolean;
  warning?: string;
};

export type GetInboxMessageInput = {
  /** An address, or only its local part. */
  address: string;
  id: string;
};
export type GetInboxMessageReply = {
  id: string;
  from: string;
  /** The To header, comma-separated. */
  to: string;
  subject: string;
  body: string;
  html: string | null;
  received_at: string;
  auth: { method: string };
  thread_id: string | null;
  rfc_message_id: string | null;
  /** Present and true when the message is sealed. */
  e2e_encrypted?: boolean;
  /** X25519 key to open the sealed message with, base64url. */
  ephemeral_public_key?: string;
  /** Codes and links are hidden. */
  masked?: boolean;
};

export type ListQuarantineInput = ListOperatorAgentsInput;
export type QuarantinedMail = {
  message_id: string;
  address: string;
  from: string;
  received_at: string;
  /** `blocked`, `not_listed`, `unauthenticated`, `suspicious` or `dangerous`. */
  reason: string;
};
export type ListQuarantineReply = { messages: QuarantinedMail[]; count: number; next_cursor: string | null };

export type ReleaseQuarantinedInput = {
  /** The `message_id`. */
  id: string;
};
export type ReleaseQuarantinedReply = { ok: boolean; message_id: string };

export type DeleteQuarantinedInput = ReleaseQuarantinedInput;
export type DeleteQuarantinedReply = { ok: boolean };

export type ListThreadsInput = {
  /** An address of this account. Default: all of them. */
  address?: string | undefined;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** Only conversations with unread messages (`true`), or without any (`false`). */
  unread?: boolean | undefined;
  /** List archived conversations instead of the others. */
  archived?: boolean | undefined;
  /** Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them. */
  label?: string | undefined;
  /** Without conversations of which nothing was received. */
  received?: boolean | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListThreadsReplyThread = {
  thread_id: string;
  address: string;
  /** Subject of the first message. */
  subject: string;
  /** Up to 50 addresses, in the order in which they joined. */
  participants: string[];
  /** Messages received and sent. */
  message_count: number;
  unread_count: number;
  last_message_at: string;
  /** Beginning of the latest message; empty when sealed. */
  snippet: string;
  /** True when every message received is archived. */
  archived: boolean;
  /** Labels of all its messages. */
  labels: string[];
  /** Codes and links are hidden. */
  masked?: boolean;
  latest_message_id: string | null;
  from: string | null;
  from_name: string | null;
  /** In one of its 50 latest messages. */
  has_attachments: boolean;
  danger: "suspicious" | "dangerous" | null;
  /** The latest message received holds a code. Needs `mail:codes`. */
  has_code: boolean;
  /** A mail of it waits for an operator. */
  held: boolean;
  starred: boolean;
  /** The latest message received is sealed. */
  e2e_encrypted?: boolean;
};
export type ListThreadsReply = {
  threads: ListThreadsReplyThread[];
  /** Conversations on this page. */
  count: number;
  address: string | null;
  next_cursor: string | null;
};

export type GetThreadInput = {
  /** A `thread_id`. */
  id: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type GetThreadReplyMessage = {
  direction: "received";
  /** Id of this copy, chosen by the service. The sender chooses `rfc_message_id` and may repeat it. */
  message_id: string;
  rfc_message_id: string | null;
  thread_id: string | null;
  from: string;
  from_name: string | null;
  /** The To header, comma-separated. */
  to: string;
  subject: string;
  /** First 120 characters of the body; empty when sealed. */
  snippet: string;
  /** `message_id` as it goes into a path. */
  message_id_url: string;
  /** @deprecated The same as `snippet`. */
  body_preview: string;
  received_at: string;
  read: boolean;
  archived: boolean;
  starred: boolean;
  answered: boolean;
  folder: "inbox" | "spam" | "trash";
  labels: string[];
  metadata: Record<string, unknown>;
  has_attachments: boolean;
  danger: "suspicious" | "dangerous" | null;
  /** Present and true when the body is sealed to the address’s public key. */
  e2e_encrypted?: boolean;
  auth: MailAuth;
  /** Codes and links are hidden. */
  masked?: boolean;
  text: string | null;
};
export type GetThreadReplyMessage2 = {
  direction: "sent";
  /** Id in the outbox. */
  id: string;
  rfc_message_id: string;
  from: string;
  /** All recipients. */
  to: string[];
  subject: string;
  snippet: string;
  metadata: Record<string, unknown>;
  text: string | null;
  status: "pending" | "sent" | "failed";
  error: string | null;
  queued_at: string;
  sent_at: string | null;
  /** Codes and links are hidden. */
  masked?: boolean;
};
export type GetThreadReply = {
  thread_id: string;
  address: string;
  /** Subject of the first message. */
  subject: string;
  /** Up to 50 addresses, in the order in which they joined. */
  participants: string[];
  /** Messages received and sent. */
  message_count: number;
  unread_count: number;
  last_message_at: string;
  /** Beginning of the latest message; empty when sealed. */
  snippet: string;
  /** True when every message received is archived. */
  archived: boolean;
  /** Labels of all its messages. */
  labels: string[];
  /** Codes and links are hidden. */
  masked?: boolean;
  messages: (GetThreadReplyMessage | GetThreadReplyMessage2)[];
  /** Messages on this page. */
  count: number;
  next_cursor: string | null;
};

export type UpdateThreadInput = {
  /** A `thread_id`. */
  id: string;
  read?: boolean | undefined;
  archived?: boolean | undefined;
  starred?: boolean | undefined;
  answered?: boolean | undefined;
  /** Replaces all labels of the message. */
  labels?: string[] | undefined;
  /** Labels to add. A message with too many is refused with `invalid_request`. */
  add_labels?: string[] | undefined;
  /** Labels to remove. Labels the message does not have are ignored. */
  remove_labels?: string[] | undefined;
  /** Your notes. Null removes. */
  metadata?: Record<string, string | number | boolean | null> | null | undefined;
  /** Moves the message there. */
  folder?: "inbox" | "spam" | undefined;
};
export type UpdateThreadReply = {
  updated: boolean;
  /** Messages that this request changed. */
  messages_changed: number;
  thread_id: string;
  address: string;
  /** Subject of the first message. */
  subject: string;
  /** Up to 50 addresses, in the order in which they joined. */
  participants: string[];
  /** Messages received and sent. */
  message_count: number;
  unread_count: number;
  last_message_at: string;
  /** Beginning of the latest message; empty when sealed. */
  snippet: string;
  /** True when every message received is archived. */
  archived: boolean;
  /** Labels of all its messages. */
  labels: string[];
  /** Codes and links are hidden. */
  masked?: boolean;
};

export type ListSuppressionsInput = ListOperatorAgentsInput;
export type ListSuppressionsReply = {
  suppressions: { address: string; reason: "hard_bounce" | "complaint" | "unsubscribed"; created_at: string }[];
  count: number;
  next_cursor: string | null;
};

export type DeleteSuppressionInput = { address: string };
export type DeleteSuppressionReply = { deleted: true; address: string };

export type SendEmailInput = {
  /** An address of this account. */
  from: string;
  /** One address or a list. */
  to: string | string[];
  /** One address or a list. */
  cc?: string | string[] | undefined;
  /** One address or a list. */
  bcc?: string | string[] | undefined;
  reply_to?: string | undefined;
  /** May be empty. */
  subject: string;
  /** Plain text. Send this, `html`, or both. */
  text?: string | undefined;
  html?: string | undefined;
  /** At most 25 MiB in total. */
  attachments?: AttachedFile[] | undefined;
  /** Your notes. Null removes. */
  metadata?: Record<string, string | number | boolean | null> | null | undefined;
  /** A `message_id` in the inbox of `from`, or an RFC 5322 Message-ID. */
  in_reply_to?: string | undefined;
  /** Adds a one-click link (RFC 8058). */
  unsubscribe?: boolean | undefined;
  /** Message-IDs. Ignored if `in_reply_to` is in the inbox. */
  references?: string[] | undefined;
};
export type SentEmail = {
  id: string;
  provider_id: string | null;
  status: "pending" | "sent" | "failed";
  from: string;
  to: string[];
  sent_at: string | null;
  /** `smtp`, `file` (development outbox), or `internal` if every recipient is on this service. */
  provider: string;
  internal_recipients?: { address: string; delivered: boolean; error: string | null }[];
  rfc_message_id: string;
  thread_id: string | null;
  /** Emails left in this UTC day and hour. */
  rate_limit: { daily_remaining: number; hourly_remaining: number };
  /** The payment, if the email was over the limit. */
  payment_id?: string;
  warning?: string;
};
export type HeldEmail = {
  id: string;
  status: "pending";
  review_id: string;
  /** Why an operator sees it first. The event `email.released` or `email.rejected` follows. */
  reason: string;
  from: string;
  to: string[];
  rfc_message_id: string;
  thread_id: string | null;
  rate_limit: { daily_remaining: number; hourly_remaining: number };
  warning?: string;
};
export type SendEmailReply = SentEmail | HeldEmail;

export type ListOutboxInput = {
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
  /** Written `metadata.<name>=<value>`, once for each name. */
  metadata?: Record<string, string> | undefined;
};
export type ListOutboxReplyMessage = {
  id: string;
  from: string;
  to: string[];
  subject: string;
  status: "pending" | "sent" | "failed";
  queued_at: string;
  sent_at: string | null;
  error: string | null;
  /** The outcome for each recipient. An email is `failed` if no recipient got it. */
  recipients: { address: string; status: "pending" | "sent" | "failed"; error: string | null }[];
  provider: string;
  /** Present and false if the service only wrote the mail to a file. */
  left_machine?: boolean;
  guidance?: string;
  metadata: Record<string, unknown>;
  thread_id: string | null;
  rfc_message_id: string;
  /** The review that it waits for. Null if it waits for none. */
  review: { id: string; reason: string; asked_at: string; expires_at: string } | null;
  /** Codes and links are hidden. */
  masked?: boolean;
};
export type ListOutboxReply = { messages: ListOutboxReplyMessage[]; count: number; next_cursor: string | null };

export type GetSentEmailInput = { id: string };
export type DeliveryStep = {
  at: string;
  /** `accepted`: the server of the recipient, or the relay, took it. `delivered`: it is in an inbox of this service. `written`: to a file, as there is no relay. `bounced`: a server took it, and a report came back. */
  step: "queued" | "held" | "deferred" | "accepted" | "delivered" | "written" | "failed" | "bounced";
  recipients: string[];
  reply: string | null;
  next_at: string | null;
};
export type GetSentEmailReply = {
  id: string;
  from: string;
  to: string[];
  subject: string;
  status: "pending" | "sent" | "failed";
  queued_at: string;
  sent_at: string | null;
  error: string | null;
  /** The outcome for each recipient. An email is `failed` if no recipient got it. */
  recipients: { address: string; status: "pending" | "sent" | "failed"; error: string | null }[];
  provider: string;
  /** Present and false if the service only wrote the mail to a file. */
  left_machine?: boolean;
  guidance?: string;
  metadata: Record<string, unknown>;
  thread_id: string | null;
  rfc_message_id: string;
  /** The review that it waits for. Null if it waits for none. */
  review: { id: string; reason: string; asked_at: string; expires_at: string } | null;
  /** Codes and links are hidden. */
  masked?: boolean;
  text: string | null;
  /** Oldest first. */
  delivery: DeliveryStep[];
};

export type ReplyToMessageInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** The inbox. Needed only to name the message by its Message-ID. */
  address?: string | undefined;
  /** Plain text. Send this, `html`, or both. */
  text?: string | undefined;
  html?: string | undefined;
  /** At most 25 MiB in total. */
  attachments?: AttachedFile[] | undefined;
  /** Your notes. Null removes. */
  metadata?: Record<string, string | number | boolean | null> | null | undefined;
  /** One address or a list. */
  cc?: string | string[] | undefined;
  /** One address or a list. */
  bcc?: string | string[] | undefined;
};
export type ReplyToMessageReply = SentEmail | HeldEmail;

export type ReplyToAllInput = ReplyToMessageInput;
export type ReplyToAllReply = SentEmail | HeldEmail;

export type ForwardMessageInput = {
  /** `message_id`, or the URL-encoded RFC 5322 Message-ID. */
  id: string;
  /** The inbox. Needed only to name the message by its Message-ID. */
  address?: string | undefined;
  /** One address or a list. */
  to: string | string[];
  /** One address or a list. */
  cc?: string | string[] | undefined;
  /** One address or a list. */
  bcc?: string | string[] | undefined;
  /** Plain text. Send this, `html`, or both. */
  text?: string | undefined;
  /** Your notes. Null removes. */
  metadata?: Record<string, string | number | boolean | null> | null | undefined;
};
export type ForwardMessageReply = SentEmail | HeldEmail;

export type SendFromInboxInput = {
  /** An address of this account, or its local part. */
  address: string;
  to: string | string[];
  /** One address or a list. */
  cc?: string | string[] | undefined;
  /** One address or a list. */
  bcc?: string | string[] | undefined;
  subject: string;
  /** Plain text. Send this, `html`, or both. */
  body?: string | undefined;
  html?: string | undefined;
};
export type SendFromInboxDone = {
  /** False if no recipient exists. */
  sent: boolean;
  id: string;
  from: string;
  to: string[];
  subject: string;
  /** `pending`, `sent` or `failed`. */
  status: string;
  /** The payment, if the email was over the limit. */
  payment_id?: string;
};
export type SendFromInboxAccepted = {
  /** False: the email waits for a review. */
  sent: boolean;
  id: string;
  from: string;
  to: string[];
  subject: string;
  status: string;
  review_id: string;
  reason: string;
};
export type SendFromInboxReply = SendFromInboxDone | SendFromInboxAccepted;

export type CreateDraftInput = {
  /** Default: your only address. */
  from?: string | undefined;
  /** One address or a list. */
  to?: string | string[] | undefined;
  /** One address or a list. */
  cc?: string | string[] | undefined;
  /** One address or a list. */
  bcc?: string | string[] | undefined;
  reply_to?: string | undefined;
  /** May be empty. */
  subject?: string | undefined;
  /** Plain text. Send this, `html`, or both. */
  text?: string | undefined;
  html?: string | undefined;
  /** A `message_id` in the inbox of `from`, or an RFC 5322 Message-ID. */
  in_reply_to?: string | undefined;
  /** Message-IDs. Ignored if `in_reply_to` is in the inbox. */
  references?: string[] | undefined;
  /** At most 25 MiB in total. */
  attachments?: AttachedFile[] | undefined;
  /** Your notes. Null removes. */
  metadata?: Record<string, string | number | boolean | null> | null | undefined;
  /** Adds a one-click link (RFC 8058). */
  unsubscribe?: boolean | undefined;
  /** An editor saved it by itself: it goes 7 days after its last change. */
  autosaved?: boolean | undefined;
  /** When to send it, up to a year ahead. Null: not by itself. */
  send_at?: string | Date | null | undefined;
};
export type Draft = {
  draft_id: string;
  /** `failed`: it could not leave at `send_at`; see `error`. */
  status: "draft" | "scheduled" | "sent" | "failed";
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string | null;
  subject: string;
  in_reply_to: string | null;
  references: string[];
  metadata: Record<string, unknown>;
  unsubscribe: boolean;
  /** It goes 7 days after `updated_at`, if nothing changes it or sends it. */
  autosaved: boolean;
  send_at: string | null;
  error: string | null;
  email_id: string | null;
  created_at: string;
  updated_at: string;
  /** Codes and links are hidden. */
  masked?: boolean;
  text?: string | null;
  html?: string | null;
  attachments?: { filename: string; content_type: string; size: number }[];
};
export type CreateDraftReply = Draft;

export type ListDraftsInput = ListOperatorAgentsInput;
export type ListDraftsReply = { drafts: Draft[]; count: number; next_cursor: string | null };

export type GetDraftInput = {
  /** A `draft_id`. */
  id: string;
};
export type GetDraftReply = Draft;

export type UpdateDraftInput = {
  /** A `draft_id`. */
  id: string;
  /** Default: your only address. */
  from?: string | undefined;
  /** One address or a list. */
  to?: string | string[] | undefined;
  /** One address or a list. */
  cc?: string | string[] | undefined;
  /** One address or a list. */
  bcc?: string | string[] | undefined;
  reply_to?: string | undefined;
  /** May be empty. */
  subject?: string | undefined;
  /** Plain text. Send this, `html`, or both. */
  text?: string | undefined;
  html?: string | undefined;
  /** A `message_id` in the inbox of `from`, or an RFC 5322 Message-ID. */
  in_reply_to?: string | undefined;
  /** Message-IDs. Ignored if `in_reply_to` is in the inbox. */
  references?: string[] | undefined;
  /** At most 25 MiB in total. */
  attachments?: AttachedFile[] | undefined;
  /** Your notes. Null removes. */
  metadata?: Record<string, string | number | boolean | null> | null | undefined;
  /** Adds a one-click link (RFC 8058). */
  unsubscribe?: boolean | undefined;
  /** An editor saved it by itself: it goes 7 days after its last change. */
  autosaved?: boolean | undefined;
  /** When to send it, up to a year ahead. Null: not by itself. */
  send_at?: string | Date | null | undefined;
};
export type UpdateDraftReply = Draft;

export type DeleteDraftInput = GetDraftInput;
export type DeleteDraftReply = { deleted: boolean; draft_id: string };

export type SendDraftInput = GetDraftInput;
export type SendDraftReply = SentEmail | HeldEmail;

export type CreateWebhookInput = {
  /** An address of this account. */
  address: string;
  /** An http or https URL on the public internet, without user name or password. */
  url: string;
  /** Signs every delivery. Any text, or a Standard Webhooks secret: `whsec_` and base64. */
  secret?: string | undefined;
  /** Default: `email.received`. `email.failed` reports on email that this address sent. */
  events?: ("email.received" | "email.failed")[] | undefined;
};
export type Webhook = {
  id: string;
  address: string | null;
  url: string;
  /** True if deliveries are signed. */
  has_secret: boolean;
  events: ("email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged")[];
  created_at: string;
  /** `disabled`: events are not sent. Resume it, or let a test or retry succeed unless it was paused. */
  status: "active" | "disabled";
  disabled_reason: "gone" | "failing" | "secured" | "paused" | null;
  failing_since: string | null;
  /** True: nothing is sent now, for `paused_reason`. */
  paused: boolean;
  paused_reason: "policy" | null;
};
export type CreateWebhookReply = Webhook;

export type ListWebhooksInput = {
  /** Only the webhooks of this address. */
  address?: string | undefined;
};
export type ListWebhooksReply = { webhooks: Webhook[]; count: number };

export type CreateEventWebhookInput = {
  /** An http or https URL on the public internet, without user name or password. */
  url: string;
  /** Signs every delivery. Any text, or a Standard Webhooks secret: `whsec_` and base64. */
  secret?: string | undefined;
  /** With an `address`, `email.received` by default. Else needed. */
  events?: ("email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged")[] | undefined;
  address?: string | undefined;
};
export type CreateEventWebhookReply = {
  id: string;
  address: string | null;
  url: string;
  /** True if deliveries are signed. */
  has_secret: boolean;
  events: ("email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged")[];
  created_at: string;
  /** `disabled`: events are not sent. Resume it, or let a test or retry succeed unless it was paused. */
  status: "active" | "disabled";
  disabled_reason: "gone" | "failing" | "secured" | "paused" | null;
  failing_since: string | null;
  /** True: nothing is sent now, for `paused_reason`. */
  paused: boolean;
  paused_reason: "policy" | null;
  /** Only if you gave none, and only now: it signs every delivery. Keep it. */
  secret?: string;
};

export type ListEventWebhooksInput = ListWebhooksInput;
export type ListEventWebhooksReply = { webhooks: Webhook[]; count: number };

export type GetEventWebhookInput = { id: string };
export type GetEventWebhookReplyDay = {
  day: string;
  delivered: number;
  /** Given up. */
  failed: number;
};
export type GetEventWebhookReply = {
  id: string;
  address: string | null;
  url: string;
  /** True if deliveries are signed. */
  has_secret: boolean;
  events: ("email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged")[];
  created_at: string;
  /** `disabled`: events are not sent. Resume it, or let a test or retry succeed unless it was paused. */
  status: "active" | "disabled";
  disabled_reason: "gone" | "failing" | "secured" | "paused" | null;
  failing_since: string | null;
  /** True: nothing is sent now, for `paused_reason`. */
  paused: boolean;
  paused_reason: "policy" | null;
  /** Deliveries of each of the last 7 UTC days, oldest first. */
  days: GetEventWebhookReplyDay[];
};

export type GetEventWebhookDeliveryInput = { id: string; delivery_id: string };
export type WebhookAttempt = {
  at: string;
  response_status: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number | null;
};
export type GetEventWebhookDeliveryReply = {
  id: string;
  webhook_id: string;
  event: "email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged" | "webhook.test";
  /** The `id` in the body and in the `webhook-id` header. The same in every attempt. */
  event_id: string;
  message_id: string | null;
  status: "pending" | "delivered" | "failed";
  /** Attempts since the delivery was created or retried by `/retry`. */
  attempts: number;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
  response_status: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number | null;
  /** The last 16 attempts, also before a retry; oldest first. */
  attempt_log: WebhookAttempt[];
  /** JSON, as it is signed and sent. */
  body: string;
};

export type UpdateEventWebhookInput = {
  id: string;
  /** An http or https URL on the public internet, without user name or password. */
  url?: string | undefined;
  events?: ("email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged")[] | undefined;
  /** `disabled` pauses it. */
  status?: "active" | "disabled" | undefined;
};
export type UpdateEventWebhookReply = Webhook;

export type DeleteWebhookInput = { id: string };
export type DeleteWebhookReply = { deleted: boolean; id: string };

export type TestWebhookInput = { id: string };
export type WebhookDelivery = {
  id: string;
  webhook_id: string;
  event: "email.received" | "email.sent" | "email.failed" | "email.held" | "email.released" | "email.rejected" | "email.quarantined" | "email.suppressed" | "sending.paused" | "storage.filling" | "address.released" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "account.suspended" | "account.resumed" | "account.person_changed" | "account.notice_started" | "account.notice_ended" | "account.secured" | "account.deletion_scheduled" | "account.deletion_cancelled" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "delegation.created" | "delegation.ended" | "grant.created" | "grant.ended" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged" | "webhook.test";
  /** The `id` in the body and in the `webhook-id` header. The same in every attempt. */
  event_id: string;
  message_id: string | null;
  status: "pending" | "delivered" | "failed";
  /** Attempts since the delivery was created or retried by `/retry`. */
  attempts: number;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
  response_status: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number | null;
  /** The last 16 attempts, also before a retry; oldest first. */
  attempt_log: WebhookAttempt[];
};
export type TestWebhookReply = WebhookDelivery;

export type ListWebhookDeliveriesInput = {
  id: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListWebhookDeliveriesReply = { deliveries: WebhookDelivery[]; count: number; next_cursor: string | null };

export type RetryWebhookDeliveryInput = { id: string; delivery_id: string };
export type RetryWebhookDeliveryReply = WebhookDelivery;

export type DeleteEventWebhookInput = { id: string };
export type DeleteEventWebhookReply = { deleted: boolean; id: string };

export type TestEventWebhookInput = { id: string };
export type TestEventWebhookReply = WebhookDelivery;

export type ListEventWebhookDeliveriesInput = ListWebhookDeliveriesInput;
export type ListEventWebhookDeliveriesReply = { deliveries: WebhookDelivery[]; count: number; next_cursor: string | null };

export type RetryEventWebhookDeliveryInput = { id: string; delivery_id: string };
export type RetryEventWebhookDeliveryReply = WebhookDelivery;

export type RotateWebhookSecretInput = {
  id: string;
  /** A day by default. Send 0 if the old secret was stolen. */
  grace_seconds?: number | undefined;
};
export type RotateWebhookSecretReply = {
  id: string;
  /** Standard Webhooks: `whsec_` and base64. */
  secret: string;
  previous_valid_until: string | null;
};

export type RotateEmailWebhookSecretInput = RotateWebhookSecretInput;
export type RotateEmailWebhookSecretReply = RotateWebhookSecretReply;

export type ListVaultKeysInput = {
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
  /** Entries per page, 1000 by default. */
  limit?: number | undefined;
};
export type VaultKeyListKey = {
  key: string;
  /** The latest version. */
  version: number;
  metadata: Record<string, unknown> | null;
  created_at: string;
  updated_at: string;
};
export type VaultKeyList = {
  keys: VaultKeyListKey[];
  /** Keys on all pages. */
  count: number;
  limit: number | null;
  tier: "free" | "paid";
  next_cursor: string | null;
};
export type ListVaultKeysReply = VaultKeyList;

export type PutVaultEntryInput = {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .`; not `.` or `..`. */
  key: string;
  /** The sealed value, stored byte for byte. Base64url or hex. At most 16 KB, 64 KB on the paid tier. */
  ciphertext: string;
  metadata?: Record<string, unknown> | null | undefined;
  /** Store only if this is the latest version; 0: only if the key is new. The same as `If-Match`. */
  if_version?: number | undefined;
};
export type StoredVaultEntry = {
  key: string;
  stored: boolean;
  version: number;
  /** When the key was created. */
  created_at: string;
  /** When this version was stored. */
  updated_at: string;
  /** The payment for a key over the limit. */
  payment_id?: string;
  /** The value looks like plain text. */
  warning?: string;
  /** How to seal a value. */
  docs_url?: string;
};
export type PutVaultEntryReply = StoredVaultEntry;

export type GetVaultEntryInput = {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .`; not `.` or `..`. */
  key: string;
  /** The version. The latest by default. */
  version?: number | undefined;
};
export type VaultEntry = {
  key: string;
  ciphertext: string;
  /** @deprecated The same as `ciphertext`. */
  value: string;
  metadata: Record<string, unknown> | null;
  version: number;
  latest_version: number;
  /** When the key was created. */
  created_at: string;
  /** When this version was stored. */
  updated_at: string;
};
export type GetVaultEntryReply = VaultEntry;

export type ListVaultVersionsInput = {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .`; not `.` or `..`. */
  key: string;
};
export type ListVaultVersionsReply = {
  key: string;
  /** Those that are kept, newest first. */
  versions: { version: number; metadata: Record<string, unknown> | null; stored_at: string }[];
};

export type DeleteVaultEntryInput = {
  /** 1 to 128 of `A-Z a-z 0-9 _ - .`; not `.` or `..`. */
  key: string;
  /** Delete this version only. All by default. */
  version?: number | undefined;
};
export type DeleteVaultEntryReply = { key: string; deleted: boolean; versions_removed: number };

export type SetVaultRecoveryInput = {
  email: string;
  /** The seed, sealed by the client; base64 or hex. At most 100 KB. */
  encrypted_seed: string;
};
export type SetVaultRecoveryReply = {
  ok: boolean;
  registered: boolean;
  /** The address in lower case. */
  email: string;
  stored_at: string;
};

export type StoreSeedInput = {
  /** The seed, sealed by the client; base64 or hex. At most 50 KB. */
  encrypted_seed: string;
  recovery_email: string;
};
export type StoreSeedReply = { vault_id: string; stored_at: string; message?: string };

export type RequestVaultRecoveryInput = { email: string };
export type RequestVaultRecoveryReply = { sent: boolean; message?: string };

export type VerifyVaultRecoveryInput = {
  /** From the emailed link, or `next_token` of the previous reply. */
  token: string;
};
export type VerifyVaultRecoveryReplyEntry = {
  account_id: string;
  key: string;
  ciphertext: string;
  metadata: Record<string, unknown> | null;
  version: number;
  /** When this version was stored. */
  created_at: string;
};
export type VerifyVaultRecoveryReply = {
  /** False when nothing is stored for the address. */
  recovered: boolean;
  /** The latest version of each key. */
  entries: VerifyVaultRecoveryReplyEntry[];
  /** Seeds stored without an account. */
  legacy_entries: { vault_id: string; encrypted_seed: string; created_at: string }[];
  /** Seeds of accounts. */
  account_entries: { account_id: string; encrypted_seed: string }[];
  next_token: string | null;
  note?: string;
};

export type ListWaitingInput = ListPaymentsInput;
export type WaitingItem = {
  kind: "approval" | "held_mail" | "quarantined_mail" | "failed_mail" | "unread_code" | "credential_request" | "answer" | "confirmation" | "removal" | "deletion" | "paused_webhook" | "low_budget" | "expiring_key";
  id: string;
  since: string;
  expires_at: string | null;
  /** Who acts next. */
  for: "you" | "operator" | "administrator" | "other";
  summary: string;
  /** The call that comes next, if it is yours. What it needs beside is for you to choose. */
  do: { operation: string; method: string; path: string; body?: Record<string, unknown> } | null;
};
export type ListWaitingReply = { items: WaitingItem[]; next_cursor: string | null };

export type ListOperatorWaitingInput = ListPaymentsInput;
export type OpenCredentialRequest = {
  request_id: string;
  description: string;
  vault_key: string | null;
  public_key: string | null;
  created_at: string;
  expires_at: string;
};
export type WaitingRole = {
  id: string;
  role: "email" | "recovery" | "operator";
  named_at: string;
  /** So many days its key can remove you at once. */
  removable_days: number;
};
export type OperatorWaitingItem = {
  kind: "approval" | "held_mail" | "quarantined_mail" | "failed_mail" | "unread_code" | "credential_request" | "answer" | "confirmation" | "removal" | "deletion" | "paused_webhook" | "low_budget" | "expiring_key";
  id: string;
  since: string;
  expires_at: string | null;
  /** Who acts next. */
  for: "you" | "operator" | "administrator" | "other";
  summary: string;
  /** The call that comes next, if it is yours. What it needs beside is for you to choose. */
  do: { operation: string; method: string; path: string; body?: Record<string, unknown> } | null;
  /** The agent in whose list it is. */
  account_id: string;
  agent: AskingAgent;
  /** Its entry in its own list, where a person decides. */
  about: Approval | Review | QuarantinedMail | OpenCredentialRequest | Notice | WaitingRole | null;
};
export type ListOperatorWaitingReply = { items: OperatorWaitingItem[]; next_cursor: string | null };

export type SearchInput = {
  /** Words that must all occur. No sign means anything. */
  q: string;
  /** Only these, with commas between them: agent, address, domain, pod, key, webhook, secret, event, draft, mail, sent_mail, charge. */
  kinds?: string | undefined;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
};
export type SearchReplyResult = {
  kind: "agent" | "address" | "domain" | "pod" | "key" | "webhook" | "secret" | "event" | "draft" | "mail" | "sent_mail" | "charge";
  id: string;
  account_id: string;
  title: string;
  /** Its page in the console. */
  href: string;
  at: string;
};
export type SearchReply = { results: SearchReplyResult[] };

export type SearchAgentsInput = SearchInput;
export type SearchAgentsReply = { results: SearchReplyResult[] };

export type GetAccountInput = { include?: "waiting" | undefined };
export type Person = {
  role: "email" | "recovery" | "operator";
  address: string;
  confirmed: boolean;
  confirmed_at: string | null;
  /** When it ends, if its removal is announced. */
  removal_due_at: string | null;
};
export type GetAccountReply = {
  id: string;
  /** @deprecated The same as `id`. */
  account_id: string;
  /** First characters of the key in use; for a session, of the active key. */
  key_prefix: string;
  /** Empty when not set. */
  name: string;
  tier: "free" | "paid";
  /** Receives login links. */
  recovery_email: string | null;
  /** A person’s, set at sign-up; your own mail addresses are in `addresses`. Also receives login links. */
  email: string | null;
  /** The first confirmed operator, else who was named last. */
  operator_email: string | null;
  /** Oldest first. */
  people: Person[];
  vault_recovery_email: string | null;
  /** Mail addresses of the account, oldest first. */
  addresses: string[];
  /** What this credential may do. */
  scopes: ("account:read" | "account:manage" | "mail:read" | "mail:codes" | "mail:send" | "mail:manage" | "vault:read" | "vault:write" | "money:read" | "money:spend" | "money:manage" | "money:approve" | "calendar:read" | "calendar:write" | "identity:read" | "identity:issue" | "identity:manage" | "trust:read" | "trust:write" | "events:read" | "webhooks:manage" | "pods:manage" | "stacks:manage" | "credentials:request" | "findings:write" | "audit:read")[];
  /** The limits of the account’s tier. */
  limits: AccountLimits;
  left: { requests_per_day: number; emails_per_day: number; emails_per_hour: number };
  /** Bytes, of `limits.storage_bytes`. */
  storage_used: number;
  /** The platform of a pod; null for a platform. */
  parent_account_id: string | null;
  /** The deletion that waits, and who asked for it, which decides who can cancel it. */
  deletion: { ends_at: string; by: "key" | "session" | "operator" | "administrator" } | null;
  capabilities: string[];
  /** With `include=waiting`: how many wait, at most 100 of a kind. */
  waiting?: { total: number; by_kind: Record<string, number> };
  created_at: string;
};

export type PodRateLimitsInput = {
  requests_per_minute?: number | null | undefined;
  requests_per_hour?: number | null | undefined;
  requests_per_day?: number | null | undefined;
};
export type PodCapsInput = {
  daily?: number | string | null | undefined;
  weekly?: number | string | null | undefined;
  monthly?: number | string | null | undefined;
};
export type CreatePodInput = {
  name?: string | null | undefined;
  rate_limits?: PodRateLimitsInput | null | undefined;
  spending_caps?: PodCapsInput | null | undefined;
  allowed_scopes?: string[] | null | undefined;
};
export type PodRateLimits = { requests_per_minute?: number; requests_per_hour?: number; requests_per_day?: number };
export type PodCaps = { daily?: number; weekly?: number; monthly?: number };
export type PodCapsDisplay = { daily?: string; weekly?: string; monthly?: string };
export type CreatePodReply = {
  pod_id: string;
  /** The pod’s own account. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: PodRateLimits | null;
  spending_caps: PodCaps | null;
  spending_caps_display: PodCapsDisplay | null;
  allowed_scopes: string[] | null;
  api_key: string;
  warning?: string;
};

export type ListPodsInput = {
  /** Entries per page, 100 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type Pod = {
  pod_id: string;
  /** The pod’s own account. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: PodRateLimits | null;
  spending_caps: PodCaps | null;
  spending_caps_display: PodCapsDisplay | null;
  allowed_scopes: string[] | null;
};
export type ListPodsReply = { pods: Pod[]; count: number; next_cursor: string | null };

export type GetPodInput = { pod_id: string };
export type WayRules2 = {
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  webhook?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  feed?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  share?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  publish?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  delegate?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  grant?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  invite?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  fetch?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
  /** A rule, or `{rule, allow}`. `list`: only targets in `allow`. `operator`: those, and what an operator does in a session. Null: the default. Targets are hosts without a port (webhook, fetch), client ids (grant), audiences (token) or account ids (delegate). */
  token?: { rule: "open" | "list" | "operator" | "off"; allow?: string[] } | "open" | "list" | "operator" | "off" | null;
};
export type OutboundChange2 = {
  /** `list`: only recipients in `allow`. `known`: also those that an operator remembered. */
  to?: "open" | "list" | "known";
  /** For other recipients under `list` and `known`. `review`: the mail waits for an operator; those remembered pass. */
  otherwise?: "refuse" | "review";
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  allow?: string[];
  /** Addresses, domains, and `*.domain` for subdomains. The narrowest entry wins; `block` wins ties. */
  block?: string[];
  /** Which mail waits until an operator approves it. */
  hold?: "never" | "first_contact" | "after_suspicious" | "always";
  /** For mail with a key of a well-known kind. Our own are refused. */
  secrets?: "accept" | "hold" | "reject";
  max_recipients_per_day?: number | null;
};
export type PodPolicy = { ways?: WayRules2 | null; outbound?: OutboundChange2 | null };
export type GetPodReply = {
  pod_id: string;
  /** The pod’s own account. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: PodRateLimits | null;
  spending_caps: PodCaps | null;
  spending_caps_display: PodCapsDisplay | null;
  allowed_scopes: string[] | null;
  /** Receives login links. */
  recovery_email: string | null;
  /** A person’s, set at sign-up; your own mail addresses are in `addresses`. Also receives login links. */
  email: string | null;
  /** The first confirmed operator, else who was named last. */
  operator_email: string | null;
  /** Oldest first. */
  people: Person[];
  policy?: PodPolicy;
};

export type PodPolicy2 = { ways?: WayRules | null | undefined; outbound?: OutboundChange | null | undefined };
export type UpdatePodInput = {
  pod_id: string;
  name?: string | null | undefined;
  rate_limits?: PodRateLimitsInput | null | undefined;
  spending_caps?: PodCapsInput | null | undefined;
  allowed_scopes?: string[] | null | undefined;
  /** What may leave the pod, beside its own policies. Null removes it. */
  policy?: PodPolicy2 | null | undefined;
  /** `active` reactivates a suspended pod. */
  status?: "active" | "suspended" | undefined;
  /** Replaces the recovery addresses of the pod at once; null clears them. */
  recovery_email?: string | null | undefined;
};
export type UpdatePodReply = {
  id: string;
  pod_id: string;
  /** The pod’s own account. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: PodRateLimits | null;
  spending_caps: PodCaps | null;
  spending_caps_display: PodCapsDisplay | null;
  allowed_scopes: string[] | null;
  /** Receives login links. */
  recovery_email: string | null;
  /** A person’s, set at sign-up; your own mail addresses are in `addresses`. Also receives login links. */
  email: string | null;
  /** The first confirmed operator, else who was named last. */
  operator_email: string | null;
  /** Oldest first. */
  people: Person[];
  policy: PodPolicy;
  updated: boolean;
};

export type SuspendPodInput = { pod_id: string };
export type SuspendPodReply = Pod;

export type ReplacePodKeyInput = { pod_id: string };
export type ReplacePodKeyReply = { api_key: string; key_prefix: string; pod_id: string; created_at: string; warning?: string };

export type CreateStackInput = { domain: string };
export type StackRecord = {
  purpose: "ownership" | "mx" | "spf" | "dkim" | "dmarc";
  type: "MX" | "TXT";
  name: string;
  /** The value to set. An SPF record that includes ours and any DMARC record also pass. */
  value: string;
  priority: number | null;
  /** `unreachable`: the DNS did not answer. */
  status: "unchecked" | "found" | "missing" | "different" | "unreachable";
  found: string[];
};
export type Stack = {
  id: string;
  /** Lower case; an IDN as A-labels. */
  domain: string;
  /** `failed`: not verified within three days, or the ownership record was removed. Verify again at any time. */
  status: "provisioning" | "active" | "failed";
  /** Name servers of the domain at the latest check. */
  nameservers: string[];
  records: StackRecord[];
  next_steps?: string[];
  created_at: string;
  checked_at: string | null;
  verified_at: string | null;
};
export type CreateStackReply = Stack;

export type ListStacksInput = ListPodsInput;
export type ListStacksReply = { stacks: Stack[]; count: number; next_cursor: string | null };

export type GetStackInput = { id: string };
export type GetStackReply = Stack;

export type VerifyStackInput = { id: string };
export type VerifyStackReply = Stack;

export type DeleteStackInput = { id: string };
export type DeleteStackReply = { deleted: boolean; id: string };

export type GetUsageInput = Record<string, never>;
export type Usage = { used: number; limit: number };
export type VaultUsage = { used: number; limit: number | null };
export type Spent = {
  /** Atomic USDC. */
  daily_spent_usdc: number;
  weekly_spent_usdc: number;
  monthly_spent_usdc: number;
  daily_spent_usdc_display: string;
  weekly_spent_usdc_display: string;
  monthly_spent_usdc_display: string;
  /** `limit_reached` when any spending cap is used up. */
  status: "active" | "limit_reached";
};
export type GetUsageReplyEmails = {
  daily_used: number;
  daily_limit: number;
  daily_remaining: number;
  hourly_limit: number;
  hourly_remaining: number;
  /** When the daily count resets. */
  reset_at: string;
};
export type GetUsageReply = {
  account_id: string;
  tier: "free" | "paid";
  /** The UTC day, YYYY-MM-DD. */
  period: string;
  requests: Usage;
  stacks: Usage;
  pods: Usage;
  addresses: Usage;
  vault_keys: VaultUsage;
  calendar_events: Usage;
  storage: Usage;
  budget: Spent;
  emails: GetUsageReplyEmails;
};

export type GetUsageDaysInput = Record<string, never>;
export type GetUsageDaysReply = {
  days: { day: string; requests: number; emails: number }[];
};

export type GetPodUsageInput = { pod_id: string };
export type GetPodUsageReply = {
  requests: Usage | null;
  addresses: Usage;
  vault_keys: VaultUsage;
  calendar_events: Usage;
  storage: Usage;
  budget: Spent;
};

export type GetBillingInput = Record<string, never>;
export type GetBillingReplyX402 = {
  /** True when this service takes x402 payments. */
  supported: boolean;
  /** `facilitator`: payments are settled on the blockchain. `off`: no money moves. */
  settlement: "facilitator" | "off";
  network: string;
  asset: string;
  /** USDC for each email over the limit. */
  email_price: string;
};
export type GetBillingReply = {
  account_id: string;
  tier: "free" | "paid";
  plan: string;
  x402: GetBillingReplyX402;
  note?: string | null;
};

export type CreateObservationInput = {
  topic: string;
  content: string;
  shared?: boolean | undefined;
  display_name?: string | null | undefined;
  /** The account that it is about. */
  subject_agent_id?: string | null | undefined;
};
export type Observation = {
  id: string;
  /** The account that made it, set by the service. */
  agent_id: string;
  /** The account that it is about. */
  subject_agent_id: string | null;
  display_name: string | null;
  topic: string;
  content: string;
  shared: boolean;
  created_at: string;
};
export type CreateObservationReply = Observation;

export type ListObservationsInput = {
  /** Only this exact topic. */
  topic?: string | undefined;
  /** Only observations made by this account. */
  agent_id?: string | undefined;
  subject_agent_id?: string | undefined;
  /** At or after this time. */
  since?: string | Date | undefined;
  /** `mine`: the caller’s own, private and shared. `shared`: shared by any agent. */
  scope?: "all" | "mine" | "shared" | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListObservationsReplyFilters = {
  topic: string | null;
  agent_id: string | null;
  subject_agent_id: string | null;
  since: string | null;
  scope: "all" | "mine" | "shared";
  limit: number;
};
export type ListObservationsReply = {
  observations: Observation[];
  /** Entries on this page. */
  count: number;
  filters: ListObservationsReplyFilters;
  next_cursor: string | null;
};

export type ListObservationTopicsInput = {
  /** Entries per page, 200 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListObservationTopicsReply = {
  topics: { topic: string; count: number; latest: string }[];
  /** Topics on this page. */
  count: number;
  next_cursor: string | null;
};

export type GetObservationInput = { id: string };
export type GetObservationReply = Observation;

export type TelemetryEvent = {
  /** What happened. The observation’s topic is `telemetry.<event>`. */
  event: string;
  /** The agent it is about, stored as sent. */
  agent_id: string;
  /** When it happened. */
  timestamp: string | Date;
  action_type: "tool_call" | "memory_update" | "decision" | "external_request";
  outcome: "success" | "failure" | "anomaly";
  /** SHA-256, in hex. */
  axiom_hash?: string | undefined;
  /** Your own reference, stored as sent. */
  context_ref?: string | undefined;
};
export type SubmitTelemetryInput = { body: TelemetryEvent[] | TelemetryEvent };
export type SubmitTelemetryReply = {
  accepted: true;
  count: number;
  /** The caller’s. The events belong to this account. */
  account_id: string;
  /** @deprecated The same as `account_id`. */
  agent_token: string;
  observations: { observation_id: string; event: string; ingested_at: string }[];
  /** Only for a single event. */
  observation_id?: string;
  /** Only for a single event. */
  ingested_at?: string;
};

export type GetTrustInput = {
  /** An account id. */
  agentId: string;
};
export type GetTrustReplyBreakdown = {
  /** 25 per observation, for up to 10. */
  behavioral: number;
  /** round(250 · 2^(−age / 7 days)), with the age of the latest observation. */
  consistency: number;
  /** 50 per distinct topic, for up to 5. */
  reputation: number;
  /** round(250 · shared / all observations). */
  transparency: number;
};
export type GetTrustReplyEvidence = {
  /** Observations by the agent itself. */
  self: number;
  /** Telemetry of other accounts about this agent. It does not change the score. */
  peer: number;
};
export type GetTrustReply = {
  agent_id: string;
  /** @deprecated The same as `agent_id`. */
  agentId: string;
  score: number;
  tier: "untrusted" | "provisional" | "trusted" | "verified";
  breakdown: GetTrustReplyBreakdown;
  computed_at: string;
  /** @deprecated The same as `computed_at`. */
  computedAt: string;
  observation_count: number;
  /** @deprecated The same as `observation_count`. */
  observationCount: number;
  evidence: GetTrustReplyEvidence;
};

export type IssueTokenInput = {
  /** The service that will receive the token, as an absolute URI. */
  audience: string;
  /** 1 to 20, each matching ^[a-z][a-z0-9._:-]{0,127}$. Duplicates are removed. */
  scopes: string[];
  /** Lifetime in seconds. */
  ttl?: number | undefined;
  /** Defaults to the account’s name. */
  agent_name?: string | undefined;
  /** The token also states whether the account owns this address (`agent_email_verified`). */
  agent_email?: string | undefined;
};
export type IssueTokenReply = {
  token: string;
  expires_at: string;
  jti: string;
  /** Shows the status of the token to anyone who knows the `jti`. */
  audit_url: string;
};

export type ListTokensInput = {
  status?: "active" | "expired" | "revoked" | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListTokensReplyToken = {
  jti: string;
  audience: string;
  scopes: string[];
  issued_at: string;
  expires_at: string;
  status: "active" | "expired" | "revoked";
};
export type ListTokensReply = { tokens: ListTokensReplyToken[]; next_cursor: string | null };

export type IntrospectTokenInput = {
  token?: string | undefined;
  token_type_hint?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
};
export type IntrospectTokenReply = {
  active: boolean;
  sub?: string;
  aud?: string;
  /** Unix seconds. */
  iat?: number;
  /** Unix seconds. */
  exp?: number;
  jti?: string;
  scopes?: string[];
  agent_id?: string;
  agent_name?: string;
  agent_email?: string;
  agent_email_verified?: boolean;
  iss?: string;
  client_id?: string;
  scope?: string;
  token_type?: string;
  /** Who acts (RFC 8693): `sub`, and in `act` who passed the delegation on. */
  act?: Record<string, unknown>;
};

export type RevokeTokenInput = {
  token: string;
  token_type_hint?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
};
export type RevokeTokenReply = { revoked: boolean; jti: string | null };

export type RevokeClientTokenInput = RevokeTokenInput;
export type RevokeClientTokenReply = Record<string, never>;

export type GetJwksInput = Record<string, never>;
export type PublicJwk = { kty: "OKP"; crv: "Ed25519"; x: string; kid: string; use: "sig"; alg: "EdDSA" };
export type GetJwksReply = { keys: PublicJwk[] };

export type GetOpenIdConfigurationInput = Record<string, never>;
export type ServerMetadata = {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  device_authorization_endpoint: string;
  registration_endpoint: string;
  jwks_uri: string;
  introspection_endpoint: string;
  revocation_endpoint: string;
  scopes_supported: string[];
  response_types_supported: string[];
  response_modes_supported: string[];
  grant_types_supported: string[];
  code_challenge_methods_supported: string[];
  authorization_response_iss_parameter_supported: boolean;
  client_id_metadata_document_supported: boolean;
  subject_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  introspection_endpoint_auth_methods_supported: string[];
  revocation_endpoint_auth_methods_supported: string[];
  claims_supported: string[];
  service_documentation: string;
};
export type GetOpenIdConfigurationReply = ServerMetadata;

export type GetAuthorizationServerMetadataInput = Record<string, never>;
export type GetAuthorizationServerMetadataReply = ServerMetadata;

export type GetProtectedResourceMetadataInput = Record<string, never>;
export type GetProtectedResourceMetadataReply = Record<string, unknown>;

export type GetServiceDidInput = Record<string, never>;
export type DidDocument = {
  "@context": string[];
  id: string;
  verificationMethod: { id: string; type: string; controller: string; publicKeyJwk: PublicJwk }[];
  authentication: string[];
  assertionMethod: string[];
  service: { id: string; type: string; serviceEndpoint: string }[];
};
export type GetServiceDidReply = DidDocument;

export type GetAgentCardInput = Record<string, never>;
export type GetAgentCardReplyRegistration = {
  method: string;
  url: string;
  body: { name: string };
};
export type GetAgentCardReply = {
  name: string;
  description: string;
  url: string;
  version: string;
  provider: { organization: string; url: string };
  documentationUrl: string;
  capabilities: { streaming: boolean; pushNotifications: boolean; stateTransitionHistory: boolean };
  authentication: { schemes: string[] };
  registration: GetAgentCardReplyRegistration;
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: { id: string; name: string; description: string; tags: string[] }[];
};

export type RegisterSigningKeyInput = {
  /** Ed25519, 32 bytes as base64url or hex. */
  public_key: string;
  label?: string | undefined;
  /** The Ed25519 signature over the UTF-8 bytes of `challenge`, base64url. */
  proof?: string | undefined;
};
export type SigningKey = {
  /** RFC 7638 thumbprint, the key’s `kid` in the agent’s JWKS. */
  keyid: string;
  /** Ed25519, 32 bytes, base64url. */
  public_key: string;
  label: string | null;
  created_at: string;
};
export type RegisterSigningKeyReply = SigningKey;

export type ListSigningKeysInput = Record<string, never>;
export type ListSigningKeysReply = { keys: SigningKey[]; count: number };

export type DeleteSigningKeyInput = { keyid: string };
export type DeleteSigningKeyReply = { deleted: true; keyid: string };

export type GetAgentProfileInput = {
  /** The local part of the agent’s address, or its account id. */
  name: string;
};
export type GetAgentProfileReply = Uint8Array<ArrayBuffer>;

export type GetAgentDidInput = GetAgentProfileInput;
export type GetAgentDidReply = DidDocument;

export type GetAgentJwksInput = GetAgentProfileInput;
export type GetAgentJwksReply = { keys: PublicJwk[] };

export type GetProfileInput = Record<string, never>;
export type OwnProfile = {
  name: string | null;
  description: string | null;
  capabilities: string[];
  unlisted: boolean;
  profile_url: string;
};
export type GetProfileReply = OwnProfile;

export type UpdateProfileInput = {
  name?: string | null | undefined;
  description?: string | null | undefined;
  capabilities?: string[] | undefined;
  unlisted?: boolean | undefined;
};
export type UpdateProfileReply = OwnProfile;

export type ListAuditEntriesInput = {
  /** Inclusive. */
  from?: string | Date | undefined;
  /** Exclusive. */
  to?: string | Date | undefined;
  category?: string | undefined;
  action?: string | undefined;
  resource_id?: string | undefined;
  result?: "success" | "refused" | "dry_run" | undefined;
  /** A kind such as `person`, a role, an id, a name, or the start of a key. */
  actor?: string | undefined;
  /** The id, name or start of a key. */
  key?: string | undefined;
  /** As `403` or `4xx`. */
  status?: string | undefined;
  request_id?: string | undefined;
  /** `false`: without what people read in a console. */
  console?: boolean | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type AuditActor = {
  /** Of a delegate: its delegations. */
  chain?: string[];
  /** `per_…`, `key_…`, `grt_…` of a client, `acc_…` of a delegate. */
  id?: string;
  kind: "person" | "key" | "delegate" | "client" | "administrator" | "anonymous" | "service";
  /** Of a key, or the id of a client. */
  name?: string;
  /** Of the key or token. */
  prefix?: string;
  role?: "email" | "operator" | "recovery" | "vault_recovery";
};
export type AuditEntry = {
  account_id: string;
  /** Who acted by delegation: the caller, then who passed it on. */
  act?: string[];
  /** `category.verb` */
  action: string;
  /** Who acted. Text in entries of before 0.20. */
  actor: AuditActor | string;
  /** What was changed, as it is now. Secrets and words of mail are never in it. */
  after?: Record<string, string | number | boolean | null | string[]>;
  at: string;
  /** The same, as it was. */
  before?: Record<string, string | number | boolean | null | string[]>;
  category: string;
  /** The console of a person read it. */
  console?: true;
  /** Mails that a job deleted. */
  count?: number;
  /** A keyed hash of the client’s address. Equal addresses have equal hashes. */
  ip: string;
  /** SHA-256 of the previous entry, hex. */
  prev_hash: string;
  request_id: string;
  resource_id: string | null;
  result: "success" | "refused" | "dry_run";
  /** 1 for the first entry. */
  seq: number;
  /** HTTP status of the reply. */
  status: number;
  /** What was done, in words. Not recorded before 0.20. */
  summary?: string;
  /** `aud_…`. Not hashed, as the rest but `hash`. */
  id: string;
  /** What it was done to. */
  target: { kind: string; id: string; href: string | null } | null;
  /** The person’s, for a primary key or an operator session. */
  address?: string;
  network?: string | null;
  /** SHA-256 of this entry as JSON with sorted keys and no white space, hex: all but `hash`, `id`, `target`, `address`, `network`. */
  hash: string;
};
export type ListAuditEntriesReply = { entries: AuditEntry[]; count: number; next_cursor: string | null };

export type ListAuditSealsInput = ListPaymentsInput;
export type ListAuditSealsReplySeal = {
  seq: number;
  hash: string;
  kid: string;
  /** base64url */
  signature: string;
  sealed_at: string;
};
export type ListAuditSealsReply = {
  seals: ListAuditSealsReplySeal[];
  keys: { kty: "OKP"; crv: "Ed25519"; kid: string; x: string }[];
  count: number;
  next_cursor: string | null;
};

export type GetAuditRecordInput = { id: string };
export type TokenRecord = {
  jti: string;
  status: "active" | "expired" | "revoked";
  audience: string;
  scopes: string[];
  issued_at: string;
  expires_at: string;
  revoked_at: string | null;
};
export type GetAuditRecordReply = AuditEntry | TokenRecord;

export type ListOperatorDecisionsInput = {
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
};
export type ListOperatorDecisionsReplyDecisionBy = {
  /** `person`, `key`, `delegate`, `client`, `service` … */
  kind: string;
  name: string | null;
};
export type ListOperatorDecisionsReplyDecision = {
  /** As in the audit log, such as `approval.approved`. */
  action: string;
  at: string;
  by: ListOperatorDecisionsReplyDecisionBy;
  agent: AskingAgent;
  resource_id: string | null;
  /** In words. */
  summary: string;
};
export type ListOperatorDecisionsReply = { decisions: ListOperatorDecisionsReplyDecision[] };

export type ListRequestsInput = {
  /** Inclusive. */
  from?: string | Date | undefined;
  /** Exclusive. */
  to?: string | Date | undefined;
  /** The id or start of a key, or a kind of credential. */
  key?: string | undefined;
  /** What the path begins with. */
  path?: string | undefined;
  /** As `403` or `4xx`. */
  status?: string | undefined;
  /** `false`: without what people read in a console. */
  console?: boolean | undefined;
  /** Entries per page, 100 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type LoggedRequest = {
  request_id: string;
  at: string;
  method: string;
  /** A pattern. */
  path: string;
  status: number;
  ms: number;
  credential: "primary_key" | "backup_key" | "named_key" | "session" | "access_token";
  /** The start of the key, or `session`. */
  actor: string;
  key: string | null;
  /** The console of a person read it. */
  console: boolean;
};
export type ListRequestsReply = { requests: LoggedRequest[]; next_cursor: string | null };

export type GetRequestInput = {
  /** The `X-Request-Id` of its reply. */
  id: string;
};
export type GetRequestReply = LoggedRequest;

export type DeleteAccountInput = Record<string, never>;
export type DeleteAccountReply = {
  deletes_at: string;
  /** The pods that go with it. */
  pods: string[];
};

export type CancelAccountDeletionInput = Record<string, never>;
export type CancelAccountDeletionReply = { ok: boolean };

export type ExportAccountInput = Record<string, never>;
export type ExportAccountReply = Uint8Array<ArrayBuffer>;

export type CreateCalendarEventInput = {
  summary: string;
  /** When it starts. An RFC 3339 date-time with any offset, or a date for an all-day event. */
  start: string | Date;
  /** When it ends, not before `start`. As a date, the day after the last. An RFC 3339 date-time with any offset, or a date for an all-day event. */
  end: string | Date;
  description?: string | null | undefined;
  location?: string | null | undefined;
  attendees?: string[] | undefined;
  /** The address of yours that invites the attendees; your only one by default. */
  organizer?: string | undefined;
};
export type CalendarEventAttendeeStatus = {
  address: string;
  status: "not_invited" | "held" | "invited" | "accepted" | "declined" | "tentative";
  /** The error that refused the mail. */
  reason?: string;
  proposal?: { start: string; end: string };
};
export type CalendarEventOccurrence = {
  /** When it starts by the `rrule`. */
  recurrence_id: string;
  cancelled: boolean;
  start: string;
  end: string;
  summary: string;
  location: string | null;
};
export type CalendarEventProposal = {
  recurrence_id: string | null;
  sequence: number;
  cancelled: boolean;
  start: string;
  end: string;
  summary: string;
  location: string | null;
};
export type CalendarEvent = {
  id: string;
  /** @deprecated The same as `id`. */
  event_id: string;
  summary: string;
  start: string;
  /** Exclusive. */
  end: string;
  /** True for an event of whole days: `start` and `end` are midnights in UTC. */
  all_day: boolean;
  description: string | null;
  location: string | null;
  attendees: string[];
  attendee_status: CalendarEventAttendeeStatus[];
  organizer: string | null;
  /** `confirmed` for your own event; else your answer, or `cancelled` by the organizer. */
  status: "confirmed" | "pending" | "accepted" | "declined" | "tentative" | "cancelled";
  rrule: string | null;
  /** Single days of the series that the organizer changed. */
  occurrences?: CalendarEventOccurrence[];
  /** A change that came by mail, without proof that the organizer wrote it. It is not applied. */
  proposal?: CalendarEventProposal;
  /** Rises by one with each change (RFC 5545 3.8.7.4). */
  sequence: number;
  created_at: string;
  updated_at: string;
};
export type CreateCalendarEventReply = CalendarEvent;

export type ListCalendarEventsInput = {
  /** An RFC 3339 date-time or a date; inclusive. */
  from?: string | Date | undefined;
  /** An RFC 3339 date-time or a date; exclusive. */
  to?: string | Date | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListCalendarEventsReply = {
  events: CalendarEvent[];
  /** Events on this page. */
  count: number;
  /** Events in the window, on all pages. */
  total: number;
  limit: number;
  next_cursor: string | null;
};

export type GetCalendarEventInput = { id: string };
export type GetCalendarEventReply = CalendarEvent;

export type UpdateCalendarEventInput = {
  id: string;
  summary?: string | undefined;
  /** When it starts. An RFC 3339 date-time with any offset, or a date for an all-day event. */
  start?: string | Date | undefined;
  /** When it ends, not before `start`. As a date, the day after the last. An RFC 3339 date-time with any offset, or a date for an all-day event. */
  end?: string | Date | undefined;
  description?: string | null | undefined;
  location?: string | null | undefined;
  attendees?: string[] | undefined;
  /** The address of yours that invites the attendees; your only one by default. */
  organizer?: string | undefined;
};
export type UpdateCalendarEventReply = CalendarEvent;

export type DeleteCalendarEventInput = { id: string };
export type DeleteCalendarEventReply = { deleted: true; id: string; event_id: string };

export type RespondToInvitationInput = { id: string; status: "accepted" | "declined" | "tentative" };
export type RespondToInvitationReply = CalendarEvent;

export type GetCalendarFeedInput = Record<string, never>;
export type FeedLink = {
  /** Anyone with this URL can read the calendar without a key. */
  feed_url: string;
  cal_token: string;
  how_to_subscribe?: string[];
};
export type GetCalendarFeedReply = FeedLink;

export type RotateCalendarFeedInput = Record<string, never>;
export type RotateCalendarFeedReply = FeedLink;

export type ReadCalendarFeedInput = { cal_token: string };
export type ReadCalendarFeedReply = string;

export type GetCalendarSettingsInput = Record<string, never>;
export type GetCalendarSettingsReply = {
  /** The name that calendar apps show. */
  name: string;
};

export type SetCalendarSettingsInput = { name: string | null };
export type SetCalendarSettingsReply = GetCalendarSettingsReply;

export type RequestCredentialInput = {
  /** What you need and why. The operator reads it before deciding. */
  description: string;
  vault_key?: string | null | undefined;
  public_key?: string | null | undefined;
};
export type RequestCredentialReply = {
  request_id: string;
  /** For polling. Keep it secret. Shown once. */
  device_code: string;
  /** `XXXX-XXXX`, for the operator. */
  user_code: string;
  verification_url: string;
  /** The page with the code filled in. */
  verification_url_complete: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds to wait between polls. */
  interval: number;
  expires_at: string;
  message?: string;
};

export type PollCredentialInput = { device_code: string };
export type PollCredentialReply = {
  status: "authorization_pending" | "slow_down" | "approved" | "denied" | "expired";
  request_id: string;
  vault_key: string | null;
  /** While pending: seconds to wait before the next poll. */
  interval?: number;
  /** While pending: seconds until the request expires. */
  expires_in?: number;
  /** Why it was denied. */
  reason?: "operator" | "wrong_codes";
  /** The value, when the request had no `public_key`. */
  credential_value?: string;
  /** The sealed value, when it had one. Open it with the private key. */
  sealed_value?: string;
  message?: string;
};

export type ListCredentialRequestsInput = ListOperatorAgentsInput;
export type ListCredentialRequestsReplyRequest = {
  request_id: string;
  description: string;
  vault_key: string | null;
  public_key: string | null;
  created_at: string;
  expires_at: string;
  agent: AskingAgent;
};
export type ListCredentialRequestsReply = { requests: ListCredentialRequestsReplyRequest[]; next_cursor: string | null };

export type VerifyCredentialOperatorInput = {
  /** The code that the agent shows. Case and hyphen do not matter. */
  user_code: string;
};
export type VerifyCredentialOperatorReply = { sent: boolean; message?: string };

export type ViewCredentialRequestInput = {
  /** The code that the agent shows. Case and hyphen do not matter. */
  user_code: string;
  /** From the fragment of the emailed link. */
  token?: string | undefined;
  /** An operator session, instead of `token`. */
  session?: string | undefined;
};
export type ViewCredentialRequestReply = {
  request_id: string;
  status: "pending";
  agent: { account_id: string; name: string | null; address: string | null; registered_at: string };
  description: string;
  vault_key: string | null;
  public_key: string | null;
  created_at: string;
  expires_at: string;
};

export type ApproveCredentialInput = {
  /** The code that the agent shows. Case and hyphen do not matter. */
  user_code: string;
  /** From the fragment of the emailed link. */
  token?: string | undefined;
  /** An operator session, instead of `token`. */
  session?: string | undefined;
  decision: "approve" | "deny";
  /** The value, when the view has no `public_key`. */
  credential_value?: string | undefined;
  /** The value sealed to `public_key`, see docs/credentials.md. */
  sealed_value?: string | undefined;
  vault_key?: string | null | undefined;
};
export type ApproveCredentialReply = { request_id: string; status: "approved" | "denied"; vault_key: string | null; resolved_at: string };

export type SubmitFindingInput = {
  /** An account id. */
  agentId: string;
  title: string;
  severity: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO";
  target: string;
  /** A hash that proves the evidence later without revealing it now. */
  evidence_hash: string;
  cwe?: string | null | undefined;
  evidence_url?: string | null | undefined;
  tools_used?: string[] | undefined;
  time_to_find_ms?: number | null | undefined;
  audience?: string | null | undefined;
};
export type SignedFindingOutcomes = {
  /** Programs that accepted it. */
  accepted: number;
  /** Programs that rejected it. */
  rejected: number;
};
export type SignedFinding = {
  jti: string;
  agent_id: string;
  title: string;
  severity: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO";
  target: string;
  evidence_hash: string;
  cwe: string | null;
  evidence_url: string | null;
  tools_used: string[];
  time_to_find_ms: number | null;
  audience: string | null;
  outcomes: SignedFindingOutcomes;
  created_at: string;
  finding_url: string;
  /** The finding as a JWT (`typ: finding+jwt`, EdDSA). Verify it with the service’s JWKS. */
  token: string;
};
export type SubmitFindingReply = SignedFinding;

export type ListFindingsInput = {
  /** An account id. */
  agentId: string;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  cursor?: string | undefined;
};
export type ListFindingsReplyFinding = {
  jti: string;
  agent_id: string;
  title: string;
  severity: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO";
  target: string;
  evidence_hash: string;
  cwe: string | null;
  evidence_url: string | null;
  tools_used: string[];
  time_to_find_ms: number | null;
  audience: string | null;
  outcomes: SignedFindingOutcomes;
  created_at: string;
  finding_url: string;
};
export type ListFindingsReply = { findings: ListFindingsReplyFinding[]; count: number; next_cursor: string | null };

export type GetFindingInput = { jti: string };
export type GetFindingReply = SignedFinding;

export type JudgeFindingInput = { jti: string; outcome: "accepted" | "rejected"; note?: string | null | undefined };
export type FindingTally = { submitted: number; accepted: number; rejected: number };
export type FindingRecordBySeverity = {
  CRITICAL: FindingTally;
  HIGH: FindingTally;
  MEDIUM: FindingTally;
  LOW: FindingTally;
  INFO: FindingTally;
};
export type FindingRecord = {
  agent_id: string;
  submitted: number;
  /** Judgements that accepted a finding, one per program. */
  accepted: number;
  rejected: number;
  by_severity: FindingRecordBySeverity;
};
export type JudgeFindingReply = {
  jti: string;
  program_id: string;
  outcome: "accepted" | "rejected";
  recorded_at: string;
  track_record: FindingRecord;
};

export type GetTrackRecordInput = GetTrustInput;
export type GetTrackRecordReply = FindingRecord;

export type CreateProgramInput = {
  name: string;
  /** An absolute URI. Findings must name exactly this audience. */
  audience: string;
};
export type CreateProgramReply = {
  program_id: string;
  name: string;
  audience: string;
  key_prefix: string;
  created_at: string;
  ended_at: string | null;
  api_key: string;
  warning?: string;
};

export type ListProgramsInput = ListPaymentsInput;
export type ListProgramsReplyProgram = {
  program_id: string;
  name: string;
  audience: string;
  key_prefix: string;
  created_at: string;
  ended_at: string | null;
};
export type ListProgramsReply = { programs: ListProgramsReplyProgram[]; count: number; next_cursor: string | null };

export type EndProgramInput = { programId: string };
export type EndProgramReply = { program_id: string; ended_at: string };

export type CallMcpInput = {
  jsonrpc?: string | undefined;
  id?: string | number | undefined;
  method?: string | undefined;
  /** By method. */
  params?: Record<string, unknown> | undefined;
};
export type CallMcpDone = {
  jsonrpc: string;
  id: string | number | null;
  /** By method. */
  result?: Record<string, unknown>;
  /** `code` and `message`. */
  error?: Record<string, unknown>;
};
export type CallMcpReply = CallMcpDone | null;

export type CallMcpGroupInput = {
  group: string;
  jsonrpc?: string | undefined;
  id?: string | number | undefined;
  method?: string | undefined;
  /** By method. */
  params?: Record<string, unknown> | undefined;
};
export type CallMcpGroupReply = CallMcpDone | null;

/** Every error code of the service. */
export type SignetErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_address'
  | 'invalid_domain'
  | 'invalid_recipient'
  | 'sealed_value_required'
  | 'credential_value_required'
  | 'dry_run_unavailable'
  | 'invalid_cursor'
  | 'invalid_agent_id'
  | 'invalid_scopes'
  | 'invalid_scope'
  | 'unsupported_response_type'
  | 'invalid_target'
  | 'invalid_grant'
  | 'invalid_client'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'ttl_out_of_range'
  | 'scope_ceiling_exceeded'
  | 'invalid_token'
  | 'invalid_passkey'
  | 'invalid_code'
  | 'invalid_key'
  | 'invalid_version'
  | 'invalid_ciphertext'
  | 'payload_too_large'
  | 'metadata_too_large'
  | 'too_many_recipients'
  | 'public_domain'
  | 'address_refused'
  | 'unauthorized'
  | 'storage_full'
  | 'payment_required'
  | 'budget_exceeded'
  | 'single_tx_limit_exceeded'
  | 'stack_limit'
  | 'payment_invalid'
  | 'calendar_limit'
  | 'account_suspended'
  | 'pod_suspended'
  | 'account_deleting'
  | 'pod_auth_forbidden'
  | 'pod_limit_reached'
  | 'origin_refused'
  | 'insufficient_scope'
  | 'may_not_delegate'
  | 'older_factor_required'
  | 'confirmed_address_required'
  | 'operator_required'
  | 'way_off'
  | 'target_not_allowed'
  | 'passkey_required'
  | 'passkey_pending'
  | 'backup_key_only_activates'
  | 'session_required'
  | 'signup_closed'
  | 'invite_required'
  | 'address_reserved'
  | 'limit_reached'
  | 'address_limit'
  | 'address_forbidden'
  | 'sender_not_owned'
  | 'sending_paused'
  | 'recipient_not_allowed'
  | 'secret_in_mail'
  | 'webhook_forbidden'
  | 'own_finding'
  | 'audience_mismatch'
  | 'program_limit'
  | 'signing_key_limit'
  | 'webhook_limit'
  | 'seed_mismatch'
  | 'not_found'
  | 'no_longer_kept'
  | 'unknown_user_code'
  | 'version_not_found'
  | 'method_not_allowed'
  | 'address_unavailable'
  | 'not_organizer'
  | 'not_invited'
  | 'recipient_suppressed'
  | 'signing_key_exists'
  | 'proof_required'
  | 'already_resolved'
  | 'already_sent'
  | 'draft_changed'
  | 'delegation_ended'
  | 'domain_unavailable'
  | 'stack_exists'
  | 'operator_email_required'
  | 'operator_limit'
  | 'passkeys_unavailable'
  | 'passkeys_needed'
  | 'outcome_exists'
  | 'removal_disputed'
  | 'backup_exists'
  | 'idempotency_mismatch'
  | 'idempotency_in_progress'
  | 'idempotency_secret_spent'
  | 'not_sealed'
  | 'expired'
  | 'version_conflict'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'upgrade_required'
  | 'rate_limited'
  | 'credential_limit'
  | 'stream_limit'
  | 'internal'
  | 'payment_unavailable'
  | 'signing_unavailable'
  | 'audit_unavailable'
  | 'storage_unavailable'
  | 'shutting_down';

/** The fields of each event's `data`. */
export interface EventData {
  /** A message became visible in an inbox. */
  'email.received': {
    address: string;
    message_id: string;
    from: string;
    subject: string;
    received_at: string;
    /** empty when sealed */
    snippet: string;
    has_code: boolean;
    link_kinds: string[];
  };
  /** A sent email was delivered within the service, accepted by the relay, or written to the development outbox. */
  'email.sent': { id: string; from: string; to: string[]; subject: string; provider: string };
  /** A sent email failed or bounced, for all or some of its recipients. */
  'email.failed': {
    id: string;
    from: string;
    to: string[];
    subject: string;
    error: string;
    /** `sent` if another recipient got it */
    status: string;
    /** `address` and `error` of each recipient that did not get it */
    recipients: { address: string; error: string }[];
  };
  /** A sent email waits until an operator approves it. */
  'email.held': {
    review_id: string;
    id: string;
    from: string;
    to: string[];
    subject: string;
    reason: string;
    expires_at: string;
  };
  /** An operator approved an email that waited. `email.sent` or `email.failed` follows. */
  'email.released': { review_id: string; id: string; from: string; to: string[]; subject: string };
  /** An email that waited was rejected or withdrawn, or was not approved in time. It is not sent. */
  'email.rejected': {
    review_id: string;
    id: string;
    from: string;
    to: string[];
    subject: string;
    reason: "rejected" | "expired" | "withdrawn";
  };
  /** A message came that the mail policy keeps from the agent. The event says nothing of its content. */
  'email.quarantined': { address: string; message_id: string; reason: string };
  /** A recipient gets no more mail from the account: an email came back for good or was reported as spam, or the recipient unsubscribed. */
  'email.suppressed': {
    /** of the email */
    id: string;
    from: string;
    recipient: string;
    reason: "hard_bounce" | "complaint" | "unsubscribed";
  };
  /** Too much mail came back. The account sends none to other services until `resumes_at`. */
  'sending.paused': {
    sent: number;
    /** bounced or reported, of those `sent` in 7 days */
    bad: number;
    resumes_at: string;
  };
  /** The storage of the account is 80 percent full, or it is full and mail was deferred. */
  'storage.filling': {
    /** 80 or 100 */
    percent: number;
    used: number;
    max: number;
  };
  /** An address of the account was released. No other account ever gets it. */
  'address.released': { address: string };
  /** A [vault](vault.md) entry was stored or deleted, a recovery address was set, or a vault was recovered. */
  'vault.updated': {
    /** null if not about one entry */
    key: string | null;
    /** null if not about one entry */
    version: number | null;
    action: "created" | "updated" | "deleted" | "version_deleted" | "recovery_set" | "recovered";
  };
  /** A payment was settled on the blockchain. */
  'payment.settled': {
    payment_id: string;
    amount_usdc: number;
    /** null if the hash is unknown */
    transaction: string | null;
  };
  /** A payment will not be settled, although its purchase was delivered. */
  'payment.failed': { payment_id: string; amount_usdc: number; error: string };
  /** A key was rotated, or the backup key was activated. */
  'key.rotated': { key_prefix: string; reason: "rotated" | "backup_activated" };
  /** An operator suspended the account. */
  'account.suspended': {
    /** the operator’s address */
    operator: string;
  };
  /** An operator’s suspension of the account ended, or one of several. */
  'account.resumed': {
    /** who resumed it, or who is no longer its operator */
    operator: string;
  };
  /** An address of a person was named, confirmed, refused or removed. */
  'account.person_changed': {
    person_id: string;
    role: "email" | "recovery" | "operator";
    address: string;
    change: "named" | "confirmed" | "refused" | "removed";
  };
  /** Something old will be removed from the account, unless somebody undoes it. */
  'account.notice_started': {
    notice_id: string;
    what: "backup_key" | "e2e_key" | "vault_recovery_email" | "email" | "recovery_email" | "operator" | "operator_replacement";
    /** the prefix of a key, a public key, or an address */
    target: string;
    ends_at: string;
  };
  /** An announced removal was carried out, undone or cancelled. */
  'account.notice_ended': {
    notice_id: string;
    what: "backup_key" | "e2e_key" | "vault_recovery_email" | "email" | "recovery_email" | "operator" | "operator_replacement";
    target: string;
    outcome: "done" | "undone" | "cancelled";
  };
  /** The account was secured: a new key, and everything that a thief may hold has ended. */
  'account.secured': { key_prefix: string; reverted: string[] };
  /** The account will be deleted at `deletes_at`, unless somebody cancels it. */
  'account.deletion_scheduled': {
    deletes_at: string;
    by: "key" | "session" | "operator" | "administrator";
    /** the prefix of a key, an address, or `administrator` */
    asked_by: string;
  };
  /** The account will not be deleted. */
  'account.deletion_cancelled': { cancelled_by: string };
  /** A charge was recorded. */
  'charge.completed': { charge_id: string; amount_usdc: number; category: string; reference_id: string | null };
  /** A charge waits for approval. The platform of a pod gets the event too if it decides. */
  'approval.requested': {
    approval_id: string;
    /** the account that wants to spend; may be a pod of the platform */
    account_id: string;
    amount_usdc: number;
    category: string;
    cause: "budget_exceeded" | "single_tx_limit_exceeded";
    expires_at: string;
  };
  /** An approval was approved, rejected, or expired. */
  'approval.resolved': {
    approval_id: string;
    account_id: string;
    amount_usdc: number;
    status: "approved" | "rejected" | "expired";
    resolved_by: string | null;
    charge_id: string | null;
  };
  /** A spending cap is used up until `resets_at`. */
  'budget.limit_reached': {
    period: "daily" | "weekly" | "monthly";
    limit_usdc: number;
    spent_usdc: number;
    resets_at: string;
    limit_set_by: "account" | "platform";
  };
  /** A [token](tokens.md) was issued. */
  'token.issued': { jti: string; audience: string; scopes: string[]; expires_at: string };
  /** A [token](tokens.md) was revoked. */
  'token.revoked': { jti: string };
  /** An account [delegated](delegation.md) authority, or passed it on. The account, the maker and the delegate get the event. */
  'delegation.created': {
    delegation_id: string;
    /** the account whose authority it is */
    account_id: string;
    /** the account that made it */
    from: string;
    /** the delegate */
    to: string;
    scopes: string[];
    budget_usdc: number | null;
    expires_at: string;
  };
  /** A [delegation](delegation.md) was ended, with all that was passed on from it. Expiry has no event. */
  'delegation.ended': { delegation_id: string; account_id: string; from: string; to: string };
  /** A person let an [OAuth client](oauth.md) act for the account. */
  'grant.created': {
    grant_id: string;
    client_id: string;
    /** the client chose it */
    client_name: string;
    scopes: string[];
    /** the person’s address */
    allowed_by: string;
  };
  /** An [OAuth client](oauth.md) may no longer act for the account. */
  'grant.ended': {
    grant_id: string;
    client_id: string;
    client_name: string;
    reason: "ended" | "revoked" | "reused" | "secured" | "operator_removed";
  };
  /** A [calendar](calendar.md) event changed. */
  'calendar.updated': {
    event_id: string;
    action: "created" | "updated" | "deleted";
    summary: string;
    start: string;
    end: string;
  };
  /** An agent requested a [credential](credentials.md). */
  'credential.requested': { request_id: string; description: string; vault_key: string | null; expires_at: string };
  /** A request for a [credential](credentials.md) was approved or denied. */
  'credential.resolved': {
    request_id: string;
    status: "approved" | "denied";
    reason: "operator" | "wrong_codes";
    vault_key: string | null;
  };
  /** A program judged a [finding](findings.md). */
  'finding.judged': { jti: string; outcome: "accepted" | "rejected"; severity: string; program_id: string };
}

/** An event of the log, told apart by `type`. It is the same by webhook, WebSocket, stream and `GET /v1/events`. */
export type SignetEvent = {
  [Type in keyof EventData]: {
    /** Also a cursor. */
    id: string;
    type: Type;
    created_at: string;
    data: EventData[Type];
  };
}[keyof EventData];

/** A page of events. */
export type EventPage = Omit<ListEventsReply, 'events'> & { events: SignetEvent[] };

export const OPERATIONS = {
  getHealth: {"method":"GET","path":"/health","repeatable":true,"query":[],"body":"none","reply":"json","group":"service","name":"getHealth"},
  getReadiness: {"method":"GET","path":"/ready","repeatable":true,"query":[],"body":"none","reply":"json","group":"service","name":"getReadiness"},
  getApiDescription: {"method":"GET","path":"/api","repeatable":true,"query":["format","tag","operation"],"body":"none","reply":"json","group":"service","name":"getApiDescription"},
  getOpenApiFile: {"method":"GET","path":"/openapi.json","repeatable":true,"query":[],"body":"none","reply":"json","group":"service","name":"getOpenApiFile"},
  getMetrics: {"method":"GET","path":"/metrics","repeatable":true,"query":[],"body":"none","reply":"text","group":"service","name":"getMetrics"},
  listPayments: {"method":"GET","path":"/v1/billing/payments","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"payments","cursor":"cursor","next":["next_cursor"]},"group":"accounts","name":"payments"},
  listNotices: {"method":"GET","path":"/v1/account/notices","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"listNotices"},
  undoNotice: {"method":"POST","path":"/v1/account/notices/{id}/undo","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"undoNotice"},
  getAccountPolicy: {"method":"GET","path":"/v1/account/policy","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"getAccountPolicy"},
  setAccountPolicy: {"method":"PUT","path":"/v1/account/policy","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"setAccountPolicy"},
  getPower: {"method":"GET","path":"/v1/account/power","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"getPower"},
  login: {"method":"POST","path":"/v1/auth/login","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"login"},
  verifyLogin: {"method":"GET","path":"/v1/auth/verify","repeatable":false,"query":["token"],"body":"none","reply":"location","group":"accounts","name":"verifyLogin"},
  logout: {"method":"POST","path":"/v1/auth/logout","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"logout"},
  createDelegation: {"method":"POST","path":"/v1/delegations","repeatable":true,"query":[],"body":"fields","reply":"json","group":"delegations","name":"create"},
  listDelegations: {"method":"GET","path":"/v1/delegations","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"delegations","cursor":"cursor","next":["next_cursor"]},"group":"delegations","name":"list"},
  endDelegation: {"method":"DELETE","path":"/v1/delegations/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"delegations","name":"end"},
  claimAddress: {"method":"POST","path":"/v1/email/claim","repeatable":true,"query":[],"body":"fields","reply":"json","group":"email","name":"claim"},
  releaseAddress: {"method":"DELETE","path":"/v1/email/addresses/{address}","repeatable":false,"query":[],"body":"none","reply":"json","group":"email","name":"release"},
  updateAddress: {"method":"PATCH","path":"/v1/email/addresses/{address}","repeatable":false,"query":[],"body":"fields","reply":"json","group":"email","name":"updateAddress"},
  listAddresses: {"method":"GET","path":"/v1/email/addresses","repeatable":true,"query":[],"body":"none","reply":"json","group":"email","name":"addresses"},
  createKey: {"method":"POST","path":"/v1/auth/keys","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"createKey"},
  rotateKey: {"method":"POST","path":"/v1/auth/keys/rotate","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"rotate","former":["rotateKey"]},
  generateBackupKey: {"method":"POST","path":"/v1/auth/keys/generate-backup","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"generateBackupKey"},
  activateBackupKey: {"method":"POST","path":"/v1/auth/keys/activate-backup","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"activateBackupKey"},
  deleteBackupKey: {"method":"DELETE","path":"/v1/auth/keys/backup","repeatable":false,"query":[],"body":"none","reply":"json","group":"accounts","name":"deleteBackupKey"},
  listKeys: {"method":"GET","path":"/v1/auth/keys/list","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"listKeys"},
  listAccountKeys: {"method":"GET","path":"/v1/account/keys","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"listAccountKeys"},
  createNamedKey: {"method":"POST","path":"/v1/account/keys","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"createNamedKey"},
  changeNamedKey: {"method":"PATCH","path":"/v1/account/keys/{id}","repeatable":false,"query":[],"body":"fields","reply":"json","group":"accounts","name":"changeNamedKey"},
  deleteNamedKey: {"method":"DELETE","path":"/v1/account/keys/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"accounts","name":"deleteNamedKey"},
  rotateNamedKey: {"method":"POST","path":"/v1/account/keys/{id}/rotate","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"rotateNamedKey"},
  secureAccount: {"method":"POST","path":"/v1/account/secure","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"secure"},
  getBudget: {"method":"GET","path":"/v1/budget","repeatable":true,"query":[],"body":"none","reply":"json","group":"budget","name":"get"},
  setBudget: {"method":"PUT","path":"/v1/budget","repeatable":true,"query":[],"body":"fields","reply":"json","group":"budget","name":"set"},
  getBudgetHistory: {"method":"GET","path":"/v1/budget/history","repeatable":true,"query":["limit","before","cursor","category"],"body":"none","reply":"json","page":{"items":"entries","cursor":"cursor","next":["pagination","next_cursor"]},"group":"budget","name":"history"},
  charge: {"method":"POST","path":"/v1/charge","repeatable":true,"query":[],"body":"fields","reply":"json","group":"budget","name":"charge"},
  listApprovals: {"method":"GET","path":"/v1/approvals","repeatable":true,"query":["status","limit","cursor"],"body":"none","reply":"json","page":{"items":"approvals","cursor":"cursor","next":["next_cursor"]},"group":"approvals","name":"list"},
  getApproval: {"method":"GET","path":"/v1/approvals/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"approvals","name":"get"},
  approveCharge: {"method":"POST","path":"/v1/approvals/{id}/approve","repeatable":true,"query":[],"body":"fields","reply":"json","group":"approvals","name":"approve"},
  rejectCharge: {"method":"POST","path":"/v1/approvals/{id}/reject","repeatable":true,"query":[],"body":"fields","reply":"json","group":"approvals","name":"reject"},
  viewApproval: {"method":"POST","path":"/v1/approvals/{id}/view","repeatable":true,"query":[],"body":"fields","reply":"json","group":"approvals","name":"view"},
  decideApproval: {"method":"POST","path":"/v1/approvals/{id}/decide","repeatable":true,"query":[],"body":"fields","reply":"json","group":"approvals","name":"decide"},
  setRecoveryEmail: {"method":"POST","path":"/v1/account/recovery-email","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"setRecoveryEmail"},
  setOperatorEmail: {"method":"POST","path":"/v1/account/operator-email","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"setOperatorEmail"},
  removeOperator: {"method":"DELETE","path":"/v1/account/operators/{address}","repeatable":false,"query":[],"body":"none","reply":"json","group":"accounts","name":"removeOperator"},
  viewConfirmation: {"method":"POST","path":"/v1/people/view","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"viewConfirmation"},
  confirmPerson: {"method":"POST","path":"/v1/people/confirm","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"confirmPerson"},
  decideConsent: {"method":"POST","path":"/oauth/consent","repeatable":true,"query":[],"body":"fields","reply":"json","group":"oauth","name":"decideConsent"},
  registerClient: {"method":"POST","path":"/oauth/register","repeatable":true,"query":[],"body":"fields","reply":"json","group":"oauth","name":"registerClient"},
  startDeviceLogin: {"method":"POST","path":"/oauth/device_authorization","repeatable":true,"query":[],"body":"fields","reply":"json","group":"oauth","name":"startDeviceLogin"},
  decideDeviceLogin: {"method":"POST","path":"/oauth/device","repeatable":true,"query":[],"body":"fields","reply":"json","group":"oauth","name":"decideDeviceLogin"},
  exchangeToken: {"method":"POST","path":"/oauth/token","repeatable":true,"query":[],"body":"fields","reply":"json","group":"oauth","name":"exchangeToken"},
  listGrants: {"method":"GET","path":"/v1/account/grants","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"grants","cursor":"cursor","next":["next_cursor"]},"group":"oauth","name":"listGrants"},
  endGrant: {"method":"DELETE","path":"/v1/account/grants/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"oauth","name":"endGrant"},
  createPasskeyOptions: {"method":"POST","path":"/v1/passkeys/options","repeatable":true,"query":[],"body":"none","reply":"json","group":"passkeys","name":"createPasskeyOptions"},
  addPasskey: {"method":"POST","path":"/v1/passkeys","repeatable":true,"query":[],"body":"fields","reply":"json","group":"passkeys","name":"add"},
  listPasskeys: {"method":"GET","path":"/v1/passkeys","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"passkeys","cursor":"cursor","next":["next_cursor"]},"group":"passkeys","name":"list"},
  removePasskey: {"method":"DELETE","path":"/v1/passkeys/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"passkeys","name":"remove"},
  createRecoveryCodes: {"method":"POST","path":"/v1/passkeys/recovery-codes","repeatable":true,"query":[],"body":"none","reply":"json","group":"passkeys","name":"createRecoveryCodes"},
  createPasskeyLoginOptions: {"method":"POST","path":"/v1/auth/passkey/options","repeatable":true,"query":[],"body":"fields","reply":"json","group":"passkeys","name":"createPasskeyLoginOptions"},
  logInWithPasskey: {"method":"POST","path":"/v1/auth/passkey","repeatable":true,"query":[],"body":"fields","reply":"json","group":"passkeys","name":"logIn"},
  logInWithRecoveryCode: {"method":"POST","path":"/v1/auth/passkey/recovery","repeatable":true,"query":[],"body":"fields","reply":"json","group":"passkeys","name":"logInWithRecoveryCode"},
  getOperatorSettings: {"method":"GET","path":"/v1/operator/settings","repeatable":true,"query":[],"body":"none","reply":"json","group":"passkeys","name":"getOperatorSettings"},
  updateOperatorSettings: {"method":"PATCH","path":"/v1/operator/settings","repeatable":false,"query":[],"body":"fields","reply":"json","group":"passkeys","name":"updateOperatorSettings"},
  openConsoleSession: {"method":"POST","path":"/v1/auth/session","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"openConsoleSession"},
  listSessions: {"method":"GET","path":"/v1/account/sessions","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"sessions","cursor":"cursor","next":["next_cursor"]},"group":"accounts","name":"listSessions"},
  endSession: {"method":"DELETE","path":"/v1/account/sessions/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"accounts","name":"endSession"},
  getMailPolicy: {"method":"GET","path":"/v1/email/policy","repeatable":true,"query":["address"],"body":"none","reply":"json","group":"email","name":"policy"},
  setMailPolicy: {"method":"PUT","path":"/v1/email/policy","repeatable":true,"query":["address"],"body":"fields","reply":"json","group":"email","name":"setPolicy"},
  listReviews: {"method":"GET","path":"/v1/email/reviews","repeatable":true,"query":["status","limit","cursor"],"body":"none","reply":"json","page":{"items":"reviews","cursor":"cursor","next":["next_cursor"]},"group":"reviews","name":"list"},
  getReview: {"method":"GET","path":"/v1/email/reviews/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"reviews","name":"get"},
  getReviewAttachment: {"method":"GET","path":"/v1/email/reviews/{id}/attachments/{n}","repeatable":true,"query":[],"body":"none","reply":"bytes","group":"email","name":"getReviewAttachment"},
  approveReview: {"method":"POST","path":"/v1/email/reviews/{id}/approve","repeatable":true,"query":[],"body":"fields","reply":"json","group":"reviews","name":"approve"},
  rejectReview: {"method":"POST","path":"/v1/email/reviews/{id}/reject","repeatable":true,"query":[],"body":"fields","reply":"json","group":"reviews","name":"reject"},
  withdrawReview: {"method":"POST","path":"/v1/email/reviews/{id}/withdraw","repeatable":true,"query":[],"body":"none","reply":"json","group":"email","name":"withdrawReview"},
  viewReview: {"method":"POST","path":"/v1/email/reviews/{id}/view","repeatable":true,"query":[],"body":"fields","reply":"json","group":"email","name":"viewReview"},
  viewReviewAttachment: {"method":"POST","path":"/v1/email/reviews/{id}/view/attachments/{n}","repeatable":true,"query":[],"body":"fields","reply":"bytes","group":"email","name":"viewReviewAttachment"},
  decideReview: {"method":"POST","path":"/v1/email/reviews/{id}/decide","repeatable":true,"query":[],"body":"fields","reply":"json","group":"email","name":"decideReview"},
  listOperatorAgents: {"method":"GET","path":"/v1/operator/agents","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"agents","cursor":"cursor","next":["next_cursor"]},"group":"operators","name":"listOperatorAgents"},
  suspendAgent: {"method":"POST","path":"/v1/operator/agents/{id}/suspend","repeatable":true,"query":[],"body":"none","reply":"json","group":"operators","name":"suspendAgent"},
  resumeAgent: {"method":"POST","path":"/v1/operator/agents/{id}/resume","repeatable":true,"query":[],"body":"none","reply":"json","group":"operators","name":"resumeAgent"},
  rotateEncryptionKey: {"method":"POST","path":"/v1/e2e/rotate-key","repeatable":true,"query":[],"body":"fields","reply":"json","group":"email","name":"rotateEncryptionKey"},
  deleteEncryptionKey: {"method":"DELETE","path":"/v1/e2e/key","repeatable":false,"query":[],"body":"none","reply":"json","group":"email","name":"deleteEncryptionKey"},
  register: {"method":"POST","path":"/v1/register","repeatable":true,"query":[],"body":"fields","reply":"json","group":"accounts","name":"register"},
  listEvents: {"method":"GET","path":"/v1/events","repeatable":true,"query":["after","before","order","type","wait","limit"],"body":"none","reply":"json","page":{"items":"events","cursor":"after","next":["next_cursor"]},"group":"events","name":"list"},
  createSocketTicket: {"method":"POST","path":"/v1/ws/tickets","repeatable":true,"query":[],"body":"none","reply":"json","group":"events","name":"createSocketTicket"},
  listInbox: {"method":"GET","path":"/v1/email/inbox","repeatable":true,"query":["address","limit","unread","folder","label","since","until","from","to","has_attachment","starred","answered","metadata","q","archived","cursor","wait","claim"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]},"own":"address","group":"email","name":"inbox"},
  getMessage: {"method":"GET","path":"/v1/email/messages/{id}","repeatable":true,"query":["address","folder","format","include"],"body":"none","reply":"json","own":"address","group":"email","name":"read"},
  updateMessage: {"method":"PATCH","path":"/v1/email/messages/{id}","repeatable":false,"query":["address","query_folder:folder"],"body":"fields","reply":"json","own":"address","group":"email","name":"update"},
  deleteMessage: {"method":"DELETE","path":"/v1/email/messages/{id}","repeatable":false,"query":["address","folder","permanent"],"body":"none","reply":"json","own":"address","group":"email","name":"delete"},
  waitForMail: {"method":"GET","path":"/v1/email/wait","repeatable":true,"query":["address","from","subject","after","code","wait"],"body":"none","reply":"json","group":"email","name":"wait"},
  getRawMessage: {"method":"GET","path":"/v1/email/messages/{id}/raw","repeatable":true,"query":["address","folder"],"body":"none","reply":"bytes","group":"email","name":"raw"},
  getAttachment: {"method":"GET","path":"/v1/email/messages/{id}/attachments/{n}","repeatable":true,"query":["address","folder"],"body":"none","reply":"bytes","group":"email","name":"attachment"},
  loadPictures: {"method":"POST","path":"/v1/email/messages/{id}/pictures","repeatable":true,"query":["address","folder"],"body":"fields","reply":"json","group":"email","name":"loadPictures"},
  createInbox: {"method":"POST","path":"/v1/inbox","repeatable":true,"query":[],"body":"fields","reply":"json","group":"inbox","name":"create"},
  getInbox: {"method":"GET","path":"/v1/inbox/{address}","repeatable":true,"query":["limit","unread","folder","label","since","until","from","to","has_attachment","starred","answered","metadata","q","cursor","wait","claim"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]},"group":"inbox","name":"get"},
  getInboxMessage: {"method":"GET","path":"/v1/inbox/{address}/messages/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"inbox","name":"getInboxMessage"},
  listQuarantine: {"method":"GET","path":"/v1/email/quarantine","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]},"group":"quarantine","name":"list"},
  releaseQuarantined: {"method":"POST","path":"/v1/email/quarantine/{id}/release","repeatable":true,"query":[],"body":"none","reply":"json","group":"quarantine","name":"release"},
  deleteQuarantined: {"method":"DELETE","path":"/v1/email/quarantine/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"quarantine","name":"delete"},
  listThreads: {"method":"GET","path":"/v1/email/threads","repeatable":true,"query":["address","limit","unread","archived","label","received","cursor"],"body":"none","reply":"json","page":{"items":"threads","cursor":"cursor","next":["next_cursor"]},"group":"email","name":"threads"},
  getThread: {"method":"GET","path":"/v1/email/threads/{id}","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]},"group":"email","name":"thread"},
  updateThread: {"method":"PATCH","path":"/v1/email/threads/{id}","repeatable":false,"query":[],"body":"fields","reply":"json","group":"email","name":"updateThread"},
  listSuppressions: {"method":"GET","path":"/v1/email/suppressions","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"suppressions","cursor":"cursor","next":["next_cursor"]},"group":"suppressions","name":"list"},
  deleteSuppression: {"method":"DELETE","path":"/v1/email/suppressions/{address}","repeatable":false,"query":[],"body":"none","reply":"json","group":"suppressions","name":"delete"},
  sendEmail: {"method":"POST","path":"/v1/email/send","repeatable":true,"query":[],"body":"fields","reply":"json","own":"from","group":"email","name":"send"},
  listOutbox: {"method":"GET","path":"/v1/email/outbox","repeatable":true,"query":["limit","cursor","metadata"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]},"group":"email","name":"outbox"},
  getSentEmail: {"method":"GET","path":"/v1/email/outbox/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"email","name":"getSent"},
  replyToMessage: {"method":"POST","path":"/v1/email/messages/{id}/reply","repeatable":true,"query":["address"],"body":"fields","reply":"json","group":"email","name":"reply"},
  replyToAll: {"method":"POST","path":"/v1/email/messages/{id}/reply_all","repeatable":true,"query":["address"],"body":"fields","reply":"json","group":"email","name":"replyAll"},
  forwardMessage: {"method":"POST","path":"/v1/email/messages/{id}/forward","repeatable":true,"query":["address"],"body":"fields","reply":"json","group":"email","name":"forward"},
  sendFromInbox: {"method":"POST","path":"/v1/inbox/{address}/send","repeatable":true,"query":[],"body":"fields","reply":"json","group":"inbox","name":"send"},
  createDraft: {"method":"POST","path":"/v1/email/drafts","repeatable":true,"query":[],"body":"fields","reply":"json","group":"drafts","name":"create"},
  listDrafts: {"method":"GET","path":"/v1/email/drafts","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"drafts","cursor":"cursor","next":["next_cursor"]},"group":"drafts","name":"list"},
  getDraft: {"method":"GET","path":"/v1/email/drafts/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"drafts","name":"get"},
  updateDraft: {"method":"PATCH","path":"/v1/email/drafts/{id}","repeatable":false,"query":[],"body":"fields","reply":"json","group":"drafts","name":"update"},
  deleteDraft: {"method":"DELETE","path":"/v1/email/drafts/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"drafts","name":"delete"},
  sendDraft: {"method":"POST","path":"/v1/email/drafts/{id}/send","repeatable":true,"query":[],"body":"none","reply":"json","group":"drafts","name":"send"},
  createWebhook: {"method":"POST","path":"/v1/email/webhooks","repeatable":true,"query":[],"body":"fields","reply":"json","group":"webhooks","name":"createWebhook"},
  listWebhooks: {"method":"GET","path":"/v1/email/webhooks","repeatable":true,"query":["address"],"body":"none","reply":"json","group":"webhooks","name":"listWebhooks"},
  createEventWebhook: {"method":"POST","path":"/v1/webhooks","repeatable":true,"query":[],"body":"fields","reply":"json","group":"webhooks","name":"create","former":["createEvent"]},
  listEventWebhooks: {"method":"GET","path":"/v1/webhooks","repeatable":true,"query":["address"],"body":"none","reply":"json","group":"webhooks","name":"list","former":["listEvent"]},
  getEventWebhook: {"method":"GET","path":"/v1/webhooks/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"webhooks","name":"get","former":["getEvent"]},
  getEventWebhookDelivery: {"method":"GET","path":"/v1/webhooks/{id}/deliveries/{delivery_id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"webhooks","name":"getEventWebhookDelivery"},
  updateEventWebhook: {"method":"PATCH","path":"/v1/webhooks/{id}","repeatable":false,"query":[],"body":"fields","reply":"json","group":"webhooks","name":"update","former":["updateEvent"]},
  deleteWebhook: {"method":"DELETE","path":"/v1/email/webhooks/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"webhooks","name":"deleteWebhook"},
  testWebhook: {"method":"POST","path":"/v1/email/webhooks/{id}/test","repeatable":true,"query":[],"body":"none","reply":"json","group":"webhooks","name":"testWebhook"},
  listWebhookDeliveries: {"method":"GET","path":"/v1/email/webhooks/{id}/deliveries","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"deliveries","cursor":"cursor","next":["next_cursor"]},"group":"webhooks","name":"listWebhookDeliveries"},
  retryWebhookDelivery: {"method":"POST","path":"/v1/email/webhooks/{id}/deliveries/{delivery_id}/retry","repeatable":true,"query":[],"body":"none","reply":"json","group":"webhooks","name":"retryWebhookDelivery"},
  deleteEventWebhook: {"method":"DELETE","path":"/v1/webhooks/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"webhooks","name":"delete","former":["deleteEvent"]},
  testEventWebhook: {"method":"POST","path":"/v1/webhooks/{id}/test","repeatable":true,"query":[],"body":"none","reply":"json","group":"webhooks","name":"test","former":["testEvent"]},
  listEventWebhookDeliveries: {"method":"GET","path":"/v1/webhooks/{id}/deliveries","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"deliveries","cursor":"cursor","next":["next_cursor"]},"group":"webhooks","name":"deliveries","former":["listEventWebhookDeliveries"]},
  retryEventWebhookDelivery: {"method":"POST","path":"/v1/webhooks/{id}/deliveries/{delivery_id}/retry","repeatable":true,"query":[],"body":"none","reply":"json","group":"webhooks","name":"retry","former":["retryEventWebhookDelivery"]},
  rotateWebhookSecret: {"method":"POST","path":"/v1/webhooks/{id}/rotate-secret","repeatable":true,"query":[],"body":"fields","reply":"json","group":"webhooks","name":"rotateSecret","former":["rotateWebhookSecret"]},
  rotateEmailWebhookSecret: {"method":"POST","path":"/v1/email/webhooks/{id}/rotate-secret","repeatable":true,"query":[],"body":"fields","reply":"json","group":"webhooks","name":"rotateEmailWebhookSecret"},
  listVaultKeys: {"method":"GET","path":"/v1/vault/","repeatable":true,"query":["cursor","limit"],"body":"none","reply":"json","page":{"items":"keys","cursor":"cursor","next":["next_cursor"]},"group":"vaultEntries","name":"list"},
  putVaultEntry: {"method":"PUT","path":"/v1/vault/{key}","repeatable":true,"query":[],"body":"fields","reply":"json","group":"vaultEntries","name":"put"},
  getVaultEntry: {"method":"GET","path":"/v1/vault/{key}","repeatable":true,"query":["version"],"body":"none","reply":"json","group":"vaultEntries","name":"get"},
  listVaultVersions: {"method":"GET","path":"/v1/vault/{key}/versions","repeatable":true,"query":[],"body":"none","reply":"json","group":"vaultEntries","name":"listVaultVersions"},
  deleteVaultEntry: {"method":"DELETE","path":"/v1/vault/{key}","repeatable":false,"query":["version"],"body":"none","reply":"json","group":"vaultEntries","name":"delete"},
  setVaultRecovery: {"method":"POST","path":"/v1/vault/recovery-email","repeatable":true,"query":[],"body":"fields","reply":"json","group":"vaultRecovery","name":"set"},
  storeSeed: {"method":"POST","path":"/v1/vault/store","repeatable":true,"query":[],"body":"fields","reply":"json","group":"vaultRecovery","name":"storeSeed"},
  requestVaultRecovery: {"method":"POST","path":"/v1/vault/recover","repeatable":true,"query":[],"body":"fields","reply":"json","group":"vaultRecovery","name":"request"},
  verifyVaultRecovery: {"method":"GET","path":"/v1/vault/recover/verify","repeatable":false,"query":["token"],"body":"none","reply":"json","group":"vaultRecovery","name":"verify"},
  listWaiting: {"method":"GET","path":"/v1/account/waiting","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"items","cursor":"cursor","next":["next_cursor"]},"group":"accounts","name":"waiting"},
  listOperatorWaiting: {"method":"GET","path":"/v1/operator/waiting","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"items","cursor":"cursor","next":["next_cursor"]},"group":"operators","name":"waiting"},
  search: {"method":"GET","path":"/v1/search","repeatable":true,"query":["q","kinds","limit"],"body":"none","reply":"json","group":"accounts","name":"search"},
  searchAgents: {"method":"GET","path":"/v1/operator/search","repeatable":true,"query":["q","kinds","limit"],"body":"none","reply":"json","group":"operators","name":"searchAgents"},
  getAccount: {"method":"GET","path":"/v1/account/me","repeatable":true,"query":["include"],"body":"none","reply":"json","group":"accounts","name":"get"},
  createPod: {"method":"POST","path":"/v1/pods","repeatable":true,"query":[],"body":"fields","reply":"json","group":"pods","name":"create"},
  listPods: {"method":"GET","path":"/v1/pods","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"pods","cursor":"cursor","next":["next_cursor"]},"group":"pods","name":"list"},
  getPod: {"method":"GET","path":"/v1/pods/{pod_id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"pods","name":"get"},
  updatePod: {"method":"PATCH","path":"/v1/pods/{pod_id}","repeatable":false,"query":[],"body":"fields","reply":"json","group":"pods","name":"update"},
  suspendPod: {"method":"DELETE","path":"/v1/pods/{pod_id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"pods","name":"suspend"},
  replacePodKey: {"method":"POST","path":"/v1/pods/{pod_id}/keys","repeatable":true,"query":[],"body":"none","reply":"json","group":"pods","name":"replacePodKey"},
  createStack: {"method":"POST","path":"/v1/stack","repeatable":true,"query":[],"body":"fields","reply":"json","group":"stacks","name":"create"},
  listStacks: {"method":"GET","path":"/v1/stack","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"stacks","cursor":"cursor","next":["next_cursor"]},"group":"stacks","name":"list"},
  getStack: {"method":"GET","path":"/v1/stack/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"stacks","name":"get"},
  verifyStack: {"method":"POST","path":"/v1/stack/{id}/verify","repeatable":true,"query":[],"body":"none","reply":"json","group":"stacks","name":"verify"},
  deleteStack: {"method":"DELETE","path":"/v1/stack/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"stacks","name":"delete"},
  getUsage: {"method":"GET","path":"/v1/usage","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"usage"},
  getUsageDays: {"method":"GET","path":"/v1/usage/days","repeatable":true,"query":[],"body":"none","reply":"json","group":"usage","name":"getUsageDays"},
  getPodUsage: {"method":"GET","path":"/v1/pods/{pod_id}/usage","repeatable":true,"query":[],"body":"none","reply":"json","group":"pods","name":"getPodUsage"},
  getBilling: {"method":"GET","path":"/v1/billing","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"billing"},
  createObservation: {"method":"POST","path":"/v1/observations","repeatable":true,"query":[],"body":"fields","reply":"json","group":"observations","name":"create"},
  listObservations: {"method":"GET","path":"/v1/observations","repeatable":true,"query":["topic","agent_id","subject_agent_id","since","scope","limit","cursor"],"body":"none","reply":"json","page":{"items":"observations","cursor":"cursor","next":["next_cursor"]},"group":"observations","name":"list"},
  listObservationTopics: {"method":"GET","path":"/v1/observations/topics","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"topics","cursor":"cursor","next":["next_cursor"]},"group":"observations","name":"listObservationTopics"},
  getObservation: {"method":"GET","path":"/v1/observations/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"observations","name":"get"},
  submitTelemetry: {"method":"POST","path":"/v1/telemetry/submit","repeatable":true,"query":[],"body":"whole","reply":"json","group":"trust","name":"submitTelemetry"},
  getTrust: {"method":"GET","path":"/v1/trust/{agentId}","repeatable":true,"query":[],"body":"none","reply":"json","group":"trust","name":"get"},
  issueToken: {"method":"POST","path":"/v1/tokens/issue","repeatable":true,"query":[],"body":"fields","reply":"json","group":"tokens","name":"issue"},
  listTokens: {"method":"GET","path":"/v1/tokens","repeatable":true,"query":["status","limit","cursor"],"body":"none","reply":"json","page":{"items":"tokens","cursor":"cursor","next":["next_cursor"]},"group":"tokens","name":"list"},
  introspectToken: {"method":"POST","path":"/v1/tokens/introspect","repeatable":true,"query":[],"body":"fields","reply":"json","group":"tokens","name":"introspect"},
  revokeToken: {"method":"POST","path":"/v1/tokens/revoke","repeatable":true,"query":[],"body":"fields","reply":"json","group":"tokens","name":"revoke"},
  revokeClientToken: {"method":"POST","path":"/oauth/revoke","repeatable":true,"query":[],"body":"fields","reply":"json","group":"oauth","name":"revokeClientToken"},
  getJwks: {"method":"GET","path":"/.well-known/jwks.json","repeatable":true,"query":[],"body":"none","reply":"json","group":"discovery","name":"getJwks"},
  getOpenIdConfiguration: {"method":"GET","path":"/.well-known/openid-configuration","repeatable":true,"query":[],"body":"none","reply":"json","group":"discovery","name":"getOpenIdConfiguration"},
  getAuthorizationServerMetadata: {"method":"GET","path":"/.well-known/oauth-authorization-server","repeatable":true,"query":[],"body":"none","reply":"json","group":"discovery","name":"getAuthorizationServerMetadata"},
  getProtectedResourceMetadata: {"method":"GET","path":"/.well-known/oauth-protected-resource/mcp","repeatable":true,"query":[],"body":"none","reply":"json","group":"discovery","name":"getProtectedResourceMetadata"},
  getServiceDid: {"method":"GET","path":"/.well-known/did.json","repeatable":true,"query":[],"body":"none","reply":"json","group":"discovery","name":"getServiceDid"},
  getAgentCard: {"method":"GET","path":"/.well-known/agent.json","repeatable":true,"query":[],"body":"none","reply":"json","group":"discovery","name":"getAgentCard"},
  registerSigningKey: {"method":"POST","path":"/v1/agents/signing-keys","repeatable":true,"query":[],"body":"fields","reply":"json","group":"profiles","name":"registerSigningKey"},
  listSigningKeys: {"method":"GET","path":"/v1/agents/signing-keys","repeatable":true,"query":[],"body":"none","reply":"json","group":"profiles","name":"listSigningKeys"},
  deleteSigningKey: {"method":"DELETE","path":"/v1/agents/signing-keys/{keyid}","repeatable":false,"query":[],"body":"none","reply":"json","group":"profiles","name":"deleteSigningKey"},
  getAgentProfile: {"method":"GET","path":"/agents/{name}","repeatable":true,"query":[],"body":"none","reply":"bytes","group":"profiles","name":"getAgent"},
  getAgentDid: {"method":"GET","path":"/agents/{name}/did.json","repeatable":true,"query":[],"body":"none","reply":"json","group":"profiles","name":"getAgentDid"},
  getAgentJwks: {"method":"GET","path":"/agents/{name}/.well-known/jwks.json","repeatable":true,"query":[],"body":"none","reply":"json","group":"profiles","name":"getAgentJwks"},
  getProfile: {"method":"GET","path":"/v1/agents/profile","repeatable":true,"query":[],"body":"none","reply":"json","group":"profiles","name":"get"},
  updateProfile: {"method":"PATCH","path":"/v1/agents/profile","repeatable":false,"query":[],"body":"fields","reply":"json","group":"profiles","name":"update"},
  listAuditEntries: {"method":"GET","path":"/v1/audit","repeatable":true,"query":["from","to","category","action","resource_id","result","actor","key","status","request_id","console","limit","cursor"],"body":"none","reply":"json","page":{"items":"entries","cursor":"cursor","next":["next_cursor"]},"group":"audit","name":"list"},
  listAuditSeals: {"method":"GET","path":"/v1/audit/seals","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"seals","cursor":"cursor","next":["next_cursor"]},"group":"audit","name":"listAuditSeals"},
  getAuditRecord: {"method":"GET","path":"/v1/audit/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"audit","name":"getAuditRecord"},
  listOperatorDecisions: {"method":"GET","path":"/v1/operator/decisions","repeatable":true,"query":["limit"],"body":"none","reply":"json","group":"operators","name":"listOperatorDecisions"},
  listRequests: {"method":"GET","path":"/v1/requests","repeatable":true,"query":["from","to","key","path","status","console","limit","cursor"],"body":"none","reply":"json","page":{"items":"requests","cursor":"cursor","next":["next_cursor"]},"group":"audit","name":"listRequests"},
  getRequest: {"method":"GET","path":"/v1/requests/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"audit","name":"getRequest"},
  deleteAccount: {"method":"DELETE","path":"/v1/account","repeatable":false,"query":[],"body":"none","reply":"json","group":"accounts","name":"delete"},
  cancelAccountDeletion: {"method":"POST","path":"/v1/account/delete/cancel","repeatable":true,"query":[],"body":"none","reply":"json","group":"accounts","name":"cancelAccountDeletion"},
  exportAccount: {"method":"GET","path":"/v1/account/export","repeatable":false,"query":[],"body":"none","reply":"bytes","group":"accounts","name":"export"},
  createCalendarEvent: {"method":"POST","path":"/v1/calendar/events","repeatable":true,"query":[],"body":"fields","reply":"json","group":"calendar","name":"create"},
  listCalendarEvents: {"method":"GET","path":"/v1/calendar/events","repeatable":true,"query":["from","to","limit","cursor"],"body":"none","reply":"json","page":{"items":"events","cursor":"cursor","next":["next_cursor"]},"group":"calendar","name":"list"},
  getCalendarEvent: {"method":"GET","path":"/v1/calendar/events/{id}","repeatable":true,"query":[],"body":"none","reply":"json","group":"calendar","name":"get"},
  updateCalendarEvent: {"method":"PATCH","path":"/v1/calendar/events/{id}","repeatable":false,"query":[],"body":"fields","reply":"json","group":"calendar","name":"update"},
  deleteCalendarEvent: {"method":"DELETE","path":"/v1/calendar/events/{id}","repeatable":false,"query":[],"body":"none","reply":"json","group":"calendar","name":"delete"},
  respondToInvitation: {"method":"POST","path":"/v1/calendar/events/{id}/respond","repeatable":true,"query":[],"body":"fields","reply":"json","group":"calendar","name":"respond"},
  getCalendarFeed: {"method":"GET","path":"/v1/calendar/feed","repeatable":true,"query":[],"body":"none","reply":"json","group":"calendar","name":"getCalendarFeed"},
  rotateCalendarFeed: {"method":"POST","path":"/v1/calendar/feed/rotate","repeatable":true,"query":[],"body":"none","reply":"json","group":"calendar","name":"rotateCalendarFeed"},
  readCalendarFeed: {"method":"GET","path":"/v1/calendar/feed.ics","repeatable":true,"query":["cal_token"],"body":"none","reply":"text","group":"calendar","name":"readCalendarFeed"},
  getCalendarSettings: {"method":"GET","path":"/v1/calendar/settings","repeatable":true,"query":[],"body":"none","reply":"json","group":"calendar","name":"getCalendarSettings"},
  setCalendarSettings: {"method":"PUT","path":"/v1/calendar/settings","repeatable":true,"query":[],"body":"fields","reply":"json","group":"calendar","name":"setCalendarSettings"},
  requestCredential: {"method":"POST","path":"/v1/credentials/request","repeatable":true,"query":[],"body":"fields","reply":"json","group":"credentials","name":"request"},
  pollCredential: {"method":"POST","path":"/v1/credentials/poll","repeatable":true,"query":[],"body":"fields","reply":"json","group":"credentials","name":"poll"},
  listCredentialRequests: {"method":"GET","path":"/v1/credentials/requests","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"requests","cursor":"cursor","next":["next_cursor"]},"group":"credentials","name":"listCredentialRequests"},
  verifyCredentialOperator: {"method":"POST","path":"/v1/credentials/verify-email","repeatable":true,"query":[],"body":"fields","reply":"json","group":"credentials","name":"verifyCredentialOperator"},
  viewCredentialRequest: {"method":"POST","path":"/v1/credentials/view","repeatable":true,"query":[],"body":"fields","reply":"json","group":"credentials","name":"viewCredentialRequest"},
  approveCredential: {"method":"POST","path":"/v1/credentials/approve","repeatable":true,"query":[],"body":"fields","reply":"json","group":"credentials","name":"approve"},
  submitFinding: {"method":"POST","path":"/v1/agents/{agentId}/findings","repeatable":true,"query":[],"body":"fields","reply":"json","group":"findings","name":"submit"},
  listFindings: {"method":"GET","path":"/v1/agents/{agentId}/findings","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"findings","cursor":"cursor","next":["next_cursor"]},"group":"findings","name":"list"},
  getFinding: {"method":"GET","path":"/v1/findings/{jti}","repeatable":true,"query":[],"body":"none","reply":"json","group":"findings","name":"get"},
  judgeFinding: {"method":"POST","path":"/v1/findings/{jti}/outcome","repeatable":true,"query":[],"body":"fields","reply":"json","group":"findings","name":"judge"},
  getTrackRecord: {"method":"GET","path":"/v1/agents/{agentId}/track-record","repeatable":true,"query":[],"body":"none","reply":"json","group":"findings","name":"getTrackRecord"},
  createProgram: {"method":"POST","path":"/v1/programs","repeatable":true,"query":[],"body":"fields","reply":"json","group":"findings","name":"createProgram"},
  listPrograms: {"method":"GET","path":"/v1/programs","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"programs","cursor":"cursor","next":["next_cursor"]},"group":"findings","name":"listPrograms"},
  endProgram: {"method":"DELETE","path":"/v1/programs/{programId}","repeatable":false,"query":[],"body":"none","reply":"json","group":"findings","name":"endProgram"},
  callMcp: {"method":"POST","path":"/mcp","repeatable":true,"query":[],"body":"fields","reply":"json","group":"mcp","name":"call","former":["callMcp"]},
  callMcpGroup: {"method":"POST","path":"/mcp/x/{group}","repeatable":true,"query":[],"body":"fields","reply":"json","group":"mcp","name":"callGroup","former":["callMcpGroup"]},
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** The input and output of each operation. */
export type OperationTypes = {
  [Name in OperationName]: {
    input: NonNullable<Parameters<Operations[Name]>[0]>;
    reply: Awaited<ReturnType<Operations[Name]>>;
  };
};

/** The entries of lists with pages. */
export interface PagedItems {
  listPayments: ListPaymentsReply['payments'][number];
  listDelegations: ListDelegationsReply['delegations'][number];
  getBudgetHistory: GetBudgetHistoryReply['entries'][number];
  listApprovals: ListApprovalsReply['approvals'][number];
  listGrants: ListGrantsReply['grants'][number];
  listPasskeys: ListPasskeysReply['passkeys'][number];
  listSessions: ListSessionsReply['sessions'][number];
  listReviews: ListReviewsReply['reviews'][number];
  listOperatorAgents: ListOperatorAgentsReply['agents'][number];
  listEvents: ListEventsReply['events'][number];
  listInbox: ListInboxReply['messages'][number];
  getInbox: GetInboxReply['messages'][number];
  listQuarantine: ListQuarantineReply['messages'][number];
  listThreads: ListThreadsReply['threads'][number];
  getThread: GetThreadReply['messages'][number];
  listSuppressions: ListSuppressionsReply['suppressions'][number];
  listOutbox: ListOutboxReply['messages'][number];
  listDrafts: ListDraftsReply['drafts'][number];
  listWebhookDeliveries: ListWebhookDeliveriesReply['deliveries'][number];
  listEventWebhookDeliveries: ListEventWebhookDeliveriesReply['deliveries'][number];
  listVaultKeys: ListVaultKeysReply['keys'][number];
  listWaiting: ListWaitingReply['items'][number];
  listOperatorWaiting: ListOperatorWaitingReply['items'][number];
  listPods: ListPodsReply['pods'][number];
  listStacks: ListStacksReply['stacks'][number];
  listObservations: ListObservationsReply['observations'][number];
  listObservationTopics: ListObservationTopicsReply['topics'][number];
  listTokens: ListTokensReply['tokens'][number];
  listAuditEntries: ListAuditEntriesReply['entries'][number];
  listAuditSeals: ListAuditSealsReply['seals'][number];
  listRequests: ListRequestsReply['requests'][number];
  listCalendarEvents: ListCalendarEventsReply['events'][number];
  listCredentialRequests: ListCredentialRequestsReply['requests'][number];
  listFindings: ListFindingsReply['findings'][number];
  listPrograms: ListProgramsReply['programs'][number];
}

/** An input that may leave out a field: the client fills in the only address of the account. */
type Defaulted<Input, Field extends keyof Input> = Omit<Input, Field> & { [Name in Field]?: Input[Name] | undefined };

export interface AccountsMethods {
  /** List x402 payments, newest first: `GET /v1/billing/payments`, as `listPayments`. */
  payments: { (input?: ListPaymentsInput, options?: CallOptions): Promise<ListPaymentsReply>; iter(input?: ListPaymentsInput, options?: CallOptions): AsyncGenerator<PagedItems['listPayments'], void, undefined> };
  /** List announced removals: `GET /v1/account/notices`, as `listNotices`. */
  listNotices(input?: ListNoticesInput, options?: CallOptions): Promise<ListNoticesReply>;
  /** Stop an announced removal: `POST /v1/account/notices/{id}/undo`, as `undoNotice`. */
  undoNotice(input: UndoNoticeInput, options?: CallOptions): Promise<UndoNoticeReply>;
  /** Get what may leave the account: `GET /v1/account/policy`, as `getAccountPolicy`. */
  getAccountPolicy(input?: GetAccountPolicyInput, options?: CallOptions): Promise<GetAccountPolicyReply>;
  /** Set what may leave the account: `PUT /v1/account/policy`, as `setAccountPolicy`. */
  setAccountPolicy(input: SetAccountPolicyInput, options?: CallOptions): Promise<SetAccountPolicyReply>;
  /** Get what you may do: `GET /v1/account/power`, as `getPower`. */
  getPower(input?: GetPowerInput, options?: CallOptions): Promise<GetPowerReply>;
  /** Send login links by email: `POST /v1/auth/login`, as `login`. */
  login(input: LoginInput, options?: CallOptions): Promise<LoginReply>;
  /** Open a session with a login link: `GET /v1/auth/verify`, as `verifyLogin`. */
  verifyLogin(input: VerifyLoginInput, options?: CallOptions): Promise<VerifyLoginReply>;
  /** End the session: `POST /v1/auth/logout`, as `logout`. */
  logout(input?: LogoutInput, options?: CallOptions): Promise<LogoutReply>;
  /** Create an account with an API key: `POST /v1/auth/keys`, as `createKey`. */
  createKey(input?: CreateKeyInput, options?: CallOptions): Promise<CreateKeyReply>;
  /** Replace the active key: `POST /v1/auth/keys/rotate`, as `rotateKey`. */
  rotate(input?: RotateKeyInput, options?: CallOptions): Promise<RotateKeyReply>;
  /** @deprecated The earlier name of `rotate`. */
  rotateKey: AccountsMethods['rotate'];
  /** Create the backup key: `POST /v1/auth/keys/generate-backup`, as `generateBackupKey`. */
  generateBackupKey(input?: GenerateBackupKeyInput, options?: CallOptions): Promise<GenerateBackupKeyReply>;
  /** Activate the backup key: `POST /v1/auth/keys/activate-backup`, as `activateBackupKey`. */
  activateBackupKey(input?: ActivateBackupKeyInput, options?: CallOptions): Promise<ActivateBackupKeyReply>;
  /** Remove the backup key: `DELETE /v1/auth/keys/backup`, as `deleteBackupKey`. */
  deleteBackupKey(input?: DeleteBackupKeyInput, options?: CallOptions): Promise<DeleteBackupKeyReply>;
  /** List keys: `GET /v1/auth/keys/list`, as `listKeys`. */
  listKeys(input?: ListKeysInput, options?: CallOptions): Promise<ListKeysReply>;
  /** List the keys that stand: `GET /v1/account/keys`, as `listAccountKeys`. */
  listAccountKeys(input?: ListAccountKeysInput, options?: CallOptions): Promise<ListAccountKeysReply>;
  /** Create a named key: `POST /v1/account/keys`, as `createNamedKey`. */
  createNamedKey(input: CreateNamedKeyInput, options?: CallOptions): Promise<CreateNamedKeyReply>;
  /** Change what a named key may do, its end, name or share: `PATCH /v1/account/keys/{id}`, as `changeNamedKey`. */
  changeNamedKey(input: ChangeNamedKeyInput, options?: CallOptions): Promise<ChangeNamedKeyReply>;
  /** Delete a named key: `DELETE /v1/account/keys/{id}`, as `deleteNamedKey`. */
  deleteNamedKey(input: DeleteNamedKeyInput, options?: CallOptions): Promise<DeleteNamedKeyReply>;
  /** Replace the text of a named key: `POST /v1/account/keys/{id}/rotate`, as `rotateNamedKey`. */
  rotateNamedKey(input: RotateNamedKeyInput, options?: CallOptions): Promise<RotateNamedKeyReply>;
  /** Take the account back after its key was stolen: `POST /v1/account/secure`, as `secureAccount`. */
  secure(input?: SecureAccountInput, options?: CallOptions): Promise<SecureAccountReply>;
  /** Set or clear the recovery email: `POST /v1/account/recovery-email`, as `setRecoveryEmail`. */
  setRecoveryEmail(input: SetRecoveryEmailInput, options?: CallOptions): Promise<SetRecoveryEmailReply>;
  /** Name an operator, or clear all: `POST /v1/account/operator-email`, as `setOperatorEmail`. */
  setOperatorEmail(input: SetOperatorEmailInput, options?: CallOptions): Promise<SetOperatorEmailReply>;
  /** Remove an operator: `DELETE /v1/account/operators/{address}`, as `removeOperator`. */
  removeOperator(input: RemoveOperatorInput, options?: CallOptions): Promise<RemoveOperatorReply>;
  /** Get what an address is asked to confirm: `POST /v1/people/view`, as `viewConfirmation`. */
  viewConfirmation(input?: ViewConfirmationInput, options?: CallOptions): Promise<ViewConfirmationReply>;
  /** Confirm or refuse an address: `POST /v1/people/confirm`, as `confirmPerson`. */
  confirmPerson(input: ConfirmPersonInput, options?: CallOptions): Promise<ConfirmPersonReply>;
  /** Open a session with a key, for a console: `POST /v1/auth/session`, as `openConsoleSession`. */
  openConsoleSession(input?: OpenConsoleSessionInput, options?: CallOptions): Promise<OpenConsoleSessionReply>;
  /** List open sessions: `GET /v1/account/sessions`, as `listSessions`. */
  listSessions: { (input?: ListSessionsInput, options?: CallOptions): Promise<ListSessionsReply>; iter(input?: ListSessionsInput, options?: CallOptions): AsyncGenerator<PagedItems['listSessions'], void, undefined> };
  /** End a session: `DELETE /v1/account/sessions/{id}`, as `endSession`. */
  endSession(input: EndSessionInput, options?: CallOptions): Promise<EndSessionReply>;
  /** Create an account with an API key and an email address: `POST /v1/register`, as `register`. */
  register(input?: RegisterInput, options?: CallOptions): Promise<RegisterReply>;
  /** List what waits, oldest first: `GET /v1/account/waiting`, as `listWaiting`. */
  waiting: { (input?: ListWaitingInput, options?: CallOptions): Promise<ListWaitingReply>; iter(input?: ListWaitingInput, options?: CallOptions): AsyncGenerator<PagedItems['listWaiting'], void, undefined> };
  /** Find things by their names, and mail by its words: `GET /v1/search`, as `search`. */
  search(input: SearchInput, options?: CallOptions): Promise<SearchReply>;
  /** Get the account: `GET /v1/account/me`, as `getAccount`. */
  get(input?: GetAccountInput, options?: CallOptions): Promise<GetAccountReply>;
  /** Get usage and limits: `GET /v1/usage`, as `getUsage`. */
  usage(input?: GetUsageInput, options?: CallOptions): Promise<GetUsageReply>;
  /** Get plan and prices: `GET /v1/billing`, as `getBilling`. */
  billing(input?: GetBillingInput, options?: CallOptions): Promise<GetBillingReply>;
  /** Delete the account in 72 hours: `DELETE /v1/account`, as `deleteAccount`. */
  delete(input?: DeleteAccountInput, options?: CallOptions): Promise<DeleteAccountReply>;
  /** Cancel the deletion of the account: `POST /v1/account/delete/cancel`, as `cancelAccountDeletion`. */
  cancelAccountDeletion(input?: CancelAccountDeletionInput, options?: CallOptions): Promise<CancelAccountDeletionReply>;
  /** Export the account: `GET /v1/account/export`, as `exportAccount`. */
  export(input?: ExportAccountInput, options?: CallOptions): Promise<ExportAccountReply>;
}

export interface ApprovalsMethods {
  /** List approvals, newest first: `GET /v1/approvals`, as `listApprovals`. */
  list: { (input?: ListApprovalsInput, options?: CallOptions): Promise<ListApprovalsReply>; iter(input?: ListApprovalsInput, options?: CallOptions): AsyncGenerator<PagedItems['listApprovals'], void, undefined> };
  /** Get an approval: `GET /v1/approvals/{id}`, as `getApproval`. */
  get(input: GetApprovalInput, options?: CallOptions): Promise<GetApprovalReply>;
  /** Approve a charge: `POST /v1/approvals/{id}/approve`, as `approveCharge`. */
  approve(input: ApproveChargeInput, options?: CallOptions): Promise<ApproveChargeReply>;
  /** Reject a charge: `POST /v1/approvals/{id}/reject`, as `rejectCharge`. */
  reject(input: RejectChargeInput, options?: CallOptions): Promise<RejectChargeReply>;
  /** Get the approval for an emailed link: `POST /v1/approvals/{id}/view`, as `viewApproval`. */
  view(input: ViewApprovalInput, options?: CallOptions): Promise<ViewApprovalReply>;
  /** Approve or reject with the token from an emailed link: `POST /v1/approvals/{id}/decide`, as `decideApproval`. */
  decide(input: DecideApprovalInput, options?: CallOptions): Promise<DecideApprovalReply>;
}

export interface AuditMethods {
  /** List audit entries: `GET /v1/audit`, as `listAuditEntries`. */
  list: { (input?: ListAuditEntriesInput, options?: CallOptions): Promise<ListAuditEntriesReply>; iter(input?: ListAuditEntriesInput, options?: CallOptions): AsyncGenerator<PagedItems['listAuditEntries'], void, undefined> };
  /** List audit checkpoints: `GET /v1/audit/seals`, as `listAuditSeals`. */
  listAuditSeals: { (input?: ListAuditSealsInput, options?: CallOptions): Promise<ListAuditSealsReply>; iter(input?: ListAuditSealsInput, options?: CallOptions): AsyncGenerator<PagedItems['listAuditSeals'], void, undefined> };
  /** Get an audit entry, or the status of a token: `GET /v1/audit/{id}`, as `getAuditRecord`. */
  getAuditRecord(input: GetAuditRecordInput, options?: CallOptions): Promise<GetAuditRecordReply>;
  /** List the latest requests of the account: `GET /v1/requests`, as `listRequests`. */
  listRequests: { (input?: ListRequestsInput, options?: CallOptions): Promise<ListRequestsReply>; iter(input?: ListRequestsInput, options?: CallOptions): AsyncGenerator<PagedItems['listRequests'], void, undefined> };
  /** Get a request of the account: `GET /v1/requests/{id}`, as `getRequest`. */
  getRequest(input: GetRequestInput, options?: CallOptions): Promise<GetRequestReply>;
}

export interface BudgetMethods {
  /** Get the budget: `GET /v1/budget`, as `getBudget`. */
  get(input?: GetBudgetInput, options?: CallOptions): Promise<GetBudgetReply>;
  /** Update the budget: `PUT /v1/budget`, as `setBudget`. */
  set(input?: SetBudgetInput, options?: CallOptions): Promise<SetBudgetReply>;
  /** List charges, newest first: `GET /v1/budget/history`, as `getBudgetHistory`. */
  history: { (input?: GetBudgetHistoryInput, options?: CallOptions): Promise<GetBudgetHistoryReply>; iter(input?: GetBudgetHistoryInput, options?: CallOptions): AsyncGenerator<PagedItems['getBudgetHistory'], void, undefined> };
  /** Charge the budget: `POST /v1/charge`, as `charge`. */
  charge(input: ChargeInput, options?: CallOptions): Promise<ChargeReply>;
}

export interface CalendarMethods {
  /** Create a calendar event: `POST /v1/calendar/events`, as `createCalendarEvent`. */
  create(input: CreateCalendarEventInput, options?: CallOptions): Promise<CreateCalendarEventReply>;
  /** List calendar events by start time: `GET /v1/calendar/events`, as `listCalendarEvents`. */
  list: { (input?: ListCalendarEventsInput, options?: CallOptions): Promise<ListCalendarEventsReply>; iter(input?: ListCalendarEventsInput, options?: CallOptions): AsyncGenerator<PagedItems['listCalendarEvents'], void, undefined> };
  /** Get a calendar event: `GET /v1/calendar/events/{id}`, as `getCalendarEvent`. */
  get(input: GetCalendarEventInput, options?: CallOptions): Promise<GetCalendarEventReply>;
  /** Update a calendar event: `PATCH /v1/calendar/events/{id}`, as `updateCalendarEvent`. */
  update(input: UpdateCalendarEventInput, options?: CallOptions): Promise<UpdateCalendarEventReply>;
  /** Delete a calendar event, and cancel its invitations: `DELETE /v1/calendar/events/{id}`, as `deleteCalendarEvent`. */
  delete(input: DeleteCalendarEventInput, options?: CallOptions): Promise<DeleteCalendarEventReply>;
  /** Answer an invitation by mail: `POST /v1/calendar/events/{id}/respond`, as `respondToInvitation`. */
  respond(input: RespondToInvitationInput, options?: CallOptions): Promise<RespondToInvitationReply>;
  /** Get the feed link: `GET /v1/calendar/feed`, as `getCalendarFeed`. */
  getCalendarFeed(input?: GetCalendarFeedInput, options?: CallOptions): Promise<GetCalendarFeedReply>;
  /** Replace the feed link: `POST /v1/calendar/feed/rotate`, as `rotateCalendarFeed`. */
  rotateCalendarFeed(input?: RotateCalendarFeedInput, options?: CallOptions): Promise<RotateCalendarFeedReply>;
  /** Get the calendar as iCalendar: `GET /v1/calendar/feed.ics`, as `readCalendarFeed`. */
  readCalendarFeed(input: ReadCalendarFeedInput, options?: CallOptions): Promise<ReadCalendarFeedReply>;
  /** Get the calendar settings: `GET /v1/calendar/settings`, as `getCalendarSettings`. */
  getCalendarSettings(input?: GetCalendarSettingsInput, options?: CallOptions): Promise<GetCalendarSettingsReply>;
  /** Update the calendar settings: `PUT /v1/calendar/settings`, as `setCalendarSettings`. */
  setCalendarSettings(input: SetCalendarSettingsInput, options?: CallOptions): Promise<SetCalendarSettingsReply>;
}

export interface CredentialsMethods {
  /** Ask the operator for a credential: `POST /v1/credentials/request`, as `requestCredential`. */
  request(input: RequestCredentialInput, options?: CallOptions): Promise<RequestCredentialReply>;
  /** Poll a credential request: `POST /v1/credentials/poll`, as `pollCredential`. */
  poll(input: PollCredentialInput, options?: CallOptions): Promise<PollCredentialReply>;
  /** List open credential requests: `GET /v1/credentials/requests`, as `listCredentialRequests`. */
  listCredentialRequests: { (input?: ListCredentialRequestsInput, options?: CallOptions): Promise<ListCredentialRequestsReply>; iter(input?: ListCredentialRequestsInput, options?: CallOptions): AsyncGenerator<PagedItems['listCredentialRequests'], void, undefined> };
  /** Email a link to the operator of a request: `POST /v1/credentials/verify-email`, as `verifyCredentialOperator`. */
  verifyCredentialOperator(input: VerifyCredentialOperatorInput, options?: CallOptions): Promise<VerifyCredentialOperatorReply>;
  /** Get a credential request as its operator: `POST /v1/credentials/view`, as `viewCredentialRequest`. */
  viewCredentialRequest(input: ViewCredentialRequestInput, options?: CallOptions): Promise<ViewCredentialRequestReply>;
  /** Approve or deny a credential request: `POST /v1/credentials/approve`, as `approveCredential`. */
  approve(input: ApproveCredentialInput, options?: CallOptions): Promise<ApproveCredentialReply>;
}

export interface DelegationsMethods {
  /** Delegate to another account: `POST /v1/delegations`, as `createDelegation`. */
  create(input: CreateDelegationInput, options?: CallOptions): Promise<CreateDelegationReply>;
  /** List delegations by and to this account: `GET /v1/delegations`, as `listDelegations`. */
  list: { (input?: ListDelegationsInput, options?: CallOptions): Promise<ListDelegationsReply>; iter(input?: ListDelegationsInput, options?: CallOptions): AsyncGenerator<PagedItems['listDelegations'], void, undefined> };
  /** End a delegation: `DELETE /v1/delegations/{id}`, as `endDelegation`. */
  end(input: EndDelegationInput, options?: CallOptions): Promise<EndDelegationReply>;
}

export interface DiscoveryMethods {
  /** List public keys (JWKS, RFC 7517): `GET /.well-known/jwks.json`, as `getJwks`. */
  getJwks(input?: GetJwksInput, options?: CallOptions): Promise<GetJwksReply>;
  /** Get server metadata (OpenID Connect): `GET /.well-known/openid-configuration`, as `getOpenIdConfiguration`. */
  getOpenIdConfiguration(input?: GetOpenIdConfigurationInput, options?: CallOptions): Promise<GetOpenIdConfigurationReply>;
  /** Get server metadata (RFC 8414): `GET /.well-known/oauth-authorization-server`, as `getAuthorizationServerMetadata`. */
  getAuthorizationServerMetadata(input?: GetAuthorizationServerMetadataInput, options?: CallOptions): Promise<GetAuthorizationServerMetadataReply>;
  /** Get the metadata of `/mcp` (RFC 9728): `GET /.well-known/oauth-protected-resource/mcp`, as `getProtectedResourceMetadata`. */
  getProtectedResourceMetadata(input?: GetProtectedResourceMetadataInput, options?: CallOptions): Promise<GetProtectedResourceMetadataReply>;
  /** Get the DID document (did:web): `GET /.well-known/did.json`, as `getServiceDid`. */
  getServiceDid(input?: GetServiceDidInput, options?: CallOptions): Promise<GetServiceDidReply>;
  /** Get the agent card: `GET /.well-known/agent.json`, as `getAgentCard`. */
  getAgentCard(input?: GetAgentCardInput, options?: CallOptions): Promise<GetAgentCardReply>;
}

export interface DraftsMethods {
  /** Write a draft, or schedule a mail: `POST /v1/email/drafts`, as `createDraft`. */
  create(input?: CreateDraftInput, options?: CallOptions): Promise<CreateDraftReply>;
  /** List drafts and scheduled mail, newest first: `GET /v1/email/drafts`, as `listDrafts`. */
  list: { (input?: ListDraftsInput, options?: CallOptions): Promise<ListDraftsReply>; iter(input?: ListDraftsInput, options?: CallOptions): AsyncGenerator<PagedItems['listDrafts'], void, undefined> };
  /** Read a draft: `GET /v1/email/drafts/{id}`, as `getDraft`. */
  get(input: GetDraftInput, options?: CallOptions): Promise<GetDraftReply>;
  /** Change a draft: `PATCH /v1/email/drafts/{id}`, as `updateDraft`. */
  update(input: UpdateDraftInput, options?: CallOptions): Promise<UpdateDraftReply>;
  /** Delete a draft: `DELETE /v1/email/drafts/{id}`, as `deleteDraft`. */
  delete(input: DeleteDraftInput, options?: CallOptions): Promise<DeleteDraftReply>;
  /** Send a draft now: `POST /v1/email/drafts/{id}/send`, as `sendDraft`. */
  send(input: SendDraftInput, options?: CallOptions): Promise<SendDraftReply>;
}

export interface EmailMethods {
  /** Claim an address: `POST /v1/email/claim`, as `claimAddress`. */
  claim(input: ClaimAddressInput, options?: CallOptions): Promise<ClaimAddressReply>;
  /** Release an address: `DELETE /v1/email/addresses/{address}`, as `releaseAddress`. */
  release(input: ReleaseAddressInput, options?: CallOptions): Promise<ReleaseAddressReply>;
  /** Change the settings of an address: `PATCH /v1/email/addresses/{address}`, as `updateAddress`. */
  updateAddress(input: UpdateAddressInput, options?: CallOptions): Promise<UpdateAddressReply>;
  /** List addresses, oldest first: `GET /v1/email/addresses`, as `listAddresses`. */
  addresses(input?: ListAddressesInput, options?: CallOptions): Promise<ListAddressesReply>;
  /** Get the mail policy: `GET /v1/email/policy`, as `getMailPolicy`. */
  policy(input?: GetMailPolicyInput, options?: CallOptions): Promise<GetMailPolicyReply>;
  /** Update the mail policy: `PUT /v1/email/policy`, as `setMailPolicy`. */
  setPolicy(input?: SetMailPolicyInput, options?: CallOptions): Promise<SetMailPolicyReply>;
  /** Download an attachment of a held email: `GET /v1/email/reviews/{id}/attachments/{n}`, as `getReviewAttachment`. */
  getReviewAttachment(input: GetReviewAttachmentInput, options?: CallOptions): Promise<GetReviewAttachmentReply>;
  /** Withdraw a held email: `POST /v1/email/reviews/{id}/withdraw`, as `withdrawReview`. */
  withdrawReview(input: WithdrawReviewInput, options?: CallOptions): Promise<WithdrawReviewReply>;
  /** Read the held email of an emailed link: `POST /v1/email/reviews/{id}/view`, as `viewReview`. */
  viewReview(input: ViewReviewInput, options?: CallOptions): Promise<ViewReviewReply>;
  /** Download an attachment of the held email of an emailed link: `POST /v1/email/reviews/{id}/view/attachments/{n}`, as `viewReviewAttachment`. */
  viewReviewAttachment(input: ViewReviewAttachmentInput, options?: CallOptions): Promise<ViewReviewAttachmentReply>;
  /** Approve or reject with the token from an emailed link: `POST /v1/email/reviews/{id}/decide`, as `decideReview`. */
  decideReview(input: DecideReviewInput, options?: CallOptions): Promise<DecideReviewReply>;
  /** Set or replace the key that encrypts incoming mail: `POST /v1/e2e/rotate-key`, as `rotateEncryptionKey`. */
  rotateEncryptionKey(input: RotateEncryptionKeyInput, options?: CallOptions): Promise<RotateEncryptionKeyReply>;
  /** Stop encrypting incoming mail: `DELETE /v1/e2e/key`, as `deleteEncryptionKey`. */
  deleteEncryptionKey(input?: DeleteEncryptionKeyInput, options?: CallOptions): Promise<DeleteEncryptionKeyReply>;
  /** List the messages of an address: `GET /v1/email/inbox`, as `listInbox`. */
  inbox: { (input?: Defaulted<ListInboxInput, 'address'>, options?: CallOptions): Promise<ListInboxReply>; iter(input?: Defaulted<ListInboxInput, 'address'>, options?: CallOptions): AsyncGenerator<PagedItems['listInbox'], void, undefined> };
  /** Read a message: `GET /v1/email/messages/{id}`, as `getMessage`. */
  read(input: Defaulted<GetMessageInput, 'address'>, options?: CallOptions): Promise<GetMessageReply>;
  /** Update a message: `PATCH /v1/email/messages/{id}`, as `updateMessage`. */
  update(input: Defaulted<UpdateMessageInput, 'address'>, options?: CallOptions): Promise<UpdateMessageReply>;
  /** Delete a message: `DELETE /v1/email/messages/{id}`, as `deleteMessage`. */
  delete(input: Defaulted<DeleteMessageInput, 'address'>, options?: CallOptions): Promise<DeleteMessageReply>;
  /** Wait for the next message: `GET /v1/email/wait`, as `waitForMail`. */
  wait(input?: WaitForMailInput, options?: CallOptions): Promise<WaitForMailReply>;
  /** Download a raw message: `GET /v1/email/messages/{id}/raw`, as `getRawMessage`. */
  raw(input: GetRawMessageInput, options?: CallOptions): Promise<GetRawMessageReply>;
  /** Download an attachment: `GET /v1/email/messages/{id}/attachments/{n}`, as `getAttachment`. */
  attachment(input: GetAttachmentInput, options?: CallOptions): Promise<GetAttachmentReply>;
  /** Get remote pictures of a message: `POST /v1/email/messages/{id}/pictures`, as `loadPictures`. */
  loadPictures(input: LoadPicturesInput, options?: CallOptions): Promise<LoadPicturesReply>;
  /** List conversations: `GET /v1/email/threads`, as `listThreads`. */
  threads: { (input?: ListThreadsInput, options?: CallOptions): Promise<ListThreadsReply>; iter(input?: ListThreadsInput, options?: CallOptions): AsyncGenerator<PagedItems['listThreads'], void, undefined> };
  /** Read a conversation: `GET /v1/email/threads/{id}`, as `getThread`. */
  thread: { (input: GetThreadInput, options?: CallOptions): Promise<GetThreadReply>; iter(input: GetThreadInput, options?: CallOptions): AsyncGenerator<PagedItems['getThread'], void, undefined> };
  /** Update all messages of a conversation: `PATCH /v1/email/threads/{id}`, as `updateThread`. */
  updateThread(input: UpdateThreadInput, options?: CallOptions): Promise<UpdateThreadReply>;
  /** Send an email: `POST /v1/email/send`, as `sendEmail`. */
  send(input: Defaulted<SendEmailInput, 'from'>, options?: CallOptions): Promise<SendEmailReply>;
  /** List sent mail, newest first: `GET /v1/email/outbox`, as `listOutbox`. */
  outbox: { (input?: ListOutboxInput, options?: CallOptions): Promise<ListOutboxReply>; iter(input?: ListOutboxInput, options?: CallOptions): AsyncGenerator<PagedItems['listOutbox'], void, undefined> };
  /** Read a sent email: `GET /v1/email/outbox/{id}`, as `getSentEmail`. */
  getSent(input: GetSentEmailInput, options?: CallOptions): Promise<GetSentEmailReply>;
  /** Reply to the sender of a message: `POST /v1/email/messages/{id}/reply`, as `replyToMessage`. */
  reply(input: ReplyToMessageInput, options?: CallOptions): Promise<ReplyToMessageReply>;
  /** Reply to everybody a message names: `POST /v1/email/messages/{id}/reply_all`, as `replyToAll`. */
  replyAll(input: ReplyToAllInput, options?: CallOptions): Promise<ReplyToAllReply>;
  /** Forward a message: `POST /v1/email/messages/{id}/forward`, as `forwardMessage`. */
  forward(input: ForwardMessageInput, options?: CallOptions): Promise<ForwardMessageReply>;
}

export interface EventsMethods {
  /** List events: `GET /v1/events`, as `listEvents`. */
  list: { (input?: ListEventsInput, options?: CallOptions): Promise<EventPage>; iter(input?: ListEventsInput, options?: CallOptions): AsyncGenerator<SignetEvent, void, undefined> };
  /** Create a ticket for a WebSocket: `POST /v1/ws/tickets`, as `createSocketTicket`. */
  createSocketTicket(input?: CreateSocketTicketInput, options?: CallOptions): Promise<CreateSocketTicketReply>;
}

export interface FindingsMethods {
  /** Submit a security finding: `POST /v1/agents/{agentId}/findings`, as `submitFinding`. */
  submit(input: SubmitFindingInput, options?: CallOptions): Promise<SubmitFindingReply>;
  /** List the findings of an agent: `GET /v1/agents/{agentId}/findings`, as `listFindings`. */
  list: { (input: ListFindingsInput, options?: CallOptions): Promise<ListFindingsReply>; iter(input: ListFindingsInput, options?: CallOptions): AsyncGenerator<PagedItems['listFindings'], void, undefined> };
  /** Get a signed finding: `GET /v1/findings/{jti}`, as `getFinding`. */
  get(input: GetFindingInput, options?: CallOptions): Promise<GetFindingReply>;
  /** Accept or reject a finding: `POST /v1/findings/{jti}/outcome`, as `judgeFinding`. */
  judge(input: JudgeFindingInput, options?: CallOptions): Promise<JudgeFindingReply>;
  /** Get the track record of an agent: `GET /v1/agents/{agentId}/track-record`, as `getTrackRecord`. */
  getTrackRecord(input: GetTrackRecordInput, options?: CallOptions): Promise<GetTrackRecordReply>;
  /** Create a program: `POST /v1/programs`, as `createProgram`. */
  createProgram(input: CreateProgramInput, options?: CallOptions): Promise<CreateProgramReply>;
  /** List programs: `GET /v1/programs`, as `listPrograms`. */
  listPrograms: { (input?: ListProgramsInput, options?: CallOptions): Promise<ListProgramsReply>; iter(input?: ListProgramsInput, options?: CallOptions): AsyncGenerator<PagedItems['listPrograms'], void, undefined> };
  /** End a program: `DELETE /v1/programs/{programId}`, as `endProgram`. */
  endProgram(input: EndProgramInput, options?: CallOptions): Promise<EndProgramReply>;
}

export interface InboxMethods {
  /** Claim an address: `POST /v1/inbox`, as `createInbox`. */
  create(input?: CreateInboxInput, options?: CallOptions): Promise<CreateInboxReply>;
  /** List the messages of an address: `GET /v1/inbox/{address}`, as `getInbox`. */
  get: { (input: GetInboxInput, options?: CallOptions): Promise<GetInboxReply>; iter(input: GetInboxInput, options?: CallOptions): AsyncGenerator<PagedItems['getInbox'], void, undefined> };
  /** Read a message: `GET /v1/inbox/{address}/messages/{id}`, as `getInboxMessage`. */
  getInboxMessage(input: GetInboxMessageInput, options?: CallOptions): Promise<GetInboxMessageReply>;
  /** Send an email from this address: `POST /v1/inbox/{address}/send`, as `sendFromInbox`. */
  send(input: SendFromInboxInput, options?: CallOptions): Promise<SendFromInboxReply>;
}

export interface McpMethods {
  /** Use Signet as an MCP server: `POST /mcp`, as `callMcp`. */
  call(input?: CallMcpInput, options?: CallOptions): Promise<CallMcpReply>;
  /** @deprecated The earlier name of `call`. */
  callMcp: McpMethods['call'];
  /** Use one group of MCP tools: `POST /mcp/x/{group}`, as `callMcpGroup`. */
  callGroup(input: CallMcpGroupInput, options?: CallOptions): Promise<CallMcpGroupReply>;
  /** @deprecated The earlier name of `callGroup`. */
  callMcpGroup: McpMethods['callGroup'];
}

export interface OauthMethods {
  /** Let a client in, or deny it: `POST /oauth/consent`, as `decideConsent`. */
  decideConsent(input: DecideConsentInput, options?: CallOptions): Promise<DecideConsentReply>;
  /** Register a client (RFC 7591): `POST /oauth/register`, as `registerClient`. */
  registerClient(input?: RegisterClientInput, options?: CallOptions): Promise<RegisterClientReply>;
  /** Begin a login with a device code (RFC 8628): `POST /oauth/device_authorization`, as `startDeviceLogin`. */
  startDeviceLogin(input?: StartDeviceLoginInput, options?: CallOptions): Promise<StartDeviceLoginReply>;
  /** Look at the login that waits with a user code, or decide it: `POST /oauth/device`, as `decideDeviceLogin`. */
  decideDeviceLogin(input: DecideDeviceLoginInput, options?: CallOptions): Promise<DecideDeviceLoginReply>;
  /** Get an access token (RFC 6749, RFC 8628, RFC 8693): `POST /oauth/token`, as `exchangeToken`. */
  exchangeToken(input: ExchangeTokenInput, options?: CallOptions): Promise<ExchangeTokenReply>;
  /** List the clients that people let act for the account: `GET /v1/account/grants`, as `listGrants`. */
  listGrants: { (input?: ListGrantsInput, options?: CallOptions): Promise<ListGrantsReply>; iter(input?: ListGrantsInput, options?: CallOptions): AsyncGenerator<PagedItems['listGrants'], void, undefined> };
  /** End the access of a client: `DELETE /v1/account/grants/{id}`, as `endGrant`. */
  endGrant(input: EndGrantInput, options?: CallOptions): Promise<EndGrantReply>;
  /** Revoke a token of a client (RFC 7009): `POST /oauth/revoke`, as `revokeClientToken`. */
  revokeClientToken(input: RevokeClientTokenInput, options?: CallOptions): Promise<RevokeClientTokenReply>;
}

export interface ObservationsMethods {
  /** Record an observation: `POST /v1/observations`, as `createObservation`. */
  create(input: CreateObservationInput, options?: CallOptions): Promise<CreateObservationReply>;
  /** List observations: `GET /v1/observations`, as `listObservations`. */
  list: { (input?: ListObservationsInput, options?: CallOptions): Promise<ListObservationsReply>; iter(input?: ListObservationsInput, options?: CallOptions): AsyncGenerator<PagedItems['listObservations'], void, undefined> };
  /** List topics: `GET /v1/observations/topics`, as `listObservationTopics`. */
  listObservationTopics: { (input?: ListObservationTopicsInput, options?: CallOptions): Promise<ListObservationTopicsReply>; iter(input?: ListObservationTopicsInput, options?: CallOptions): AsyncGenerator<PagedItems['listObservationTopics'], void, undefined> };
  /** Get an observation: `GET /v1/observations/{id}`, as `getObservation`. */
  get(input: GetObservationInput, options?: CallOptions): Promise<GetObservationReply>;
}

export interface OperatorsMethods {
  /** List your agents: `GET /v1/operator/agents`, as `listOperatorAgents`. */
  listOperatorAgents: { (input?: ListOperatorAgentsInput, options?: CallOptions): Promise<ListOperatorAgentsReply>; iter(input?: ListOperatorAgentsInput, options?: CallOptions): AsyncGenerator<PagedItems['listOperatorAgents'], void, undefined> };
  /** Suspend an agent: `POST /v1/operator/agents/{id}/suspend`, as `suspendAgent`. */
  suspendAgent(input: SuspendAgentInput, options?: CallOptions): Promise<SuspendAgentReply>;
  /** Resume an agent: `POST /v1/operator/agents/{id}/resume`, as `resumeAgent`. */
  resumeAgent(input: ResumeAgentInput, options?: CallOptions): Promise<ResumeAgentReply>;
  /** List what waits at your agents, oldest first: `GET /v1/operator/waiting`, as `listOperatorWaiting`. */
  waiting: { (input?: ListOperatorWaitingInput, options?: CallOptions): Promise<ListOperatorWaitingReply>; iter(input?: ListOperatorWaitingInput, options?: CallOptions): AsyncGenerator<PagedItems['listOperatorWaiting'], void, undefined> };
  /** Find things of all your agents: `GET /v1/operator/search`, as `searchAgents`. */
  searchAgents(input: SearchAgentsInput, options?: CallOptions): Promise<SearchAgentsReply>;
  /** List what was decided about your agents, newest first: `GET /v1/operator/decisions`, as `listOperatorDecisions`. */
  listOperatorDecisions(input?: ListOperatorDecisionsInput, options?: CallOptions): Promise<ListOperatorDecisionsReply>;
}

export interface PasskeysMethods {
  /** Get options to create a passkey: `POST /v1/passkeys/options`, as `createPasskeyOptions`. */
  createPasskeyOptions(input?: CreatePasskeyOptionsInput, options?: CallOptions): Promise<CreatePasskeyOptionsReply>;
  /** Add a passkey: `POST /v1/passkeys`, as `addPasskey`. */
  add(input: AddPasskeyInput, options?: CallOptions): Promise<AddPasskeyReply>;
  /** List your passkeys: `GET /v1/passkeys`, as `listPasskeys`. */
  list: { (input?: ListPasskeysInput, options?: CallOptions): Promise<ListPasskeysReply>; iter(input?: ListPasskeysInput, options?: CallOptions): AsyncGenerator<PagedItems['listPasskeys'], void, undefined> };
  /** Remove a passkey: `DELETE /v1/passkeys/{id}`, as `removePasskey`. */
  remove(input: RemovePasskeyInput, options?: CallOptions): Promise<RemovePasskeyReply>;
  /** Create recovery codes: `POST /v1/passkeys/recovery-codes`, as `createRecoveryCodes`. */
  createRecoveryCodes(input?: CreateRecoveryCodesInput, options?: CallOptions): Promise<CreateRecoveryCodesReply>;
  /** Get options to log in with a passkey: `POST /v1/auth/passkey/options`, as `createPasskeyLoginOptions`. */
  createPasskeyLoginOptions(input?: CreatePasskeyLoginOptionsInput, options?: CallOptions): Promise<CreatePasskeyLoginOptionsReply>;
  /** Open a session with a passkey: `POST /v1/auth/passkey`, as `logInWithPasskey`. */
  logIn(input: LogInWithPasskeyInput, options?: CallOptions): Promise<LogInWithPasskeyReply>;
  /** Open a session with a recovery code: `POST /v1/auth/passkey/recovery`, as `logInWithRecoveryCode`. */
  logInWithRecoveryCode(input: LogInWithRecoveryCodeInput, options?: CallOptions): Promise<LogInWithRecoveryCodeReply>;
  /** Get your settings as an operator: `GET /v1/operator/settings`, as `getOperatorSettings`. */
  getOperatorSettings(input?: GetOperatorSettingsInput, options?: CallOptions): Promise<GetOperatorSettingsReply>;
  /** Change your settings as an operator: `PATCH /v1/operator/settings`, as `updateOperatorSettings`. */
  updateOperatorSettings(input?: UpdateOperatorSettingsInput, options?: CallOptions): Promise<UpdateOperatorSettingsReply>;
}

export interface PodsMethods {
  /** Create a pod: `POST /v1/pods`, as `createPod`. */
  create(input?: CreatePodInput, options?: CallOptions): Promise<CreatePodReply>;
  /** List pods, newest first: `GET /v1/pods`, as `listPods`. */
  list: { (input?: ListPodsInput, options?: CallOptions): Promise<ListPodsReply>; iter(input?: ListPodsInput, options?: CallOptions): AsyncGenerator<PagedItems['listPods'], void, undefined> };
  /** Get a pod: `GET /v1/pods/{pod_id}`, as `getPod`. */
  get(input: GetPodInput, options?: CallOptions): Promise<GetPodReply>;
  /** Update a pod: `PATCH /v1/pods/{pod_id}`, as `updatePod`. */
  update(input: UpdatePodInput, options?: CallOptions): Promise<UpdatePodReply>;
  /** Suspend a pod: `DELETE /v1/pods/{pod_id}`, as `suspendPod`. */
  suspend(input: SuspendPodInput, options?: CallOptions): Promise<SuspendPodReply>;
  /** Replace the key of a pod: `POST /v1/pods/{pod_id}/keys`, as `replacePodKey`. */
  replacePodKey(input: ReplacePodKeyInput, options?: CallOptions): Promise<ReplacePodKeyReply>;
  /** Get the usage of a pod: `GET /v1/pods/{pod_id}/usage`, as `getPodUsage`. */
  getPodUsage(input: GetPodUsageInput, options?: CallOptions): Promise<GetPodUsageReply>;
}

export interface ProfilesMethods {
  /** Publish a signing key: `POST /v1/agents/signing-keys`, as `registerSigningKey`. */
  registerSigningKey(input: RegisterSigningKeyInput, options?: CallOptions): Promise<RegisterSigningKeyReply>;
  /** List signing keys: `GET /v1/agents/signing-keys`, as `listSigningKeys`. */
  listSigningKeys(input?: ListSigningKeysInput, options?: CallOptions): Promise<ListSigningKeysReply>;
  /** Delete a signing key: `DELETE /v1/agents/signing-keys/{keyid}`, as `deleteSigningKey`. */
  deleteSigningKey(input: DeleteSigningKeyInput, options?: CallOptions): Promise<DeleteSigningKeyReply>;
  /** Get the public profile of an agent: `GET /agents/{name}`, as `getAgentProfile`. */
  getAgent(input: GetAgentProfileInput, options?: CallOptions): Promise<GetAgentProfileReply>;
  /** Get the DID document of an agent (did:web): `GET /agents/{name}/did.json`, as `getAgentDid`. */
  getAgentDid(input: GetAgentDidInput, options?: CallOptions): Promise<GetAgentDidReply>;
  /** Get the JWKS of an agent: `GET /agents/{name}/.well-known/jwks.json`, as `getAgentJwks`. */
  getAgentJwks(input: GetAgentJwksInput, options?: CallOptions): Promise<GetAgentJwksReply>;
  /** Get your public profile: `GET /v1/agents/profile`, as `getProfile`. */
  get(input?: GetProfileInput, options?: CallOptions): Promise<GetProfileReply>;
  /** Change your public profile: `PATCH /v1/agents/profile`, as `updateProfile`. */
  update(input?: UpdateProfileInput, options?: CallOptions): Promise<UpdateProfileReply>;
}

export interface QuarantineMethods {
  /** List mail in quarantine, newest first: `GET /v1/email/quarantine`, as `listQuarantine`. */
  list: { (input?: ListQuarantineInput, options?: CallOptions): Promise<ListQuarantineReply>; iter(input?: ListQuarantineInput, options?: CallOptions): AsyncGenerator<PagedItems['listQuarantine'], void, undefined> };
  /** Release a message from quarantine: `POST /v1/email/quarantine/{id}/release`, as `releaseQuarantined`. */
  release(input: ReleaseQuarantinedInput, options?: CallOptions): Promise<ReleaseQuarantinedReply>;
  /** Delete a message in quarantine: `DELETE /v1/email/quarantine/{id}`, as `deleteQuarantined`. */
  delete(input: DeleteQuarantinedInput, options?: CallOptions): Promise<DeleteQuarantinedReply>;
}

export interface ReviewsMethods {
  /** List held emails, newest first: `GET /v1/email/reviews`, as `listReviews`. */
  list: { (input?: ListReviewsInput, options?: CallOptions): Promise<ListReviewsReply>; iter(input?: ListReviewsInput, options?: CallOptions): AsyncGenerator<PagedItems['listReviews'], void, undefined> };
  /** Read a held email: `GET /v1/email/reviews/{id}`, as `getReview`. */
  get(input: GetReviewInput, options?: CallOptions): Promise<GetReviewReply>;
  /** Let a held email go out: `POST /v1/email/reviews/{id}/approve`, as `approveReview`. */
  approve(input: ApproveReviewInput, options?: CallOptions): Promise<ApproveReviewReply>;
  /** Reject a held email: `POST /v1/email/reviews/{id}/reject`, as `rejectReview`. */
  reject(input: RejectReviewInput, options?: CallOptions): Promise<RejectReviewReply>;
}

export interface ServiceMethods {
  /** Check that the process is running: `GET /health`, as `getHealth`. */
  getHealth(input?: GetHealthInput, options?: CallOptions): Promise<GetHealthReply>;
  /** Check that this instance can serve requests: `GET /ready`, as `getReadiness`. */
  getReadiness(input?: GetReadinessInput, options?: CallOptions): Promise<GetReadinessReply>;
  /** Get the OpenAPI 3.1 document of this API: `GET /api`, as `getApiDescription`. */
  getApiDescription(input?: GetApiDescriptionInput, options?: CallOptions): Promise<GetApiDescriptionReply>;
  /** Get the document of `GET /api`: `GET /openapi.json`, as `getOpenApiFile`. */
  getOpenApiFile(input?: GetOpenApiFileInput, options?: CallOptions): Promise<GetOpenApiFileReply>;
  /** Get metrics in the Prometheus text format: `GET /metrics`, as `getMetrics`. */
  getMetrics(input?: GetMetricsInput, options?: CallOptions): Promise<GetMetricsReply>;
}

export interface StacksMethods {
  /** Set up your own domain for email: `POST /v1/stack`, as `createStack`. */
  create(input: CreateStackInput, options?: CallOptions): Promise<CreateStackReply>;
  /** List domains: `GET /v1/stack`, as `listStacks`. */
  list: { (input?: ListStacksInput, options?: CallOptions): Promise<ListStacksReply>; iter(input?: ListStacksInput, options?: CallOptions): AsyncGenerator<PagedItems['listStacks'], void, undefined> };
  /** Get a domain: `GET /v1/stack/{id}`, as `getStack`. */
  get(input: GetStackInput, options?: CallOptions): Promise<GetStackReply>;
  /** Verify a domain: `POST /v1/stack/{id}/verify`, as `verifyStack`. */
  verify(input: VerifyStackInput, options?: CallOptions): Promise<VerifyStackReply>;
  /** Delete a domain: `DELETE /v1/stack/{id}`, as `deleteStack`. */
  delete(input: DeleteStackInput, options?: CallOptions): Promise<DeleteStackReply>;
}

export interface SuppressionsMethods {
  /** List recipients that get no more mail: `GET /v1/email/suppressions`, as `listSuppressions`. */
  list: { (input?: ListSuppressionsInput, options?: CallOptions): Promise<ListSuppressionsReply>; iter(input?: ListSuppressionsInput, options?: CallOptions): AsyncGenerator<PagedItems['listSuppressions'], void, undefined> };
  /** Let mail go to a recipient again: `DELETE /v1/email/suppressions/{address}`, as `deleteSuppression`. */
  delete(input: DeleteSuppressionInput, options?: CallOptions): Promise<DeleteSuppressionReply>;
}

export interface TokensMethods {
  /** Issue a token: `POST /v1/tokens/issue`, as `issueToken`. */
  issue(input: IssueTokenInput, options?: CallOptions): Promise<IssueTokenReply>;
  /** List issued tokens: `GET /v1/tokens`, as `listTokens`. */
  list: { (input?: ListTokensInput, options?: CallOptions): Promise<ListTokensReply>; iter(input?: ListTokensInput, options?: CallOptions): AsyncGenerator<PagedItems['listTokens'], void, undefined> };
  /** Introspect a token (RFC 7662): `POST /v1/tokens/introspect`, as `introspectToken`. */
  introspect(input?: IntrospectTokenInput, options?: CallOptions): Promise<IntrospectTokenReply>;
  /** Revoke a token (RFC 7009): `POST /v1/tokens/revoke`, as `revokeToken`. */
  revoke(input: RevokeTokenInput, options?: CallOptions): Promise<RevokeTokenReply>;
}

export interface TrustMethods {
  /** Submit telemetry: `POST /v1/telemetry/submit`, as `submitTelemetry`. */
  submitTelemetry(input: SubmitTelemetryInput, options?: CallOptions): Promise<SubmitTelemetryReply>;
  /** Get the trust profile of an agent: `GET /v1/trust/{agentId}`, as `getTrust`. */
  get(input: GetTrustInput, options?: CallOptions): Promise<GetTrustReply>;
}

export interface UsageMethods {
  /** Get requests and emails by day: `GET /v1/usage/days`, as `getUsageDays`. */
  getUsageDays(input?: GetUsageDaysInput, options?: CallOptions): Promise<GetUsageDaysReply>;
}

export interface VaultEntriesMethods {
  /** List the keys of the vault: `GET /v1/vault/`, as `listVaultKeys`. */
  list: { (input?: ListVaultKeysInput, options?: CallOptions): Promise<ListVaultKeysReply>; iter(input?: ListVaultKeysInput, options?: CallOptions): AsyncGenerator<PagedItems['listVaultKeys'], void, undefined> };
  /** Store a sealed value as a new key or a new version: `PUT /v1/vault/{key}`, as `putVaultEntry`. */
  put(input: PutVaultEntryInput, options?: CallOptions): Promise<PutVaultEntryReply>;
  /** Get a sealed value: `GET /v1/vault/{key}`, as `getVaultEntry`. */
  get(input: GetVaultEntryInput, options?: CallOptions): Promise<GetVaultEntryReply>;
  /** List the versions of a key: `GET /v1/vault/{key}/versions`, as `listVaultVersions`. */
  listVaultVersions(input: ListVaultVersionsInput, options?: CallOptions): Promise<ListVaultVersionsReply>;
  /** Delete a key or one of its versions: `DELETE /v1/vault/{key}`, as `deleteVaultEntry`. */
  delete(input: DeleteVaultEntryInput, options?: CallOptions): Promise<DeleteVaultEntryReply>;
}

export interface VaultRecoveryMethods {
  /** Store a sealed seed for recovery by email: `POST /v1/vault/recovery-email`, as `setVaultRecovery`. */
  set(input: SetVaultRecoveryInput, options?: CallOptions): Promise<SetVaultRecoveryReply>;
  /** Store a sealed seed without an account: `POST /v1/vault/store`, as `storeSeed`. */
  storeSeed(input: StoreSeedInput, options?: CallOptions): Promise<StoreSeedReply>;
  /** Request a recovery link by email: `POST /v1/vault/recover`, as `requestVaultRecovery`. */
  request(input: RequestVaultRecoveryInput, options?: CallOptions): Promise<RequestVaultRecoveryReply>;
  /** Recover vaults with a recovery link: `GET /v1/vault/recover/verify`, as `verifyVaultRecovery`. */
  verify(input: VerifyVaultRecoveryInput, options?: CallOptions): Promise<VerifyVaultRecoveryReply>;
}

export interface WebhooksMethods {
  /** Create a webhook: `POST /v1/email/webhooks`, as `createWebhook`. */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<CreateWebhookReply>;
  /** List webhooks, oldest first: `GET /v1/email/webhooks`, as `listWebhooks`. */
  listWebhooks(input?: ListWebhooksInput, options?: CallOptions): Promise<ListWebhooksReply>;
  /** Create a webhook for events of any type: `POST /v1/webhooks`, as `createEventWebhook`. */
  create(input: CreateEventWebhookInput, options?: CallOptions): Promise<CreateEventWebhookReply>;
  /** @deprecated The earlier name of `create`. */
  createEvent: WebhooksMethods['create'];
  /** List all webhooks, oldest first: `GET /v1/webhooks`, as `listEventWebhooks`. */
  list(input?: ListEventWebhooksInput, options?: CallOptions): Promise<ListEventWebhooksReply>;
  /** @deprecated The earlier name of `list`. */
  listEvent: WebhooksMethods['list'];
  /** Get a webhook: `GET /v1/webhooks/{id}`, as `getEventWebhook`. */
  get(input: GetEventWebhookInput, options?: CallOptions): Promise<GetEventWebhookReply>;
  /** @deprecated The earlier name of `get`. */
  getEvent: WebhooksMethods['get'];
  /** Get a delivery with its body: `GET /v1/webhooks/{id}/deliveries/{delivery_id}`, as `getEventWebhookDelivery`. */
  getEventWebhookDelivery(input: GetEventWebhookDeliveryInput, options?: CallOptions): Promise<GetEventWebhookDeliveryReply>;
  /** Change, pause or resume a webhook: `PATCH /v1/webhooks/{id}`, as `updateEventWebhook`. */
  update(input: UpdateEventWebhookInput, options?: CallOptions): Promise<UpdateEventWebhookReply>;
  /** @deprecated The earlier name of `update`. */
  updateEvent: WebhooksMethods['update'];
  /** Delete a webhook and its deliveries: `DELETE /v1/email/webhooks/{id}`, as `deleteWebhook`. */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<DeleteWebhookReply>;
  /** Send a ping to a webhook: `POST /v1/email/webhooks/{id}/test`, as `testWebhook`. */
  testWebhook(input: TestWebhookInput, options?: CallOptions): Promise<TestWebhookReply>;
  /** List deliveries, newest first: `GET /v1/email/webhooks/{id}/deliveries`, as `listWebhookDeliveries`. */
  listWebhookDeliveries: { (input: ListWebhookDeliveriesInput, options?: CallOptions): Promise<ListWebhookDeliveriesReply>; iter(input: ListWebhookDeliveriesInput, options?: CallOptions): AsyncGenerator<PagedItems['listWebhookDeliveries'], void, undefined> };
  /** Retry a delivery now: `POST /v1/email/webhooks/{id}/deliveries/{delivery_id}/retry`, as `retryWebhookDelivery`. */
  retryWebhookDelivery(input: RetryWebhookDeliveryInput, options?: CallOptions): Promise<RetryWebhookDeliveryReply>;
  /** Delete a webhook and its deliveries: `DELETE /v1/webhooks/{id}`, as `deleteEventWebhook`. */
  delete(input: DeleteEventWebhookInput, options?: CallOptions): Promise<DeleteEventWebhookReply>;
  /** @deprecated The earlier name of `delete`. */
  deleteEvent: WebhooksMethods['delete'];
  /** Send a ping to a webhook: `POST /v1/webhooks/{id}/test`, as `testEventWebhook`. */
  test(input: TestEventWebhookInput, options?: CallOptions): Promise<TestEventWebhookReply>;
  /** @deprecated The earlier name of `test`. */
  testEvent: WebhooksMethods['test'];
  /** List deliveries, newest first: `GET /v1/webhooks/{id}/deliveries`, as `listEventWebhookDeliveries`. */
  deliveries: { (input: ListEventWebhookDeliveriesInput, options?: CallOptions): Promise<ListEventWebhookDeliveriesReply>; iter(input: ListEventWebhookDeliveriesInput, options?: CallOptions): AsyncGenerator<PagedItems['listEventWebhookDeliveries'], void, undefined> };
  /** @deprecated The earlier name of `deliveries`. */
  listEventWebhookDeliveries: WebhooksMethods['deliveries'];
  /** Retry a delivery now: `POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry`, as `retryEventWebhookDelivery`. */
  retry(input: RetryEventWebhookDeliveryInput, options?: CallOptions): Promise<RetryEventWebhookDeliveryReply>;
  /** @deprecated The earlier name of `retry`. */
  retryEventWebhookDelivery: WebhooksMethods['retry'];
  /** Replace the secret of a webhook: `POST /v1/webhooks/{id}/rotate-secret`, as `rotateWebhookSecret`. */
  rotateSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<RotateWebhookSecretReply>;
  /** @deprecated The earlier name of `rotateSecret`. */
  rotateWebhookSecret: WebhooksMethods['rotateSecret'];
  /** Replace the secret of a webhook: `POST /v1/email/webhooks/{id}/rotate-secret`, as `rotateEmailWebhookSecret`. */
  rotateEmailWebhookSecret(input: RotateEmailWebhookSecretInput, options?: CallOptions): Promise<RotateEmailWebhookSecretReply>;
}

/** Every operation, by group and method. */
export interface MethodGroups {
  accounts: AccountsMethods;
  approvals: ApprovalsMethods;
  audit: AuditMethods;
  budget: BudgetMethods;
  calendar: CalendarMethods;
  credentials: CredentialsMethods;
  delegations: DelegationsMethods;
  discovery: DiscoveryMethods;
  drafts: DraftsMethods;
  email: EmailMethods;
  events: EventsMethods;
  findings: FindingsMethods;
  inbox: InboxMethods;
  mcp: McpMethods;
  oauth: OauthMethods;
  observations: ObservationsMethods;
  operators: OperatorsMethods;
  passkeys: PasskeysMethods;
  pods: PodsMethods;
  profiles: ProfilesMethods;
  quarantine: QuarantineMethods;
  reviews: ReviewsMethods;
  service: ServiceMethods;
  stacks: StacksMethods;
  suppressions: SuppressionsMethods;
  tokens: TokensMethods;
  trust: TrustMethods;
  usage: UsageMethods;
  vaultEntries: VaultEntriesMethods;
  vaultRecovery: VaultRecoveryMethods;
  webhooks: WebhooksMethods;
}

/** Every operation as a method. */
export interface Operations {

  /**
   * Check that the process is running: `GET /health`
   *
   * Always 200 while the process can answer, which it does once every listener is open, SMTP too. Use `GET /ready` for load balancers.
   * @throws {SignetError} `storage_unavailable`
   */
  getHealth(input?: GetHealthInput, options?: CallOptions): Promise<GetHealthReply>;

  /**
   * Check that this instance can serve requests: `GET /ready`
   *
   * Use this for load balancers. Returns 503 while the database does not answer or the process is stopping. `disk` is `low` while the disk is almost full: then writes answer 503, and reads and deletes go on.
   * @throws {SignetError} 
   */
  getReadiness(input?: GetReadinessInput, options?: CallOptions): Promise<GetReadinessReply>;

  /**
   * Get the OpenAPI 3.1 document of this API: `GET /api`
   *
   * Ask for a part when you have little room: the index first, then single operations.
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getApiDescription(input?: GetApiDescriptionInput, options?: CallOptions): Promise<GetApiDescriptionReply>;

  /**
   * Get the document of `GET /api`: `GET /openapi.json`
   *
   * Tools look for it under this name.
   * @throws {SignetError} `storage_unavailable`
   */
  getOpenApiFile(input?: GetOpenApiFileInput, options?: CallOptions): Promise<GetOpenApiFileReply>;

  /**
   * Get metrics in the Prometheus text format: `GET /metrics`
   *
   * For the operator of this service. Do not expose this path to the internet.
   * @throws {SignetError} `storage_unavailable`
   */
  getMetrics(input?: GetMetricsInput, options?: CallOptions): Promise<GetMetricsReply>;

  /**
   * List x402 payments, newest first: `GET /v1/billing/payments`
   *
   * Each with its purchase and the state of its settlement.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listPayments(input?: ListPaymentsInput, options?: CallOptions): Promise<ListPaymentsReply>;

  /**
   * List announced removals: `GET /v1/account/notices`
   *
   * Oldest first.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listNotices(input?: ListNoticesInput, options?: CallOptions): Promise<ListNoticesReply>;

  /**
   * Stop an announced removal: `POST /v1/account/notices/{id}/undo`
   *
   * By a session of the address that would go, or of an address confirmed earlier.
   * @throws {SignetError} `not_found`, `older_factor_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  undoNotice(input: UndoNoticeInput, options?: CallOptions): Promise<UndoNoticeReply>;

  /**
   * Get what may leave the account: `GET /v1/account/policy`
   *
   * The narrowest rule that holds for each way out. Mail is set with the mail policy, `pay` with the budget. Lists are for the primary key and operators alone.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getAccountPolicy(input?: GetAccountPolicyInput, options?: CallOptions): Promise<GetAccountPolicyReply>;

  /**
   * Set what may leave the account: `PUT /v1/account/policy`
   *
   * Ways that are not named stay. Only the authority of the account can change it.
   * @throws {SignetError} `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setAccountPolicy(input: SetAccountPolicyInput, options?: CallOptions): Promise<SetAccountPolicyReply>;

  /**
   * Get what you may do: `GET /v1/account/power`
   *
   * And what an operator decides. Lists and addresses are for the primary key and operators alone.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getPower(input?: GetPowerInput, options?: CallOptions): Promise<GetPowerReply>;

  /**
   * Send login links by email: `POST /v1/auth/login`
   *
   * Sends one link for each account that uses the address. A link works once and expires after 15 minutes. The reply is the same for known and unknown addresses. In any hour, an address can receive five of these emails for each network that it logged in from within 90 days, and five for all others together.
   * @throws {SignetError} `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  login(input: LoginInput, options?: CallOptions): Promise<LoginReply>;

  /**
   * Open a session with a login link: `GET /v1/auth/verify`
   *
   * The link works once. The redirect carries the session token in its fragment, which browsers do not send to servers. The token is valid for 24 hours as `Authorization: Bearer session_…`.
   * @throws {SignetError} `invalid_token`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  verifyLogin(input: VerifyLoginInput, options?: CallOptions): Promise<VerifyLoginReply>;

  /**
   * End the session: `POST /v1/auth/logout`
   *
   * The session token stops working at once on every instance, and its streams are closed. Other sessions and the keys keep working. To end a key, rotate it.
   * @throws {SignetError} `session_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  logout(input?: LogoutInput, options?: CallOptions): Promise<LogoutReply>;

  /**
   * Delegate to another account: `POST /v1/delegations`
   *
   * The delegate exchanges the id for access tokens at `POST /oauth/token`. Called with such a token, this passes the delegation on, never wider; it then needs no scope, only `may_delegate` above 0.
   * @throws {SignetError} `invalid_scope`, `invalid_target`, `may_not_delegate`, `limit_reached`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createDelegation(input: CreateDelegationInput, options?: CallOptions): Promise<CreateDelegationReply>;

  /**
   * List delegations by and to this account: `GET /v1/delegations`
   *
   * Newest first, ended ones included for 30 days after `expires_at`.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listDelegations(input?: ListDelegationsInput, options?: CallOptions): Promise<ListDelegationsReply>;

  /**
   * End a delegation: `DELETE /v1/delegations/{id}`
   *
   * Its access tokens and all that was passed on from it end at once. The delegate may call this too.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  endDelegation(input: EndDelegationInput, options?: CallOptions): Promise<EndDelegationReply>;

  /**
   * Claim an address: `POST /v1/email/claim`
   *
   * A name without a domain becomes an address on this service’s mail domain. If you already own the address, the reply is 201 again, and `public_key` replaces its key, unless that is older than 7 days or protected by a master seed.
   * @throws {SignetError} `invalid_address`, `address_reserved`, `address_limit`, `address_unavailable`, `seed_mismatch`, `older_factor_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  claimAddress(input: ClaimAddressInput, options?: CallOptions): Promise<ClaimAddressReply>;

  /**
   * Release an address: `DELETE /v1/email/addresses/{address}`
   *
   * From now on it looks like an address that nobody has, but no other account ever gets it. Claim it again within 30 days to get its mail back. Until then it counts as one of your addresses.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  releaseAddress(input: ReleaseAddressInput, options?: CallOptions): Promise<ReleaseAddressReply>;

  /**
   * Change the settings of an address: `PATCH /v1/email/addresses/{address}`
   *
   * Absent fields stay.
   * @throws {SignetError} `invalid_address`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateAddress(input: UpdateAddressInput, options?: CallOptions): Promise<UpdateAddressReply>;

  /**
   * List addresses, oldest first: `GET /v1/email/addresses`
   *
   * The addresses that the credential may use.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listAddresses(input?: ListAddressesInput, options?: CallOptions): Promise<ListAddressesReply>;

  /**
   * Create an account with an API key: `POST /v1/auth/keys`
   *
   * No email address or name is required. One network can create five accounts an hour.
   * @throws {SignetError} `rate_limited`, `signup_closed`, `invite_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  createKey(input?: CreateKeyInput, options?: CallOptions): Promise<CreateKeyReply>;

  /**
   * Replace the active key: `POST /v1/auth/keys/rotate`
   *
   * The old key stops working at once. All sessions of the account end, except the one that made the call.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  rotateKey(input?: RotateKeyInput, options?: CallOptions): Promise<RotateKeyReply>;

  /**
   * Create the backup key: `POST /v1/auth/keys/generate-backup`
   *
   * An account has at most one backup key. It works only with `POST /v1/auth/keys/activate-backup`. Store it separately from the primary key.
   * @throws {SignetError} `backup_exists`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  generateBackupKey(input?: GenerateBackupKeyInput, options?: CallOptions): Promise<GenerateBackupKeyReply>;

  /**
   * Activate the backup key: `POST /v1/auth/keys/activate-backup`
   *
   * Call this with the backup key if the primary key is lost. The primary key is revoked.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  activateBackupKey(input?: ActivateBackupKeyInput, options?: CallOptions): Promise<ActivateBackupKeyReply>;

  /**
   * Remove the backup key: `DELETE /v1/auth/keys/backup`
   *
   * At once while it is younger than 7 days, otherwise after 7 days. `POST /v1/account/notices/{id}/undo` stops it.
   * @throws {SignetError} `not_found`, `removal_disputed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `dry_run_unavailable`, `storage_unavailable`
   */
  deleteBackupKey(input?: DeleteBackupKeyInput, options?: CallOptions): Promise<DeleteBackupKeyReply>;

  /**
   * List keys: `GET /v1/auth/keys/list`
   *
   * Newest first, at most 200, revoked keys included. The keys themselves are never shown.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listKeys(input?: ListKeysInput, options?: CallOptions): Promise<ListKeysReply>;

  /**
   * List the keys that stand: `GET /v1/account/keys`
   *
   * Primary, backup, then named keys, newest first. What a key did in the last minute may be missing.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listAccountKeys(input?: ListAccountKeysInput, options?: CallOptions): Promise<ListAccountKeysReply>;

  /**
   * Create a named key: `POST /v1/account/keys`
   *
   * It can call the endpoints of its scopes, and cannot create what would outlive or exceed it.
   * @throws {SignetError} `limit_reached`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createNamedKey(input: CreateNamedKeyInput, options?: CallOptions): Promise<CreateNamedKeyReply>;

  /**
   * Change what a named key may do, its end, name or share: `PATCH /v1/account/keys/{id}`
   *
   * Absent fields stay. Holds from its next call. With a scope less or an earlier end, what it delegated ends, and its streams.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  changeNamedKey(input: ChangeNamedKeyInput, options?: CallOptions): Promise<ChangeNamedKeyReply>;

  /**
   * Delete a named key: `DELETE /v1/account/keys/{id}`
   *
   * It stops working at once, and its streams end.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteNamedKey(input: DeleteNamedKeyInput, options?: CallOptions): Promise<DeleteNamedKeyReply>;

  /**
   * Replace the text of a named key: `POST /v1/account/keys/{id}/rotate`
   *
   * Scopes and end stay. The former text works for `grace_seconds`; one from an earlier rotation ends now.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rotateNamedKey(input: RotateNamedKeyInput, options?: CallOptions): Promise<RotateNamedKeyReply>;

  /**
   * Take the account back after its key was stolen: `POST /v1/account/secure`
   *
   * Issues a new key. Ends other keys, sessions, links, tokens and streams, and what was set up in the last 7 days. Settings that a key changed in that time get their former values. A backup key or a session of a confirmed address may call it too.
   * @throws {SignetError} `confirmed_address_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  secureAccount(input?: SecureAccountInput, options?: CallOptions): Promise<SecureAccountReply>;

  /**
   * Get the budget: `GET /v1/budget`
   *
   * Returns the caps, what is left of each, and the settings. An account without caps can spend any amount.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getBudget(input?: GetBudgetInput, options?: CallOptions): Promise<GetBudgetReply>;

  /**
   * Update the budget: `PUT /v1/budget`
   *
   * Sets or removes caps and changes settings. Absent fields stay as they are. Send caps in `caps` or at the top level. `daily <= weekly <= monthly` must hold, including the stored caps. While `authority` is `operator`, only an operator session can raise or remove limits, or set `authority` back. A named key or access token cannot change `authority`. A call that only lowers or adds caps is answered after the day’s requests are used up, too, and counts in `revocations_per_hour` then.
   * @throws {SignetError} `operator_required`, `operator_email_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setBudget(input?: SetBudgetInput, options?: CallOptions): Promise<SetBudgetReply>;

  /**
   * List charges, newest first: `GET /v1/budget/history`
   *
   * `summary` covers the whole filtered history, not only this page. Follow `next_cursor` or `next_before` to read all pages. New entries do not shift the pages.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getBudgetHistory(input?: GetBudgetHistoryInput, options?: CallOptions): Promise<GetBudgetHistoryReply>;

  /**
   * Charge the budget: `POST /v1/charge`
   *
   * 200: the charge fits every limit and is recorded. 202: it is over a limit with `on_limit: "approve"`, and nothing is recorded until it is approved. 402: it is over a limit with `on_limit: "reject"`. Send an `Idempotency-Key` so that a retry charges only once.
   * @throws {SignetError} `budget_exceeded`, `single_tx_limit_exceeded`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  charge(input: ChargeInput, options?: CallOptions): Promise<ChargeReply>;

  /**
   * List approvals, newest first: `GET /v1/approvals`
   *
   * Lists pending approvals by default. A platform sees the approvals that it decides, including those of its pods; a pod sees those that it requested.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  listApprovals(input?: ListApprovalsInput, options?: CallOptions): Promise<ListApprovalsReply>;

  /**
   * Get an approval: `GET /v1/approvals/{id}`
   *
   * Poll this, or wait for the event `approval.resolved`, to learn the outcome.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  getApproval(input: GetApprovalInput, options?: CallOptions): Promise<GetApprovalReply>;

  /**
   * Approve a charge: `POST /v1/approvals/{id}/approve`
   *
   * Records the charge, even over a cap. A pod that approves its own charge must still fit the limits of its platform.
   * @throws {SignetError} `not_found`, `already_resolved`, `delegation_ended`, `expired`, `operator_required`, `pod_auth_forbidden`, `budget_exceeded`, `single_tx_limit_exceeded`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  approveCharge(input: ApproveChargeInput, options?: CallOptions): Promise<ApproveChargeReply>;

  /**
   * Reject a charge: `POST /v1/approvals/{id}/reject`
   *
   * Nothing is recorded.
   * @throws {SignetError} `not_found`, `already_resolved`, `expired`, `pod_auth_forbidden`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rejectCharge(input: RejectChargeInput, options?: CallOptions): Promise<RejectChargeReply>;

  /**
   * Get the approval for an emailed link: `POST /v1/approvals/{id}/view`
   *
   * Requires no key, only the token from the link. Nothing is decided, and the token stays valid.
   * @throws {SignetError} `invalid_token`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  viewApproval(input: ViewApprovalInput, options?: CallOptions): Promise<ViewApprovalReply>;

  /**
   * Approve or reject with the token from an emailed link: `POST /v1/approvals/{id}/decide`
   *
   * Requires no key, only the token from the link that was emailed to the operator. A token decides once.
   * @throws {SignetError} `invalid_token`, `already_resolved`, `delegation_ended`, `expired`, `passkey_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  decideApproval(input: DecideApprovalInput, options?: CallOptions): Promise<DecideApprovalReply>;

  /**
   * Set or clear the recovery email: `POST /v1/account/recovery-email`
   *
   * The address gets one email that asks its owner to confirm it. It can log in at once. An old, confirmed address keeps working beside the new one for 7 days.
   * @throws {SignetError} `operator_required`, `target_not_allowed`, `way_off`, `address_refused`, `removal_disputed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setRecoveryEmail(input: SetRecoveryEmailInput, options?: CallOptions): Promise<SetRecoveryEmailReply>;

  /**
   * Name an operator, or clear all: `POST /v1/account/operator-email`
   *
   * An operator decides for this account: approvals and requests for credentials are mailed to each. An account has up to three. The address gets one email, and nothing else until its owner confirms there.
   * @throws {SignetError} `operator_required`, `address_refused`, `removal_disputed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `pod_auth_forbidden`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setOperatorEmail(input: SetOperatorEmailInput, options?: CallOptions): Promise<SetOperatorEmailReply>;

  /**
   * Remove an operator: `DELETE /v1/account/operators/{address}`
   *
   * At once: one confirmed for less than 7 days, the caller’s own address, and by a session of an address confirmed earlier. Otherwise after 7 days’ notice, which the operator can undo.
   * @throws {SignetError} `not_found`, `operator_required`, `removal_disputed`, `older_factor_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `pod_auth_forbidden`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  removeOperator(input: RemoveOperatorInput, options?: CallOptions): Promise<RemoveOperatorReply>;

  /**
   * Get what an address is asked to confirm: `POST /v1/people/view`
   *
   * Decides nothing, and the token stays valid.
   * @throws {SignetError} `invalid_token`, `unauthorized`, `not_found`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  viewConfirmation(input?: ViewConfirmationInput, options?: CallOptions): Promise<ViewConfirmationReply>;

  /**
   * Confirm or refuse an address: `POST /v1/people/confirm`
   *
   * By the link of the confirmation email (72 hours, once), or by a session of the address. `refuse` says “This is not my agent”: the account cannot name the address again. An operator who sends `authority: operator` reserves spending and changes to the operators.
   * @throws {SignetError} `invalid_token`, `unauthorized`, `not_found`, `operator_limit`, `operator_required`, `passkey_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  confirmPerson(input: ConfirmPersonInput, options?: CallOptions): Promise<ConfirmPersonReply>;

  /**
   * Let a client in, or deny it: `POST /oauth/consent`
   *
   * For a session of an operator of the account. While `authority` is `account`, a session of a confirmed address may too.
   * @throws {SignetError} `not_found`, `operator_required`, `target_not_allowed`, `way_off`, `confirmed_address_required`, `account_deleting`, `limit_reached`, `invalid_scope`, `invalid_client`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  decideConsent(input: DecideConsentInput, options?: CallOptions): Promise<DecideConsentReply>;

  /**
   * Register a client (RFC 7591): `POST /oauth/register`
   *
   * A client has no secret. One that nobody lets in is forgotten after 24 hours.
   * @throws {SignetError} `invalid_redirect_uri`, `invalid_client_metadata`, `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  registerClient(input?: RegisterClientInput, options?: CallOptions): Promise<RegisterClientReply>;

  /**
   * Begin a login with a device code (RFC 8628): `POST /oauth/device_authorization`
   *
   * For the command line alone. A person types the user code on the page `/device`.
   * @throws {SignetError} `invalid_client`, `invalid_scope`, `invalid_target`, `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  startDeviceLogin(input?: StartDeviceLoginInput, options?: CallOptions): Promise<StartDeviceLoginReply>;

  /**
   * Look at the login that waits with a user code, or decide it: `POST /oauth/device`
   *
   * For who may decide `POST /oauth/consent`. Without `decision` nothing is decided.
   * @throws {SignetError} `unknown_user_code`, `not_found`, `operator_required`, `target_not_allowed`, `way_off`, `confirmed_address_required`, `account_deleting`, `limit_reached`, `invalid_scope`, `rate_limited`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  decideDeviceLogin(input: DecideDeviceLoginInput, options?: CallOptions): Promise<DecideDeviceLoginReply>;

  /**
   * Get an access token (RFC 6749, RFC 8628, RFC 8693): `POST /oauth/token`
   *
   * For a code, a refresh token or a delegation. The command line gets a named key. Only a delegation needs a key, and only `identity:issue` of it counts. Takes a form, or JSON.
   * @throws {SignetError} `invalid_grant`, `invalid_client`, `invalid_scope`, `invalid_target`, `unsupported_grant_type`, `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `limit_reached`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  exchangeToken(input: ExchangeTokenInput, options?: CallOptions): Promise<ExchangeTokenReply>;

  /**
   * List the clients that people let act for the account: `GET /v1/account/grants`
   *
   * Each with its scopes and its last use.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listGrants(input?: ListGrantsInput, options?: CallOptions): Promise<ListGrantsReply>;

  /**
   * End the access of a client: `DELETE /v1/account/grants/{id}`
   *
   * Its tokens stop working at once, on every instance.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  endGrant(input: EndGrantInput, options?: CallOptions): Promise<EndGrantReply>;

  /**
   * Get options to create a passkey: `POST /v1/passkeys/options`
   *
   * For `navigator.credentials.create`. Needs an operator session, and lives for 5 minutes.
   * @throws {SignetError} `operator_required`, `passkeys_unavailable`, `limit_reached`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  createPasskeyOptions(input?: CreatePasskeyOptionsInput, options?: CallOptions): Promise<CreatePasskeyOptionsReply>;

  /**
   * Add a passkey: `POST /v1/passkeys`
   *
   * Takes the browser’s answer to the options. With a mailed login, a further passkey becomes active after 72 hours.
   * @throws {SignetError} `operator_required`, `passkeys_unavailable`, `invalid_passkey`, `limit_reached`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  addPasskey(input: AddPasskeyInput, options?: CallOptions): Promise<AddPasskeyReply>;

  /**
   * List your passkeys: `GET /v1/passkeys`
   *
   * Also those that wait.
   * @throws {SignetError} `operator_required`, `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `storage_unavailable`
   */
  listPasskeys(input?: ListPasskeysInput, options?: CallOptions): Promise<ListPasskeysReply>;

  /**
   * Remove a passkey: `DELETE /v1/passkeys/{id}`
   *
   * An active one takes a session that a passkey or a recovery code opened.
   * @throws {SignetError} `operator_required`, `not_found`, `passkeys_needed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `dry_run_unavailable`, `storage_unavailable`
   */
  removePasskey(input: RemovePasskeyInput, options?: CallOptions): Promise<RemovePasskeyReply>;

  /**
   * Create recovery codes: `POST /v1/passkeys/recovery-codes`
   *
   * Ten codes that log in once each. They replace the former ones. Print them.
   * @throws {SignetError} `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  createRecoveryCodes(input?: CreateRecoveryCodesInput, options?: CallOptions): Promise<CreateRecoveryCodesReply>;

  /**
   * Get options to log in with a passkey: `POST /v1/auth/passkey/options`
   *
   * For `navigator.credentials.get`. They live for 5 minutes and are alike for every address.
   * @throws {SignetError} `passkeys_unavailable`, `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  createPasskeyLoginOptions(input?: CreatePasskeyLoginOptionsInput, options?: CallOptions): Promise<CreatePasskeyLoginOptionsReply>;

  /**
   * Open a session with a passkey: `POST /v1/auth/passkey`
   *
   * Takes the browser’s answer to the options.
   * @throws {SignetError} `passkeys_unavailable`, `invalid_passkey`, `passkey_pending`, `rate_limited`, `not_found`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  logInWithPasskey(input: LogInWithPasskeyInput, options?: CallOptions): Promise<LogInWithPasskeyReply>;

  /**
   * Open a session with a recovery code: `POST /v1/auth/passkey/recovery`
   *
   * Each code works once. The session can do what one of a passkey can, such as add a passkey.
   * @throws {SignetError} `invalid_code`, `rate_limited`, `not_found`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  logInWithRecoveryCode(input: LogInWithRecoveryCodeInput, options?: CallOptions): Promise<LogInWithRecoveryCodeReply>;

  /**
   * Get your settings as an operator: `GET /v1/operator/settings`
   *
   * They belong to your address, whatever account you act for.
   * @throws {SignetError} `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `storage_unavailable`
   */
  getOperatorSettings(input?: GetOperatorSettingsInput, options?: CallOptions): Promise<GetOperatorSettingsReply>;

  /**
   * Change your settings as an operator: `PATCH /v1/operator/settings`
   *
   * `require_passkey` needs two passkeys, or one and recovery codes. Mailed links then decide nothing for any of your agents. What is absent stays.
   * @throws {SignetError} `operator_required`, `passkeys_needed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateOperatorSettings(input?: UpdateOperatorSettingsInput, options?: CallOptions): Promise<UpdateOperatorSettingsReply>;

  /**
   * Open a session with a key, for a console: `POST /v1/auth/session`
   *
   * For a primary key or a pod’s. The session may do what its key may, for 12 hours, and ends with it. All such sessions of an account share 1,000 reads (GET) a day, which do not count for the account; other calls do. An account has at most five: one more ends the oldest.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  openConsoleSession(input?: OpenConsoleSessionInput, options?: CallOptions): Promise<OpenConsoleSessionReply>;

  /**
   * List open sessions: `GET /v1/account/sessions`
   *
   * Newest first. Session tokens are never shown.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listSessions(input?: ListSessionsInput, options?: CallOptions): Promise<ListSessionsReply>;

  /**
   * End a session: `DELETE /v1/account/sessions/{id}`
   *
   * Its token stops working at once on every instance, and its streams are closed. While `authority` is `operator`, only an operator session can end an operator session.
   * @throws {SignetError} `not_found`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  endSession(input: EndSessionInput, options?: CallOptions): Promise<EndSessionReply>;

  /**
   * Get the mail policy: `GET /v1/email/policy`
   *
   * What an address does not set itself comes from the account.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getMailPolicy(input?: GetMailPolicyInput, options?: CallOptions): Promise<GetMailPolicyReply>;

  /**
   * Update the mail policy: `PUT /v1/email/policy`
   *
   * Absent fields stay as they are. Only the authority of the account can change it. `hold`, `secrets: hold` and `otherwise: review` need a confirmed operator. `outbound` of a platform also binds its pods; a pod cannot set `otherwise: review`.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `operator_required`, `operator_email_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setMailPolicy(input?: SetMailPolicyInput, options?: CallOptions): Promise<SetMailPolicyReply>;

  /**
   * List held emails, newest first: `GET /v1/email/reviews`
   *
   * What the caller’s addresses sent. Only an operator can read whole emails and decide, under either authority.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listReviews(input?: ListReviewsInput, options?: CallOptions): Promise<ListReviewsReply>;

  /**
   * Read a held email: `GET /v1/email/reviews/{id}`
   *
   * Shows the whole email and why it is held.
   * @throws {SignetError} `not_found`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getReview(input: GetReviewInput, options?: CallOptions): Promise<GetReviewReply>;

  /**
   * Download an attachment of a held email: `GET /v1/email/reviews/{id}/attachments/{n}`
   *
   * 404 once it is decided.
   * @throws {SignetError} `not_found`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getReviewAttachment(input: GetReviewAttachmentInput, options?: CallOptions): Promise<GetReviewAttachmentReply>;

  /**
   * Let a held email go out: `POST /v1/email/reviews/{id}/approve`
   *
   * Sends it once, and settles the payment that came with it.
   * @throws {SignetError} `not_found`, `operator_required`, `already_resolved`, `expired`, `payment_unavailable`, `public_domain`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  approveReview(input: ApproveReviewInput, options?: CallOptions): Promise<ApproveReviewReply>;

  /**
   * Reject a held email: `POST /v1/email/reviews/{id}/reject`
   *
   * It is not sent, and does not count in the emails of the day. No payment is taken.
   * @throws {SignetError} `not_found`, `operator_required`, `already_resolved`, `expired`, `payment_unavailable`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rejectReview(input: RejectReviewInput, options?: CallOptions): Promise<RejectReviewReply>;

  /**
   * Withdraw a held email: `POST /v1/email/reviews/{id}/withdraw`
   *
   * It is not sent and does not count in the emails of the day. No payment is taken.
   * @throws {SignetError} `not_found`, `already_resolved`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  withdrawReview(input: WithdrawReviewInput, options?: CallOptions): Promise<WithdrawReviewReply>;

  /**
   * Read the held email of an emailed link: `POST /v1/email/reviews/{id}/view`
   *
   * Requires no key, only the token from the link. Nothing is decided.
   * @throws {SignetError} `invalid_token`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  viewReview(input: ViewReviewInput, options?: CallOptions): Promise<ViewReviewReply>;

  /**
   * Download an attachment of the held email of an emailed link: `POST /v1/email/reviews/{id}/view/attachments/{n}`
   *
   * 404 once it is decided.
   * @throws {SignetError} `invalid_token`, `not_found`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  viewReviewAttachment(input: ViewReviewAttachmentInput, options?: CallOptions): Promise<ViewReviewAttachmentReply>;

  /**
   * Approve or reject with the token from an emailed link: `POST /v1/email/reviews/{id}/decide`
   *
   * Requires no key, only the token from the link that was emailed to the operator.
   * @throws {SignetError} `invalid_token`, `already_resolved`, `expired`, `passkey_required`, `payment_unavailable`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  decideReview(input: DecideReviewInput, options?: CallOptions): Promise<DecideReviewReply>;

  /**
   * List your agents: `GET /v1/operator/agents`
   *
   * Lists the accounts that the address of the session is a confirmed operator of, and what waits for its confirmation. Name one of them in the header `Signet-Account` to act for it.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `storage_unavailable`
   */
  listOperatorAgents(input?: ListOperatorAgentsInput, options?: CallOptions): Promise<ListOperatorAgentsReply>;

  /**
   * Suspend an agent: `POST /v1/operator/agents/{id}/suspend`
   *
   * Its keys and tokens stop working and mail to it is refused, at once on every instance. Calls that take access away, such as rotating a key, still work. Nothing is deleted.
   * @throws {SignetError} `not_found`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  suspendAgent(input: SuspendAgentInput, options?: CallOptions): Promise<SuspendAgentReply>;

  /**
   * Resume an agent: `POST /v1/operator/agents/{id}/resume`
   *
   * Ends the suspension by its operators. It stays `suspended` while the administrator suspends it.
   * @throws {SignetError} `not_found`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  resumeAgent(input: ResumeAgentInput, options?: CallOptions): Promise<ResumeAgentReply>;

  /**
   * Set or replace the key that encrypts incoming mail: `POST /v1/e2e/rotate-key`
   *
   * Applies to every address of the account, and to addresses claimed later. The first call registers the SHA-256 of `master_seed`. Every later call must send the same seed.
   * @throws {SignetError} `seed_mismatch`, `removal_disputed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  rotateEncryptionKey(input: RotateEncryptionKeyInput, options?: CallOptions): Promise<RotateEncryptionKeyReply>;

  /**
   * Stop encrypting incoming mail: `DELETE /v1/e2e/key`
   *
   * At once while the key is younger than 7 days, otherwise after 7 days. The seed is forgotten too.
   * @throws {SignetError} `not_found`, `removal_disputed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteEncryptionKey(input?: DeleteEncryptionKeyInput, options?: CallOptions): Promise<DeleteEncryptionKeyReply>;

  /**
   * Create an account with an API key and an email address: `POST /v1/register`
   *
   * Send `name`, `address` or both. A name becomes an address: `Zoë Müller` gets `zoe-muller`. A name that cannot be written in a-z gets a generated address. If that address is taken, four digits are appended. A taken `address` is refused with 409.
   * @throws {SignetError} `invalid_address`, `address_unavailable`, `address_limit`, `rate_limited`, `signup_closed`, `invite_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  register(input?: RegisterInput, options?: CallOptions): Promise<RegisterReply>;

  /**
   * List events: `GET /v1/events`
   *
   * Returns what happened to the account, in order. An event is written in the same transaction as the change it reports, and kept for 30 days. Pass the last id you have seen as `after` to miss no event. With `wait`, the reply comes as soon as there is an event.
   * @throws {SignetError} `invalid_cursor`, `stream_limit`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listEvents(input?: ListEventsInput, options?: CallOptions): Promise<ListEventsReply>;

  /**
   * Create a ticket for a WebSocket: `POST /v1/ws/tickets`
   *
   * Browsers cannot send an `Authorization` header with a WebSocket. Connect to `/v1/ws?ticket=…` within a minute. A ticket works once. The socket closes when the credential that created the ticket ends.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createSocketTicket(input?: CreateSocketTicketInput, options?: CallOptions): Promise<CreateSocketTicketReply>;

  /**
   * List the messages of an address: `GET /v1/email/inbox`
   *
   * Newest first, without archived messages by default. Listing a free address claims it.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `address_reserved`, `address_limit`, `invalid_cursor`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  listInbox(input: ListInboxInput, options?: CallOptions): Promise<ListInboxReply>;

  /**
   * Read a message: `GET /v1/email/messages/{id}`
   *
   * Reading marks it read, except in the trash. `format=llm` returns text for a model, with what the sender wrote in a fence.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  getMessage(input: GetMessageInput, options?: CallOptions): Promise<GetMessageReply>;

  /**
   * Update a message: `PATCH /v1/email/messages/{id}`
   *
   * Sets or clears `read` and `archived`, changes labels, and moves it. Absent fields stay. With `?folder=trash`, `folder` restores a message.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `metadata_too_large`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateMessage(input: UpdateMessageInput, options?: CallOptions): Promise<UpdateMessageReply>;

  /**
   * Delete a message: `DELETE /v1/email/messages/{id}`
   *
   * Moves it to the trash for 30 days; every call about it is then 404 without `?folder=trash`. Deletes it for good with `permanent`, or when it is in the trash.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteMessage(input: DeleteMessageInput, options?: CallOptions): Promise<DeleteMessageReply>;

  /**
   * Wait for the next message: `GET /v1/email/wait`
   *
   * Returns the next message that fits, with its code and links. It stays unread.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  waitForMail(input?: WaitForMailInput, options?: CallOptions): Promise<WaitForMailReply>;

  /**
   * Download a raw message: `GET /v1/email/messages/{id}/raw`
   *
   * Returns the message byte for byte as it arrived (RFC 5322), after this service’s `Received` header. A sealed message is IV ‖ ciphertext ‖ tag. Needs `mail:codes` too.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getRawMessage(input: GetRawMessageInput, options?: CallOptions): Promise<GetRawMessageReply>;

  /**
   * Download an attachment: `GET /v1/email/messages/{id}/attachments/{n}`
   *
   * Always sent as a download, so that browsers do not run its content. Needs `mail:codes` too.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getAttachment(input: GetAttachmentInput, options?: CallOptions): Promise<GetAttachmentReply>;

  /**
   * Get remote pictures of a message: `POST /v1/email/messages/{id}/pictures`
   *
   * The service gets them from addresses that the HTML names, without cookies. Their hosts learn that the mail is read. What fails is left out. Needs `mail:codes` too.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `rate_limited`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  loadPictures(input: LoadPicturesInput, options?: CallOptions): Promise<LoadPicturesReply>;

  /**
   * Claim an address: `POST /v1/inbox`
   *
   * If you send no `name`, the service chooses a random one. Claiming an address you already own returns 201 again.
   * @throws {SignetError} `invalid_address`, `address_reserved`, `address_limit`, `address_unavailable`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createInbox(input?: CreateInboxInput, options?: CallOptions): Promise<CreateInboxReply>;

  /**
   * List the messages of an address: `GET /v1/inbox/{address}`
   *
   * Newest first, without archived messages. Listing a free address claims it.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `address_reserved`, `address_limit`, `invalid_cursor`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  getInbox(input: GetInboxInput, options?: CallOptions): Promise<GetInboxReply>;

  /**
   * Read a message: `GET /v1/inbox/{address}/messages/{id}`
   *
   * Reading a message marks it read.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  getInboxMessage(input: GetInboxMessageInput, options?: CallOptions): Promise<GetInboxMessageReply>;

  /**
   * List mail in quarantine, newest first: `GET /v1/email/quarantine`
   *
   * Without content. Only an operator or, where the account has the authority, its primary key can.
   * @throws {SignetError} `invalid_cursor`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listQuarantine(input?: ListQuarantineInput, options?: CallOptions): Promise<ListQuarantineReply>;

  /**
   * Release a message from quarantine: `POST /v1/email/quarantine/{id}/release`
   *
   * It appears in the inbox as if it had just arrived.
   * @throws {SignetError} `not_found`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  releaseQuarantined(input: ReleaseQuarantinedInput, options?: CallOptions): Promise<ReleaseQuarantinedReply>;

  /**
   * Delete a message in quarantine: `DELETE /v1/email/quarantine/{id}`
   *
   * Deletes it for good. The sender is not told.
   * @throws {SignetError} `not_found`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteQuarantined(input: DeleteQuarantinedInput, options?: CallOptions): Promise<DeleteQuarantinedReply>;

  /**
   * List conversations: `GET /v1/email/threads`
   *
   * The conversation with the latest message comes first.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listThreads(input?: ListThreadsInput, options?: CallOptions): Promise<ListThreadsReply>;

  /**
   * Read a conversation: `GET /v1/email/threads/{id}`
   *
   * Returns received and sent messages, oldest first, without marking them read. `text` is null for a sealed message.
   * @throws {SignetError} `not_found`, `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getThread(input: GetThreadInput, options?: CallOptions): Promise<GetThreadReply>;

  /**
   * Update all messages of a conversation: `PATCH /v1/email/threads/{id}`
   *
   * Changes up to 500 messages. Mail that arrives later starts unread, not archived and without labels.
   * @throws {SignetError} `not_found`, `metadata_too_large`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateThread(input: UpdateThreadInput, options?: CallOptions): Promise<UpdateThreadReply>;

  /**
   * List recipients that get no more mail: `GET /v1/email/suppressions`
   *
   * A mail to them came back for good, or they reported one as spam or unsubscribed.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listSuppressions(input?: ListSuppressionsInput, options?: CallOptions): Promise<ListSuppressionsReply>;

  /**
   * Let mail go to a recipient again: `DELETE /v1/email/suppressions/{address}`
   *
   * Mail that bounces again stops it again.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteSuppression(input: DeleteSuppressionInput, options?: CallOptions): Promise<DeleteSuppressionReply>;

  /**
   * Send an email: `POST /v1/email/send`
   *
   * Recipients on this service have the email when the reply arrives. Mail to others is queued: see `GET /v1/email/outbox` for the outcome. Send an `Idempotency-Key` so that a retry sends the email only once. Over the limit, pay for an email with `X-PAYMENT`.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  sendEmail(input: SendEmailInput, options?: CallOptions): Promise<SendEmailReply>;

  /**
   * List sent mail, newest first: `GET /v1/email/outbox`
   *
   * With the outcome for each recipient.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listOutbox(input?: ListOutboxInput, options?: CallOptions): Promise<ListOutboxReply>;

  /**
   * Read a sent email: `GET /v1/email/outbox/{id}`
   *
   * With its whole text, and its delivery step by step in the words of the servers. 404 `no_longer_kept` once it may have gone with its address.
   * @throws {SignetError} `not_found`, `no_longer_kept`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getSentEmail(input: GetSentEmailInput, options?: CallOptions): Promise<GetSentEmailReply>;

  /**
   * Reply to the sender of a message: `POST /v1/email/messages/{id}/reply`
   *
   * Goes to Reply-To, or else From, in the same conversation. Quotes nothing.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  replyToMessage(input: ReplyToMessageInput, options?: CallOptions): Promise<ReplyToMessageReply>;

  /**
   * Reply to everybody a message names: `POST /v1/email/messages/{id}/reply_all`
   *
   * Goes to the sender, To and Cc, without your own addresses.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  replyToAll(input: ReplyToAllInput, options?: CallOptions): Promise<ReplyToAllReply>;

  /**
   * Forward a message: `POST /v1/email/messages/{id}/forward`
   *
   * With its text and attachments, after your `text`. Needs `mail:read` and `mail:codes` too.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  forwardMessage(input: ForwardMessageInput, options?: CallOptions): Promise<ForwardMessageReply>;

  /**
   * Send an email from this address: `POST /v1/inbox/{address}/send`
   *
   * A simpler form of `POST /v1/email/send`, with the same limits.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  sendFromInbox(input: SendFromInboxInput, options?: CallOptions): Promise<SendFromInboxReply>;

  /**
   * Write a draft, or schedule a mail: `POST /v1/email/drafts`
   *
   * With `send_at`, the mail is sent then, once. Policy and limits are checked when it leaves.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `limit_reached`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createDraft(input?: CreateDraftInput, options?: CallOptions): Promise<CreateDraftReply>;

  /**
   * List drafts and scheduled mail, newest first: `GET /v1/email/drafts`
   *
   * Without those that were sent, and without the texts.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listDrafts(input?: ListDraftsInput, options?: CallOptions): Promise<ListDraftsReply>;

  /**
   * Read a draft: `GET /v1/email/drafts/{id}`
   *
   * A draft that was sent stays for 30 days, without its text.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getDraft(input: GetDraftInput, options?: CallOptions): Promise<GetDraftReply>;

  /**
   * Change a draft: `PATCH /v1/email/drafts/{id}`
   *
   * Absent fields stay. `send_at: null` cancels the sending, until it has left (409 `already_sent`). Needs `mail:read` too, and `mail:codes` if it shows codes, links or files that a credential with that wrote.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `limit_reached`, `not_found`, `already_sent`, `draft_changed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateDraft(input: UpdateDraftInput, options?: CallOptions): Promise<UpdateDraftReply>;

  /**
   * Delete a draft: `DELETE /v1/email/drafts/{id}`
   *
   * A scheduled mail is then not sent.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteDraft(input: DeleteDraftInput, options?: CallOptions): Promise<DeleteDraftReply>;

  /**
   * Send a draft now: `POST /v1/email/drafts/{id}/send`
   *
   * As `POST /v1/email/send` does. Needs `mail:codes` too if it shows codes, links or files that a credential with that wrote.
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `not_found`, `already_sent`, `draft_changed`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  sendDraft(input: SendDraftInput, options?: CallOptions): Promise<SendDraftReply>;

  /**
   * Create a webhook: `POST /v1/email/webhooks`
   *
   * Posts every email that an address receives to a URL, as JSON, within seconds. Subscribe to `email.failed` to learn about sent email that was not delivered. A delivery is retried for more than a day until the receiver answers 2xx. An account can have 20 webhooks.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `webhook_limit`, `not_found`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<CreateWebhookReply>;

  /**
   * List webhooks, oldest first: `GET /v1/email/webhooks`
   *
   * Those that watch an address.
   * @throws {SignetError} `invalid_address`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listWebhooks(input?: ListWebhooksInput, options?: CallOptions): Promise<ListWebhooksReply>;

  /**
   * Create a webhook for events of any type: `POST /v1/webhooks`
   *
   * Posts events of the account, or about one address, to a URL. Without `secret` the service makes one and shows it once. Needs `events:read` too, except for the types of `createWebhook` with an address.
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `webhook_limit`, `not_found`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createEventWebhook(input: CreateEventWebhookInput, options?: CallOptions): Promise<CreateEventWebhookReply>;

  /**
   * List all webhooks, oldest first: `GET /v1/webhooks`
   *
   * Those of the account and of its addresses.
   * @throws {SignetError} `invalid_address`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listEventWebhooks(input?: ListEventWebhooksInput, options?: CallOptions): Promise<ListEventWebhooksReply>;

  /**
   * Get a webhook: `GET /v1/webhooks/{id}`
   *
   * Shows its state and its week, and never its secret.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getEventWebhook(input: GetEventWebhookInput, options?: CallOptions): Promise<GetEventWebhookReply>;

  /**
   * Get a delivery with its body: `GET /v1/webhooks/{id}/deliveries/{delivery_id}`
   *
   * 404 `no_longer_kept` after 30 days. The body is masked without `mail:codes`. Needs `events:read` too, except for the mail of an address.
   * @throws {SignetError} `not_found`, `no_longer_kept`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getEventWebhookDelivery(input: GetEventWebhookDeliveryInput, options?: CallOptions): Promise<GetEventWebhookDeliveryReply>;

  /**
   * Change, pause or resume a webhook: `PATCH /v1/webhooks/{id}`
   *
   * Absent fields stay.
   * @throws {SignetError} `not_found`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateEventWebhook(input: UpdateEventWebhookInput, options?: CallOptions): Promise<UpdateEventWebhookReply>;

  /**
   * Delete a webhook and its deliveries: `DELETE /v1/email/webhooks/{id}`
   *
   * Nothing more is sent, not even what waits.
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<DeleteWebhookReply>;

  /**
   * Send a ping to a webhook: `POST /v1/email/webhooks/{id}/test`
   *
   * Sends a `webhook.test` body once, signed like any delivery. The delivery log shows the result. A success enables a disabled webhook that was not paused.
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  testWebhook(input: TestWebhookInput, options?: CallOptions): Promise<TestWebhookReply>;

  /**
   * List deliveries, newest first: `GET /v1/email/webhooks/{id}/deliveries`
   *
   * Deliveries are kept for 30 days. Needs `events:read` too where creating the webhook does.
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listWebhookDeliveries(input: ListWebhookDeliveriesInput, options?: CallOptions): Promise<ListWebhookDeliveriesReply>;

  /**
   * Retry a delivery now: `POST /v1/email/webhooks/{id}/deliveries/{delivery_id}/retry`
   *
   * Sends the same body again, whatever the state of the delivery. If it fails, the schedule of retries starts again.
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  retryWebhookDelivery(input: RetryWebhookDeliveryInput, options?: CallOptions): Promise<RetryWebhookDeliveryReply>;

  /**
   * Delete a webhook and its deliveries: `DELETE /v1/webhooks/{id}`
   *
   * As under `/v1/email/webhooks`.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteEventWebhook(input: DeleteEventWebhookInput, options?: CallOptions): Promise<DeleteEventWebhookReply>;

  /**
   * Send a ping to a webhook: `POST /v1/webhooks/{id}/test`
   *
   * As under `/v1/email/webhooks`.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  testEventWebhook(input: TestEventWebhookInput, options?: CallOptions): Promise<TestEventWebhookReply>;

  /**
   * List deliveries, newest first: `GET /v1/webhooks/{id}/deliveries`
   *
   * As under `/v1/email/webhooks`.
   * @throws {SignetError} `not_found`, `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listEventWebhookDeliveries(input: ListEventWebhookDeliveriesInput, options?: CallOptions): Promise<ListEventWebhookDeliveriesReply>;

  /**
   * Retry a delivery now: `POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry`
   *
   * As under `/v1/email/webhooks`.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  retryEventWebhookDelivery(input: RetryEventWebhookDeliveryInput, options?: CallOptions): Promise<RetryEventWebhookDeliveryReply>;

  /**
   * Replace the secret of a webhook: `POST /v1/webhooks/{id}/rotate-secret`
   *
   * Returns the new secret once. For `grace_seconds` the old one signs too: `webhook-signature` then has the signatures of both, and `x-service-signature` is still made with the old one.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<RotateWebhookSecretReply>;

  /**
   * Replace the secret of a webhook: `POST /v1/email/webhooks/{id}/rotate-secret`
   *
   * Returns the new secret once. For `grace_seconds` the old one signs too: `webhook-signature` then has the signatures of both, and `x-service-signature` is still made with the old one.
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rotateEmailWebhookSecret(input: RotateEmailWebhookSecretInput, options?: CallOptions): Promise<RotateEmailWebhookSecretReply>;

  /**
   * List the keys of the vault: `GET /v1/vault/`
   *
   * Sorted by name, with versions and metadata but without ciphertexts. The audit log records each call.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listVaultKeys(input?: ListVaultKeysInput, options?: CallOptions): Promise<ListVaultKeysReply>;

  /**
   * Store a sealed value as a new key or a new version: `PUT /v1/vault/{key}`
   *
   * Seal the value on your side: the service cannot read it. The free tier keeps 3 versions of a key, the paid tier 100. Version numbers are never reused. Metadata belongs to a version and is null if you send none. `If-Match: "3"` stores only if version 3 is the latest, `If-None-Match: *` only if the key is new. At the limit of keys, a payment adds room for one.
   * @throws {SignetError} `invalid_key`, `invalid_ciphertext`, `payload_too_large`, `metadata_too_large`, `version_conflict`, `storage_full`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  putVaultEntry(input: PutVaultEntryInput, options?: CallOptions): Promise<PutVaultEntryReply>;

  /**
   * Get a sealed value: `GET /v1/vault/{key}`
   *
   * Returns the latest version or the one in `version`. The audit log records each read.
   * @throws {SignetError} `invalid_key`, `invalid_version`, `not_found`, `version_not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getVaultEntry(input: GetVaultEntryInput, options?: CallOptions): Promise<GetVaultEntryReply>;

  /**
   * List the versions of a key: `GET /v1/vault/{key}/versions`
   *
   * Without ciphertexts. To restore one, store its ciphertext again.
   * @throws {SignetError} `invalid_key`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listVaultVersions(input: ListVaultVersionsInput, options?: CallOptions): Promise<ListVaultVersionsReply>;

  /**
   * Delete a key or one of its versions: `DELETE /v1/vault/{key}`
   *
   * When you delete the latest version, the version before it becomes the latest. The number of a deleted version is not reused. Deleting the last version deletes the key. `If-Match` works as for PUT.
   * @throws {SignetError} `invalid_key`, `invalid_version`, `not_found`, `version_not_found`, `version_conflict`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteVaultEntry(input: DeleteVaultEntryInput, options?: CallOptions): Promise<DeleteVaultEntryReply>;

  /**
   * Store a sealed seed for recovery by email: `POST /v1/vault/recovery-email`
   *
   * Anyone who can read mail at this address can get the sealed seed and the sealed entries of this vault, but cannot open them without the passphrase. A new seed replaces the previous one; a previous one that is older than 7 days works for 7 days more. Rotating keys does not change it. `POST /v1/account/recovery-email` is separate: it is for login.
   * @throws {SignetError} `payload_too_large`, `removal_disputed`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setVaultRecovery(input: SetVaultRecoveryInput, options?: CallOptions): Promise<SetVaultRecoveryReply>;

  /**
   * Store a sealed seed without an account: `POST /v1/vault/store`
   *
   * At most five seeds in 24 hours for one address, and 60 an hour from one network.
   * @throws {SignetError} `payload_too_large`, `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  storeSeed(input: StoreSeedInput, options?: CallOptions): Promise<StoreSeedReply>;

  /**
   * Request a recovery link by email: `POST /v1/vault/recover`
   *
   * The reply is the same for an address with nothing stored. For one address at most three requests an hour and five in 24 hours: from each network that it logged in from within 90 days, and from all others together.
   * @throws {SignetError} `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  requestVaultRecovery(input: RequestVaultRecoveryInput, options?: CallOptions): Promise<RequestVaultRecoveryReply>;

  /**
   * Recover vaults with a recovery link: `GET /v1/vault/recover/verify`
   *
   * The link works once. If not everything fits in one reply, call this endpoint again with `next_token`. The audit log of each recovered account records the call.
   * @throws {SignetError} `invalid_token`, `invalid_request`, `dry_run_unavailable`, `storage_unavailable`
   */
  verifyVaultRecovery(input: VerifyVaultRecoveryInput, options?: CallOptions): Promise<VerifyVaultRecoveryReply>;

  /**
   * List what waits, oldest first: `GET /v1/account/waiting`
   *
   * What waits for someone to act, and for whom. A kind needs the scope of its own list. Marks nothing read.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listWaiting(input?: ListWaitingInput, options?: CallOptions): Promise<ListWaitingReply>;

  /**
   * List what waits at your agents, oldest first: `GET /v1/operator/waiting`
   *
   * And what the address of the session is asked to confirm.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `storage_unavailable`
   */
  listOperatorWaiting(input?: ListOperatorWaitingInput, options?: CallOptions): Promise<ListOperatorWaitingReply>;

  /**
   * Find things by their names, and mail by its words: `GET /v1/search`
   *
   * Of each kind, what the credential may list, best first. Never what is sealed, in quarantine or in the trash.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  search(input: SearchInput, options?: CallOptions): Promise<SearchReply>;

  /**
   * Find things of all your agents: `GET /v1/operator/search`
   *
   * As a search of each, best first.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `storage_unavailable`
   */
  searchAgents(input: SearchAgentsInput, options?: CallOptions): Promise<SearchAgentsReply>;

  /**
   * Get the account: `GET /v1/account/me`
   *
   * A key that is limited to addresses does not see the addresses of people.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getAccount(input?: GetAccountInput, options?: CallOptions): Promise<GetAccountReply>;

  /**
   * Create a pod: `POST /v1/pods`
   *
   * A pod is a tenant of your platform: an account of its own, with its own key. Its platform sets its limits but cannot read its mail or vault. Tier, daily requests and daily emails are shared with the platform.
   * @throws {SignetError} `pod_auth_forbidden`, `pod_limit_reached`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createPod(input?: CreatePodInput, options?: CallOptions): Promise<CreatePodReply>;

  /**
   * List pods, newest first: `GET /v1/pods`
   *
   * Includes suspended pods. With a pod’s key, returns that pod alone.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listPods(input?: ListPodsInput, options?: CallOptions): Promise<ListPodsReply>;

  /**
   * Get a pod: `GET /v1/pods/{pod_id}`
   *
   * With its people and limits.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getPod(input: GetPodInput, options?: CallOptions): Promise<GetPodReply>;

  /**
   * Update a pod: `PATCH /v1/pods/{pod_id}`
   *
   * Absent fields stay as they are, including those inside `rate_limits`, `spending_caps` and `policy`. Null for one of these removes all of its values. `status: "active"` reactivates a suspended pod. Only the primary key and a session set `recovery_email`; only the authority of the platform sets `policy`.
   * @throws {SignetError} `pod_auth_forbidden`, `pod_limit_reached`, `account_suspended`, `not_found`, `address_refused`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updatePod(input: UpdatePodInput, options?: CallOptions): Promise<UpdatePodReply>;

  /**
   * Suspend a pod: `DELETE /v1/pods/{pod_id}`
   *
   * Requests with its key get 403 `pod_suspended`, and mail to it is refused. Nothing is deleted; `PATCH` with `status: "active"` reactivates it.
   * @throws {SignetError} `pod_auth_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  suspendPod(input: SuspendPodInput, options?: CallOptions): Promise<SuspendPodReply>;

  /**
   * Replace the key of a pod: `POST /v1/pods/{pod_id}/keys`
   *
   * Ends the previous key, the backup key and all sessions of the pod at once.
   * @throws {SignetError} `pod_auth_forbidden`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  replacePodKey(input: ReplacePodKeyInput, options?: CallOptions): Promise<ReplacePodKeyReply>;

  /**
   * Set up your own domain for email: `POST /v1/stack`
   *
   * Returns the DNS records to set, including a DKIM key for this domain. Set them, then verify the stack. After that you can claim addresses at the domain.
   * @throws {SignetError} `invalid_domain`, `stack_limit`, `stack_exists`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createStack(input: CreateStackInput, options?: CallOptions): Promise<CreateStackReply>;

  /**
   * List domains: `GET /v1/stack`
   *
   * Newest first.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listStacks(input?: ListStacksInput, options?: CallOptions): Promise<ListStacksReply>;

  /**
   * Get a domain: `GET /v1/stack/{id}`
   *
   * Returns its DNS records and the result of the latest check.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getStack(input: GetStackInput, options?: CallOptions): Promise<GetStackReply>;

  /**
   * Verify a domain: `POST /v1/stack/{id}/verify`
   *
   * Looks up the DNS records and returns the results, with 200 even if records are missing. A domain verified by another account moves to yours only after that account’s ownership record is removed.
   * @throws {SignetError} `not_found`, `domain_unavailable`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  verifyStack(input: VerifyStackInput, options?: CallOptions): Promise<VerifyStackReply>;

  /**
   * Delete a domain: `DELETE /v1/stack/{id}`
   *
   * Mail to and from its addresses is refused from then on. Messages already received stay readable.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteStack(input: DeleteStackInput, options?: CallOptions): Promise<DeleteStackReply>;

  /**
   * Get usage and limits: `GET /v1/usage`
   *
   * Requests and emails are those of the current UTC day. A pod sees the quotas of requests, emails, pods and stacks that it shares with its platform; the rest is its own.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getUsage(input?: GetUsageInput, options?: CallOptions): Promise<GetUsageReply>;

  /**
   * Get requests and emails by day: `GET /v1/usage/days`
   *
   * Of the last 30 UTC days, oldest first. A pod sees the platform’s, which it shares.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getUsageDays(input?: GetUsageDaysInput, options?: CallOptions): Promise<GetUsageDaysReply>;

  /**
   * Get the usage of a pod: `GET /v1/pods/{pod_id}/usage`
   *
   * `requests` is null without a limit of its own for each day.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getPodUsage(input: GetPodUsageInput, options?: CallOptions): Promise<GetPodUsageReply>;

  /**
   * Get plan and prices: `GET /v1/billing`
   *
   * What each tier allows, and what a payment buys.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getBilling(input?: GetBillingInput, options?: CallOptions): Promise<GetBillingReply>;

  /**
   * Record an observation: `POST /v1/observations`
   *
   * Private by default. With `shared: true` every authenticated agent can read it. Private and shared observations both count for the trust profile. An observation cannot be changed or deleted.
   * @throws {SignetError} `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createObservation(input: CreateObservationInput, options?: CallOptions): Promise<CreateObservationReply>;

  /**
   * List observations: `GET /v1/observations`
   *
   * Returns the caller’s own observations and those shared by other agents, newest first.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listObservations(input?: ListObservationsInput, options?: CallOptions): Promise<ListObservationsReply>;

  /**
   * List topics: `GET /v1/observations/topics`
   *
   * Returns the topics of all observations that the caller can read, in byte order, with the number of observations and the time of the latest.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listObservationTopics(input?: ListObservationTopicsInput, options?: CallOptions): Promise<ListObservationTopicsReply>;

  /**
   * Get an observation: `GET /v1/observations/{id}`
   *
   * Returns 404 for a private observation of another account.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getObservation(input: GetObservationInput, options?: CallOptions): Promise<GetObservationReply>;

  /**
   * Submit telemetry: `POST /v1/telemetry/submit`
   *
   * Takes one event or an array of 1 to 100, and stores all of them or none. Each event becomes a shared observation of the caller with the topic `telemetry.<event>`. It counts for the caller’s trust profile, whatever the outcome. An event about another agent also counts in that agent’s `evidence.peer`.
   * @throws {SignetError} `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  submitTelemetry(input: SubmitTelemetryInput, options?: CallOptions): Promise<SubmitTelemetryReply>;

  /**
   * Get the trust profile of an agent: `GET /v1/trust/{agentId}`
   *
   * Computed from counters at the time of the request. `score` is the sum of four dimensions of at most 250 each. The tier is `untrusted` below 250, `provisional` below 500, `trusted` below 750, and `verified` from 750.
   * @throws {SignetError} `invalid_agent_id`, `not_found`, `audit_unavailable`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getTrust(input: GetTrustInput, options?: CallOptions): Promise<GetTrustReply>;

  /**
   * Issue a token: `POST /v1/tokens/issue`
   *
   * An Agent Authentication Token is an RFC 9068 access token (`typ: at+jwt`, Ed25519) that states who this agent is. The receiver verifies it with `/.well-known/jwks.json` or `POST /v1/tokens/introspect`. Signet stores the `jti` and the terms, not the token.
   * @throws {SignetError} `invalid_scopes`, `ttl_out_of_range`, `scope_ceiling_exceeded`, `signing_unavailable`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  issueToken(input: IssueTokenInput, options?: CallOptions): Promise<IssueTokenReply>;

  /**
   * List issued tokens: `GET /v1/tokens`
   *
   * Newest first. The tokens themselves are not stored. Revoke one by its `jti`.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listTokens(input?: ListTokensInput, options?: CallOptions): Promise<ListTokensReply>;

  /**
   * Introspect a token (RFC 7662): `POST /v1/tokens/introspect`
   *
   * Returns whether a token is valid now, and its claims. Takes JSON or a form. The status is always 200: the reply is `{"active": false}` for a token that is expired, revoked, altered or foreign, for a suspended account, and for a body without a token. An access token of a delegate (`signet_at_…`) or of a client is active only for a caller with a key of its account or of the delegate, or with itself.
   * @throws {SignetError} `invalid_request`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  introspectToken(input?: IntrospectTokenInput, options?: CallOptions): Promise<IntrospectTokenReply>;

  /**
   * Revoke a token (RFC 7009): `POST /v1/tokens/revoke`
   *
   * Takes JSON or a form. `token` is the token or its `jti`. Introspection and the audit URL show the revocation at once. For text that is not a token of this account the reply is 200 with `revoked` false.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  revokeToken(input: RevokeTokenInput, options?: CallOptions): Promise<RevokeTokenReply>;

  /**
   * Revoke a token of a client (RFC 7009): `POST /oauth/revoke`
   *
   * A refresh token ends the client’s access. With a key, like `POST /v1/tokens/revoke`.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  revokeClientToken(input: RevokeClientTokenInput, options?: CallOptions): Promise<RevokeClientTokenReply>;

  /**
   * List public keys (JWKS, RFC 7517): `GET /.well-known/jwks.json`
   *
   * Includes earlier keys while their tokens are valid.
   * @throws {SignetError} `storage_unavailable`
   */
  getJwks(input?: GetJwksInput, options?: CallOptions): Promise<GetJwksReply>;

  /**
   * Get server metadata (OpenID Connect): `GET /.well-known/openid-configuration`
   *
   * The same document as under RFC 8414.
   * @throws {SignetError} `storage_unavailable`
   */
  getOpenIdConfiguration(input?: GetOpenIdConfigurationInput, options?: CallOptions): Promise<GetOpenIdConfigurationReply>;

  /**
   * Get server metadata (RFC 8414): `GET /.well-known/oauth-authorization-server`
   *
   * The endpoints, scopes and methods of this OAuth server.
   * @throws {SignetError} `storage_unavailable`
   */
  getAuthorizationServerMetadata(input?: GetAuthorizationServerMetadataInput, options?: CallOptions): Promise<GetAuthorizationServerMetadataReply>;

  /**
   * Get the metadata of `/mcp` (RFC 9728): `GET /.well-known/oauth-protected-resource/mcp`
   *
   * Names the server that gives tokens for it.
   * @throws {SignetError} `storage_unavailable`
   */
  getProtectedResourceMetadata(input?: GetProtectedResourceMetadataInput, options?: CallOptions): Promise<GetProtectedResourceMetadataReply>;

  /**
   * Get the DID document (did:web): `GET /.well-known/did.json`
   *
   * Lists the public keys of this service and its API endpoint.
   * @throws {SignetError} `storage_unavailable`
   */
  getServiceDid(input?: GetServiceDidInput, options?: CallOptions): Promise<GetServiceDidReply>;

  /**
   * Get the agent card: `GET /.well-known/agent.json`
   *
   * Describes what this service does and how to register.
   * @throws {SignetError} `storage_unavailable`
   */
  getAgentCard(input?: GetAgentCardInput, options?: CallOptions): Promise<GetAgentCardReply>;

  /**
   * Publish a signing key: `POST /v1/agents/signing-keys`
   *
   * Adds an Ed25519 public key, whose private key the agent keeps, to the agent’s JWKS and DID document. Call it without `proof` first: 409 `proof_required` has the `challenge` to sign, for five minutes. At most 10 keys.
   * @throws {SignetError} `signing_key_exists`, `signing_key_limit`, `proof_required`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  registerSigningKey(input: RegisterSigningKeyInput, options?: CallOptions): Promise<RegisterSigningKeyReply>;

  /**
   * List signing keys: `GET /v1/agents/signing-keys`
   *
   * The keys this agent published, oldest first.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listSigningKeys(input?: ListSigningKeysInput, options?: CallOptions): Promise<ListSigningKeysReply>;

  /**
   * Delete a signing key: `DELETE /v1/agents/signing-keys/{keyid}`
   *
   * Removes it from the agent’s JWKS and DID document.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteSigningKey(input: DeleteSigningKeyInput, options?: CallOptions): Promise<DeleteSigningKeyReply>;

  /**
   * Get the public profile of an agent: `GET /agents/{name}`
   *
   * Returns, depending on `Accept`, JSON (`id, name, email, did, jwks_url, did_url, profile_url, capabilities, registered_at, verified, trust`), an HTML page (`text/html`) or the DID document (`application/did+json`). `verified` is true in the trust tier `verified`.
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getAgentProfile(input: GetAgentProfileInput, options?: CallOptions): Promise<GetAgentProfileReply>;

  /**
   * Get the DID document of an agent (did:web): `GET /agents/{name}/did.json`
   *
   * Lists the keys that the agent published and the service’s keys, which sign the agent’s tokens.
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getAgentDid(input: GetAgentDidInput, options?: CallOptions): Promise<GetAgentDidReply>;

  /**
   * Get the JWKS of an agent: `GET /agents/{name}/.well-known/jwks.json`
   *
   * Only the keys that the agent published. They do not sign AATs: verify those with `/.well-known/jwks.json`.
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getAgentJwks(input: GetAgentJwksInput, options?: CallOptions): Promise<GetAgentJwksReply>;

  /**
   * Get your public profile: `GET /v1/agents/profile`
   *
   * As you set it.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getProfile(input?: GetProfileInput, options?: CallOptions): Promise<GetProfileReply>;

  /**
   * Change your public profile: `PATCH /v1/agents/profile`
   *
   * Absent fields stay. An unlisted agent’s profile, DID document and JWKS are found by account id alone, and name no address.
   * @throws {SignetError} `pod_auth_forbidden`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateProfile(input?: UpdateProfileInput, options?: CallOptions): Promise<UpdateProfileReply>;

  /**
   * List audit entries: `GET /v1/audit`
   *
   * Newest first. Each call that changes something writes one entry, in the same transaction as the change. Each entry holds the hash of the previous one. With a filter a page may hold few entries or none: follow `next_cursor` to the end. With `Accept: text/csv` a page is a table, and `Link` leads to the next one.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listAuditEntries(input?: ListAuditEntriesInput, options?: CallOptions): Promise<ListAuditEntriesReply>;

  /**
   * List audit checkpoints: `GET /v1/audit/seals`
   *
   * A checkpoint (`seal`) is a signature over the account’s chain: Ed25519 over `signet:audit-seal:v1:{account_id}:{seq}:{hash}`, made within about a second of the entry `seq`. It covers that entry and all earlier ones. Oldest first. `keys` lists every key that the service ever signed with.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listAuditSeals(input?: ListAuditSealsInput, options?: CallOptions): Promise<ListAuditSealsReply>;

  /**
   * Get an audit entry, or the status of a token: `GET /v1/audit/{id}`
   *
   * `aud_…` is an entry of the account. Any other id is a token: this is the `audit_url` of tokens, which is public. Their ids cannot be guessed.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getAuditRecord(input: GetAuditRecordInput, options?: CallOptions): Promise<GetAuditRecordReply>;

  /**
   * List what was decided about your agents, newest first: `GET /v1/operator/decisions`
   *
   * From the audit logs of the agents. What was refused is left out.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `session_required`, `invalid_request`, `storage_unavailable`
   */
  listOperatorDecisions(input?: ListOperatorDecisionsInput, options?: CallOptions): Promise<ListOperatorDecisionsReply>;

  /**
   * List the latest requests of the account: `GET /v1/requests`
   *
   * At most 500, newest first, in the memory of the process that answers. With `Accept: text/csv` as a table.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listRequests(input?: ListRequestsInput, options?: CallOptions): Promise<ListRequestsReply>;

  /**
   * Get a request of the account: `GET /v1/requests/{id}`
   *
   * 404 `no_longer_kept` once it is forgotten, and by a process that did not answer it.
   * @throws {SignetError} `not_found`, `no_longer_kept`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getRequest(input: GetRequestInput, options?: CallOptions): Promise<GetRequestReply>;

  /**
   * Delete the account in 72 hours: `DELETE /v1/account`
   *
   * Until `deletes_at` its keys only read, and `POST /v1/account/delete/cancel` keeps it. Then everything of the account and its pods is deleted for good. Nobody else ever gets its addresses.
   * @throws {SignetError} `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `pod_auth_forbidden`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteAccount(input?: DeleteAccountInput, options?: CallOptions): Promise<DeleteAccountReply>;

  /**
   * Cancel the deletion of the account: `POST /v1/account/delete/cancel`
   *
   * What a key or a session asked for, any key that is not named, a backup key and any session cancel. What an operator asked for needs that operator’s session, or one of an address that was confirmed earlier; the keys can cancel it while the operator is younger than 7 days.
   * @throws {SignetError} `not_found`, `account_deleting`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  cancelAccountDeletion(input?: CancelAccountDeletionInput, options?: CallOptions): Promise<CancelAccountDeletionReply>;

  /**
   * Export the account: `GET /v1/account/export`
   *
   * A zip of everything: mail as mbox, one file for each address; the rest as JSON, with a schema for each file; the vault as stored, in ciphertext. `manifest.json` has the SHA-256 of each file. It holds no key and no hash of one.
   * @throws {SignetError} `rate_limited`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `backup_key_only_activates`, `dry_run_unavailable`, `storage_unavailable`
   */
  exportAccount(input?: ExportAccountInput, options?: CallOptions): Promise<ExportAccountReply>;

  /**
   * Create a calendar event: `POST /v1/calendar/events`
   *
   * Give `start` and `end` as date-times, or both as dates for an all-day event. Attendees are invited by mail, if the key has `mail:send`. An invitation that is refused does not refuse the event: see `attendee_status`.
   * @throws {SignetError} `calendar_limit`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createCalendarEvent(input: CreateCalendarEventInput, options?: CallOptions): Promise<CreateCalendarEventReply>;

  /**
   * List calendar events by start time: `GET /v1/calendar/events`
   *
   * With `from` or `to`, returns every event that overlaps that window, including events that began before it.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listCalendarEvents(input?: ListCalendarEventsInput, options?: CallOptions): Promise<ListCalendarEventsReply>;

  /**
   * Get a calendar event: `GET /v1/calendar/events/{id}`
   *
   * With the answers of its attendees.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getCalendarEvent(input: GetCalendarEventInput, options?: CallOptions): Promise<GetCalendarEventReply>;

  /**
   * Update a calendar event: `PATCH /v1/calendar/events/{id}`
   *
   * Absent fields stay as they are; null removes `description` or `location`. Raises `sequence` by one, and mails the change to the attendees.
   * @throws {SignetError} `not_found`, `not_organizer`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  updateCalendarEvent(input: UpdateCalendarEventInput, options?: CallOptions): Promise<UpdateCalendarEventReply>;

  /**
   * Delete a calendar event, and cancel its invitations: `DELETE /v1/calendar/events/{id}`
   *
   * Attendees get a cancellation by mail.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  deleteCalendarEvent(input: DeleteCalendarEventInput, options?: CallOptions): Promise<DeleteCalendarEventReply>;

  /**
   * Answer an invitation by mail: `POST /v1/calendar/events/{id}/respond`
   *
   * Needs `mail:send` too. A change of the time makes the event `pending` again.
   * @throws {SignetError} `not_found`, `not_invited`, `calendar_limit`, `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `recipient_not_allowed`, `secret_in_mail`, `metadata_too_large`, `recipient_suppressed`, `sending_paused`, `storage_full`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  respondToInvitation(input: RespondToInvitationInput, options?: CallOptions): Promise<RespondToInvitationReply>;

  /**
   * Get the feed link: `GET /v1/calendar/feed`
   *
   * Calendar apps can subscribe to this link. The first call creates it. It stays the same until you replace it. A named key gets its own, which ends with the key.
   * @throws {SignetError} `not_found`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `dry_run_unavailable`, `storage_unavailable`
   */
  getCalendarFeed(input?: GetCalendarFeedInput, options?: CallOptions): Promise<GetCalendarFeedReply>;

  /**
   * Replace the feed link: `POST /v1/calendar/feed/rotate`
   *
   * The old link returns 404 from then on.
   * @throws {SignetError} `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rotateCalendarFeed(input?: RotateCalendarFeedInput, options?: CallOptions): Promise<RotateCalendarFeedReply>;

  /**
   * Get the calendar as iCalendar: `GET /v1/calendar/feed.ics`
   *
   * Requires no key, only the token from the link. The format is RFC 5545. Send the `ETag` in `If-None-Match` to get 304 while nothing has changed.
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  readCalendarFeed(input: ReadCalendarFeedInput, options?: CallOptions): Promise<ReadCalendarFeedReply>;

  /**
   * Get the calendar settings: `GET /v1/calendar/settings`
   *
   * The name that calendar apps show.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getCalendarSettings(input?: GetCalendarSettingsInput, options?: CallOptions): Promise<GetCalendarSettingsReply>;

  /**
   * Update the calendar settings: `PUT /v1/calendar/settings`
   *
   * Sets the name that calendar apps show.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setCalendarSettings(input: SetCalendarSettingsInput, options?: CallOptions): Promise<SetCalendarSettingsReply>;

  /**
   * Ask the operator for a credential: `POST /v1/credentials/request`
   *
   * Follows RFC 8628. Show `user_code` and `verification_url` to your operator, then poll. With `public_key` the operator’s browser seals the value to that key, and the service never sees it. An account may have 5 open requests and needs an operator email.
   * @throws {SignetError} `operator_email_required`, `credential_limit`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  requestCredential(input: RequestCredentialInput, options?: CallOptions): Promise<RequestCredentialReply>;

  /**
   * Poll a credential request: `POST /v1/credentials/poll`
   *
   * Returns 200 for every device code of this account, with the state in `status` (RFC 8628 3.5). `slow_down` means that you polled too early; it adds 5 seconds to the interval. An approved value is delivered once, within ten minutes of the approval. After that, the status is `expired`. Wait for the event `credential.resolved` instead of polling.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  pollCredential(input: PollCredentialInput, options?: CallOptions): Promise<PollCredentialReply>;

  /**
   * List open credential requests: `GET /v1/credentials/requests`
   *
   * Only an operator can. Deciding needs the code that the agent shows.
   * @throws {SignetError} `invalid_cursor`, `operator_required`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listCredentialRequests(input?: ListCredentialRequestsInput, options?: CallOptions): Promise<ListCredentialRequestsReply>;

  /**
   * Email a link to the operator of a request: `POST /v1/credentials/verify-email`
   *
   * The reply is the same for an unknown code. The link leads to `/credentials#token=…`. It proves the operator’s address for this request only.
   * @throws {SignetError} `rate_limited`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  verifyCredentialOperator(input: VerifyCredentialOperatorInput, options?: CallOptions): Promise<VerifyCredentialOperatorReply>;

  /**
   * Get a credential request as its operator: `POST /v1/credentials/view`
   *
   * Requires the token from the emailed link or an operator session, and the code. Five wrong codes end the request. The audit log records the first view.
   * @throws {SignetError} `invalid_token`, `unknown_user_code`, `unauthorized`, `operator_required`, `account_suspended`, `already_resolved`, `expired`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  viewCredentialRequest(input: ViewCredentialRequestInput, options?: CallOptions): Promise<ViewCredentialRequestReply>;

  /**
   * Approve or deny a credential request: `POST /v1/credentials/approve`
   *
   * Requires the token from the emailed link or an operator session, and the code. A request is decided once. The value is stored sealed until the agent polls, then deleted.
   * @throws {SignetError} `invalid_token`, `unknown_user_code`, `unauthorized`, `operator_required`, `account_suspended`, `already_resolved`, `expired`, `passkey_required`, `sealed_value_required`, `credential_value_required`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  approveCredential(input: ApproveCredentialInput, options?: CallOptions): Promise<ApproveCredentialReply>;

  /**
   * Submit a security finding: `POST /v1/agents/{agentId}/findings`
   *
   * Records and signs the finding. Anyone who has its `jti` can read it, so include only what they may know. Use `evidence_hash` to prove the rest later.
   * @throws {SignetError} `invalid_agent_id`, `not_found`, `signing_unavailable`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  submitFinding(input: SubmitFindingInput, options?: CallOptions): Promise<SubmitFindingReply>;

  /**
   * List the findings of an agent: `GET /v1/agents/{agentId}/findings`
   *
   * Newest first.
   * @throws {SignetError} `invalid_agent_id`, `invalid_cursor`, `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listFindings(input: ListFindingsInput, options?: CallOptions): Promise<ListFindingsReply>;

  /**
   * Get a signed finding: `GET /v1/findings/{jti}`
   *
   * Public: anyone who has the `jti` can read it. Ids cannot be guessed. Each reply is signed with the current key.
   * @throws {SignetError} `not_found`, `signing_unavailable`, `invalid_request`, `storage_unavailable`
   */
  getFinding(input: GetFindingInput, options?: CallOptions): Promise<GetFindingReply>;

  /**
   * Accept or reject a finding: `POST /v1/findings/{jti}/outcome`
   *
   * Requires the key of a program: `Authorization: Bearer signet_prog_…`. A program can judge each finding once. The finding must have the program’s audience and come from another account.
   * @throws {SignetError} `unauthorized`, `account_suspended`, `audience_mismatch`, `own_finding`, `not_found`, `outcome_exists`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  judgeFinding(input: JudgeFindingInput, options?: CallOptions): Promise<JudgeFindingReply>;

  /**
   * Get the track record of an agent: `GET /v1/agents/{agentId}/track-record`
   *
   * Counts the agent’s findings and how programs judged them. Public, like the profile.
   * @throws {SignetError} `invalid_agent_id`, `not_found`, `invalid_request`, `storage_unavailable`
   */
  getTrackRecord(input: GetTrackRecordInput, options?: CallOptions): Promise<GetTrackRecordReply>;

  /**
   * Create a program: `POST /v1/programs`
   *
   * A program judges findings with the same audience. Its key works only for that. An account can have 20 active programs.
   * @throws {SignetError} `program_limit`, `operator_required`, `target_not_allowed`, `way_off`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createProgram(input: CreateProgramInput, options?: CallOptions): Promise<CreateProgramReply>;

  /**
   * List programs: `GET /v1/programs`
   *
   * Newest first, including ended programs.
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listPrograms(input?: ListProgramsInput, options?: CallOptions): Promise<ListProgramsReply>;

  /**
   * End a program: `DELETE /v1/programs/{programId}`
   *
   * Its key stops working. Its judgements stay.
   * @throws {SignetError} `not_found`, `unauthorized`, `insufficient_scope`, `passkey_required`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `account_deleting`, `invalid_request`, `invalid_json`, `body_too_large`, `unsupported_media_type`, `storage_unavailable`
   */
  endProgram(input: EndProgramInput, options?: CallOptions): Promise<EndProgramReply>;

  /**
   * Use Signet as an MCP server: `POST /mcp`
   *
   * Needs a credential. See docs/mcp.md.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `origin_refused`, `account_suspended`, `pod_suspended`, `rate_limited`, `not_found`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  callMcp(input?: CallMcpInput, options?: CallOptions): Promise<CallMcpReply>;

  /**
   * Use one group of MCP tools: `POST /mcp/x/{group}`
   *
   * Fewer tools. `start` needs no credential.
   * @throws {SignetError} `unauthorized`, `insufficient_scope`, `origin_refused`, `account_suspended`, `pod_suspended`, `rate_limited`, `not_found`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `dry_run_unavailable`, `storage_unavailable`
   */
  callMcpGroup(input: CallMcpGroupInput, options?: CallOptions): Promise<CallMcpGroupReply>;
}

/** Every operation as a method, and the groups of methods as properties. */
export abstract class Operations {
  protected abstract perform(name: OperationName, input: object, options?: CallOptions): Promise<unknown>;
  protected abstract group<Name extends keyof MethodGroups>(name: Name): MethodGroups[Name];

  get accounts(): AccountsMethods {
    return this.group('accounts');
  }

  get approvals(): ApprovalsMethods {
    return this.group('approvals');
  }

  get audit(): AuditMethods {
    return this.group('audit');
  }

  get budget(): BudgetMethods {
    return this.group('budget');
  }

  get calendar(): CalendarMethods {
    return this.group('calendar');
  }

  get credentials(): CredentialsMethods {
    return this.group('credentials');
  }

  get delegations(): DelegationsMethods {
    return this.group('delegations');
  }

  get discovery(): DiscoveryMethods {
    return this.group('discovery');
  }

  get drafts(): DraftsMethods {
    return this.group('drafts');
  }

  get email(): EmailMethods {
    return this.group('email');
  }

  get events(): EventsMethods {
    return this.group('events');
  }

  get findings(): FindingsMethods {
    return this.group('findings');
  }

  get inbox(): InboxMethods {
    return this.group('inbox');
  }

  get mcp(): McpMethods {
    return this.group('mcp');
  }

  /** @deprecated The earlier name of `mcp`. */
  get mCP(): McpMethods {
    return this.group('mcp');
  }

  get oauth(): OauthMethods {
    return this.group('oauth');
  }

  /** @deprecated The earlier name of `oauth`. */
  get oAuth(): OauthMethods {
    return this.group('oauth');
  }

  get observations(): ObservationsMethods {
    return this.group('observations');
  }

  get operators(): OperatorsMethods {
    return this.group('operators');
  }

  get passkeys(): PasskeysMethods {
    return this.group('passkeys');
  }

  get pods(): PodsMethods {
    return this.group('pods');
  }

  get profiles(): ProfilesMethods {
    return this.group('profiles');
  }

  get quarantine(): QuarantineMethods {
    return this.group('quarantine');
  }

  get reviews(): ReviewsMethods {
    return this.group('reviews');
  }

  get service(): ServiceMethods {
    return this.group('service');
  }

  get stacks(): StacksMethods {
    return this.group('stacks');
  }

  get suppressions(): SuppressionsMethods {
    return this.group('suppressions');
  }

  get tokens(): TokensMethods {
    return this.group('tokens');
  }

  get trust(): TrustMethods {
    return this.group('trust');
  }

  get usage(): UsageMethods {
    return this.group('usage');
  }

  get vaultEntries(): VaultEntriesMethods {
    return this.group('vaultEntries');
  }

  get vaultRecovery(): VaultRecoveryMethods {
    return this.group('vaultRecovery');
  }

  get webhooks(): WebhooksMethods {
    return this.group('webhooks');
  }
}

// Each method is the same call under another name, so it is made from its row.
for (const name of Object.keys(OPERATIONS) as OperationName[])
  Object.defineProperty(Operations.prototype, name, {
    configurable: true,
    writable: true,
    value(this: { perform(name: OperationName, input: object, options?: CallOptions): unknown }, input = {}, options?: CallOptions) {
      return this.perform(name, input, options);
    },
  });
