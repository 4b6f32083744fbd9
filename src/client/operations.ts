// Made from the endpoint table by `npm run generate`: change the endpoint, not this file.
import type { CallOptions, Operation } from './operation.ts';

export type GetHealthInput = Record<string, never>;
export type GetHealthReply = {
  status: string;
  timestamp: string;
  /** Version of the API. */
  version: string;
  /** Version of the software. */
  release: string;
};

export type GetReadinessInput = Record<string, never>;
export type GetReadinessReply = {
  status: string;
  timestamp: string;
  /** Version of the API. */
  version: string;
  /** Version of the software. */
  release: string;
};

export type GetApiDescriptionInput = Record<string, never>;
export type GetApiDescriptionReply = Record<string, unknown>;

export type GetMetricsInput = Record<string, never>;
export type GetMetricsReply = string;

export type ListPaymentsInput = {
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListPaymentsReply = {
  payments: {
    id: string;
    /** `pending`: delivered, settlement under way. `settled`: on the chain. `failed`: `error` says why. `verified`: a development server delivered and moves no money. */
    status: "pending" | "settled" | "failed" | "verified";
    /** Atomic units. */
    amount_usdc: number;
    network: string;
    asset: string;
    payer: string;
    pay_to: string;
    nonce: string;
    resource: string;
    description: string;
    transaction: string | null;
    error: string | null;
    created_at: string;
    settled_at: string | null;
  }[];
  count: number;
  next_cursor: string | null;
};

export type LoginInput = {
  email: string;
};
export type LoginReply = {
  sent: boolean;
  message?: string;
};

export type VerifyLoginInput = {
  /** From the mailed link. */
  token: string;
};
export type VerifyLoginReply = { location: string };

export type LogoutInput = Record<string, never>;
export type LogoutReply = {
  ok: boolean;
  ended_at: string;
};

export type CreateKeyInput = {
  /** A label for the account. */
  name?: string | undefined;
  /** For login links; not needed. */
  email?: string | undefined;
  /** Also make a backup key, for the day the primary is lost. */
  backup?: boolean | undefined;
};
export type CreateKeyReply = {
  api_key: string;
  backup_key?: string;
  key_prefix: string;
  account_id: string;
  tier: "free" | "paid";
  created_at: string;
  warning?: string;
  limits: {
    stacks: number;
    addresses: number;
    dns_records: number;
    emails_per_day: number;
    requests_per_day: number;
  };
};

export type CreateKeyAliasInput = {
  /** A label for the account. */
  name?: string | undefined;
  /** For login links; not needed. */
  email?: string | undefined;
  /** Also make a backup key, for the day the primary is lost. */
  backup?: boolean | undefined;
};
export type CreateKeyAliasReply = {
  key: string;
  backup_key?: string;
  account_id: string;
  created_at: string;
  note?: string;
};

export type RotateKeyInput = Record<string, never>;
export type RotateKeyReply = {
  api_key: string;
  key_prefix: string;
  account_id: string;
  rotated_at: string;
  warning?: string;
};

export type GenerateBackupKeyInput = {
  label?: string | undefined;
};
export type GenerateBackupKeyReply = {
  backup_key: string;
  key_prefix: string;
  status: "backup";
  created_at: string;
  warning?: string;
};

export type ActivateBackupKeyInput = Record<string, never>;
export type ActivateBackupKeyReply = {
  activated_key_prefix: string;
  account_id: string;
  activated_at: string;
  message?: string;
};

export type ListKeysInput = Record<string, never>;
export type ListKeysReply = {
  account_id: string;
  keys: {
    prefix: string;
    status: "active" | "backup" | "revoked";
    label: string | null;
    created_at: string;
    activated_at: string | null;
  }[];
};

export type GetBudgetInput = Record<string, never>;
export type GetBudgetReply = {
  agent_id: string;
  /** Always `USDC`. */
  currency: string;
  /** What an amount of 1 is worth. */
  atomic_unit: string;
  caps: {
    daily: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
    weekly: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
    monthly: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
  };
  has_caps: boolean;
  /** `limit_reached` when any capped period has nothing left. */
  status: "active" | "limit_reached";
  settings: {
    /** What a charge over a limit meets. */
    on_limit: "reject" | "approve";
    single_tx_limit_cents: number | null;
    /** `operator`: only an operator session may approve, and raise or remove limits. */
    authority: "account" | "operator";
  };
  spending_caps: {
    daily: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
    weekly: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
    monthly: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
  } | null;
  note?: string;
};

export type SetBudgetInput = {
  caps?: {
    daily?: number | null | undefined;
    weekly?: number | null | undefined;
    monthly?: number | null | undefined;
  } | undefined;
  daily?: number | null | undefined;
  weekly?: number | null | undefined;
  monthly?: number | null | undefined;
  on_limit?: "reject" | "approve" | undefined;
  single_tx_limit_cents?: number | null | undefined;
  authority?: "account" | "operator" | undefined;
};
export type SetBudgetReply = {
  ok: boolean;
  agent_id: string;
  /** The periods that were named. */
  caps: {
    daily?: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
    weekly?: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
    monthly?: {
      limit_usdc: number;
      spent_usdc: number;
      remaining_usdc: number;
      resets_at: string;
    } | null;
  };
  settings: {
    /** What a charge over a limit meets. */
    on_limit: "reject" | "approve";
    single_tx_limit_cents: number | null;
    /** `operator`: only an operator session may approve, and raise or remove limits. */
    authority: "account" | "operator";
  };
  /** The whole budget, as `GET /v1/budget` shows it. */
  budget: {
    agent_id: string;
    /** Always `USDC`. */
    currency: string;
    /** What an amount of 1 is worth. */
    atomic_unit: string;
    caps: {
      daily: {
        limit_usdc: number;
        spent_usdc: number;
        remaining_usdc: number;
        resets_at: string;
      } | null;
      weekly: {
        limit_usdc: number;
        spent_usdc: number;
        remaining_usdc: number;
        resets_at: string;
      } | null;
      monthly: {
        limit_usdc: number;
        spent_usdc: number;
        remaining_usdc: number;
        resets_at: string;
      } | null;
    };
    has_caps: boolean;
    /** `limit_reached` when any capped period has nothing left. */
    status: "active" | "limit_reached";
    settings: {
      /** What a charge over a limit meets. */
      on_limit: "reject" | "approve";
      single_tx_limit_cents: number | null;
      /** `operator`: only an operator session may approve, and raise or remove limits. */
      authority: "account" | "operator";
    };
    spending_caps: {
      daily: {
        limit_usdc: number;
        spent_usdc: number;
        remaining_usdc: number;
        resets_at: string;
      } | null;
      weekly: {
        limit_usdc: number;
        spent_usdc: number;
        remaining_usdc: number;
        resets_at: string;
      } | null;
      monthly: {
        limit_usdc: number;
        spent_usdc: number;
        remaining_usdc: number;
        resets_at: string;
      } | null;
    } | null;
    note?: string;
  };
};

export type GetBudgetHistoryInput = {
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** Only what is older; the `next_before` of the page before. */
  before?: string | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
  category?: string | undefined;
};
export type GetBudgetHistoryReply = {
  agent_id: string;
  /** Always `USDC`. */
  currency: string;
  /** What an amount of 1 is worth. */
  atomic_unit: string;
  entries: {
    /** The `charge_id`. */
    id: string;
    timestamp: string;
    amount_usdc: number;
    category: string;
    description: string;
    reference_id: string | null;
    metadata: Record<string, unknown> | null;
    /** Who spent it: this account, or a pod of it. */
    account_id: string;
    approval_id: string | null;
  }[];
  summary: {
    count: number;
    total_usdc: number;
    by_category: Record<string, number>;
  };
  pagination: {
    limit: number;
    has_more: boolean;
    next_before: string | null;
    next_cursor: string | null;
  };
  note?: string;
};

export type ChargeInput = {
  /** Atomic USDC: 1,000,000 is 1 USDC. */
  amount: number;
  category?: string | undefined;
  description?: string | undefined;
  reference_id?: string | undefined;
  /** Anything of yours, up to 4 KB of JSON; kept and given back as it is. */
  metadata?: Record<string, unknown> | undefined;
};
export type ChargeReply = {
  status: "completed";
  charge_id: string;
  amount_usdc: number;
  category: string;
  description: string;
  reference_id: string | null;
  /** Atomic USDC left, of each capped period. */
  remaining: {
    daily?: number;
    weekly?: number;
    monthly?: number;
  };
  message?: string;
} | {
  status: "approval_required";
  approval_id: string;
  reason: "budget_exceeded" | "single_tx_limit_exceeded";
  amount_usdc: number;
  exceeded?: {
    period: "daily" | "weekly" | "monthly";
    spent_usdc: number | null;
    limit_usdc: number | null;
    remaining_usdc: number | null;
    resets_at: string;
    /** The figures are null where the limit is the budget of a pod’s platform. */
    limit_set_by: "account" | "platform";
  }[];
  single_tx_limit_usdc?: number | null;
  expires_at: string;
  /** Ask here what became of it. */
  check_url: string;
  message?: string;
};

export type ListApprovalsInput = {
  status?: "pending" | "approved" | "rejected" | "expired" | "all" | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListApprovalsReply = {
  agent_id: string;
  status_filter: string;
  approvals: {
    id: string;
    /** Who wants to spend: this account, or a pod of it. */
    account_id: string;
    amount_usdc: number;
    category: string;
    description: string;
    reference_id: string | null;
    status: "pending" | "approved" | "rejected" | "expired";
    created_at: string;
    resolved_at: string | null;
    resolved_by: string | null;
    expires_at: string;
    metadata: Record<string, unknown> | null;
    /** What the charge exceeded. */
    cause: "budget_exceeded" | "single_tx_limit_exceeded";
    reason: string | null;
    charge_id: string | null;
    /** Whose it is to decide: the pod’s platform, where its limit is met. */
    decided_by_account: string;
  }[];
  count: number;
  next_cursor: string | null;
};

export type GetApprovalInput = {
  /** The `approval_id` of a charge. */
  id: string;
};
export type GetApprovalReply = {
  id: string;
  /** Who wants to spend: this account, or a pod of it. */
  account_id: string;
  amount_usdc: number;
  category: string;
  description: string;
  reference_id: string | null;
  status: "pending" | "approved" | "rejected" | "expired";
  created_at: string;
  resolved_at: string | null;
  resolved_by: string | null;
  expires_at: string;
  metadata: Record<string, unknown> | null;
  /** What the charge exceeded. */
  cause: "budget_exceeded" | "single_tx_limit_exceeded";
  reason: string | null;
  charge_id: string | null;
  /** Whose it is to decide: the pod’s platform, where its limit is met. */
  decided_by_account: string;
};

export type ApproveChargeInput = {
  /** The `approval_id` of a charge. */
  id: string;
  /** Why; kept with the approval. */
  reason?: string | undefined;
};
export type ApproveChargeReply = {
  ok: boolean;
  id: string;
  /** The same as `id`. */
  approval_id: string;
  status: "approved" | "rejected";
  amount_usdc: number;
  category: string;
  description: string;
  reason: string | null;
  resolved_at: string;
  resolved_by: string;
  charge_id: string | null;
};

export type RejectChargeInput = {
  /** The `approval_id` of a charge. */
  id: string;
  /** Why; kept with the approval. */
  reason?: string | undefined;
};
export type RejectChargeReply = {
  ok: boolean;
  id: string;
  /** The same as `id`. */
  approval_id: string;
  status: "approved" | "rejected";
  amount_usdc: number;
  category: string;
  description: string;
  reason: string | null;
  resolved_at: string;
  resolved_by: string;
  charge_id: string | null;
};

export type ViewApprovalInput = {
  /** The `approval_id` of a charge. */
  id: string;
  /** From the fragment of the mailed link. */
  token: string;
};
export type ViewApprovalReply = {
  id: string;
  /** Who wants to spend: this account, or a pod of it. */
  account_id: string;
  amount_usdc: number;
  category: string;
  description: string;
  reference_id: string | null;
  status: "pending" | "approved" | "rejected" | "expired";
  created_at: string;
  resolved_at: string | null;
  resolved_by: string | null;
  expires_at: string;
  metadata: Record<string, unknown> | null;
  /** What the charge exceeded. */
  cause: "budget_exceeded" | "single_tx_limit_exceeded";
  reason: string | null;
  charge_id: string | null;
  /** Whose it is to decide: the pod’s platform, where its limit is met. */
  decided_by_account: string;
};

export type DecideApprovalInput = {
  /** The `approval_id` of a charge. */
  id: string;
  /** From the fragment of the mailed link. */
  token: string;
  decision: "approve" | "reject";
  /** Why; kept with the approval. */
  reason?: string | undefined;
};
export type DecideApprovalReply = {
  ok: boolean;
  id: string;
  /** The same as `id`. */
  approval_id: string;
  status: "approved" | "rejected";
  amount_usdc: number;
  category: string;
  description: string;
  reason: string | null;
  resolved_at: string;
  resolved_by: string;
  charge_id: string | null;
};

export type GetAccountInput = Record<string, never>;
export type GetAccountReply = {
  id: string;
  /** First characters of the key in use; for a session, of the account’s active key. */
  key_prefix: string;
  /** Empty without one. */
  name: string;
  tier: "free" | "paid";
  recovery_email: string | null;
  email: string | null;
  operator_email: string | null;
  parent_account_id: string | null;
  capabilities: string[];
  created_at: string;
};

export type SetRecoveryEmailInput = {
  /** A personal e-mail address. */
  email: string;
};
export type SetRecoveryEmailReply = {
  ok: boolean;
  recovery_email: string;
};

export type SetOperatorEmailInput = {
  /** A personal e-mail address. */
  email: string;
};
export type SetOperatorEmailReply = {
  ok: boolean;
  operator_email: string;
};

export type ClaimAddressInput = {
  /** `hello` or `hello@…` on the mail domain; any case. */
  address: string;
  /** X25519, 32 bytes, base64url: from now on inbound mail is sealed to it. */
  public_key?: string | undefined;
};
export type ClaimAddressReply = {
  address: string;
  claimed: boolean;
  already_owned: boolean;
  account_id: string;
  e2e_enabled: boolean;
};

export type ListAddressesInput = Record<string, never>;
export type ListAddressesReply = {
  addresses: string[];
  count: number;
};

export type RotateEncryptionKeyInput = {
  /** Proof of ownership. Only its SHA-256 is kept. */
  master_seed: string;
  /** X25519, 32 bytes, base64 (or base64url) or hex. */
  new_public_key: string;
};
export type RotateEncryptionKeyReply = {
  ok: boolean;
  account_id: string;
  /** base64url. */
  active_public_key: string;
  /** Keys this account has had, the active one included. */
  key_history_count: number;
  /** True when this call registered the master seed. */
  first_setup: boolean;
  updated_at: string;
  note?: string;
};

export type RegisterInput = {
  name?: string | undefined;
  /** On the mail domain. */
  address?: string | undefined;
  recovery_email?: string | undefined;
  /** What the agent can do; shown on its profile. */
  capabilities?: string[] | undefined;
};
export type RegisterReply = {
  api_key: string;
  account_id: string;
  email: string;
  tier: "free" | "paid";
  /** The limits of the account’s tier. */
  limits: {
    /** API requests of an account in a UTC day. A pod shares the quota of its platform. */
    requests_per_day: number;
    /** Mails an account sends in a UTC day, unless it pays for more. A pod shares the quota of its platform. */
    emails_per_day: number;
    /** Mails an account sends in an hour of the clock, unless it pays for more. A pod shares the quota of its platform. */
    emails_per_hour: number;
    /** Recipients of one mail. */
    recipients_per_send: number;
    /** Addresses of an account. */
    addresses: number;
    /** Keys in the vault of an account, beside those it pays for. Null: no limit. */
    vault_keys: number | null;
    /** Versions kept of a vault key. A newer one removes the oldest. */
    vault_versions_per_key: number;
    /** Bytes of the ciphertext of a vault entry. */
    vault_ciphertext_bytes: number;
    /** Domains of an account and its pods together. */
    stacks: number;
    /** DNS records of a domain. */
    dns_records: number;
    /** Active pods of a platform. */
    pods: number;
    /** Events in the calendar of an account. */
    calendar_events: number;
    /** Open WebSockets, event streams and waiting `GET /v1/events` of an account and its pods, on each instance. */
    event_streams: number;
  };
};

export type ListEventsInput = {
  /** The last event id you have; from the beginning when absent. */
  after?: string | undefined;
  /** Go back from this event id, newest first. */
  before?: string | undefined;
  /** Oldest first, or newest first; `asc` unless told, `desc` with `before`. */
  order?: "asc" | "desc" | undefined;
  /** Only these types, with commas between: email.received, email.sent, email.failed, vault.updated, payment.settled, payment.failed, key.rotated, charge.completed, approval.requested, approval.resolved, budget.limit_reached, token.issued, token.revoked, calendar.updated, credential.requested, credential.resolved, finding.judged. All when absent. */
  type?: string | undefined;
  /** Seconds to wait for an event when there is none behind `after`; the reply comes with the first. */
  wait?: number | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
};
export type ListEventsReply = {
  events: {
    /** Also the cursor: pass it as `after`, or as `before` to go back. */
    id: string;
    type: "email.received" | "email.sent" | "email.failed" | "vault.updated" | "payment.settled" | "payment.failed" | "key.rotated" | "charge.completed" | "approval.requested" | "approval.resolved" | "budget.limit_reached" | "token.issued" | "token.revoked" | "calendar.updated" | "credential.requested" | "credential.resolved" | "finding.judged";
    created_at: string;
    /** Depends on `type`. */
    data: Record<string, unknown>;
  }[];
  count: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type CreateSocketTicketInput = Record<string, never>;
export type CreateSocketTicketReply = {
  ticket: string;
  /** Seconds. */
  expires_in: number;
};

export type ListInboxInput = {
  address: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** Only messages that are not read (`true`) or are (`false`). */
  unread?: boolean | undefined;
  /** Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them. */
  label?: string | undefined;
  /** Full-text search: words that must all be there, `"a phrase"`, `begin*`, `from:`, `to:`, `subject:`. Case and accents do not matter. Sealed mail is not found. */
  q?: string | undefined;
  /** Archived messages instead of the others. */
  archived?: boolean | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Seconds to wait for a first entry when there is none: the reply comes as soon as there is one. */
  wait?: number | undefined;
};
export type ListInboxReply = {
  messages: {
    /** The id of this copy. A stranger chooses `rfc_message_id` and may repeat it; nobody chooses this one. */
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
    received_at: string;
    read: boolean;
    archived: boolean;
    labels: string[];
    has_attachments: boolean;
    /** Present and true when the body is sealed to the address’s public key. */
    e2e_encrypted?: boolean;
    auth: {
      method: "internal" | "smtp";
      spf: string | null;
      dkim: string | null;
      dmarc: string | null;
      /** True when the From address is proven; a mail from another agent of this service always is. */
      verified_from: boolean;
    };
  }[];
  has_more: boolean;
  count: number;
  address: string;
  next_cursor: string | null;
};

export type GetMessageInput = {
  /** `message_id`, or the RFC 5322 Message-ID URL-encoded. */
  id: string;
  /** The inbox: an address of this account. */
  address: string;
};
export type GetMessageReply = {
  /** The id of this copy. A stranger chooses `rfc_message_id` and may repeat it; nobody chooses this one. */
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
  received_at: string;
  read: boolean;
  archived: boolean;
  labels: string[];
  has_attachments: boolean;
  /** Present and true when the body is sealed to the address’s public key. */
  e2e_encrypted?: boolean;
  auth: {
    method: "internal" | "smtp";
    spf: string | null;
    dkim: string | null;
    dmarc: string | null;
    /** True when the From address is proven; a mail from another agent of this service always is. */
    verified_from: boolean;
  };
  cc: string[];
  reply_to: string[];
  in_reply_to: string | null;
  references: string[];
  sent_at: string | null;
  /** Plain text; base64url(IV ‖ ciphertext ‖ tag) when `e2e_encrypted`. */
  body: string;
  html: string | null;
  reply_text: string | null;
  attachments: {
    filename: string | null;
    content_type: string;
    /** Bytes, before sealing. */
    size: number;
    /** Where its bytes are; needs the same key. */
    url: string;
  }[];
  /** Bytes of the raw message. */
  size: number;
  /** False when the MIME structure was given up; `raw` still has every byte. */
  parsed: boolean;
  problem: string | null;
  /** X25519, base64url; for opening a sealed message. */
  ephemeral_public_key?: string;
  encryption?: {
    alg: string;
    key_id: string;
  };
};

export type UpdateMessageInput = {
  /** `message_id`, or the RFC 5322 Message-ID URL-encoded. */
  id: string;
  /** The inbox: an address of this account. */
  address: string;
  read?: boolean | undefined;
  archived?: boolean | undefined;
  /** All labels from now on, in place of those there are. */
  labels?: string[] | undefined;
  /** Labels to add; a message has at most 20. */
  add_labels?: string[] | undefined;
  /** Labels to take off; one that is not there changes nothing. */
  remove_labels?: string[] | undefined;
};
export type UpdateMessageReply = {
  updated: boolean;
  message_id: string;
  read: boolean;
  archived: boolean;
  labels: string[];
};

export type DeleteMessageInput = {
  /** `message_id`, or the RFC 5322 Message-ID URL-encoded. */
  id: string;
  /** The inbox: an address of this account. */
  address: string;
};
export type DeleteMessageReply = {
  deleted: boolean;
  message_id: string;
};

export type GetRawMessageInput = {
  /** `message_id`, or the RFC 5322 Message-ID URL-encoded. */
  id: string;
  /** The inbox: an address of this account. */
  address: string;
};
export type GetRawMessageReply = Uint8Array<ArrayBuffer>;

export type GetAttachmentInput = {
  /** `message_id`, or the RFC 5322 Message-ID URL-encoded. */
  id: string;
  n: number;
  /** The inbox: an address of this account. */
  address: string;
};
export type GetAttachmentReply = Uint8Array<ArrayBuffer>;

export type CreateInboxInput = {
  /** Local part; a random one when absent. */
  name?: string | undefined;
};
export type CreateInboxReply = {
  address: string;
  created: boolean;
  already_owned: boolean;
  account_id: string;
};

export type GetInboxInput = {
  /** An address, or its name alone. */
  address: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** Only messages that are not read (`true`) or are (`false`). */
  unread?: boolean | undefined;
  /** Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them. */
  label?: string | undefined;
  /** Full-text search: words that must all be there, `"a phrase"`, `begin*`, `from:`, `to:`, `subject:`. Case and accents do not matter. Sealed mail is not found. */
  q?: string | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Seconds to wait for a first entry when there is none: the reply comes as soon as there is one. */
  wait?: number | undefined;
};
export type GetInboxReply = {
  messages: {
    id: string;
    from: string;
    subject: string;
    preview: string;
    received_at: string;
    read: boolean;
  }[];
  /** Messages in the inbox, the unread ones when `unread=true`; `label` and `q` do not count. */
  total: number;
  address: string;
  next_cursor: string | null;
};

export type GetInboxMessageInput = {
  /** An address, or its name alone. */
  address: string;
  id: string;
};
export type GetInboxMessageReply = {
  id: string;
  from: string;
  to: string;
  subject: string;
  body: string;
  html: string | null;
  received_at: string;
  auth: {
    method: string;
  };
  thread_id: string | null;
  rfc_message_id: string | null;
  e2e_encrypted?: boolean;
  ephemeral_public_key?: string;
};

export type ListThreadsInput = {
  /** An address of this account. */
  address: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** Only those with unread messages (`true`), or without. */
  unread?: boolean | undefined;
  /** Archived conversations instead of the others. */
  archived?: boolean | undefined;
  /** Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them. */
  label?: string | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListThreadsReply = {
  threads: {
    thread_id: string;
    address: string;
    /** Of its first message. */
    subject: string;
    /** Up to 50 addresses, in the order they joined. */
    participants: string[];
    /** Received and sent. */
    message_count: number;
    unread_count: number;
    last_message_at: string;
    /** Of the latest message; empty when sealed. */
    snippet: string;
    /** True when every message received is archived. */
    archived: boolean;
    /** Those of all its messages. */
    labels: string[];
  }[];
  count: number;
  address: string;
  next_cursor: string | null;
};

export type GetThreadInput = {
  /** A `thread_id`. */
  id: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type GetThreadReply = {
  thread_id: string;
  address: string;
  /** Of its first message. */
  subject: string;
  /** Up to 50 addresses, in the order they joined. */
  participants: string[];
  /** Received and sent. */
  message_count: number;
  unread_count: number;
  last_message_at: string;
  /** Of the latest message; empty when sealed. */
  snippet: string;
  /** True when every message received is archived. */
  archived: boolean;
  /** Those of all its messages. */
  labels: string[];
  messages: ({
    direction: "received";
    /** The id of this copy. A stranger chooses `rfc_message_id` and may repeat it; nobody chooses this one. */
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
    received_at: string;
    read: boolean;
    archived: boolean;
    labels: string[];
    has_attachments: boolean;
    /** Present and true when the body is sealed to the address’s public key. */
    e2e_encrypted?: boolean;
    auth: {
      method: "internal" | "smtp";
      spf: string | null;
      dkim: string | null;
      dmarc: string | null;
      /** True when the From address is proven; a mail from another agent of this service always is. */
      verified_from: boolean;
    };
    text: string | null;
  } | {
    direction: "sent";
    /** Its id in the outbox. */
    id: string;
    rfc_message_id: string;
    from: string;
    /** All recipients. */
    to: string[];
    subject: string;
    snippet: string;
    text: string | null;
    status: "pending" | "sent" | "failed";
    error: string | null;
    queued_at: string;
    sent_at: string | null;
  })[];
  /** Messages on this page. */
  count: number;
  next_cursor: string | null;
};

export type UpdateThreadInput = {
  /** A `thread_id`. */
  id: string;
  read?: boolean | undefined;
  archived?: boolean | undefined;
  /** All labels from now on, in place of those there are. */
  labels?: string[] | undefined;
  /** Labels to add; a message has at most 20. */
  add_labels?: string[] | undefined;
  /** Labels to take off; one that is not there changes nothing. */
  remove_labels?: string[] | undefined;
};
export type UpdateThreadReply = {
  updated: boolean;
  /** Those that were otherwise before. */
  messages_changed: number;
  thread_id: string;
  address: string;
  /** Of its first message. */
  subject: string;
  /** Up to 50 addresses, in the order they joined. */
  participants: string[];
  /** Received and sent. */
  message_count: number;
  unread_count: number;
  last_message_at: string;
  /** Of the latest message; empty when sealed. */
  snippet: string;
  /** True when every message received is archived. */
  archived: boolean;
  /** Those of all its messages. */
  labels: string[];
};

export type SendEmailInput = {
  /** An address of this account. */
  from: string;
  /** One address or several. */
  to: string | string[];
  /** One address or several. */
  cc?: string | string[] | undefined;
  /** Blind copies: on the envelope, in no header. */
  bcc?: string | string[] | undefined;
  reply_to?: string | undefined;
  /** May be empty. */
  subject: string;
  /** Plain text; this or `html` is needed. */
  text?: string | undefined;
  html?: string | undefined;
  /** A `message_id` of the sender’s inbox, or an RFC 5322 Message-ID. */
  in_reply_to?: string | undefined;
  references?: string[] | undefined;
  /** At most 25 MiB in all. */
  attachments?: {
    filename: string;
    content_type?: string | undefined;
    /** base64. */
    content: string;
  }[] | undefined;
};
export type SendEmailReply = {
  id: string;
  provider_id: string | null;
  status: "pending" | "sent" | "failed";
  from: string;
  to: string[];
  sent_at: string | null;
  /** `internal` when every recipient is on the mail domain. */
  provider: string;
  internal_recipients?: {
    address: string;
    delivered: boolean;
    error: string | null;
  }[];
  rfc_message_id: string;
  thread_id: string | null;
  rate_limit: {
    daily_remaining: number;
    hourly_remaining: number;
  };
  /** What a mail over the limit was paid with. */
  payment_id?: string;
};

export type ListOutboxInput = {
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListOutboxReply = {
  messages: {
    id: string;
    from: string;
    to: string[];
    subject: string;
    status: "pending" | "sent" | "failed";
    queued_at: string;
    sent_at: string | null;
    error: string | null;
    /** What became of each. A mail is `failed` when it reached none of them. */
    recipients: {
      address: string;
      status: "pending" | "sent" | "failed";
      error: string | null;
    }[];
    provider: string;
    thread_id: string | null;
    rfc_message_id: string;
  }[];
  count: number;
  next_cursor: string | null;
};

export type SendFromInboxInput = {
  /** An address, or its name alone. */
  address: string;
  to: string | string[];
  subject: string;
  /** Plain text; this or `html` is needed. */
  body?: string | undefined;
  html?: string | undefined;
};
export type SendFromInboxReply = {
  sent: boolean;
  id: string;
  from: string;
  to: string[];
  subject: string;
  status: string;
  /** What a mail over the limit was paid with. */
  payment_id?: string;
};

export type CreateWebhookInput = {
  /** An address of this account. */
  address: string;
  /** http or https, without user name or password. */
  url: string;
  /** Signs every delivery. Any text, or `whsec_` and base64 as Standard Webhooks has it. */
  secret?: string | undefined;
  /** `email.failed` is for mail that this address sent. */
  events?: ("email.received" | "email.failed")[] | undefined;
};
export type CreateWebhookReply = {
  id: string;
  address: string;
  url: string;
  has_secret: boolean;
  events: ("email.received" | "email.failed")[];
  created_at: string;
  /** `disabled`: nothing is sent until a test or retry succeeds. */
  status: "active" | "disabled";
  disabled_reason: "gone" | "failing" | null;
  failing_since: string | null;
};

export type ListWebhooksInput = {
  /** Only those of this address. */
  address?: string | undefined;
};
export type ListWebhooksReply = {
  webhooks: {
    id: string;
    address: string;
    url: string;
    has_secret: boolean;
    events: ("email.received" | "email.failed")[];
    created_at: string;
    /** `disabled`: nothing is sent until a test or retry succeeds. */
    status: "active" | "disabled";
    disabled_reason: "gone" | "failing" | null;
    failing_since: string | null;
  }[];
  count: number;
};

export type DeleteWebhookInput = {
  id: string;
};
export type DeleteWebhookReply = {
  deleted: boolean;
  id: string;
};

export type TestWebhookInput = {
  id: string;
};
export type TestWebhookReply = {
  id: string;
  webhook_id: string;
  event: "email.received" | "email.failed" | "webhook.test";
  /** The `id` of the body and the `webhook-id` header, the same in every attempt. */
  event_id: string;
  message_id: string | null;
  status: "pending" | "delivered" | "failed";
  /** Since it was created or last retried by hand. */
  attempts: number;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
  response_status: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number | null;
};

export type ListWebhookDeliveriesInput = {
  id: string;
  /** Entries per page, 20 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListWebhookDeliveriesReply = {
  deliveries: {
    id: string;
    webhook_id: string;
    event: "email.received" | "email.failed" | "webhook.test";
    /** The `id` of the body and the `webhook-id` header, the same in every attempt. */
    event_id: string;
    message_id: string | null;
    status: "pending" | "delivered" | "failed";
    /** Since it was created or last retried by hand. */
    attempts: number;
    created_at: string;
    last_attempt_at: string | null;
    next_attempt_at: string | null;
    delivered_at: string | null;
    response_status: number | null;
    response_snippet: string | null;
    error: string | null;
    duration_ms: number | null;
  }[];
  count: number;
  next_cursor: string | null;
};

export type RetryWebhookDeliveryInput = {
  id: string;
  delivery_id: string;
};
export type RetryWebhookDeliveryReply = {
  id: string;
  webhook_id: string;
  event: "email.received" | "email.failed" | "webhook.test";
  /** The `id` of the body and the `webhook-id` header, the same in every attempt. */
  event_id: string;
  message_id: string | null;
  status: "pending" | "delivered" | "failed";
  /** Since it was created or last retried by hand. */
  attempts: number;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
  response_status: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number | null;
};

export type ListVaultKeysInput = {
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Entries per page, 1000 by default. */
  limit?: number | undefined;
};
export type ListVaultKeysReply = {
  keys: {
    key: string;
    version: number;
    metadata: Record<string, unknown> | null;
    created_at: string;
    updated_at: string;
  }[];
  /** Keys of this vault, on all pages. */
  count: number;
  limit: number | null;
  tier: "free" | "paid";
  next_cursor: string | null;
};

export type ListVaultKeysAliasInput = {
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
  /** Entries per page, 1000 by default. */
  limit?: number | undefined;
};
export type ListVaultKeysAliasReply = {
  keys: {
    key: string;
    version: number;
    metadata: Record<string, unknown> | null;
    created_at: string;
    updated_at: string;
  }[];
  /** Keys of this vault, on all pages. */
  count: number;
  limit: number | null;
  tier: "free" | "paid";
  next_cursor: string | null;
};

export type PutVaultEntryInput = {
  /** 1..128 of `A-Z a-z 0-9 _ - .` */
  key: string;
  /** What the client sealed, kept as it is; base64url or hex. At most 16 KB, 64 KB on the paid tier. */
  ciphertext: string;
  metadata?: Record<string, unknown> | null | undefined;
  /** Store only if this is the latest version, 0 for none; `If-Match` says the same. */
  if_version?: number | undefined;
};
export type PutVaultEntryReply = {
  key: string;
  stored: boolean;
  version: number;
  /** When the key was made. */
  created_at: string;
  /** When this version was stored. */
  updated_at: string;
  /** What a key over the limit was paid with. */
  payment_id?: string;
};

export type GetVaultEntryInput = {
  /** 1..128 of `A-Z a-z 0-9 _ - .` */
  key: string;
  /** The latest unless told. */
  version?: number | undefined;
};
export type GetVaultEntryReply = {
  key: string;
  ciphertext: string;
  /** The same as `ciphertext`, for older clients. */
  value: string;
  metadata: Record<string, unknown> | null;
  version: number;
  latest_version: number;
  /** When the key was made. */
  created_at: string;
  /** When this version was stored. */
  updated_at: string;
};

export type DeleteVaultEntryInput = {
  /** 1..128 of `A-Z a-z 0-9 _ - .` */
  key: string;
  /** The latest unless told. */
  version?: number | undefined;
};
export type DeleteVaultEntryReply = {
  key: string;
  deleted: boolean;
  versions_removed: number;
};

export type SetVaultRecoveryInput = {
  email: string;
  /** The seed, sealed by the client (base64 or hex); the service cannot open it. At most 100 KB. */
  encrypted_seed: string;
};
export type SetVaultRecoveryReply = {
  ok: boolean;
  registered: boolean;
  email: string;
  stored_at: string;
};

export type StoreSeedInput = {
  /** The seed, sealed by the client (base64 or hex); the service cannot open it. At most 50 KB. */
  encrypted_seed: string;
  recovery_email: string;
};
export type StoreSeedReply = {
  vault_id: string;
  stored_at: string;
  message?: string;
};

export type RequestVaultRecoveryInput = {
  email: string;
};
export type RequestVaultRecoveryReply = {
  sent: boolean;
  message?: string;
};

export type VerifyVaultRecoveryInput = {
  /** From the mailed link, or the `next_token` of a reply. */
  token: string;
};
export type VerifyVaultRecoveryReply = {
  /** Whether there is anything. */
  recovered: boolean;
  entries: {
    account_id: string;
    key: string;
    ciphertext: string;
    metadata: Record<string, unknown> | null;
    version: number;
    /** When this version was stored. */
    created_at: string;
  }[];
  legacy_entries: {
    vault_id: string;
    encrypted_seed: string;
    created_at: string;
  }[];
  account_entries: {
    account_id: string;
    encrypted_seed: string;
  }[];
  next_token: string | null;
  note?: string;
};

export type CreatePodInput = {
  name?: string | null | undefined;
  rate_limits?: {
    requests_per_minute?: number | null | undefined;
    requests_per_hour?: number | null | undefined;
    requests_per_day?: number | null | undefined;
  } | null | undefined;
  spending_caps?: {
    daily?: number | null | undefined;
    weekly?: number | null | undefined;
    monthly?: number | null | undefined;
  } | null | undefined;
  allowed_scopes?: string[] | null | undefined;
};
export type CreatePodReply = {
  pod_id: string;
  /** The account that the pod is. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: {
    requests_per_minute?: number;
    requests_per_hour?: number;
    requests_per_day?: number;
  } | null;
  spending_caps: {
    daily?: number;
    weekly?: number;
    monthly?: number;
  } | null;
  allowed_scopes: string[] | null;
  api_key: string;
  warning?: string;
};

export type ListPodsInput = {
  /** Entries per page, 100 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListPodsReply = {
  pods: {
    pod_id: string;
    /** The account that the pod is. */
    account_id: string;
    name: string | null;
    status: "active" | "suspended";
    created_at: string;
    updated_at: string;
    parent_account_id: string;
    rate_limits: {
      requests_per_minute?: number;
      requests_per_hour?: number;
      requests_per_day?: number;
    } | null;
    spending_caps: {
      daily?: number;
      weekly?: number;
      monthly?: number;
    } | null;
    allowed_scopes: string[] | null;
  }[];
  count: number;
  next_cursor: string | null;
};

export type GetPodInput = {
  pod_id: string;
};
export type GetPodReply = {
  pod_id: string;
  /** The account that the pod is. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: {
    requests_per_minute?: number;
    requests_per_hour?: number;
    requests_per_day?: number;
  } | null;
  spending_caps: {
    daily?: number;
    weekly?: number;
    monthly?: number;
  } | null;
  allowed_scopes: string[] | null;
};

export type UpdatePodInput = {
  pod_id: string;
  name?: string | null | undefined;
  rate_limits?: {
    requests_per_minute?: number | null | undefined;
    requests_per_hour?: number | null | undefined;
    requests_per_day?: number | null | undefined;
  } | null | undefined;
  spending_caps?: {
    daily?: number | null | undefined;
    weekly?: number | null | undefined;
    monthly?: number | null | undefined;
  } | null | undefined;
  allowed_scopes?: string[] | null | undefined;
  /** `active` takes a suspended pod back. */
  status?: "active" | "suspended" | undefined;
};
export type UpdatePodReply = {
  id: string;
  pod_id: string;
  /** The account that the pod is. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: {
    requests_per_minute?: number;
    requests_per_hour?: number;
    requests_per_day?: number;
  } | null;
  spending_caps: {
    daily?: number;
    weekly?: number;
    monthly?: number;
  } | null;
  allowed_scopes: string[] | null;
  updated: boolean;
};

export type SuspendPodInput = {
  pod_id: string;
};
export type SuspendPodReply = {
  pod_id: string;
  /** The account that the pod is. */
  account_id: string;
  name: string | null;
  status: "active" | "suspended";
  created_at: string;
  updated_at: string;
  parent_account_id: string;
  rate_limits: {
    requests_per_minute?: number;
    requests_per_hour?: number;
    requests_per_day?: number;
  } | null;
  spending_caps: {
    daily?: number;
    weekly?: number;
    monthly?: number;
  } | null;
  allowed_scopes: string[] | null;
};

export type ReplacePodKeyInput = {
  pod_id: string;
};
export type ReplacePodKeyReply = {
  api_key: string;
  key_prefix: string;
  pod_id: string;
  created_at: string;
  warning?: string;
};

export type CreateStackInput = {
  domain: string;
};
export type CreateStackReply = {
  id: string;
  /** Lower case; an IDN as A-labels. */
  domain: string;
  /** `failed`: not verified within three days, or the ownership record was removed. Verify again at any time. */
  status: "provisioning" | "active" | "failed";
  /** Name servers of the domain at the latest check. */
  nameservers: string[];
  records: {
    purpose: "ownership" | "mx" | "spf" | "dkim" | "dmarc";
    type: "MX" | "TXT";
    name: string;
    /** The value to set. An SPF record that includes ours and any DMARC record also pass. */
    value: string;
    priority: number | null;
    /** `unreachable`: the DNS did not answer. */
    status: "unchecked" | "found" | "missing" | "different" | "unreachable";
    found: string[];
  }[];
  next_steps?: string[];
  created_at: string;
  checked_at: string | null;
  verified_at: string | null;
};

export type ListStacksInput = {
  /** Entries per page, 100 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListStacksReply = {
  stacks: {
    id: string;
    /** Lower case; an IDN as A-labels. */
    domain: string;
    /** `failed`: not verified within three days, or the ownership record was removed. Verify again at any time. */
    status: "provisioning" | "active" | "failed";
    /** Name servers of the domain at the latest check. */
    nameservers: string[];
    records: {
      purpose: "ownership" | "mx" | "spf" | "dkim" | "dmarc";
      type: "MX" | "TXT";
      name: string;
      /** The value to set. An SPF record that includes ours and any DMARC record also pass. */
      value: string;
      priority: number | null;
      /** `unreachable`: the DNS did not answer. */
      status: "unchecked" | "found" | "missing" | "different" | "unreachable";
      found: string[];
    }[];
    next_steps?: string[];
    created_at: string;
    checked_at: string | null;
    verified_at: string | null;
  }[];
  count: number;
  next_cursor: string | null;
};

export type GetStackInput = {
  id: string;
};
export type GetStackReply = {
  id: string;
  /** Lower case; an IDN as A-labels. */
  domain: string;
  /** `failed`: not verified within three days, or the ownership record was removed. Verify again at any time. */
  status: "provisioning" | "active" | "failed";
  /** Name servers of the domain at the latest check. */
  nameservers: string[];
  records: {
    purpose: "ownership" | "mx" | "spf" | "dkim" | "dmarc";
    type: "MX" | "TXT";
    name: string;
    /** The value to set. An SPF record that includes ours and any DMARC record also pass. */
    value: string;
    priority: number | null;
    /** `unreachable`: the DNS did not answer. */
    status: "unchecked" | "found" | "missing" | "different" | "unreachable";
    found: string[];
  }[];
  next_steps?: string[];
  created_at: string;
  checked_at: string | null;
  verified_at: string | null;
};

export type VerifyStackInput = {
  id: string;
};
export type VerifyStackReply = {
  id: string;
  /** Lower case; an IDN as A-labels. */
  domain: string;
  /** `failed`: not verified within three days, or the ownership record was removed. Verify again at any time. */
  status: "provisioning" | "active" | "failed";
  /** Name servers of the domain at the latest check. */
  nameservers: string[];
  records: {
    purpose: "ownership" | "mx" | "spf" | "dkim" | "dmarc";
    type: "MX" | "TXT";
    name: string;
    /** The value to set. An SPF record that includes ours and any DMARC record also pass. */
    value: string;
    priority: number | null;
    /** `unreachable`: the DNS did not answer. */
    status: "unchecked" | "found" | "missing" | "different" | "unreachable";
    found: string[];
  }[];
  next_steps?: string[];
  created_at: string;
  checked_at: string | null;
  verified_at: string | null;
};

export type DeleteStackInput = {
  id: string;
};
export type DeleteStackReply = {
  deleted: boolean;
  id: string;
};

export type GetUsageInput = Record<string, never>;
export type GetUsageReply = {
  account_id: string;
  tier: "free" | "paid";
  /** The UTC day, YYYY-MM-DD. */
  period: string;
  requests: {
    used: number;
    limit: number;
  };
  stacks: {
    used: number;
    limit: number;
  };
  pods: {
    used: number;
    limit: number;
  };
  addresses: {
    used: number;
    limit: number;
  };
  vault_keys: {
    used: number;
    limit: number | null;
  };
  calendar_events: {
    used: number;
    limit: number;
  };
  budget: {
    daily_spent_usdc: number;
    weekly_spent_usdc: number;
    monthly_spent_usdc: number;
    status: "active" | "limit_reached";
  };
  emails: {
    daily_used: number;
    daily_limit: number;
    daily_remaining: number;
    hourly_limit: number;
    hourly_remaining: number;
    reset_at: string;
  };
};

export type GetBillingInput = Record<string, never>;
export type GetBillingReply = {
  account_id: string;
  tier: "free" | "paid";
  plan: string;
  x402: {
    /** Whether this service takes x402 payments. */
    supported: boolean;
    /** `facilitator`: payments are settled on the chain. `off`: no money moves. */
    settlement: "facilitator" | "off";
    network: string;
    asset: string;
    /** USDC per mail over the limit. */
    email_price: string;
  };
  note?: string | null;
};

export type CreateObservationInput = {
  topic: string;
  content: string;
  shared?: boolean | undefined;
  display_name?: string | null | undefined;
};
export type CreateObservationReply = {
  id: string;
  /** The account that made it, set by the service. */
  agent_id: string;
  display_name: string | null;
  topic: string;
  content: string;
  shared: boolean;
  created_at: string;
};

export type ListObservationsInput = {
  /** Only this exact topic. */
  topic?: string | undefined;
  /** Only observations made by this account. */
  agent_id?: string | undefined;
  /** At or after this time. */
  since?: string | undefined;
  /** `mine`: the caller’s own, private and shared. `shared`: shared by any agent. */
  scope?: "all" | "mine" | "shared" | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListObservationsReply = {
  observations: {
    id: string;
    /** The account that made it, set by the service. */
    agent_id: string;
    display_name: string | null;
    topic: string;
    content: string;
    shared: boolean;
    created_at: string;
  }[];
  /** Entries on this page. */
  count: number;
  filters: {
    topic: string | null;
    agent_id: string | null;
    since: string | null;
    scope: "all" | "mine" | "shared";
    limit: number;
  };
  next_cursor: string | null;
};

export type ListObservationTopicsInput = {
  /** Entries per page, 200 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListObservationTopicsReply = {
  topics: {
    topic: string;
    count: number;
    latest: string;
  }[];
  /** Topics on this page. */
  count: number;
  next_cursor: string | null;
};

export type GetObservationInput = {
  id: string;
};
export type GetObservationReply = {
  id: string;
  /** The account that made it, set by the service. */
  agent_id: string;
  display_name: string | null;
  topic: string;
  content: string;
  shared: boolean;
  created_at: string;
};

export type SubmitTelemetryInput = {
  body: {
    /** What happened. The observation’s topic is `telemetry.<event>`. */
    event: string;
    /** The agent it is about, stored as sent. */
    agent_id: string;
    /** When it happened. */
    timestamp: string;
    action_type: "tool_call" | "memory_update" | "decision" | "external_request";
    outcome: "success" | "failure" | "anomaly";
    /** SHA-256, in hex. */
    axiom_hash?: string | undefined;
    /** Your own reference, stored as sent. */
    context_ref?: string | undefined;
  }[] | {
    /** What happened. The observation’s topic is `telemetry.<event>`. */
    event: string;
    /** The agent it is about, stored as sent. */
    agent_id: string;
    /** When it happened. */
    timestamp: string;
    action_type: "tool_call" | "memory_update" | "decision" | "external_request";
    outcome: "success" | "failure" | "anomaly";
    /** SHA-256, in hex. */
    axiom_hash?: string | undefined;
    /** Your own reference, stored as sent. */
    context_ref?: string | undefined;
  };
};
export type SubmitTelemetryReply = {
  accepted: true;
  count: number;
  /** The account of the caller, which the events belong to. */
  agent_token: string;
  observations: {
    observation_id: string;
    event: string;
    ingested_at: string;
  }[];
  /** Only for a single event. */
  observation_id?: string;
  /** Only for a single event. */
  ingested_at?: string;
};

export type GetTrustInput = {
  /** An account id. */
  agentId: string;
};
export type GetTrustReply = {
  agentId: string;
  score: number;
  tier: "untrusted" | "provisional" | "trusted" | "verified";
  breakdown: {
    /** 25 per observation, for up to 10. */
    behavioral: number;
    /** round(250 · 2^(−age / 7 days)), with the age of the latest observation. */
    consistency: number;
    /** 50 per distinct topic, for up to 5. */
    reputation: number;
    /** round(250 · shared / all observations). */
    transparency: number;
  };
  computedAt: string;
  observationCount: number;
  evidence: {
    /** Observations by the agent itself. */
    self: number;
    /** Telemetry of other accounts about this agent. It does not change the score. */
    peer: number;
  };
};

export type IssueTokenInput = {
  /** Whom it is for: an absolute URI. */
  audience: string;
  /** 1 to 20, each ^[a-z][a-z0-9._:-]{0,127}$; repeated ones count once. */
  scopes: string[];
  /** Seconds. */
  ttl?: number | undefined;
  /** The account’s name unless told. */
  agent_name?: string | undefined;
  /** `agent_email_verified` tells whether this account owns it here. */
  agent_email?: string | undefined;
};
export type IssueTokenReply = {
  token: string;
  expires_at: string;
  jti: string;
  /** Anyone who knows the `jti` can ask there whether it still holds. */
  audit_url: string;
};

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
  iat?: number;
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
};

export type RevokeTokenInput = {
  token: string;
  token_type_hint?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
};
export type RevokeTokenReply = {
  revoked: boolean;
  jti: string | null;
};

export type GetTokenStatusInput = {
  jti: string;
};
export type GetTokenStatusReply = {
  jti: string;
  status: "active" | "expired" | "revoked";
  audience: string;
  scopes: string[];
  issued_at: string;
  expires_at: string;
  revoked_at: string | null;
};

export type GetJwksInput = Record<string, never>;
export type GetJwksReply = {
  keys: {
    kty: "OKP";
    crv: "Ed25519";
    x: string;
    kid: string;
    use: "sig";
    alg: "EdDSA";
  }[];
};

export type GetOpenIdConfigurationInput = Record<string, never>;
export type GetOpenIdConfigurationReply = {
  issuer: string;
  jwks_uri: string;
  token_endpoint: string;
  introspection_endpoint: string;
  revocation_endpoint: string;
  id_token_signing_alg_values_supported: string[];
  response_types_supported: string[];
  subject_types_supported: string[];
  grant_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  introspection_endpoint_auth_methods_supported: string[];
  revocation_endpoint_auth_methods_supported: string[];
  claims_supported: string[];
  service_documentation: string;
};

export type GetAuthorizationServerMetadataInput = Record<string, never>;
export type GetAuthorizationServerMetadataReply = {
  issuer: string;
  jwks_uri: string;
  token_endpoint: string;
  introspection_endpoint: string;
  revocation_endpoint: string;
  id_token_signing_alg_values_supported: string[];
  response_types_supported: string[];
  subject_types_supported: string[];
  grant_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  introspection_endpoint_auth_methods_supported: string[];
  revocation_endpoint_auth_methods_supported: string[];
  claims_supported: string[];
  service_documentation: string;
};

export type GetServiceDidInput = Record<string, never>;
export type GetServiceDidReply = {
  "@context": string[];
  id: string;
  verificationMethod: {
    id: string;
    type: string;
    controller: string;
    publicKeyJwk: {
      kty: "OKP";
      crv: "Ed25519";
      x: string;
      kid: string;
      use: "sig";
      alg: "EdDSA";
    };
  }[];
  authentication: string[];
  assertionMethod: string[];
  service: {
    id: string;
    type: string;
    serviceEndpoint: string;
  }[];
};

export type GetAgentCardInput = Record<string, never>;
export type GetAgentCardReply = {
  name: string;
  description: string;
  url: string;
  version: string;
  provider: {
    organization: string;
    url: string;
  };
  documentationUrl: string;
  capabilities: {
    streaming: boolean;
    pushNotifications: boolean;
    stateTransitionHistory: boolean;
  };
  authentication: {
    schemes: string[];
  };
  registration: {
    method: string;
    url: string;
    body: {
      name: string;
    };
  };
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: {
    id: string;
    name: string;
    description: string;
    tags: string[];
  }[];
};

export type RegisterSigningKeyInput = {
  /** Ed25519, 32 bytes as base64url or hex. */
  public_key: string;
  label?: string | undefined;
};
export type RegisterSigningKeyReply = {
  /** RFC 7638 thumbprint, the key’s `kid` in the agent’s JWKS. */
  keyid: string;
  /** Ed25519, 32 bytes, base64url. */
  public_key: string;
  label: string | null;
  created_at: string;
};

export type ListSigningKeysInput = Record<string, never>;
export type ListSigningKeysReply = {
  keys: {
    /** RFC 7638 thumbprint, the key’s `kid` in the agent’s JWKS. */
    keyid: string;
    /** Ed25519, 32 bytes, base64url. */
    public_key: string;
    label: string | null;
    created_at: string;
  }[];
  count: number;
};

export type DeleteSigningKeyInput = {
  keyid: string;
};
export type DeleteSigningKeyReply = {
  deleted: true;
  keyid: string;
};

export type GetAgentProfileInput = {
  /** The local part of the agent’s address, or its account id. */
  name: string;
};
export type GetAgentProfileReply = Uint8Array<ArrayBuffer>;

export type GetAgentDidInput = {
  /** The local part of the agent’s address, or its account id. */
  name: string;
};
export type GetAgentDidReply = {
  "@context": string[];
  id: string;
  verificationMethod: {
    id: string;
    type: string;
    controller: string;
    publicKeyJwk: {
      kty: "OKP";
      crv: "Ed25519";
      x: string;
      kid: string;
      use: "sig";
      alg: "EdDSA";
    };
  }[];
  authentication: string[];
  assertionMethod: string[];
  service: {
    id: string;
    type: string;
    serviceEndpoint: string;
  }[];
};

export type GetAgentJwksInput = {
  /** The local part of the agent’s address, or its account id. */
  name: string;
};
export type GetAgentJwksReply = {
  keys: {
    kty: "OKP";
    crv: "Ed25519";
    x: string;
    kid: string;
    use: "sig";
    alg: "EdDSA";
  }[];
};

export type ListAuditEntriesInput = {
  /** Inclusive. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
  category?: string | undefined;
  action?: string | undefined;
  resource_id?: string | undefined;
  result?: "success" | "refused" | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListAuditEntriesReply = {
  entries: {
    account_id: string;
    /** `category.verb` */
    action: string;
    /** Prefix of the key, `session`, `anonymous` or `operator`. */
    actor: string;
    at: string;
    category: string;
    /** A keyed hash: equal for equal addresses, and not to be turned back. */
    ip: string;
    /** SHA-256 of the entry before. */
    prev_hash: string;
    request_id: string;
    resource_id: string | null;
    result: "success" | "refused";
    /** 1 for the first. */
    seq: number;
    status: number;
    /** SHA-256 of this entry without this field, as JSON with sorted keys and no blanks. */
    hash: string;
  }[];
  count: number;
  next_cursor: string | null;
};

export type ListAuditSealsInput = {
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListAuditSealsReply = {
  seals: {
    seq: number;
    hash: string;
    kid: string;
    /** base64url */
    signature: string;
    sealed_at: string;
  }[];
  keys: {
    kty: "OKP";
    crv: "Ed25519";
    kid: string;
    x: string;
  }[];
  count: number;
  next_cursor: string | null;
};

export type CreateCalendarEventInput = {
  summary: string;
  /** When it starts. An RFC 3339 date-time of any offset, or a date for an event of whole days. */
  start: string;
  /** When it is over, not before `start`. Of dates the first day that is no longer in it. An RFC 3339 date-time of any offset, or a date for an event of whole days. */
  end: string;
  description?: string | null | undefined;
  location?: string | null | undefined;
  attendees?: string[] | undefined;
};
export type CreateCalendarEventReply = {
  id: string;
  /** The same as `id`. */
  event_id: string;
  summary: string;
  start: string;
  /** Exclusive. */
  end: string;
  /** Of whole days: `start` and `end` are midnights of UTC. */
  all_day: boolean;
  description: string | null;
  location: string | null;
  attendees: string[];
  /** Rises by one with each change (RFC 5545 3.8.7.4). */
  sequence: number;
  created_at: string;
  updated_at: string;
};

export type ListCalendarEventsInput = {
  /** An RFC 3339 date-time or a date; inclusive. */
  from?: string | undefined;
  /** An RFC 3339 date-time or a date; exclusive. */
  to?: string | undefined;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListCalendarEventsReply = {
  events: {
    id: string;
    /** The same as `id`. */
    event_id: string;
    summary: string;
    start: string;
    /** Exclusive. */
    end: string;
    /** Of whole days: `start` and `end` are midnights of UTC. */
    all_day: boolean;
    description: string | null;
    location: string | null;
    attendees: string[];
    /** Rises by one with each change (RFC 5545 3.8.7.4). */
    sequence: number;
    created_at: string;
    updated_at: string;
  }[];
  /** Events on this page. */
  count: number;
  /** Events in the window, on all pages. */
  total: number;
  limit: number;
  next_cursor: string | null;
};

export type GetCalendarEventInput = {
  id: string;
};
export type GetCalendarEventReply = {
  id: string;
  /** The same as `id`. */
  event_id: string;
  summary: string;
  start: string;
  /** Exclusive. */
  end: string;
  /** Of whole days: `start` and `end` are midnights of UTC. */
  all_day: boolean;
  description: string | null;
  location: string | null;
  attendees: string[];
  /** Rises by one with each change (RFC 5545 3.8.7.4). */
  sequence: number;
  created_at: string;
  updated_at: string;
};

export type UpdateCalendarEventInput = {
  id: string;
  summary?: string | undefined;
  /** When it starts. An RFC 3339 date-time of any offset, or a date for an event of whole days. */
  start?: string | undefined;
  /** When it is over, not before `start`. Of dates the first day that is no longer in it. An RFC 3339 date-time of any offset, or a date for an event of whole days. */
  end?: string | undefined;
  description?: string | null | undefined;
  location?: string | null | undefined;
  attendees?: string[] | undefined;
};
export type UpdateCalendarEventReply = {
  id: string;
  /** The same as `id`. */
  event_id: string;
  summary: string;
  start: string;
  /** Exclusive. */
  end: string;
  /** Of whole days: `start` and `end` are midnights of UTC. */
  all_day: boolean;
  description: string | null;
  location: string | null;
  attendees: string[];
  /** Rises by one with each change (RFC 5545 3.8.7.4). */
  sequence: number;
  created_at: string;
  updated_at: string;
};

export type DeleteCalendarEventInput = {
  id: string;
};
export type DeleteCalendarEventReply = {
  deleted: true;
  id: string;
  event_id: string;
};

export type GetCalendarFeedInput = Record<string, never>;
export type GetCalendarFeedReply = {
  /** Whoever has it can read the calendar; no key is needed. */
  feed_url: string;
  cal_token: string;
  how_to_subscribe?: string[];
};

export type RotateCalendarFeedInput = Record<string, never>;
export type RotateCalendarFeedReply = {
  /** Whoever has it can read the calendar; no key is needed. */
  feed_url: string;
  cal_token: string;
  how_to_subscribe?: string[];
};

export type ReadCalendarFeedInput = {
  cal_token: string;
};
export type ReadCalendarFeedReply = string;

export type GetCalendarSettingsInput = Record<string, never>;
export type GetCalendarSettingsReply = {
  /** What calendar programs show. */
  name: string;
};

export type SetCalendarSettingsInput = {
  name: string | null;
};
export type SetCalendarSettingsReply = {
  /** What calendar programs show. */
  name: string;
};

export type RequestCredentialInput = {
  /** What is asked for and why; the operator reads it before deciding. */
  description: string;
  vault_key?: string | null | undefined;
  public_key?: string | null | undefined;
};
export type RequestCredentialReply = {
  request_id: string;
  /** For polling; tell it to nobody. Shown once. */
  device_code: string;
  /** XXXX-XXXX, for the operator. */
  user_code: string;
  verification_url: string;
  /** With the code filled in. */
  verification_url_complete: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds to leave between polls. */
  interval: number;
  expires_at: string;
  message?: string;
};

export type PollCredentialInput = {
  device_code: string;
};
export type PollCredentialReply = {
  status: "authorization_pending" | "slow_down" | "approved" | "denied" | "expired";
  request_id: string;
  vault_key: string | null;
  /** While pending: seconds to leave before the next poll. */
  interval?: number;
  /** While pending: seconds. */
  expires_in?: number;
  /** Of a denial. */
  reason?: "operator" | "wrong_codes";
  /** When the request had no `public_key`. */
  credential_value?: string;
  /** When it had one: open it with the private key. */
  sealed_value?: string;
  message?: string;
};

export type VerifyCredentialOperatorInput = {
  /** As the agent shows it; case and hyphen do not matter. */
  user_code: string;
};
export type VerifyCredentialOperatorReply = {
  sent: boolean;
  message?: string;
};

export type ViewCredentialRequestInput = {
  /** As the agent shows it; case and hyphen do not matter. */
  user_code: string;
  /** From the fragment of the mailed link. */
  token?: string | undefined;
  /** An operator session, instead of the token. */
  session?: string | undefined;
};
export type ViewCredentialRequestReply = {
  request_id: string;
  status: "pending";
  agent: {
    account_id: string;
    name: string | null;
    address: string | null;
    registered_at: string;
  };
  description: string;
  vault_key: string | null;
  public_key: string | null;
  created_at: string;
  expires_at: string;
};

export type ApproveCredentialInput = {
  /** As the agent shows it; case and hyphen do not matter. */
  user_code: string;
  /** From the fragment of the mailed link. */
  token?: string | undefined;
  /** An operator session, instead of the token. */
  session?: string | undefined;
  decision: "approve" | "deny";
  /** When the view has no `public_key`. */
  credential_value?: string | undefined;
  /** When it has one: sealed to it, as docs/credentials.md says. */
  sealed_value?: string | undefined;
  vault_key?: string | null | undefined;
};
export type ApproveCredentialReply = {
  request_id: string;
  status: "approved" | "denied";
  vault_key: string | null;
  resolved_at: string;
};

export type SubmitFindingInput = {
  /** An account id. */
  agentId: string;
  title: string;
  severity: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW" | "INFO";
  target: string;
  /** Proves the evidence later without revealing it now. */
  evidence_hash: string;
  cwe?: string | null | undefined;
  evidence_url?: string | null | undefined;
  tools_used?: string[] | undefined;
  time_to_find_ms?: number | null | undefined;
  audience?: string | null | undefined;
};
export type SubmitFindingReply = {
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
  outcomes: {
    /** Programs that accepted it. */
    accepted: number;
    /** Programs that rejected it. */
    rejected: number;
  };
  created_at: string;
  finding_url: string;
  /** The finding as a JWT (`typ: finding+jwt`, EdDSA). Verify it with the service’s JWKS. */
  token: string;
};

export type ListFindingsInput = {
  /** An account id. */
  agentId: string;
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListFindingsReply = {
  findings: {
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
    outcomes: {
      /** Programs that accepted it. */
      accepted: number;
      /** Programs that rejected it. */
      rejected: number;
    };
    created_at: string;
    finding_url: string;
  }[];
  count: number;
  next_cursor: string | null;
};

export type GetFindingInput = {
  jti: string;
};
export type GetFindingReply = {
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
  outcomes: {
    /** Programs that accepted it. */
    accepted: number;
    /** Programs that rejected it. */
    rejected: number;
  };
  created_at: string;
  finding_url: string;
  /** The finding as a JWT (`typ: finding+jwt`, EdDSA). Verify it with the service’s JWKS. */
  token: string;
};

export type JudgeFindingInput = {
  jti: string;
  outcome: "accepted" | "rejected";
  note?: string | null | undefined;
};
export type JudgeFindingReply = {
  jti: string;
  program_id: string;
  outcome: "accepted" | "rejected";
  recorded_at: string;
  track_record: {
    agent_id: string;
    submitted: number;
    /** Judgements that accepted a finding, one per program. */
    accepted: number;
    rejected: number;
    by_severity: {
      CRITICAL: {
        submitted: number;
        accepted: number;
        rejected: number;
      };
      HIGH: {
        submitted: number;
        accepted: number;
        rejected: number;
      };
      MEDIUM: {
        submitted: number;
        accepted: number;
        rejected: number;
      };
      LOW: {
        submitted: number;
        accepted: number;
        rejected: number;
      };
      INFO: {
        submitted: number;
        accepted: number;
        rejected: number;
      };
    };
  };
};

export type GetTrackRecordInput = {
  /** An account id. */
  agentId: string;
};
export type GetTrackRecordReply = {
  agent_id: string;
  submitted: number;
  /** Judgements that accepted a finding, one per program. */
  accepted: number;
  rejected: number;
  by_severity: {
    CRITICAL: {
      submitted: number;
      accepted: number;
      rejected: number;
    };
    HIGH: {
      submitted: number;
      accepted: number;
      rejected: number;
    };
    MEDIUM: {
      submitted: number;
      accepted: number;
      rejected: number;
    };
    LOW: {
      submitted: number;
      accepted: number;
      rejected: number;
    };
    INFO: {
      submitted: number;
      accepted: number;
      rejected: number;
    };
  };
};

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

export type ListProgramsInput = {
  /** Entries per page, 50 by default. */
  limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  cursor?: string | undefined;
};
export type ListProgramsReply = {
  programs: {
    program_id: string;
    name: string;
    audience: string;
    key_prefix: string;
    created_at: string;
    ended_at: string | null;
  }[];
  count: number;
  next_cursor: string | null;
};

export type EndProgramInput = {
  programId: string;
};
export type EndProgramReply = {
  program_id: string;
  ended_at: string;
};

export type GetLandingPageInput = Record<string, never>;
export type GetLandingPageReply = string;

export type GetLoginPageInput = Record<string, never>;
export type GetLoginPageReply = string;

export type GetRecoverPageInput = Record<string, never>;
export type GetRecoverPageReply = string;

export type GetDashboardPageInput = Record<string, never>;
export type GetDashboardPageReply = string;

export type GetApprovePageInput = Record<string, never>;
export type GetApprovePageReply = string;

export type GetCredentialsPageInput = Record<string, never>;
export type GetCredentialsPageReply = string;

export type GetAssetInput = {
  name: string;
};
export type GetAssetReply = Uint8Array<ArrayBuffer>;

/** Every code that the service refuses with. */
export type SignetErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_address'
  | 'invalid_domain'
  | 'invalid_recipient'
  | 'sealed_value_required'
  | 'credential_value_required'
  | 'invalid_cursor'
  | 'invalid_agent_id'
  | 'invalid_scopes'
  | 'ttl_out_of_range'
  | 'scope_ceiling_exceeded'
  | 'invalid_token'
  | 'invalid_key'
  | 'invalid_version'
  | 'invalid_ciphertext'
  | 'payload_too_large'
  | 'metadata_too_large'
  | 'too_many_recipients'
  | 'unauthorized'
  | 'payment_required'
  | 'budget_exceeded'
  | 'single_tx_limit_exceeded'
  | 'stack_limit'
  | 'payment_invalid'
  | 'calendar_limit'
  | 'account_suspended'
  | 'pod_suspended'
  | 'pod_auth_forbidden'
  | 'pod_limit_reached'
  | 'operator_required'
  | 'backup_key_only_activates'
  | 'session_required'
  | 'address_reserved'
  | 'limit_reached'
  | 'address_limit'
  | 'address_forbidden'
  | 'sender_not_owned'
  | 'webhook_forbidden'
  | 'own_finding'
  | 'audience_mismatch'
  | 'program_limit'
  | 'signing_key_limit'
  | 'webhook_limit'
  | 'seed_mismatch'
  | 'not_found'
  | 'unknown_user_code'
  | 'version_not_found'
  | 'method_not_allowed'
  | 'address_unavailable'
  | 'signing_key_exists'
  | 'already_resolved'
  | 'domain_unavailable'
  | 'stack_exists'
  | 'operator_email_required'
  | 'outcome_exists'
  | 'backup_exists'
  | 'idempotency_mismatch'
  | 'idempotency_in_progress'
  | 'idempotency_secret_spent'
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

/** What goes into and comes out of each operation. */
export interface OperationTypes {
  getHealth: { input: GetHealthInput; reply: GetHealthReply };
  getReadiness: { input: GetReadinessInput; reply: GetReadinessReply };
  getApiDescription: { input: GetApiDescriptionInput; reply: GetApiDescriptionReply };
  getMetrics: { input: GetMetricsInput; reply: GetMetricsReply };
  listPayments: { input: ListPaymentsInput; reply: ListPaymentsReply };
  login: { input: LoginInput; reply: LoginReply };
  verifyLogin: { input: VerifyLoginInput; reply: VerifyLoginReply };
  logout: { input: LogoutInput; reply: LogoutReply };
  createKey: { input: CreateKeyInput; reply: CreateKeyReply };
  createKeyAlias: { input: CreateKeyAliasInput; reply: CreateKeyAliasReply };
  rotateKey: { input: RotateKeyInput; reply: RotateKeyReply };
  generateBackupKey: { input: GenerateBackupKeyInput; reply: GenerateBackupKeyReply };
  activateBackupKey: { input: ActivateBackupKeyInput; reply: ActivateBackupKeyReply };
  listKeys: { input: ListKeysInput; reply: ListKeysReply };
  getBudget: { input: GetBudgetInput; reply: GetBudgetReply };
  setBudget: { input: SetBudgetInput; reply: SetBudgetReply };
  getBudgetHistory: { input: GetBudgetHistoryInput; reply: GetBudgetHistoryReply };
  charge: { input: ChargeInput; reply: ChargeReply };
  listApprovals: { input: ListApprovalsInput; reply: ListApprovalsReply };
  getApproval: { input: GetApprovalInput; reply: GetApprovalReply };
  approveCharge: { input: ApproveChargeInput; reply: ApproveChargeReply };
  rejectCharge: { input: RejectChargeInput; reply: RejectChargeReply };
  viewApproval: { input: ViewApprovalInput; reply: ViewApprovalReply };
  decideApproval: { input: DecideApprovalInput; reply: DecideApprovalReply };
  getAccount: { input: GetAccountInput; reply: GetAccountReply };
  setRecoveryEmail: { input: SetRecoveryEmailInput; reply: SetRecoveryEmailReply };
  setOperatorEmail: { input: SetOperatorEmailInput; reply: SetOperatorEmailReply };
  claimAddress: { input: ClaimAddressInput; reply: ClaimAddressReply };
  listAddresses: { input: ListAddressesInput; reply: ListAddressesReply };
  rotateEncryptionKey: { input: RotateEncryptionKeyInput; reply: RotateEncryptionKeyReply };
  register: { input: RegisterInput; reply: RegisterReply };
  listEvents: { input: ListEventsInput; reply: ListEventsReply };
  createSocketTicket: { input: CreateSocketTicketInput; reply: CreateSocketTicketReply };
  listInbox: { input: ListInboxInput; reply: ListInboxReply };
  getMessage: { input: GetMessageInput; reply: GetMessageReply };
  updateMessage: { input: UpdateMessageInput; reply: UpdateMessageReply };
  deleteMessage: { input: DeleteMessageInput; reply: DeleteMessageReply };
  getRawMessage: { input: GetRawMessageInput; reply: GetRawMessageReply };
  getAttachment: { input: GetAttachmentInput; reply: GetAttachmentReply };
  createInbox: { input: CreateInboxInput; reply: CreateInboxReply };
  getInbox: { input: GetInboxInput; reply: GetInboxReply };
  getInboxMessage: { input: GetInboxMessageInput; reply: GetInboxMessageReply };
  listThreads: { input: ListThreadsInput; reply: ListThreadsReply };
  getThread: { input: GetThreadInput; reply: GetThreadReply };
  updateThread: { input: UpdateThreadInput; reply: UpdateThreadReply };
  sendEmail: { input: SendEmailInput; reply: SendEmailReply };
  listOutbox: { input: ListOutboxInput; reply: ListOutboxReply };
  sendFromInbox: { input: SendFromInboxInput; reply: SendFromInboxReply };
  createWebhook: { input: CreateWebhookInput; reply: CreateWebhookReply };
  listWebhooks: { input: ListWebhooksInput; reply: ListWebhooksReply };
  deleteWebhook: { input: DeleteWebhookInput; reply: DeleteWebhookReply };
  testWebhook: { input: TestWebhookInput; reply: TestWebhookReply };
  listWebhookDeliveries: { input: ListWebhookDeliveriesInput; reply: ListWebhookDeliveriesReply };
  retryWebhookDelivery: { input: RetryWebhookDeliveryInput; reply: RetryWebhookDeliveryReply };
  listVaultKeys: { input: ListVaultKeysInput; reply: ListVaultKeysReply };
  listVaultKeysAlias: { input: ListVaultKeysAliasInput; reply: ListVaultKeysAliasReply };
  putVaultEntry: { input: PutVaultEntryInput; reply: PutVaultEntryReply };
  getVaultEntry: { input: GetVaultEntryInput; reply: GetVaultEntryReply };
  deleteVaultEntry: { input: DeleteVaultEntryInput; reply: DeleteVaultEntryReply };
  setVaultRecovery: { input: SetVaultRecoveryInput; reply: SetVaultRecoveryReply };
  storeSeed: { input: StoreSeedInput; reply: StoreSeedReply };
  requestVaultRecovery: { input: RequestVaultRecoveryInput; reply: RequestVaultRecoveryReply };
  verifyVaultRecovery: { input: VerifyVaultRecoveryInput; reply: VerifyVaultRecoveryReply };
  createPod: { input: CreatePodInput; reply: CreatePodReply };
  listPods: { input: ListPodsInput; reply: ListPodsReply };
  getPod: { input: GetPodInput; reply: GetPodReply };
  updatePod: { input: UpdatePodInput; reply: UpdatePodReply };
  suspendPod: { input: SuspendPodInput; reply: SuspendPodReply };
  replacePodKey: { input: ReplacePodKeyInput; reply: ReplacePodKeyReply };
  createStack: { input: CreateStackInput; reply: CreateStackReply };
  listStacks: { input: ListStacksInput; reply: ListStacksReply };
  getStack: { input: GetStackInput; reply: GetStackReply };
  verifyStack: { input: VerifyStackInput; reply: VerifyStackReply };
  deleteStack: { input: DeleteStackInput; reply: DeleteStackReply };
  getUsage: { input: GetUsageInput; reply: GetUsageReply };
  getBilling: { input: GetBillingInput; reply: GetBillingReply };
  createObservation: { input: CreateObservationInput; reply: CreateObservationReply };
  listObservations: { input: ListObservationsInput; reply: ListObservationsReply };
  listObservationTopics: { input: ListObservationTopicsInput; reply: ListObservationTopicsReply };
  getObservation: { input: GetObservationInput; reply: GetObservationReply };
  submitTelemetry: { input: SubmitTelemetryInput; reply: SubmitTelemetryReply };
  getTrust: { input: GetTrustInput; reply: GetTrustReply };
  issueToken: { input: IssueTokenInput; reply: IssueTokenReply };
  introspectToken: { input: IntrospectTokenInput; reply: IntrospectTokenReply };
  revokeToken: { input: RevokeTokenInput; reply: RevokeTokenReply };
  getTokenStatus: { input: GetTokenStatusInput; reply: GetTokenStatusReply };
  getJwks: { input: GetJwksInput; reply: GetJwksReply };
  getOpenIdConfiguration: { input: GetOpenIdConfigurationInput; reply: GetOpenIdConfigurationReply };
  getAuthorizationServerMetadata: { input: GetAuthorizationServerMetadataInput; reply: GetAuthorizationServerMetadataReply };
  getServiceDid: { input: GetServiceDidInput; reply: GetServiceDidReply };
  getAgentCard: { input: GetAgentCardInput; reply: GetAgentCardReply };
  registerSigningKey: { input: RegisterSigningKeyInput; reply: RegisterSigningKeyReply };
  listSigningKeys: { input: ListSigningKeysInput; reply: ListSigningKeysReply };
  deleteSigningKey: { input: DeleteSigningKeyInput; reply: DeleteSigningKeyReply };
  getAgentProfile: { input: GetAgentProfileInput; reply: GetAgentProfileReply };
  getAgentDid: { input: GetAgentDidInput; reply: GetAgentDidReply };
  getAgentJwks: { input: GetAgentJwksInput; reply: GetAgentJwksReply };
  listAuditEntries: { input: ListAuditEntriesInput; reply: ListAuditEntriesReply };
  listAuditSeals: { input: ListAuditSealsInput; reply: ListAuditSealsReply };
  createCalendarEvent: { input: CreateCalendarEventInput; reply: CreateCalendarEventReply };
  listCalendarEvents: { input: ListCalendarEventsInput; reply: ListCalendarEventsReply };
  getCalendarEvent: { input: GetCalendarEventInput; reply: GetCalendarEventReply };
  updateCalendarEvent: { input: UpdateCalendarEventInput; reply: UpdateCalendarEventReply };
  deleteCalendarEvent: { input: DeleteCalendarEventInput; reply: DeleteCalendarEventReply };
  getCalendarFeed: { input: GetCalendarFeedInput; reply: GetCalendarFeedReply };
  rotateCalendarFeed: { input: RotateCalendarFeedInput; reply: RotateCalendarFeedReply };
  readCalendarFeed: { input: ReadCalendarFeedInput; reply: ReadCalendarFeedReply };
  getCalendarSettings: { input: GetCalendarSettingsInput; reply: GetCalendarSettingsReply };
  setCalendarSettings: { input: SetCalendarSettingsInput; reply: SetCalendarSettingsReply };
  requestCredential: { input: RequestCredentialInput; reply: RequestCredentialReply };
  pollCredential: { input: PollCredentialInput; reply: PollCredentialReply };
  verifyCredentialOperator: { input: VerifyCredentialOperatorInput; reply: VerifyCredentialOperatorReply };
  viewCredentialRequest: { input: ViewCredentialRequestInput; reply: ViewCredentialRequestReply };
  approveCredential: { input: ApproveCredentialInput; reply: ApproveCredentialReply };
  submitFinding: { input: SubmitFindingInput; reply: SubmitFindingReply };
  listFindings: { input: ListFindingsInput; reply: ListFindingsReply };
  getFinding: { input: GetFindingInput; reply: GetFindingReply };
  judgeFinding: { input: JudgeFindingInput; reply: JudgeFindingReply };
  getTrackRecord: { input: GetTrackRecordInput; reply: GetTrackRecordReply };
  createProgram: { input: CreateProgramInput; reply: CreateProgramReply };
  listPrograms: { input: ListProgramsInput; reply: ListProgramsReply };
  endProgram: { input: EndProgramInput; reply: EndProgramReply };
  getLandingPage: { input: GetLandingPageInput; reply: GetLandingPageReply };
  getLoginPage: { input: GetLoginPageInput; reply: GetLoginPageReply };
  getRecoverPage: { input: GetRecoverPageInput; reply: GetRecoverPageReply };
  getDashboardPage: { input: GetDashboardPageInput; reply: GetDashboardPageReply };
  getApprovePage: { input: GetApprovePageInput; reply: GetApprovePageReply };
  getCredentialsPage: { input: GetCredentialsPageInput; reply: GetCredentialsPageReply };
  getAsset: { input: GetAssetInput; reply: GetAssetReply };
}

export type OperationName = keyof OperationTypes;

/** The entries of the lists that go on over pages. */
export interface PagedItems {
  listPayments: ListPaymentsReply['payments'][number];
  getBudgetHistory: GetBudgetHistoryReply['entries'][number];
  listApprovals: ListApprovalsReply['approvals'][number];
  listEvents: ListEventsReply['events'][number];
  listInbox: ListInboxReply['messages'][number];
  getInbox: GetInboxReply['messages'][number];
  listThreads: ListThreadsReply['threads'][number];
  getThread: GetThreadReply['messages'][number];
  listOutbox: ListOutboxReply['messages'][number];
  listWebhookDeliveries: ListWebhookDeliveriesReply['deliveries'][number];
  listVaultKeys: ListVaultKeysReply['keys'][number];
  listVaultKeysAlias: ListVaultKeysAliasReply['keys'][number];
  listPods: ListPodsReply['pods'][number];
  listStacks: ListStacksReply['stacks'][number];
  listObservations: ListObservationsReply['observations'][number];
  listObservationTopics: ListObservationTopicsReply['topics'][number];
  listAuditEntries: ListAuditEntriesReply['entries'][number];
  listAuditSeals: ListAuditSealsReply['seals'][number];
  listCalendarEvents: ListCalendarEventsReply['events'][number];
  listFindings: ListFindingsReply['findings'][number];
  listPrograms: ListProgramsReply['programs'][number];
}

export const OPERATIONS = {
  getHealth: {"method":"GET","path":"/health","repeatable":true,"query":[],"body":"none","reply":"json"},
  getReadiness: {"method":"GET","path":"/ready","repeatable":true,"query":[],"body":"none","reply":"json"},
  getApiDescription: {"method":"GET","path":"/api","repeatable":true,"query":[],"body":"none","reply":"json"},
  getMetrics: {"method":"GET","path":"/metrics","repeatable":true,"query":[],"body":"none","reply":"text"},
  listPayments: {"method":"GET","path":"/v1/billing/payments","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"payments","cursor":"cursor","next":["next_cursor"]}},
  login: {"method":"POST","path":"/v1/auth/login","repeatable":true,"query":[],"body":"fields","reply":"json"},
  verifyLogin: {"method":"GET","path":"/v1/auth/verify","repeatable":false,"query":["token"],"body":"none","reply":"location"},
  logout: {"method":"POST","path":"/v1/auth/logout","repeatable":true,"query":[],"body":"none","reply":"json"},
  createKey: {"method":"POST","path":"/v1/auth/keys","repeatable":true,"query":[],"body":"fields","reply":"json"},
  createKeyAlias: {"method":"POST","path":"/v1/keys","repeatable":true,"query":[],"body":"fields","reply":"json"},
  rotateKey: {"method":"POST","path":"/v1/auth/keys/rotate","repeatable":true,"query":[],"body":"none","reply":"json"},
  generateBackupKey: {"method":"POST","path":"/v1/auth/keys/generate-backup","repeatable":true,"query":[],"body":"fields","reply":"json"},
  activateBackupKey: {"method":"POST","path":"/v1/auth/keys/activate-backup","repeatable":true,"query":[],"body":"none","reply":"json"},
  listKeys: {"method":"GET","path":"/v1/auth/keys/list","repeatable":true,"query":[],"body":"none","reply":"json"},
  getBudget: {"method":"GET","path":"/v1/budget","repeatable":true,"query":[],"body":"none","reply":"json"},
  setBudget: {"method":"PUT","path":"/v1/budget","repeatable":true,"query":[],"body":"fields","reply":"json"},
  getBudgetHistory: {"method":"GET","path":"/v1/budget/history","repeatable":true,"query":["limit","before","cursor","category"],"body":"none","reply":"json","page":{"items":"entries","cursor":"cursor","next":["pagination","next_cursor"]}},
  charge: {"method":"POST","path":"/v1/charge","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listApprovals: {"method":"GET","path":"/v1/approvals","repeatable":true,"query":["status","limit","cursor"],"body":"none","reply":"json","page":{"items":"approvals","cursor":"cursor","next":["next_cursor"]}},
  getApproval: {"method":"GET","path":"/v1/approvals/{id}","repeatable":true,"query":[],"body":"none","reply":"json"},
  approveCharge: {"method":"POST","path":"/v1/approvals/{id}/approve","repeatable":true,"query":[],"body":"fields","reply":"json"},
  rejectCharge: {"method":"POST","path":"/v1/approvals/{id}/reject","repeatable":true,"query":[],"body":"fields","reply":"json"},
  viewApproval: {"method":"POST","path":"/v1/approvals/{id}/view","repeatable":true,"query":[],"body":"fields","reply":"json"},
  decideApproval: {"method":"POST","path":"/v1/approvals/{id}/decide","repeatable":true,"query":[],"body":"fields","reply":"json"},
  getAccount: {"method":"GET","path":"/v1/account/me","repeatable":true,"query":[],"body":"none","reply":"json"},
  setRecoveryEmail: {"method":"POST","path":"/v1/account/recovery-email","repeatable":true,"query":[],"body":"fields","reply":"json"},
  setOperatorEmail: {"method":"POST","path":"/v1/account/operator-email","repeatable":true,"query":[],"body":"fields","reply":"json"},
  claimAddress: {"method":"POST","path":"/v1/email/claim","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listAddresses: {"method":"GET","path":"/v1/email/addresses","repeatable":true,"query":[],"body":"none","reply":"json"},
  rotateEncryptionKey: {"method":"POST","path":"/v1/e2e/rotate-key","repeatable":true,"query":[],"body":"fields","reply":"json"},
  register: {"method":"POST","path":"/v1/register","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listEvents: {"method":"GET","path":"/v1/events","repeatable":true,"query":["after","before","order","type","wait","limit"],"body":"none","reply":"json","page":{"items":"events","cursor":"after","next":["next_cursor"]}},
  createSocketTicket: {"method":"POST","path":"/v1/ws/tickets","repeatable":true,"query":[],"body":"none","reply":"json"},
  listInbox: {"method":"GET","path":"/v1/email/inbox","repeatable":true,"query":["address","limit","unread","label","q","archived","cursor","wait"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]}},
  getMessage: {"method":"GET","path":"/v1/email/messages/{id}","repeatable":true,"query":["address"],"body":"none","reply":"json"},
  updateMessage: {"method":"PATCH","path":"/v1/email/messages/{id}","repeatable":false,"query":["address"],"body":"fields","reply":"json"},
  deleteMessage: {"method":"DELETE","path":"/v1/email/messages/{id}","repeatable":false,"query":["address"],"body":"none","reply":"json"},
  getRawMessage: {"method":"GET","path":"/v1/email/messages/{id}/raw","repeatable":true,"query":["address"],"body":"none","reply":"bytes"},
  getAttachment: {"method":"GET","path":"/v1/email/messages/{id}/attachments/{n}","repeatable":true,"query":["address"],"body":"none","reply":"bytes"},
  createInbox: {"method":"POST","path":"/v1/inbox","repeatable":true,"query":[],"body":"fields","reply":"json"},
  getInbox: {"method":"GET","path":"/v1/inbox/{address}","repeatable":true,"query":["limit","unread","label","q","cursor","wait"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]}},
  getInboxMessage: {"method":"GET","path":"/v1/inbox/{address}/messages/{id}","repeatable":true,"query":[],"body":"none","reply":"json"},
  listThreads: {"method":"GET","path":"/v1/email/threads","repeatable":true,"query":["address","limit","unread","archived","label","cursor"],"body":"none","reply":"json","page":{"items":"threads","cursor":"cursor","next":["next_cursor"]}},
  getThread: {"method":"GET","path":"/v1/email/threads/{id}","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]}},
  updateThread: {"method":"PATCH","path":"/v1/email/threads/{id}","repeatable":false,"query":[],"body":"fields","reply":"json"},
  sendEmail: {"method":"POST","path":"/v1/email/send","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listOutbox: {"method":"GET","path":"/v1/email/outbox","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"messages","cursor":"cursor","next":["next_cursor"]}},
  sendFromInbox: {"method":"POST","path":"/v1/inbox/{address}/send","repeatable":true,"query":[],"body":"fields","reply":"json"},
  createWebhook: {"method":"POST","path":"/v1/email/webhooks","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listWebhooks: {"method":"GET","path":"/v1/email/webhooks","repeatable":true,"query":["address"],"body":"none","reply":"json"},
  deleteWebhook: {"method":"DELETE","path":"/v1/email/webhooks/{id}","repeatable":false,"query":[],"body":"none","reply":"json"},
  testWebhook: {"method":"POST","path":"/v1/email/webhooks/{id}/test","repeatable":true,"query":[],"body":"none","reply":"json"},
  listWebhookDeliveries: {"method":"GET","path":"/v1/email/webhooks/{id}/deliveries","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"deliveries","cursor":"cursor","next":["next_cursor"]}},
  retryWebhookDelivery: {"method":"POST","path":"/v1/email/webhooks/{id}/deliveries/{delivery_id}/retry","repeatable":true,"query":[],"body":"none","reply":"json"},
  listVaultKeys: {"method":"GET","path":"/v1/vault/","repeatable":true,"query":["cursor","limit"],"body":"none","reply":"json","page":{"items":"keys","cursor":"cursor","next":["next_cursor"]}},
  listVaultKeysAlias: {"method":"GET","path":"/v1/vault","repeatable":true,"query":["cursor","limit"],"body":"none","reply":"json","page":{"items":"keys","cursor":"cursor","next":["next_cursor"]}},
  putVaultEntry: {"method":"PUT","path":"/v1/vault/{key}","repeatable":true,"query":[],"body":"fields","reply":"json"},
  getVaultEntry: {"method":"GET","path":"/v1/vault/{key}","repeatable":true,"query":["version"],"body":"none","reply":"json"},
  deleteVaultEntry: {"method":"DELETE","path":"/v1/vault/{key}","repeatable":false,"query":["version"],"body":"none","reply":"json"},
  setVaultRecovery: {"method":"POST","path":"/v1/vault/recovery-email","repeatable":true,"query":[],"body":"fields","reply":"json"},
  storeSeed: {"method":"POST","path":"/v1/vault/store","repeatable":true,"query":[],"body":"fields","reply":"json"},
  requestVaultRecovery: {"method":"POST","path":"/v1/vault/recover","repeatable":true,"query":[],"body":"fields","reply":"json"},
  verifyVaultRecovery: {"method":"GET","path":"/v1/vault/recover/verify","repeatable":false,"query":["token"],"body":"none","reply":"json"},
  createPod: {"method":"POST","path":"/v1/pods","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listPods: {"method":"GET","path":"/v1/pods","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"pods","cursor":"cursor","next":["next_cursor"]}},
  getPod: {"method":"GET","path":"/v1/pods/{pod_id}","repeatable":true,"query":[],"body":"none","reply":"json"},
  updatePod: {"method":"PATCH","path":"/v1/pods/{pod_id}","repeatable":false,"query":[],"body":"fields","reply":"json"},
  suspendPod: {"method":"DELETE","path":"/v1/pods/{pod_id}","repeatable":false,"query":[],"body":"none","reply":"json"},
  replacePodKey: {"method":"POST","path":"/v1/pods/{pod_id}/keys","repeatable":true,"query":[],"body":"none","reply":"json"},
  createStack: {"method":"POST","path":"/v1/stack","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listStacks: {"method":"GET","path":"/v1/stack","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"stacks","cursor":"cursor","next":["next_cursor"]}},
  getStack: {"method":"GET","path":"/v1/stack/{id}","repeatable":true,"query":[],"body":"none","reply":"json"},
  verifyStack: {"method":"POST","path":"/v1/stack/{id}/verify","repeatable":true,"query":[],"body":"none","reply":"json"},
  deleteStack: {"method":"DELETE","path":"/v1/stack/{id}","repeatable":false,"query":[],"body":"none","reply":"json"},
  getUsage: {"method":"GET","path":"/v1/usage","repeatable":true,"query":[],"body":"none","reply":"json"},
  getBilling: {"method":"GET","path":"/v1/billing","repeatable":true,"query":[],"body":"none","reply":"json"},
  createObservation: {"method":"POST","path":"/v1/observations","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listObservations: {"method":"GET","path":"/v1/observations","repeatable":true,"query":["topic","agent_id","since","scope","limit","cursor"],"body":"none","reply":"json","page":{"items":"observations","cursor":"cursor","next":["next_cursor"]}},
  listObservationTopics: {"method":"GET","path":"/v1/observations/topics","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"topics","cursor":"cursor","next":["next_cursor"]}},
  getObservation: {"method":"GET","path":"/v1/observations/{id}","repeatable":true,"query":[],"body":"none","reply":"json"},
  submitTelemetry: {"method":"POST","path":"/v1/telemetry/submit","repeatable":true,"query":[],"body":"whole","reply":"json"},
  getTrust: {"method":"GET","path":"/v1/trust/{agentId}","repeatable":true,"query":[],"body":"none","reply":"json"},
  issueToken: {"method":"POST","path":"/v1/tokens/issue","repeatable":true,"query":[],"body":"fields","reply":"json"},
  introspectToken: {"method":"POST","path":"/v1/tokens/introspect","repeatable":true,"query":[],"body":"fields","reply":"json"},
  revokeToken: {"method":"POST","path":"/v1/tokens/revoke","repeatable":true,"query":[],"body":"fields","reply":"json"},
  getTokenStatus: {"method":"GET","path":"/v1/audit/{jti}","repeatable":true,"query":[],"body":"none","reply":"json"},
  getJwks: {"method":"GET","path":"/.well-known/jwks.json","repeatable":true,"query":[],"body":"none","reply":"json"},
  getOpenIdConfiguration: {"method":"GET","path":"/.well-known/openid-configuration","repeatable":true,"query":[],"body":"none","reply":"json"},
  getAuthorizationServerMetadata: {"method":"GET","path":"/.well-known/oauth-authorization-server","repeatable":true,"query":[],"body":"none","reply":"json"},
  getServiceDid: {"method":"GET","path":"/.well-known/did.json","repeatable":true,"query":[],"body":"none","reply":"json"},
  getAgentCard: {"method":"GET","path":"/.well-known/agent.json","repeatable":true,"query":[],"body":"none","reply":"json"},
  registerSigningKey: {"method":"POST","path":"/v1/agents/signing-keys","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listSigningKeys: {"method":"GET","path":"/v1/agents/signing-keys","repeatable":true,"query":[],"body":"none","reply":"json"},
  deleteSigningKey: {"method":"DELETE","path":"/v1/agents/signing-keys/{keyid}","repeatable":false,"query":[],"body":"none","reply":"json"},
  getAgentProfile: {"method":"GET","path":"/agents/{name}","repeatable":true,"query":[],"body":"none","reply":"bytes"},
  getAgentDid: {"method":"GET","path":"/agents/{name}/did.json","repeatable":true,"query":[],"body":"none","reply":"json"},
  getAgentJwks: {"method":"GET","path":"/agents/{name}/.well-known/jwks.json","repeatable":true,"query":[],"body":"none","reply":"json"},
  listAuditEntries: {"method":"GET","path":"/v1/audit","repeatable":true,"query":["from","to","category","action","resource_id","result","limit","cursor"],"body":"none","reply":"json","page":{"items":"entries","cursor":"cursor","next":["next_cursor"]}},
  listAuditSeals: {"method":"GET","path":"/v1/audit/seals","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"seals","cursor":"cursor","next":["next_cursor"]}},
  createCalendarEvent: {"method":"POST","path":"/v1/calendar/events","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listCalendarEvents: {"method":"GET","path":"/v1/calendar/events","repeatable":true,"query":["from","to","limit","cursor"],"body":"none","reply":"json","page":{"items":"events","cursor":"cursor","next":["next_cursor"]}},
  getCalendarEvent: {"method":"GET","path":"/v1/calendar/events/{id}","repeatable":true,"query":[],"body":"none","reply":"json"},
  updateCalendarEvent: {"method":"PATCH","path":"/v1/calendar/events/{id}","repeatable":false,"query":[],"body":"fields","reply":"json"},
  deleteCalendarEvent: {"method":"DELETE","path":"/v1/calendar/events/{id}","repeatable":false,"query":[],"body":"none","reply":"json"},
  getCalendarFeed: {"method":"GET","path":"/v1/calendar/feed","repeatable":true,"query":[],"body":"none","reply":"json"},
  rotateCalendarFeed: {"method":"POST","path":"/v1/calendar/feed/rotate","repeatable":true,"query":[],"body":"none","reply":"json"},
  readCalendarFeed: {"method":"GET","path":"/v1/calendar/feed.ics","repeatable":true,"query":["cal_token"],"body":"none","reply":"text"},
  getCalendarSettings: {"method":"GET","path":"/v1/calendar/settings","repeatable":true,"query":[],"body":"none","reply":"json"},
  setCalendarSettings: {"method":"PUT","path":"/v1/calendar/settings","repeatable":true,"query":[],"body":"fields","reply":"json"},
  requestCredential: {"method":"POST","path":"/v1/credentials/request","repeatable":true,"query":[],"body":"fields","reply":"json"},
  pollCredential: {"method":"POST","path":"/v1/credentials/poll","repeatable":true,"query":[],"body":"fields","reply":"json"},
  verifyCredentialOperator: {"method":"POST","path":"/v1/credentials/verify-email","repeatable":true,"query":[],"body":"fields","reply":"json"},
  viewCredentialRequest: {"method":"POST","path":"/v1/credentials/view","repeatable":true,"query":[],"body":"fields","reply":"json"},
  approveCredential: {"method":"POST","path":"/v1/credentials/approve","repeatable":true,"query":[],"body":"fields","reply":"json"},
  submitFinding: {"method":"POST","path":"/v1/agents/{agentId}/findings","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listFindings: {"method":"GET","path":"/v1/agents/{agentId}/findings","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"findings","cursor":"cursor","next":["next_cursor"]}},
  getFinding: {"method":"GET","path":"/v1/findings/{jti}","repeatable":true,"query":[],"body":"none","reply":"json"},
  judgeFinding: {"method":"POST","path":"/v1/findings/{jti}/outcome","repeatable":true,"query":[],"body":"fields","reply":"json"},
  getTrackRecord: {"method":"GET","path":"/v1/agents/{agentId}/track-record","repeatable":true,"query":[],"body":"none","reply":"json"},
  createProgram: {"method":"POST","path":"/v1/programs","repeatable":true,"query":[],"body":"fields","reply":"json"},
  listPrograms: {"method":"GET","path":"/v1/programs","repeatable":true,"query":["limit","cursor"],"body":"none","reply":"json","page":{"items":"programs","cursor":"cursor","next":["next_cursor"]}},
  endProgram: {"method":"DELETE","path":"/v1/programs/{programId}","repeatable":false,"query":[],"body":"none","reply":"json"},
  getLandingPage: {"method":"GET","path":"/","repeatable":true,"query":[],"body":"none","reply":"text"},
  getLoginPage: {"method":"GET","path":"/login","repeatable":true,"query":[],"body":"none","reply":"text"},
  getRecoverPage: {"method":"GET","path":"/recover","repeatable":true,"query":[],"body":"none","reply":"text"},
  getDashboardPage: {"method":"GET","path":"/dashboard","repeatable":true,"query":[],"body":"none","reply":"text"},
  getApprovePage: {"method":"GET","path":"/approve","repeatable":true,"query":[],"body":"none","reply":"text"},
  getCredentialsPage: {"method":"GET","path":"/credentials","repeatable":true,"query":[],"body":"none","reply":"text"},
  getAsset: {"method":"GET","path":"/assets/{name}","repeatable":true,"query":[],"body":"none","reply":"bytes"},
} as const satisfies Record<OperationName, Operation>;

/** A method for each operation. */
export abstract class Operations {
  protected abstract perform(name: OperationName, input: object, options?: CallOptions): Promise<unknown>;

  /**
   * Whether the process lives: `GET /health`
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getHealth(input: GetHealthInput = {}, options?: CallOptions): Promise<GetHealthReply> {
    return this.perform('getHealth', input, options) as Promise<GetHealthReply>;
  }

  /**
   * Whether this instance should be sent requests: `GET /ready`
   *
   * 503 while the database does not answer or the process is stopping; for load balancers.
   *
   * @throws {SignetError} 
   */
  getReadiness(input: GetReadinessInput = {}, options?: CallOptions): Promise<GetReadinessReply> {
    return this.perform('getReadiness', input, options) as Promise<GetReadinessReply>;
  }

  /**
   * This API as an OpenAPI 3.1 document: `GET /api`
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getApiDescription(input: GetApiDescriptionInput = {}, options?: CallOptions): Promise<GetApiDescriptionReply> {
    return this.perform('getApiDescription', input, options) as Promise<GetApiDescriptionReply>;
  }

  /**
   * Figures in the Prometheus text format: `GET /metrics`
   *
   * For the operator: keep this path inside your network.
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getMetrics(input: GetMetricsInput = {}, options?: CallOptions): Promise<GetMetricsReply> {
    return this.perform('getMetrics', input, options) as Promise<GetMetricsReply>;
  }

  /**
   * What this account paid by x402, newest first: `GET /v1/billing/payments`
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listPayments(input: ListPaymentsInput = {}, options?: CallOptions): Promise<ListPaymentsReply> {
    return this.perform('listPayments', input, options) as Promise<ListPaymentsReply>;
  }

  /**
   * Have login links mailed: `POST /v1/auth/login`
   *
   * Answers the same whether or not the address is known. The mail lists one single-use link, good for 15 minutes, per account that the address belongs to. At most five an hour per address.
   *
   * @throws {SignetError} `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  login(input: LoginInput, options?: CallOptions): Promise<LoginReply> {
    return this.perform('login', input, options) as Promise<LoginReply>;
  }

  /**
   * Open a session with a mailed link: `GET /v1/auth/verify`
   *
   * Uses the link up. The session token stands in the fragment of the redirect, which browsers do not send to servers; it is good for 24 hours as `Authorization: Bearer session_…`.
   *
   * @throws {SignetError} `invalid_token`, `invalid_request`, `storage_unavailable`
   */
  verifyLogin(input: VerifyLoginInput, options?: CallOptions): Promise<VerifyLoginReply> {
    return this.perform('verifyLogin', input, options) as Promise<VerifyLoginReply>;
  }

  /**
   * End this session: `POST /v1/auth/logout`
   *
   * The session token that is presented opens nothing from now on, on every instance, and streams it opened are closed. Other sessions and the keys stay. A key is refused: rotate it instead.
   *
   * @throws {SignetError} `session_required`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  logout(input: LogoutInput = {}, options?: CallOptions): Promise<LogoutReply> {
    return this.perform('logout', input, options) as Promise<LogoutReply>;
  }

  /**
   * Create an account and its key: `POST /v1/auth/keys`
   *
   * Needs nothing: no e-mail address, no name. At most five an hour from one network.
   *
   * @throws {SignetError} `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createKey(input: CreateKeyInput = {}, options?: CallOptions): Promise<CreateKeyReply> {
    return this.perform('createKey', input, options) as Promise<CreateKeyReply>;
  }

  /**
   * Create an account and its key (short form): `POST /v1/keys`
   *
   * Does what `POST /v1/auth/keys` does and counts against the same limit.
   *
   * @throws {SignetError} `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createKeyAlias(input: CreateKeyAliasInput = {}, options?: CallOptions): Promise<CreateKeyAliasReply> {
    return this.perform('createKeyAlias', input, options) as Promise<CreateKeyAliasReply>;
  }

  /**
   * Replace the active key: `POST /v1/auth/keys/rotate`
   *
   * The old key is refused from the moment this is answered, and sessions other than the one that asks end.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rotateKey(input: RotateKeyInput = {}, options?: CallOptions): Promise<RotateKeyReply> {
    return this.perform('rotateKey', input, options) as Promise<RotateKeyReply>;
  }

  /**
   * Make the backup key: `POST /v1/auth/keys/generate-backup`
   *
   * One may exist. It opens nothing but `POST /v1/auth/keys/activate-backup`; keep it apart from the primary.
   *
   * @throws {SignetError} `backup_exists`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  generateBackupKey(input: GenerateBackupKeyInput = {}, options?: CallOptions): Promise<GenerateBackupKeyReply> {
    return this.perform('generateBackupKey', input, options) as Promise<GenerateBackupKeyReply>;
  }

  /**
   * Make the backup key the active one: `POST /v1/auth/keys/activate-backup`
   *
   * Call it with the backup key when the primary is lost. The primary is revoked.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  activateBackupKey(input: ActivateBackupKeyInput = {}, options?: CallOptions): Promise<ActivateBackupKeyReply> {
    return this.perform('activateBackupKey', input, options) as Promise<ActivateBackupKeyReply>;
  }

  /**
   * The keys of this account, newest first: `GET /v1/auth/keys/list`
   *
   * The newest 200, revoked ones included. Never the keys themselves.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listKeys(input: ListKeysInput = {}, options?: CallOptions): Promise<ListKeysReply> {
    return this.perform('listKeys', input, options) as Promise<ListKeysReply>;
  }

  /**
   * Spending caps, and what is left of them: `GET /v1/budget`
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getBudget(input: GetBudgetInput = {}, options?: CallOptions): Promise<GetBudgetReply> {
    return this.perform('getBudget', input, options) as Promise<GetBudgetReply>;
  }

  /**
   * Set or remove caps, and what a charge over them meets: `PUT /v1/budget`
   *
   * What is absent stays. Caps may stand in `caps` or beside it. `daily <= weekly <= monthly` must hold for what results. With `authority: "operator"` only an operator session may raise or remove limits from then on, or take that back.
   *
   * @throws {SignetError} `operator_required`, `operator_email_required`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setBudget(input: SetBudgetInput = {}, options?: CallOptions): Promise<SetBudgetReply> {
    return this.perform('setBudget', input, options) as Promise<SetBudgetReply>;
  }

  /**
   * What was spent, newest first: `GET /v1/budget/history`
   *
   * `summary` is of the whole history that the filter leaves, whatever the page. Follow `next_cursor`, or `next_before`, to its end; entries that come meanwhile do not shift the pages.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getBudgetHistory(input: GetBudgetHistoryInput = {}, options?: CallOptions): Promise<GetBudgetHistoryReply> {
    return this.perform('getBudgetHistory', input, options) as Promise<GetBudgetHistoryReply>;
  }

  /**
   * Declare a charge against the budget: `POST /v1/charge`
   *
   * 200: within every limit, and recorded. 202: over a limit with `on_limit: "approve"`; nothing is recorded until somebody approves. 402: over a limit with `on_limit: "reject"`. Send an `Idempotency-Key`, so that a repeated call charges once.
   *
   * @throws {SignetError} `budget_exceeded`, `single_tx_limit_exceeded`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  charge(input: ChargeInput, options?: CallOptions): Promise<ChargeReply> {
    return this.perform('charge', input, options) as Promise<ChargeReply>;
  }

  /**
   * Charges that wait, or waited, for approval, newest first: `GET /v1/approvals`
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listApprovals(input: ListApprovalsInput = {}, options?: CallOptions): Promise<ListApprovalsReply> {
    return this.perform('listApprovals', input, options) as Promise<ListApprovalsReply>;
  }

  /**
   * One approval, and what became of it: `GET /v1/approvals/{id}`
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getApproval(input: GetApprovalInput, options?: CallOptions): Promise<GetApprovalReply> {
    return this.perform('getApproval', input, options) as Promise<GetApprovalReply>;
  }

  /**
   * Approve a charge: it is recorded, caps or not: `POST /v1/approvals/{id}/approve`
   *
   * @throws {SignetError} `not_found`, `already_resolved`, `expired`, `operator_required`, `pod_auth_forbidden`, `budget_exceeded`, `single_tx_limit_exceeded`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  approveCharge(input: ApproveChargeInput, options?: CallOptions): Promise<ApproveChargeReply> {
    return this.perform('approveCharge', input, options) as Promise<ApproveChargeReply>;
  }

  /**
   * Reject a charge: nothing is recorded: `POST /v1/approvals/{id}/reject`
   *
   * @throws {SignetError} `not_found`, `already_resolved`, `expired`, `pod_auth_forbidden`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rejectCharge(input: RejectChargeInput, options?: CallOptions): Promise<RejectChargeReply> {
    return this.perform('rejectCharge', input, options) as Promise<RejectChargeReply>;
  }

  /**
   * What a mailed link asks; decides nothing: `POST /v1/approvals/{id}/view`
   *
   * Needs no key: the token of the link is the proof. Looking uses nothing up.
   *
   * @throws {SignetError} `invalid_token`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  viewApproval(input: ViewApprovalInput, options?: CallOptions): Promise<ViewApprovalReply> {
    return this.perform('viewApproval', input, options) as Promise<ViewApprovalReply>;
  }

  /**
   * Approve or reject with the token of a mailed link: `POST /v1/approvals/{id}/decide`
   *
   * Needs no key: the token of the link, mailed to the operator, is the proof. It decides once.
   *
   * @throws {SignetError} `invalid_token`, `already_resolved`, `expired`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  decideApproval(input: DecideApprovalInput, options?: CallOptions): Promise<DecideApprovalReply> {
    return this.perform('decideApproval', input, options) as Promise<DecideApprovalReply>;
  }

  /**
   * The account behind this key: `GET /v1/account/me`
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getAccount(input: GetAccountInput = {}, options?: CallOptions): Promise<GetAccountReply> {
    return this.perform('getAccount', input, options) as Promise<GetAccountReply>;
  }

  /**
   * Set the address for login links: `POST /v1/account/recovery-email`
   *
   * From then on `POST /v1/auth/login` with this address mails a link to this account. It replaces the address before.
   *
   * @throws {SignetError} `operator_required`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setRecoveryEmail(input: SetRecoveryEmailInput, options?: CallOptions): Promise<SetRecoveryEmailReply> {
    return this.perform('setRecoveryEmail', input, options) as Promise<SetRecoveryEmailReply>;
  }

  /**
   * Name the person who decides for this account: `POST /v1/account/operator-email`
   *
   * Approvals are mailed to this address, and a login through it opens an operator session.
   *
   * @throws {SignetError} `operator_required`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `pod_auth_forbidden`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setOperatorEmail(input: SetOperatorEmailInput, options?: CallOptions): Promise<SetOperatorEmailReply> {
    return this.perform('setOperatorEmail', input, options) as Promise<SetOperatorEmailReply>;
  }

  /**
   * Claim an address: `POST /v1/email/claim`
   *
   * A bare name means an address on the mail domain. Claiming an address you own answers 201 again and, with `public_key`, replaces its key.
   *
   * @throws {SignetError} `invalid_address`, `address_reserved`, `address_limit`, `address_unavailable`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  claimAddress(input: ClaimAddressInput, options?: CallOptions): Promise<ClaimAddressReply> {
    return this.perform('claimAddress', input, options) as Promise<ClaimAddressReply>;
  }

  /**
   * The addresses of this account, oldest first: `GET /v1/email/addresses`
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listAddresses(input: ListAddressesInput = {}, options?: CallOptions): Promise<ListAddressesReply> {
    return this.perform('listAddresses', input, options) as Promise<ListAddressesReply>;
  }

  /**
   * Set or replace the public key that seals inbound mail: `POST /v1/e2e/rotate-key`
   *
   * For every address of the account, those claimed later included. The first call registers the SHA-256 of `master_seed`; every later one must send the same seed.
   *
   * @throws {SignetError} `seed_mismatch`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rotateEncryptionKey(input: RotateEncryptionKeyInput, options?: CallOptions): Promise<RotateEncryptionKeyReply> {
    return this.perform('rotateEncryptionKey', input, options) as Promise<RotateEncryptionKeyReply>;
  }

  /**
   * Create an account with a key and an address: `POST /v1/register`
   *
   * Give `name` or `address` or both. A name becomes an address: `Zoë Müller` gets `zoe-muller`, and a name that cannot be written in a-z gets a generated one. When the address of a name is taken, four digits are appended. A taken `address` is 409.
   *
   * @throws {SignetError} `invalid_address`, `address_unavailable`, `address_limit`, `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  register(input: RegisterInput = {}, options?: CallOptions): Promise<RegisterReply> {
    return this.perform('register', input, options) as Promise<RegisterReply>;
  }

  /**
   * What happened to this account, in order: `GET /v1/events`
   *
   * Every fact is kept for 30 days and is written in the same transaction as what caused it. Ask with the last id you have seen and you miss nothing; with `wait` the reply comes as soon as there is something.
   *
   * @throws {SignetError} `invalid_cursor`, `stream_limit`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listEvents(input: ListEventsInput = {}, options?: CallOptions): Promise<ListEventsReply> {
    return this.perform('listEvents', input, options) as Promise<ListEventsReply>;
  }

  /**
   * A ticket that opens a WebSocket from a browser: `POST /v1/ws/tickets`
   *
   * Browsers cannot send an `Authorization` header with a WebSocket: connect to `/v1/ws?ticket=…` within a minute. It works once, and the socket ends with the credential that asked for the ticket.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createSocketTicket(input: CreateSocketTicketInput = {}, options?: CallOptions): Promise<CreateSocketTicketReply> {
    return this.perform('createSocketTicket', input, options) as Promise<CreateSocketTicketReply>;
  }

  /**
   * The messages of an address, newest first: `GET /v1/email/inbox`
   *
   * The first look at an address that nobody has claims it. Archived messages are left out unless asked for.
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `address_reserved`, `address_limit`, `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listInbox(input: ListInboxInput, options?: CallOptions): Promise<ListInboxReply> {
    return this.perform('listInbox', input, options) as Promise<ListInboxReply>;
  }

  /**
   * Read a message: `GET /v1/email/messages/{id}`
   *
   * Marks it read.
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getMessage(input: GetMessageInput, options?: CallOptions): Promise<GetMessageReply> {
    return this.perform('getMessage', input, options) as Promise<GetMessageReply>;
  }

  /**
   * Mark a message read or archived, or take that back; label it: `PATCH /v1/email/messages/{id}`
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  updateMessage(input: UpdateMessageInput, options?: CallOptions): Promise<UpdateMessageReply> {
    return this.perform('updateMessage', input, options) as Promise<UpdateMessageReply>;
  }

  /**
   * Delete a message for good: `DELETE /v1/email/messages/{id}`
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  deleteMessage(input: DeleteMessageInput, options?: CallOptions): Promise<DeleteMessageReply> {
    return this.perform('deleteMessage', input, options) as Promise<DeleteMessageReply>;
  }

  /**
   * The message as it arrived, byte for byte: `GET /v1/email/messages/{id}/raw`
   *
   * RFC 5322 with our `Received` line in front. For a sealed message: IV ‖ ciphertext ‖ tag.
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getRawMessage(input: GetRawMessageInput, options?: CallOptions): Promise<GetRawMessageReply> {
    return this.perform('getRawMessage', input, options) as Promise<GetRawMessageReply>;
  }

  /**
   * The bytes of an attachment: `GET /v1/email/messages/{id}/attachments/{n}`
   *
   * Always sent as a download: what strangers mail must not run in a browser.
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getAttachment(input: GetAttachmentInput, options?: CallOptions): Promise<GetAttachmentReply> {
    return this.perform('getAttachment', input, options) as Promise<GetAttachmentReply>;
  }

  /**
   * Claim an address, or be given one: `POST /v1/inbox`
   *
   * @throws {SignetError} `invalid_address`, `address_reserved`, `address_limit`, `address_unavailable`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createInbox(input: CreateInboxInput = {}, options?: CallOptions): Promise<CreateInboxReply> {
    return this.perform('createInbox', input, options) as Promise<CreateInboxReply>;
  }

  /**
   * The messages of an address, newest first: `GET /v1/inbox/{address}`
   *
   * The first look at an address that nobody has claims it.
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `address_reserved`, `address_limit`, `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getInbox(input: GetInboxInput, options?: CallOptions): Promise<GetInboxReply> {
    return this.perform('getInbox', input, options) as Promise<GetInboxReply>;
  }

  /**
   * Read a message: `GET /v1/inbox/{address}/messages/{id}`
   *
   * Marks it read.
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getInboxMessage(input: GetInboxMessageInput, options?: CallOptions): Promise<GetInboxMessageReply> {
    return this.perform('getInboxMessage', input, options) as Promise<GetInboxMessageReply>;
  }

  /**
   * The conversations of an address, that with the latest message first: `GET /v1/email/threads`
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `not_found`, `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listThreads(input: ListThreadsInput, options?: CallOptions): Promise<ListThreadsReply> {
    return this.perform('listThreads', input, options) as Promise<ListThreadsReply>;
  }

  /**
   * A conversation: what was received and sent, oldest first: `GET /v1/email/threads/{id}`
   *
   * Marks nothing read. `text` is null for what is sealed.
   *
   * @throws {SignetError} `not_found`, `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getThread(input: GetThreadInput, options?: CallOptions): Promise<GetThreadReply> {
    return this.perform('getThread', input, options) as Promise<GetThreadReply>;
  }

  /**
   * Mark every message of a conversation read or archived, or take that back; label them: `PATCH /v1/email/threads/{id}`
   *
   * Of at most 500 messages. What arrives later begins unread, not archived and without labels.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  updateThread(input: UpdateThreadInput, options?: CallOptions): Promise<UpdateThreadReply> {
    return this.perform('updateThread', input, options) as Promise<UpdateThreadReply>;
  }

  /**
   * Send a mail: `POST /v1/email/send`
   *
   * Recipients on the mail domain have it when this is answered; for others it is queued, and `GET /v1/email/outbox` tells what became of it. Send an `Idempotency-Key` so that a repeated call sends once. Over the limit, `X-PAYMENT` buys the mail.
   *
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  sendEmail(input: SendEmailInput, options?: CallOptions): Promise<SendEmailReply> {
    return this.perform('sendEmail', input, options) as Promise<SendEmailReply>;
  }

  /**
   * What this account sent, newest first: `GET /v1/email/outbox`
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listOutbox(input: ListOutboxInput = {}, options?: CallOptions): Promise<ListOutboxReply> {
    return this.perform('listOutbox', input, options) as Promise<ListOutboxReply>;
  }

  /**
   * Send a mail from this address: `POST /v1/inbox/{address}/send`
   *
   * Counts against the same limits as `POST /v1/email/send`.
   *
   * @throws {SignetError} `invalid_recipient`, `too_many_recipients`, `sender_not_owned`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  sendFromInbox(input: SendFromInboxInput, options?: CallOptions): Promise<SendFromInboxReply> {
    return this.perform('sendFromInbox', input, options) as Promise<SendFromInboxReply>;
  }

  /**
   * Have mail to an address announced to a URL: `POST /v1/email/webhooks`
   *
   * Every mail received from now on, and on request every one sent that does not arrive, is posted as JSON, within seconds and until the receiver answers 2xx or the retries of more than a day are over. An account may have 20.
   *
   * @throws {SignetError} `invalid_address`, `address_forbidden`, `webhook_limit`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<CreateWebhookReply> {
    return this.perform('createWebhook', input, options) as Promise<CreateWebhookReply>;
  }

  /**
   * The webhooks of this account, oldest first: `GET /v1/email/webhooks`
   *
   * @throws {SignetError} `invalid_address`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listWebhooks(input: ListWebhooksInput = {}, options?: CallOptions): Promise<ListWebhooksReply> {
    return this.perform('listWebhooks', input, options) as Promise<ListWebhooksReply>;
  }

  /**
   * Delete a webhook and its deliveries: `DELETE /v1/email/webhooks/{id}`
   *
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<DeleteWebhookReply> {
    return this.perform('deleteWebhook', input, options) as Promise<DeleteWebhookReply>;
  }

  /**
   * Send a ping to a webhook: `POST /v1/email/webhooks/{id}/test`
   *
   * Sends a `webhook.test` body once, signed like any other; the delivery log tells what came of it. Success brings a disabled webhook back.
   *
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  testWebhook(input: TestWebhookInput, options?: CallOptions): Promise<TestWebhookReply> {
    return this.perform('testWebhook', input, options) as Promise<TestWebhookReply>;
  }

  /**
   * What was sent to a webhook, newest first: `GET /v1/email/webhooks/{id}/deliveries`
   *
   * Kept for 30 days.
   *
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listWebhookDeliveries(input: ListWebhookDeliveriesInput, options?: CallOptions): Promise<ListWebhookDeliveriesReply> {
    return this.perform('listWebhookDeliveries', input, options) as Promise<ListWebhookDeliveriesReply>;
  }

  /**
   * Send a delivery again, now: `POST /v1/email/webhooks/{id}/deliveries/{delivery_id}/retry`
   *
   * Whatever became of it so far; if it fails, the schedule of retries begins anew.
   *
   * @throws {SignetError} `webhook_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  retryWebhookDelivery(input: RetryWebhookDeliveryInput, options?: CallOptions): Promise<RetryWebhookDeliveryReply> {
    return this.perform('retryWebhookDelivery', input, options) as Promise<RetryWebhookDeliveryReply>;
  }

  /**
   * The keys of this vault, in order of their names: `GET /v1/vault/`
   *
   * Names, versions and metadata; never what is sealed. The list itself is put on record.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listVaultKeys(input: ListVaultKeysInput = {}, options?: CallOptions): Promise<ListVaultKeysReply> {
    return this.perform('listVaultKeys', input, options) as Promise<ListVaultKeysReply>;
  }

  /**
   * The keys of this vault, in order of their names: `GET /v1/vault`
   *
   * Names, versions and metadata; never what is sealed. The list itself is put on record.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listVaultKeysAlias(input: ListVaultKeysAliasInput = {}, options?: CallOptions): Promise<ListVaultKeysAliasReply> {
    return this.perform('listVaultKeysAlias', input, options) as Promise<ListVaultKeysAliasReply>;
  }

  /**
   * Store a sealed value, as a new key or a new version: `PUT /v1/vault/{key}`
   *
   * Earlier versions stay, as many as the tier keeps (3 free, 100 paid); their numbers are never given again. `If-Match: "3"` stores only over version 3, `If-None-Match: *` only a new key. Seal it first: the service cannot, and must not be able to, read it. Metadata belongs to the version: what is not sent is null. Over the limit of keys, `X-PAYMENT` buys room for one more.
   *
   * @throws {SignetError} `invalid_key`, `invalid_ciphertext`, `payload_too_large`, `metadata_too_large`, `version_conflict`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `payment_required`, `payment_invalid`, `payment_unavailable`, `storage_unavailable`
   */
  putVaultEntry(input: PutVaultEntryInput, options?: CallOptions): Promise<PutVaultEntryReply> {
    return this.perform('putVaultEntry', input, options) as Promise<PutVaultEntryReply>;
  }

  /**
   * A sealed value: `GET /v1/vault/{key}`
   *
   * The latest version, or the one asked for. Who read what is put on record.
   *
   * @throws {SignetError} `invalid_key`, `invalid_version`, `not_found`, `version_not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getVaultEntry(input: GetVaultEntryInput, options?: CallOptions): Promise<GetVaultEntryReply> {
    return this.perform('getVaultEntry', input, options) as Promise<GetVaultEntryReply>;
  }

  /**
   * Forget a key, or one version of it: `DELETE /v1/vault/{key}`
   *
   * With the newest version gone, the one before is the latest again, and the next to be stored still gets a new number. With the last one gone, so is the key. `If-Match` holds here too.
   *
   * @throws {SignetError} `invalid_key`, `invalid_version`, `not_found`, `version_not_found`, `version_conflict`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  deleteVaultEntry(input: DeleteVaultEntryInput, options?: CallOptions): Promise<DeleteVaultEntryReply> {
    return this.perform('deleteVaultEntry', input, options) as Promise<DeleteVaultEntryReply>;
  }

  /**
   * Leave a sealed seed, to be had back by mail: `POST /v1/vault/recovery-email`
   *
   * Whoever reads mail at this address can have the sealed seed and the sealed entries of this vault; without the passphrase neither can be read. It replaces what was left before, outlives a change of keys, and is apart from `/v1/account/recovery-email`, which is for login.
   *
   * @throws {SignetError} `payload_too_large`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setVaultRecovery(input: SetVaultRecoveryInput, options?: CallOptions): Promise<SetVaultRecoveryReply> {
    return this.perform('setVaultRecovery', input, options) as Promise<SetVaultRecoveryReply>;
  }

  /**
   * Leave a sealed seed without an account: `POST /v1/vault/store`
   *
   * At most five a day for one address, and 60 an hour from one network.
   *
   * @throws {SignetError} `payload_too_large`, `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  storeSeed(input: StoreSeedInput, options?: CallOptions): Promise<StoreSeedReply> {
    return this.perform('storeSeed', input, options) as Promise<StoreSeedReply>;
  }

  /**
   * Have a recovery link mailed: `POST /v1/vault/recover`
   *
   * Answers the same whether or not anything is kept for the address. At most three an hour and five a day for one address.
   *
   * @throws {SignetError} `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  requestVaultRecovery(input: RequestVaultRecoveryInput, options?: CallOptions): Promise<RequestVaultRecoveryReply> {
    return this.perform('requestVaultRecovery', input, options) as Promise<RequestVaultRecoveryReply>;
  }

  /**
   * What a mailed recovery link gives back: `GET /v1/vault/recover/verify`
   *
   * Uses the link up. `account_entries` are the seeds of accounts, `entries` the latest versions in their vaults, `legacy_entries` the seeds left without an account.
   *
   * @throws {SignetError} `invalid_token`, `invalid_request`, `storage_unavailable`
   */
  verifyVaultRecovery(input: VerifyVaultRecoveryInput, options?: CallOptions): Promise<VerifyVaultRecoveryReply> {
    return this.perform('verifyVaultRecovery', input, options) as Promise<VerifyVaultRecoveryReply>;
  }

  /**
   * Create a pod: a tenant with its own key: `POST /v1/pods`
   *
   * A pod is an account of its own: its platform sets its limits and cannot read its mail or vault. Tier, daily requests and daily e-mails are shared with the platform.
   *
   * @throws {SignetError} `pod_auth_forbidden`, `pod_limit_reached`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createPod(input: CreatePodInput = {}, options?: CallOptions): Promise<CreatePodReply> {
    return this.perform('createPod', input, options) as Promise<CreatePodReply>;
  }

  /**
   * The pods of this platform, newest first: `GET /v1/pods`
   *
   * Suspended ones too. A pod’s key sees that pod alone.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listPods(input: ListPodsInput = {}, options?: CallOptions): Promise<ListPodsReply> {
    return this.perform('listPods', input, options) as Promise<ListPodsReply>;
  }

  /**
   * A pod: `GET /v1/pods/{pod_id}`
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getPod(input: GetPodInput, options?: CallOptions): Promise<GetPodReply> {
    return this.perform('getPod', input, options) as Promise<GetPodReply>;
  }

  /**
   * Change a pod: `PATCH /v1/pods/{pod_id}`
   *
   * What is absent stays, inside `rate_limits` and `spending_caps` too; null for either removes all of it. `status: "active"` takes a suspended pod back.
   *
   * @throws {SignetError} `pod_auth_forbidden`, `pod_limit_reached`, `account_suspended`, `not_found`, `unauthorized`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  updatePod(input: UpdatePodInput, options?: CallOptions): Promise<UpdatePodReply> {
    return this.perform('updatePod', input, options) as Promise<UpdatePodReply>;
  }

  /**
   * Suspend a pod: `DELETE /v1/pods/{pod_id}`
   *
   * Its key answers 403 `pod_suspended` from then on. Nothing of it is deleted; PATCH takes it back.
   *
   * @throws {SignetError} `pod_auth_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  suspendPod(input: SuspendPodInput, options?: CallOptions): Promise<SuspendPodReply> {
    return this.perform('suspendPod', input, options) as Promise<SuspendPodReply>;
  }

  /**
   * Give a pod a new key: `POST /v1/pods/{pod_id}/keys`
   *
   * The previous one, a backup key and the sessions of the pod end with this reply.
   *
   * @throws {SignetError} `pod_auth_forbidden`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  replacePodKey(input: ReplacePodKeyInput, options?: CallOptions): Promise<ReplacePodKeyReply> {
    return this.perform('replacePodKey', input, options) as Promise<ReplacePodKeyReply>;
  }

  /**
   * Set up a domain of your own for mail: `POST /v1/stack`
   *
   * Returns the DNS records to set, including a DKIM key for this domain. Set them, then verify the stack. After that you can claim addresses at the domain.
   *
   * @throws {SignetError} `invalid_domain`, `stack_limit`, `stack_exists`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createStack(input: CreateStackInput, options?: CallOptions): Promise<CreateStackReply> {
    return this.perform('createStack', input, options) as Promise<CreateStackReply>;
  }

  /**
   * List domains: `GET /v1/stack`
   *
   * Newest first.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listStacks(input: ListStacksInput = {}, options?: CallOptions): Promise<ListStacksReply> {
    return this.perform('listStacks', input, options) as Promise<ListStacksReply>;
  }

  /**
   * Get a domain: `GET /v1/stack/{id}`
   *
   * With its DNS records and the result of the latest check.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getStack(input: GetStackInput, options?: CallOptions): Promise<GetStackReply> {
    return this.perform('getStack', input, options) as Promise<GetStackReply>;
  }

  /**
   * Verify a domain: `POST /v1/stack/{id}/verify`
   *
   * Looks up the DNS records and returns the results, with 200 even if records are missing. A domain verified by another account moves to yours only after that account’s ownership record is removed.
   *
   * @throws {SignetError} `not_found`, `domain_unavailable`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  verifyStack(input: VerifyStackInput, options?: CallOptions): Promise<VerifyStackReply> {
    return this.perform('verifyStack', input, options) as Promise<VerifyStackReply>;
  }

  /**
   * Delete a domain: `DELETE /v1/stack/{id}`
   *
   * Mail to and from its addresses is refused from then on. Messages already received stay readable.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  deleteStack(input: DeleteStackInput, options?: CallOptions): Promise<DeleteStackReply> {
    return this.perform('deleteStack', input, options) as Promise<DeleteStackReply>;
  }

  /**
   * What is used of today’s limits: `GET /v1/usage`
   *
   * A pod shares its platform’s quotas of requests, e-mails and stacks, and sees them here; the rest is its own.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getUsage(input: GetUsageInput = {}, options?: CallOptions): Promise<GetUsageReply> {
    return this.perform('getUsage', input, options) as Promise<GetUsageReply>;
  }

  /**
   * Plan and prices: `GET /v1/billing`
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getBilling(input: GetBillingInput = {}, options?: CallOptions): Promise<GetBillingReply> {
    return this.perform('getBilling', input, options) as Promise<GetBillingReply>;
  }

  /**
   * Record an observation: `POST /v1/observations`
   *
   * Private by default. With `shared: true` every authenticated agent can read it. Private and shared observations both count for the trust profile. An observation cannot be changed or deleted.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createObservation(input: CreateObservationInput, options?: CallOptions): Promise<CreateObservationReply> {
    return this.perform('createObservation', input, options) as Promise<CreateObservationReply>;
  }

  /**
   * List observations: `GET /v1/observations`
   *
   * The caller’s own and those that other agents share, newest first.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listObservations(input: ListObservationsInput = {}, options?: CallOptions): Promise<ListObservationsReply> {
    return this.perform('listObservations', input, options) as Promise<ListObservationsReply>;
  }

  /**
   * List topics: `GET /v1/observations/topics`
   *
   * Topics of the observations that the caller may read, in byte order, with their number and the time of the latest.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listObservationTopics(input: ListObservationTopicsInput = {}, options?: CallOptions): Promise<ListObservationTopicsReply> {
    return this.perform('listObservationTopics', input, options) as Promise<ListObservationTopicsReply>;
  }

  /**
   * Get an observation: `GET /v1/observations/{id}`
   *
   * Returns 404 for a private observation of another account.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getObservation(input: GetObservationInput, options?: CallOptions): Promise<GetObservationReply> {
    return this.perform('getObservation', input, options) as Promise<GetObservationReply>;
  }

  /**
   * Submit telemetry: `POST /v1/telemetry/submit`
   *
   * Takes one event or an array of 1 to 100, and stores all of them or none. Each event becomes a shared observation of the caller with the topic `telemetry.<event>`. It counts for the caller’s trust profile, whatever the outcome. An event about another agent also counts in that agent’s `evidence.peer`.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  submitTelemetry(input: SubmitTelemetryInput, options?: CallOptions): Promise<SubmitTelemetryReply> {
    return this.perform('submitTelemetry', input, options) as Promise<SubmitTelemetryReply>;
  }

  /**
   * Get the trust profile of an agent: `GET /v1/trust/{agentId}`
   *
   * Computed from counters at the time of the request. `score` is the sum of four dimensions of at most 250 each. The tier is `untrusted` below 250, `provisional` below 500, `trusted` below 750, and `verified` from 750.
   *
   * @throws {SignetError} `invalid_agent_id`, `not_found`, `audit_unavailable`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getTrust(input: GetTrustInput, options?: CallOptions): Promise<GetTrustReply> {
    return this.perform('getTrust', input, options) as Promise<GetTrustReply>;
  }

  /**
   * Issue a signed Agent Authentication Token: `POST /v1/tokens/issue`
   *
   * An RFC 9068 access token (`typ: at+jwt`, Ed25519) that says who this agent is. Whoever gets it verifies it with `/.well-known/jwks.json` or `POST /v1/tokens/introspect`. It is not kept: only its `jti` and terms are.
   *
   * @throws {SignetError} `invalid_scopes`, `ttl_out_of_range`, `scope_ceiling_exceeded`, `signing_unavailable`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  issueToken(input: IssueTokenInput, options?: CallOptions): Promise<IssueTokenReply> {
    return this.perform('issueToken', input, options) as Promise<IssueTokenReply>;
  }

  /**
   * Whether a token is valid now, and what it says (RFC 7662): `POST /v1/tokens/introspect`
   *
   * Takes JSON or a form. Always 200: `active` false and nothing more for a token that is expired, revoked, altered, not of this service, or of a suspended account, and for a body without a token.
   *
   * @throws {SignetError} `invalid_request`, `body_too_large`, `unsupported_media_type`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  introspectToken(input: IntrospectTokenInput = {}, options?: CallOptions): Promise<IntrospectTokenReply> {
    return this.perform('introspectToken', input, options) as Promise<IntrospectTokenReply>;
  }

  /**
   * Revoke a token this account issued (RFC 7009): `POST /v1/tokens/revoke`
   *
   * Takes JSON or a form; `token` is the token or its `jti`. Introspection and the audit URL say so from the moment this is answered. What is no token of this account is answered 200 with `revoked` false.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  revokeToken(input: RevokeTokenInput, options?: CallOptions): Promise<RevokeTokenReply> {
    return this.perform('revokeToken', input, options) as Promise<RevokeTokenReply>;
  }

  /**
   * What became of a token: its `audit_url`: `GET /v1/audit/{jti}`
   *
   * Public: whoever was shown a token can ask. Ids cannot be guessed.
   *
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getTokenStatus(input: GetTokenStatusInput, options?: CallOptions): Promise<GetTokenStatusReply> {
    return this.perform('getTokenStatus', input, options) as Promise<GetTokenStatusReply>;
  }

  /**
   * The public keys that this service signs with, or signed what is still valid (RFC 7517): `GET /.well-known/jwks.json`
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getJwks(input: GetJwksInput = {}, options?: CallOptions): Promise<GetJwksReply> {
    return this.perform('getJwks', input, options) as Promise<GetJwksReply>;
  }

  /**
   * Where to issue, introspect and revoke tokens (OpenID Connect Discovery): `GET /.well-known/openid-configuration`
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getOpenIdConfiguration(input: GetOpenIdConfigurationInput = {}, options?: CallOptions): Promise<GetOpenIdConfigurationReply> {
    return this.perform('getOpenIdConfiguration', input, options) as Promise<GetOpenIdConfigurationReply>;
  }

  /**
   * The same, where RFC 8414 looks for it: `GET /.well-known/oauth-authorization-server`
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getAuthorizationServerMetadata(input: GetAuthorizationServerMetadataInput = {}, options?: CallOptions): Promise<GetAuthorizationServerMetadataReply> {
    return this.perform('getAuthorizationServerMetadata', input, options) as Promise<GetAuthorizationServerMetadataReply>;
  }

  /**
   * The DID document of this service (did:web): `GET /.well-known/did.json`
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getServiceDid(input: GetServiceDidInput = {}, options?: CallOptions): Promise<GetServiceDidReply> {
    return this.perform('getServiceDid', input, options) as Promise<GetServiceDidReply>;
  }

  /**
   * What this service does, for other agents: `GET /.well-known/agent.json`
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getAgentCard(input: GetAgentCardInput = {}, options?: CallOptions): Promise<GetAgentCardReply> {
    return this.perform('getAgentCard', input, options) as Promise<GetAgentCardReply>;
  }

  /**
   * Publish a signing key: `POST /v1/agents/signing-keys`
   *
   * Adds an Ed25519 public key, whose private key the agent keeps, to the agent’s JWKS and DID document. At most 10 keys.
   *
   * @throws {SignetError} `signing_key_exists`, `signing_key_limit`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  registerSigningKey(input: RegisterSigningKeyInput, options?: CallOptions): Promise<RegisterSigningKeyReply> {
    return this.perform('registerSigningKey', input, options) as Promise<RegisterSigningKeyReply>;
  }

  /**
   * List signing keys: `GET /v1/agents/signing-keys`
   *
   * The keys this agent published, oldest first.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  listSigningKeys(input: ListSigningKeysInput = {}, options?: CallOptions): Promise<ListSigningKeysReply> {
    return this.perform('listSigningKeys', input, options) as Promise<ListSigningKeysReply>;
  }

  /**
   * Delete a signing key: `DELETE /v1/agents/signing-keys/{keyid}`
   *
   * Removes it from the agent’s JWKS and DID document.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  deleteSigningKey(input: DeleteSigningKeyInput, options?: CallOptions): Promise<DeleteSigningKeyReply> {
    return this.perform('deleteSigningKey', input, options) as Promise<DeleteSigningKeyReply>;
  }

  /**
   * Get the public profile of an agent: `GET /agents/{name}`
   *
   * Returns, depending on `Accept`, JSON (`id, name, email, did, jwks_url, did_url, profile_url, capabilities, registered_at, verified, trust`), an HTML page (`text/html`) or the DID document (`application/did+json`). `verified` is true in the trust tier `verified`.
   *
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getAgentProfile(input: GetAgentProfileInput, options?: CallOptions): Promise<GetAgentProfileReply> {
    return this.perform('getAgentProfile', input, options) as Promise<GetAgentProfileReply>;
  }

  /**
   * Get the DID document of an agent (did:web): `GET /agents/{name}/did.json`
   *
   * Lists the keys that the agent published and the service’s keys, which sign the agent’s tokens.
   *
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getAgentDid(input: GetAgentDidInput, options?: CallOptions): Promise<GetAgentDidReply> {
    return this.perform('getAgentDid', input, options) as Promise<GetAgentDidReply>;
  }

  /**
   * Get the JWKS of an agent: `GET /agents/{name}/.well-known/jwks.json`
   *
   * The keys that the agent published, followed by the service’s keys, which sign the agent’s tokens.
   *
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getAgentJwks(input: GetAgentJwksInput, options?: CallOptions): Promise<GetAgentJwksReply> {
    return this.perform('getAgentJwks', input, options) as Promise<GetAgentJwksReply>;
  }

  /**
   * What was done to this account, newest first: `GET /v1/audit`
   *
   * One entry for every call that changed something, written in the transaction of the change, each chained to the one before. Follow `next_cursor` to the end: with a filter that fits little, a page may hold few entries or none.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listAuditEntries(input: ListAuditEntriesInput = {}, options?: CallOptions): Promise<ListAuditEntriesReply> {
    return this.perform('listAuditEntries', input, options) as Promise<ListAuditEntriesReply>;
  }

  /**
   * Signatures over this account’s chain, oldest first: `GET /v1/audit/seals`
   *
   * Ed25519 over `signet:audit-seal:v1:{account_id}:{seq}:{hash}`, made within about a second of the entry `seq`. A seal covers that entry and, by the chain, all before it. `keys` are all keys of the service that ever signed.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listAuditSeals(input: ListAuditSealsInput = {}, options?: CallOptions): Promise<ListAuditSealsReply> {
    return this.perform('listAuditSeals', input, options) as Promise<ListAuditSealsReply>;
  }

  /**
   * Put an event into the calendar: `POST /v1/calendar/events`
   *
   * @throws {SignetError} `calendar_limit`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createCalendarEvent(input: CreateCalendarEventInput, options?: CallOptions): Promise<CreateCalendarEventReply> {
    return this.perform('createCalendarEvent', input, options) as Promise<CreateCalendarEventReply>;
  }

  /**
   * Events, in order of their start: `GET /v1/calendar/events`
   *
   * With `from` or `to`, every event that reaches into that window, also one that began before it.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listCalendarEvents(input: ListCalendarEventsInput = {}, options?: CallOptions): Promise<ListCalendarEventsReply> {
    return this.perform('listCalendarEvents', input, options) as Promise<ListCalendarEventsReply>;
  }

  /**
   * One event: `GET /v1/calendar/events/{id}`
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  getCalendarEvent(input: GetCalendarEventInput, options?: CallOptions): Promise<GetCalendarEventReply> {
    return this.perform('getCalendarEvent', input, options) as Promise<GetCalendarEventReply>;
  }

  /**
   * Change an event: `PATCH /v1/calendar/events/{id}`
   *
   * What is left out stays; null takes `description` or `location` away. Raises `sequence`.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  updateCalendarEvent(input: UpdateCalendarEventInput, options?: CallOptions): Promise<UpdateCalendarEventReply> {
    return this.perform('updateCalendarEvent', input, options) as Promise<UpdateCalendarEventReply>;
  }

  /**
   * Take an event out of the calendar: `DELETE /v1/calendar/events/{id}`
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  deleteCalendarEvent(input: DeleteCalendarEventInput, options?: CallOptions): Promise<DeleteCalendarEventReply> {
    return this.perform('deleteCalendarEvent', input, options) as Promise<DeleteCalendarEventReply>;
  }

  /**
   * The link that calendar programs subscribe to: `GET /v1/calendar/feed`
   *
   * Made at the first look, and the same from then on.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getCalendarFeed(input: GetCalendarFeedInput = {}, options?: CallOptions): Promise<GetCalendarFeedReply> {
    return this.perform('getCalendarFeed', input, options) as Promise<GetCalendarFeedReply>;
  }

  /**
   * Replace the feed link: `POST /v1/calendar/feed/rotate`
   *
   * The old link answers 404 from then on.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  rotateCalendarFeed(input: RotateCalendarFeedInput = {}, options?: CallOptions): Promise<RotateCalendarFeedReply> {
    return this.perform('rotateCalendarFeed', input, options) as Promise<RotateCalendarFeedReply>;
  }

  /**
   * The calendar as an iCalendar feed (RFC 5545): `GET /v1/calendar/feed.ics`
   *
   * Public by its token. Send the `ETag` back in `If-None-Match` to be spared what has not changed.
   *
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  readCalendarFeed(input: ReadCalendarFeedInput, options?: CallOptions): Promise<ReadCalendarFeedReply> {
    return this.perform('readCalendarFeed', input, options) as Promise<ReadCalendarFeedReply>;
  }

  /**
   * The calendar’s settings: `GET /v1/calendar/settings`
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `storage_unavailable`
   */
  getCalendarSettings(input: GetCalendarSettingsInput = {}, options?: CallOptions): Promise<GetCalendarSettingsReply> {
    return this.perform('getCalendarSettings', input, options) as Promise<GetCalendarSettingsReply>;
  }

  /**
   * Name the calendar: `PUT /v1/calendar/settings`
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  setCalendarSettings(input: SetCalendarSettingsInput, options?: CallOptions): Promise<SetCalendarSettingsReply> {
    return this.perform('setCalendarSettings', input, options) as Promise<SetCalendarSettingsReply>;
  }

  /**
   * Ask the operator for a credential: `POST /v1/credentials/request`
   *
   * By the pattern of RFC 8628. Show `user_code` and `verification_url` to the operator, then poll. With `public_key` the operator’s browser seals the value to it and the service never sees it. At most 5 open at a time; an operator address must be set.
   *
   * @throws {SignetError} `operator_email_required`, `credential_limit`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  requestCredential(input: RequestCredentialInput, options?: CallOptions): Promise<RequestCredentialReply> {
    return this.perform('requestCredential', input, options) as Promise<RequestCredentialReply>;
  }

  /**
   * What became of a request: `POST /v1/credentials/poll`
   *
   * Always 200 for a device code of this account; `status` says it (RFC 8628 3.5). `slow_down` adds 5 seconds to the interval for good. An approved value is delivered by one poll, and waits ten minutes for it; afterwards the status is `expired`. The event `credential.resolved` saves polling.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  pollCredential(input: PollCredentialInput, options?: CallOptions): Promise<PollCredentialReply> {
    return this.perform('pollCredential', input, options) as Promise<PollCredentialReply>;
  }

  /**
   * Have a link mailed to the operator who is asked: `POST /v1/credentials/verify-email`
   *
   * Answers the same whether or not a request has this code. The link leads to `/credentials#token=…` and proves the operator’s address, for this request alone.
   *
   * @throws {SignetError} `rate_limited`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  verifyCredentialOperator(input: VerifyCredentialOperatorInput, options?: CallOptions): Promise<VerifyCredentialOperatorReply> {
    return this.perform('verifyCredentialOperator', input, options) as Promise<VerifyCredentialOperatorReply>;
  }

  /**
   * Who asks for what, for the operator who is asked: `POST /v1/credentials/view`
   *
   * The token of the mailed link or an operator session is the proof. A wrong code counts: five end the request. Looking decides nothing; the first look is put on record.
   *
   * @throws {SignetError} `invalid_token`, `unknown_user_code`, `unauthorized`, `operator_required`, `account_suspended`, `already_resolved`, `expired`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  viewCredentialRequest(input: ViewCredentialRequestInput, options?: CallOptions): Promise<ViewCredentialRequestReply> {
    return this.perform('viewCredentialRequest', input, options) as Promise<ViewCredentialRequestReply>;
  }

  /**
   * Give the credential, or refuse it: `POST /v1/credentials/approve`
   *
   * Public: the token of the mailed link or an operator session is the proof, together with the code. It decides once. The value is kept sealed until the agent polls, and is forgotten then.
   *
   * @throws {SignetError} `invalid_token`, `unknown_user_code`, `unauthorized`, `operator_required`, `account_suspended`, `already_resolved`, `expired`, `sealed_value_required`, `credential_value_required`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  approveCredential(input: ApproveCredentialInput, options?: CallOptions): Promise<ApproveCredentialReply> {
    return this.perform('approveCredential', input, options) as Promise<ApproveCredentialReply>;
  }

  /**
   * Submit a security finding: `POST /v1/agents/{agentId}/findings`
   *
   * Records and signs the finding. Anyone who has its `jti` can read it, so include only what they may know. Use `evidence_hash` to prove the rest later.
   *
   * @throws {SignetError} `invalid_agent_id`, `not_found`, `signing_unavailable`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  submitFinding(input: SubmitFindingInput, options?: CallOptions): Promise<SubmitFindingReply> {
    return this.perform('submitFinding', input, options) as Promise<SubmitFindingReply>;
  }

  /**
   * List findings of this agent: `GET /v1/agents/{agentId}/findings`
   *
   * Newest first.
   *
   * @throws {SignetError} `invalid_agent_id`, `invalid_cursor`, `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listFindings(input: ListFindingsInput, options?: CallOptions): Promise<ListFindingsReply> {
    return this.perform('listFindings', input, options) as Promise<ListFindingsReply>;
  }

  /**
   * Get a signed finding: `GET /v1/findings/{jti}`
   *
   * Public: anyone who has the `jti` can read it. Ids cannot be guessed. Each reply is signed with the current key.
   *
   * @throws {SignetError} `not_found`, `signing_unavailable`, `invalid_request`, `storage_unavailable`
   */
  getFinding(input: GetFindingInput, options?: CallOptions): Promise<GetFindingReply> {
    return this.perform('getFinding', input, options) as Promise<GetFindingReply>;
  }

  /**
   * Accept or reject a finding: `POST /v1/findings/{jti}/outcome`
   *
   * Requires the key of a program: `Authorization: Bearer signet_prog_…`. A program can judge each finding once. The finding must have the program’s audience and come from another account.
   *
   * @throws {SignetError} `unauthorized`, `account_suspended`, `audience_mismatch`, `own_finding`, `not_found`, `outcome_exists`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  judgeFinding(input: JudgeFindingInput, options?: CallOptions): Promise<JudgeFindingReply> {
    return this.perform('judgeFinding', input, options) as Promise<JudgeFindingReply>;
  }

  /**
   * Get the track record of an agent: `GET /v1/agents/{agentId}/track-record`
   *
   * Counts the agent’s findings and how programs judged them. Public, like the profile.
   *
   * @throws {SignetError} `invalid_agent_id`, `not_found`, `invalid_request`, `storage_unavailable`
   */
  getTrackRecord(input: GetTrackRecordInput, options?: CallOptions): Promise<GetTrackRecordReply> {
    return this.perform('getTrackRecord', input, options) as Promise<GetTrackRecordReply>;
  }

  /**
   * Create a program: `POST /v1/programs`
   *
   * A program judges findings with the same audience. Its key works only for that. At most 20 at a time.
   *
   * @throws {SignetError} `program_limit`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `idempotency_mismatch`, `idempotency_in_progress`, `idempotency_secret_spent`, `storage_unavailable`
   */
  createProgram(input: CreateProgramInput, options?: CallOptions): Promise<CreateProgramReply> {
    return this.perform('createProgram', input, options) as Promise<CreateProgramReply>;
  }

  /**
   * List programs: `GET /v1/programs`
   *
   * Newest first, including ended programs.
   *
   * @throws {SignetError} `invalid_cursor`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `storage_unavailable`
   */
  listPrograms(input: ListProgramsInput = {}, options?: CallOptions): Promise<ListProgramsReply> {
    return this.perform('listPrograms', input, options) as Promise<ListProgramsReply>;
  }

  /**
   * End a program: `DELETE /v1/programs/{programId}`
   *
   * Its key stops working. Its judgements stay.
   *
   * @throws {SignetError} `not_found`, `unauthorized`, `account_suspended`, `pod_suspended`, `rate_limited`, `backup_key_only_activates`, `invalid_request`, `body_too_large`, `unsupported_media_type`, `invalid_json`, `storage_unavailable`
   */
  endProgram(input: EndProgramInput, options?: CallOptions): Promise<EndProgramReply> {
    return this.perform('endProgram', input, options) as Promise<EndProgramReply>;
  }

  /**
   * Get the landing page: `GET /`
   *
   * Introduces the service to people and shows the first two calls.
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getLandingPage(input: GetLandingPageInput = {}, options?: CallOptions): Promise<GetLandingPageReply> {
    return this.perform('getLandingPage', input, options) as Promise<GetLandingPageReply>;
  }

  /**
   * Get the login page: `GET /login`
   *
   * Login links open this page. Their token is in the fragment, which browsers do not send, so fetching the page does not use the link. The page’s script calls `GET /v1/auth/verify`. Without a token the page asks for an address to send a link to.
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getLoginPage(input: GetLoginPageInput = {}, options?: CallOptions): Promise<GetLoginPageReply> {
    return this.perform('getLoginPage', input, options) as Promise<GetLoginPageReply>;
  }

  /**
   * Get the vault recovery page: `GET /recover`
   *
   * Recovery links open this page with their token in the fragment. Its button calls `GET /v1/vault/recover/verify` and shows the sealed seeds. Without a token the page asks for an address to send a link to.
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getRecoverPage(input: GetRecoverPageInput = {}, options?: CallOptions): Promise<GetRecoverPageReply> {
    return this.perform('getRecoverPage', input, options) as Promise<GetRecoverPageReply>;
  }

  /**
   * Get the dashboard: `GET /dashboard`
   *
   * Shows the keys, addresses, mail and events of an account. It takes `#session=…` from a login or a pasted API key, and calls this API with it.
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getDashboardPage(input: GetDashboardPageInput = {}, options?: CallOptions): Promise<GetDashboardPageReply> {
    return this.perform('getDashboardPage', input, options) as Promise<GetDashboardPageReply>;
  }

  /**
   * Get the approval page: `GET /approve`
   *
   * Approval mails link to this page, with the id and token in the fragment, which browsers do not send. The page shows the charge. Only its buttons decide, by `POST /v1/approvals/{id}/decide`.
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getApprovePage(input: GetApprovePageInput = {}, options?: CallOptions): Promise<GetApprovePageReply> {
    return this.perform('getApprovePage', input, options) as Promise<GetApprovePageReply>;
  }

  /**
   * Get the credential page: `GET /credentials`
   *
   * An agent sends its operator here to give it a credential. Takes a code (`#code=…`) or the mailed proof (`#token=…`) in the fragment, which browsers do not send. Only its buttons decide, by `POST /v1/credentials/approve`.
   *
   * @throws {SignetError} `storage_unavailable`
   */
  getCredentialsPage(input: GetCredentialsPageInput = {}, options?: CallOptions): Promise<GetCredentialsPageReply> {
    return this.perform('getCredentialsPage', input, options) as Promise<GetCredentialsPageReply>;
  }

  /**
   * Get an asset of the pages: `GET /assets/{name}`
   *
   * A script, stylesheet or image. The client library is `client.js`.
   *
   * @throws {SignetError} `not_found`, `invalid_request`, `storage_unavailable`
   */
  getAsset(input: GetAssetInput, options?: CallOptions): Promise<GetAssetReply> {
    return this.perform('getAsset', input, options) as Promise<GetAssetReply>;
  }
}
