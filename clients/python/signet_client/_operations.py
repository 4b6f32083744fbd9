# Made from the endpoint table by npm run generate: change the endpoint, not this file.
# mypy: disable-error-code=no-any-return
"""Every operation of the service: its request, and a method in its group."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Iterator, Mapping, Optional, Sequence, Union

from . import replies
from ._types import UNSET, Amount, Attachment, Methods, Operation, Time, Unset, or_unset

OPERATIONS: Dict[str, Operation] = {
    "getHealth": Operation(method="GET", path="/health", repeatable=True, query=[], body="none", reply="json"),
    "getReadiness": Operation(method="GET", path="/ready", repeatable=True, query=[], body="none", reply="json"),
    "getApiDescription": Operation(method="GET", path="/api", repeatable=True, query=["format", "tag", "operation"], body="none", reply="json"),
    "getOpenApiFile": Operation(method="GET", path="/openapi.json", repeatable=True, query=[], body="none", reply="json"),
    "getMetrics": Operation(method="GET", path="/metrics", repeatable=True, query=[], body="none", reply="text"),
    "listPayments": Operation(method="GET", path="/v1/billing/payments", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="payments", cursor="cursor", next=["next_cursor"]),
    "listNotices": Operation(method="GET", path="/v1/account/notices", repeatable=True, query=[], body="none", reply="json"),
    "undoNotice": Operation(method="POST", path="/v1/account/notices/{id}/undo", repeatable=True, query=[], body="none", reply="json"),
    "getAccountPolicy": Operation(method="GET", path="/v1/account/policy", repeatable=True, query=[], body="none", reply="json"),
    "setAccountPolicy": Operation(method="PUT", path="/v1/account/policy", repeatable=True, query=[], body="fields", reply="json"),
    "getPower": Operation(method="GET", path="/v1/account/power", repeatable=True, query=[], body="none", reply="json"),
    "login": Operation(method="POST", path="/v1/auth/login", repeatable=True, query=[], body="fields", reply="json"),
    "verifyLogin": Operation(method="GET", path="/v1/auth/verify", repeatable=False, query=["token"], body="none", reply="location"),
    "logout": Operation(method="POST", path="/v1/auth/logout", repeatable=True, query=[], body="none", reply="json"),
    "createDelegation": Operation(method="POST", path="/v1/delegations", repeatable=True, query=[], body="fields", reply="json"),
    "listDelegations": Operation(method="GET", path="/v1/delegations", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="delegations", cursor="cursor", next=["next_cursor"]),
    "endDelegation": Operation(method="DELETE", path="/v1/delegations/{id}", repeatable=False, query=[], body="none", reply="json"),
    "claimAddress": Operation(method="POST", path="/v1/email/claim", repeatable=True, query=[], body="fields", reply="json"),
    "releaseAddress": Operation(method="DELETE", path="/v1/email/addresses/{address}", repeatable=False, query=[], body="none", reply="json"),
    "updateAddress": Operation(method="PATCH", path="/v1/email/addresses/{address}", repeatable=False, query=[], body="fields", reply="json"),
    "listAddresses": Operation(method="GET", path="/v1/email/addresses", repeatable=True, query=[], body="none", reply="json"),
    "createKey": Operation(method="POST", path="/v1/auth/keys", repeatable=True, query=[], body="fields", reply="json"),
    "rotateKey": Operation(method="POST", path="/v1/auth/keys/rotate", repeatable=True, query=[], body="none", reply="json"),
    "generateBackupKey": Operation(method="POST", path="/v1/auth/keys/generate-backup", repeatable=True, query=[], body="fields", reply="json"),
    "activateBackupKey": Operation(method="POST", path="/v1/auth/keys/activate-backup", repeatable=True, query=[], body="none", reply="json"),
    "deleteBackupKey": Operation(method="DELETE", path="/v1/auth/keys/backup", repeatable=False, query=[], body="none", reply="json"),
    "listKeys": Operation(method="GET", path="/v1/auth/keys/list", repeatable=True, query=[], body="none", reply="json"),
    "listAccountKeys": Operation(method="GET", path="/v1/account/keys", repeatable=True, query=[], body="none", reply="json"),
    "createNamedKey": Operation(method="POST", path="/v1/account/keys", repeatable=True, query=[], body="fields", reply="json"),
    "changeNamedKey": Operation(method="PATCH", path="/v1/account/keys/{id}", repeatable=False, query=[], body="fields", reply="json"),
    "deleteNamedKey": Operation(method="DELETE", path="/v1/account/keys/{id}", repeatable=False, query=[], body="none", reply="json"),
    "rotateNamedKey": Operation(method="POST", path="/v1/account/keys/{id}/rotate", repeatable=True, query=[], body="fields", reply="json"),
    "secureAccount": Operation(method="POST", path="/v1/account/secure", repeatable=True, query=[], body="fields", reply="json"),
    "getBudget": Operation(method="GET", path="/v1/budget", repeatable=True, query=[], body="none", reply="json"),
    "setBudget": Operation(method="PUT", path="/v1/budget", repeatable=True, query=[], body="fields", reply="json"),
    "getBudgetHistory": Operation(method="GET", path="/v1/budget/history", repeatable=True, query=["limit", "before", "cursor", "category"], body="none", reply="json", items="entries", cursor="cursor", next=["pagination", "next_cursor"]),
    "charge": Operation(method="POST", path="/v1/charge", repeatable=True, query=[], body="fields", reply="json"),
    "listApprovals": Operation(method="GET", path="/v1/approvals", repeatable=True, query=["status", "limit", "cursor"], body="none", reply="json", items="approvals", cursor="cursor", next=["next_cursor"]),
    "getApproval": Operation(method="GET", path="/v1/approvals/{id}", repeatable=True, query=[], body="none", reply="json"),
    "approveCharge": Operation(method="POST", path="/v1/approvals/{id}/approve", repeatable=True, query=[], body="fields", reply="json"),
    "rejectCharge": Operation(method="POST", path="/v1/approvals/{id}/reject", repeatable=True, query=[], body="fields", reply="json"),
    "viewApproval": Operation(method="POST", path="/v1/approvals/{id}/view", repeatable=True, query=[], body="fields", reply="json"),
    "decideApproval": Operation(method="POST", path="/v1/approvals/{id}/decide", repeatable=True, query=[], body="fields", reply="json"),
    "setRecoveryEmail": Operation(method="POST", path="/v1/account/recovery-email", repeatable=True, query=[], body="fields", reply="json"),
    "setOperatorEmail": Operation(method="POST", path="/v1/account/operator-email", repeatable=True, query=[], body="fields", reply="json"),
    "removeOperator": Operation(method="DELETE", path="/v1/account/operators/{address}", repeatable=False, query=[], body="none", reply="json"),
    "viewConfirmation": Operation(method="POST", path="/v1/people/view", repeatable=True, query=[], body="fields", reply="json"),
    "confirmPerson": Operation(method="POST", path="/v1/people/confirm", repeatable=True, query=[], body="fields", reply="json"),
    "decideConsent": Operation(method="POST", path="/oauth/consent", repeatable=True, query=[], body="fields", reply="json"),
    "registerClient": Operation(method="POST", path="/oauth/register", repeatable=True, query=[], body="fields", reply="json"),
    "startDeviceLogin": Operation(method="POST", path="/oauth/device_authorization", repeatable=True, query=[], body="fields", reply="json"),
    "decideDeviceLogin": Operation(method="POST", path="/oauth/device", repeatable=True, query=[], body="fields", reply="json"),
    "exchangeToken": Operation(method="POST", path="/oauth/token", repeatable=True, query=[], body="fields", reply="json"),
    "listGrants": Operation(method="GET", path="/v1/account/grants", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="grants", cursor="cursor", next=["next_cursor"]),
    "endGrant": Operation(method="DELETE", path="/v1/account/grants/{id}", repeatable=False, query=[], body="none", reply="json"),
    "createPasskeyOptions": Operation(method="POST", path="/v1/passkeys/options", repeatable=True, query=[], body="none", reply="json"),
    "addPasskey": Operation(method="POST", path="/v1/passkeys", repeatable=True, query=[], body="fields", reply="json"),
    "listPasskeys": Operation(method="GET", path="/v1/passkeys", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="passkeys", cursor="cursor", next=["next_cursor"]),
    "removePasskey": Operation(method="DELETE", path="/v1/passkeys/{id}", repeatable=False, query=[], body="none", reply="json"),
    "createRecoveryCodes": Operation(method="POST", path="/v1/passkeys/recovery-codes", repeatable=True, query=[], body="none", reply="json"),
    "createPasskeyLoginOptions": Operation(method="POST", path="/v1/auth/passkey/options", repeatable=True, query=[], body="fields", reply="json"),
    "logInWithPasskey": Operation(method="POST", path="/v1/auth/passkey", repeatable=True, query=[], body="fields", reply="json"),
    "logInWithRecoveryCode": Operation(method="POST", path="/v1/auth/passkey/recovery", repeatable=True, query=[], body="fields", reply="json"),
    "getOperatorSettings": Operation(method="GET", path="/v1/operator/settings", repeatable=True, query=[], body="none", reply="json"),
    "updateOperatorSettings": Operation(method="PATCH", path="/v1/operator/settings", repeatable=False, query=[], body="fields", reply="json"),
    "openConsoleSession": Operation(method="POST", path="/v1/auth/session", repeatable=True, query=[], body="none", reply="json"),
    "listSessions": Operation(method="GET", path="/v1/account/sessions", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="sessions", cursor="cursor", next=["next_cursor"]),
    "endSession": Operation(method="DELETE", path="/v1/account/sessions/{id}", repeatable=False, query=[], body="none", reply="json"),
    "getMailPolicy": Operation(method="GET", path="/v1/email/policy", repeatable=True, query=["address"], body="none", reply="json"),
    "setMailPolicy": Operation(method="PUT", path="/v1/email/policy", repeatable=True, query=["address"], body="fields", reply="json"),
    "listReviews": Operation(method="GET", path="/v1/email/reviews", repeatable=True, query=["status", "limit", "cursor"], body="none", reply="json", items="reviews", cursor="cursor", next=["next_cursor"]),
    "getReview": Operation(method="GET", path="/v1/email/reviews/{id}", repeatable=True, query=[], body="none", reply="json"),
    "getReviewAttachment": Operation(method="GET", path="/v1/email/reviews/{id}/attachments/{n}", repeatable=True, query=[], body="none", reply="bytes"),
    "approveReview": Operation(method="POST", path="/v1/email/reviews/{id}/approve", repeatable=True, query=[], body="fields", reply="json"),
    "rejectReview": Operation(method="POST", path="/v1/email/reviews/{id}/reject", repeatable=True, query=[], body="fields", reply="json"),
    "withdrawReview": Operation(method="POST", path="/v1/email/reviews/{id}/withdraw", repeatable=True, query=[], body="none", reply="json"),
    "viewReview": Operation(method="POST", path="/v1/email/reviews/{id}/view", repeatable=True, query=[], body="fields", reply="json"),
    "viewReviewAttachment": Operation(method="POST", path="/v1/email/reviews/{id}/view/attachments/{n}", repeatable=True, query=[], body="fields", reply="bytes"),
    "decideReview": Operation(method="POST", path="/v1/email/reviews/{id}/decide", repeatable=True, query=[], body="fields", reply="json"),
    "listOperatorAgents": Operation(method="GET", path="/v1/operator/agents", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="agents", cursor="cursor", next=["next_cursor"]),
    "suspendAgent": Operation(method="POST", path="/v1/operator/agents/{id}/suspend", repeatable=True, query=[], body="none", reply="json"),
    "resumeAgent": Operation(method="POST", path="/v1/operator/agents/{id}/resume", repeatable=True, query=[], body="none", reply="json"),
    "rotateEncryptionKey": Operation(method="POST", path="/v1/e2e/rotate-key", repeatable=True, query=[], body="fields", reply="json"),
    "deleteEncryptionKey": Operation(method="DELETE", path="/v1/e2e/key", repeatable=False, query=[], body="none", reply="json"),
    "register": Operation(method="POST", path="/v1/register", repeatable=True, query=[], body="fields", reply="json"),
    "listEvents": Operation(method="GET", path="/v1/events", repeatable=True, query=["after", "before", "order", "type", "wait", "limit"], body="none", reply="json", items="events", cursor="after", next=["next_cursor"]),
    "createSocketTicket": Operation(method="POST", path="/v1/ws/tickets", repeatable=True, query=[], body="none", reply="json"),
    "listInbox": Operation(method="GET", path="/v1/email/inbox", repeatable=True, query=["address", "limit", "unread", "folder", "label", "since", "until", "from", "to", "has_attachment", "starred", "answered", "metadata", "q", "archived", "cursor", "wait", "claim"], body="none", reply="json", items="messages", cursor="cursor", next=["next_cursor"], own="address"),
    "getMessage": Operation(method="GET", path="/v1/email/messages/{id}", repeatable=True, query=["address", "folder", "format", "include"], body="none", reply="json", own="address"),
    "updateMessage": Operation(method="PATCH", path="/v1/email/messages/{id}", repeatable=False, query=["address", "query_folder:folder"], body="fields", reply="json", own="address"),
    "deleteMessage": Operation(method="DELETE", path="/v1/email/messages/{id}", repeatable=False, query=["address", "folder", "permanent"], body="none", reply="json", own="address"),
    "waitForMail": Operation(method="GET", path="/v1/email/wait", repeatable=True, query=["address", "from", "subject", "after", "code", "wait"], body="none", reply="json"),
    "getRawMessage": Operation(method="GET", path="/v1/email/messages/{id}/raw", repeatable=True, query=["address", "folder"], body="none", reply="bytes"),
    "getAttachment": Operation(method="GET", path="/v1/email/messages/{id}/attachments/{n}", repeatable=True, query=["address", "folder"], body="none", reply="bytes"),
    "loadPictures": Operation(method="POST", path="/v1/email/messages/{id}/pictures", repeatable=True, query=["address", "folder"], body="fields", reply="json"),
    "createInbox": Operation(method="POST", path="/v1/inbox", repeatable=True, query=[], body="fields", reply="json"),
    "getInbox": Operation(method="GET", path="/v1/inbox/{address}", repeatable=True, query=["limit", "unread", "folder", "label", "since", "until", "from", "to", "has_attachment", "starred", "answered", "metadata", "q", "cursor", "wait", "claim"], body="none", reply="json", items="messages", cursor="cursor", next=["next_cursor"]),
    "getInboxMessage": Operation(method="GET", path="/v1/inbox/{address}/messages/{id}", repeatable=True, query=[], body="none", reply="json"),
    "listQuarantine": Operation(method="GET", path="/v1/email/quarantine", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="messages", cursor="cursor", next=["next_cursor"]),
    "releaseQuarantined": Operation(method="POST", path="/v1/email/quarantine/{id}/release", repeatable=True, query=[], body="none", reply="json"),
    "deleteQuarantined": Operation(method="DELETE", path="/v1/email/quarantine/{id}", repeatable=False, query=[], body="none", reply="json"),
    "listThreads": Operation(method="GET", path="/v1/email/threads", repeatable=True, query=["address", "limit", "unread", "archived", "label", "cursor"], body="none", reply="json", items="threads", cursor="cursor", next=["next_cursor"], own="address"),
    "getThread": Operation(method="GET", path="/v1/email/threads/{id}", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="messages", cursor="cursor", next=["next_cursor"]),
    "updateThread": Operation(method="PATCH", path="/v1/email/threads/{id}", repeatable=False, query=[], body="fields", reply="json"),
    "listSuppressions": Operation(method="GET", path="/v1/email/suppressions", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="suppressions", cursor="cursor", next=["next_cursor"]),
    "deleteSuppression": Operation(method="DELETE", path="/v1/email/suppressions/{address}", repeatable=False, query=[], body="none", reply="json"),
    "sendEmail": Operation(method="POST", path="/v1/email/send", repeatable=True, query=[], body="fields", reply="json", own="from"),
    "listOutbox": Operation(method="GET", path="/v1/email/outbox", repeatable=True, query=["limit", "cursor", "metadata"], body="none", reply="json", items="messages", cursor="cursor", next=["next_cursor"]),
    "getSentEmail": Operation(method="GET", path="/v1/email/outbox/{id}", repeatable=True, query=[], body="none", reply="json"),
    "replyToMessage": Operation(method="POST", path="/v1/email/messages/{id}/reply", repeatable=True, query=["address"], body="fields", reply="json"),
    "replyToAll": Operation(method="POST", path="/v1/email/messages/{id}/reply_all", repeatable=True, query=["address"], body="fields", reply="json"),
    "forwardMessage": Operation(method="POST", path="/v1/email/messages/{id}/forward", repeatable=True, query=["address"], body="fields", reply="json"),
    "sendFromInbox": Operation(method="POST", path="/v1/inbox/{address}/send", repeatable=True, query=[], body="fields", reply="json"),
    "createDraft": Operation(method="POST", path="/v1/email/drafts", repeatable=True, query=[], body="fields", reply="json"),
    "listDrafts": Operation(method="GET", path="/v1/email/drafts", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="drafts", cursor="cursor", next=["next_cursor"]),
    "getDraft": Operation(method="GET", path="/v1/email/drafts/{id}", repeatable=True, query=[], body="none", reply="json"),
    "updateDraft": Operation(method="PATCH", path="/v1/email/drafts/{id}", repeatable=False, query=[], body="fields", reply="json"),
    "deleteDraft": Operation(method="DELETE", path="/v1/email/drafts/{id}", repeatable=False, query=[], body="none", reply="json"),
    "sendDraft": Operation(method="POST", path="/v1/email/drafts/{id}/send", repeatable=True, query=[], body="none", reply="json"),
    "createWebhook": Operation(method="POST", path="/v1/email/webhooks", repeatable=True, query=[], body="fields", reply="json"),
    "listWebhooks": Operation(method="GET", path="/v1/email/webhooks", repeatable=True, query=["address"], body="none", reply="json"),
    "createEventWebhook": Operation(method="POST", path="/v1/webhooks", repeatable=True, query=[], body="fields", reply="json"),
    "listEventWebhooks": Operation(method="GET", path="/v1/webhooks", repeatable=True, query=["address"], body="none", reply="json"),
    "getEventWebhook": Operation(method="GET", path="/v1/webhooks/{id}", repeatable=True, query=[], body="none", reply="json"),
    "getEventWebhookDelivery": Operation(method="GET", path="/v1/webhooks/{id}/deliveries/{delivery_id}", repeatable=True, query=[], body="none", reply="json"),
    "updateEventWebhook": Operation(method="PATCH", path="/v1/webhooks/{id}", repeatable=False, query=[], body="fields", reply="json"),
    "deleteWebhook": Operation(method="DELETE", path="/v1/email/webhooks/{id}", repeatable=False, query=[], body="none", reply="json"),
    "testWebhook": Operation(method="POST", path="/v1/email/webhooks/{id}/test", repeatable=True, query=[], body="none", reply="json"),
    "listWebhookDeliveries": Operation(method="GET", path="/v1/email/webhooks/{id}/deliveries", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="deliveries", cursor="cursor", next=["next_cursor"]),
    "retryWebhookDelivery": Operation(method="POST", path="/v1/email/webhooks/{id}/deliveries/{delivery_id}/retry", repeatable=True, query=[], body="none", reply="json"),
    "deleteEventWebhook": Operation(method="DELETE", path="/v1/webhooks/{id}", repeatable=False, query=[], body="none", reply="json"),
    "testEventWebhook": Operation(method="POST", path="/v1/webhooks/{id}/test", repeatable=True, query=[], body="none", reply="json"),
    "listEventWebhookDeliveries": Operation(method="GET", path="/v1/webhooks/{id}/deliveries", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="deliveries", cursor="cursor", next=["next_cursor"]),
    "retryEventWebhookDelivery": Operation(method="POST", path="/v1/webhooks/{id}/deliveries/{delivery_id}/retry", repeatable=True, query=[], body="none", reply="json"),
    "rotateWebhookSecret": Operation(method="POST", path="/v1/webhooks/{id}/rotate-secret", repeatable=True, query=[], body="fields", reply="json"),
    "rotateEmailWebhookSecret": Operation(method="POST", path="/v1/email/webhooks/{id}/rotate-secret", repeatable=True, query=[], body="fields", reply="json"),
    "listVaultKeys": Operation(method="GET", path="/v1/vault/", repeatable=True, query=["cursor", "limit"], body="none", reply="json", items="keys", cursor="cursor", next=["next_cursor"]),
    "putVaultEntry": Operation(method="PUT", path="/v1/vault/{key}", repeatable=True, query=[], body="fields", reply="json"),
    "getVaultEntry": Operation(method="GET", path="/v1/vault/{key}", repeatable=True, query=["version"], body="none", reply="json"),
    "listVaultVersions": Operation(method="GET", path="/v1/vault/{key}/versions", repeatable=True, query=[], body="none", reply="json"),
    "deleteVaultEntry": Operation(method="DELETE", path="/v1/vault/{key}", repeatable=False, query=["version"], body="none", reply="json"),
    "setVaultRecovery": Operation(method="POST", path="/v1/vault/recovery-email", repeatable=True, query=[], body="fields", reply="json"),
    "storeSeed": Operation(method="POST", path="/v1/vault/store", repeatable=True, query=[], body="fields", reply="json"),
    "requestVaultRecovery": Operation(method="POST", path="/v1/vault/recover", repeatable=True, query=[], body="fields", reply="json"),
    "verifyVaultRecovery": Operation(method="GET", path="/v1/vault/recover/verify", repeatable=False, query=["token"], body="none", reply="json"),
    "listWaiting": Operation(method="GET", path="/v1/account/waiting", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="items", cursor="cursor", next=["next_cursor"]),
    "listOperatorWaiting": Operation(method="GET", path="/v1/operator/waiting", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="items", cursor="cursor", next=["next_cursor"]),
    "search": Operation(method="GET", path="/v1/search", repeatable=True, query=["q", "kinds", "limit"], body="none", reply="json"),
    "searchAgents": Operation(method="GET", path="/v1/operator/search", repeatable=True, query=["q", "kinds", "limit"], body="none", reply="json"),
    "getAccount": Operation(method="GET", path="/v1/account/me", repeatable=True, query=["include"], body="none", reply="json"),
    "createPod": Operation(method="POST", path="/v1/pods", repeatable=True, query=[], body="fields", reply="json"),
    "listPods": Operation(method="GET", path="/v1/pods", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="pods", cursor="cursor", next=["next_cursor"]),
    "getPod": Operation(method="GET", path="/v1/pods/{pod_id}", repeatable=True, query=[], body="none", reply="json"),
    "updatePod": Operation(method="PATCH", path="/v1/pods/{pod_id}", repeatable=False, query=[], body="fields", reply="json"),
    "suspendPod": Operation(method="DELETE", path="/v1/pods/{pod_id}", repeatable=False, query=[], body="none", reply="json"),
    "replacePodKey": Operation(method="POST", path="/v1/pods/{pod_id}/keys", repeatable=True, query=[], body="none", reply="json"),
    "createStack": Operation(method="POST", path="/v1/stack", repeatable=True, query=[], body="fields", reply="json"),
    "listStacks": Operation(method="GET", path="/v1/stack", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="stacks", cursor="cursor", next=["next_cursor"]),
    "getStack": Operation(method="GET", path="/v1/stack/{id}", repeatable=True, query=[], body="none", reply="json"),
    "verifyStack": Operation(method="POST", path="/v1/stack/{id}/verify", repeatable=True, query=[], body="none", reply="json"),
    "deleteStack": Operation(method="DELETE", path="/v1/stack/{id}", repeatable=False, query=[], body="none", reply="json"),
    "getUsage": Operation(method="GET", path="/v1/usage", repeatable=True, query=[], body="none", reply="json"),
    "getUsageDays": Operation(method="GET", path="/v1/usage/days", repeatable=True, query=[], body="none", reply="json"),
    "getPodUsage": Operation(method="GET", path="/v1/pods/{pod_id}/usage", repeatable=True, query=[], body="none", reply="json"),
    "getBilling": Operation(method="GET", path="/v1/billing", repeatable=True, query=[], body="none", reply="json"),
    "createObservation": Operation(method="POST", path="/v1/observations", repeatable=True, query=[], body="fields", reply="json"),
    "listObservations": Operation(method="GET", path="/v1/observations", repeatable=True, query=["topic", "agent_id", "subject_agent_id", "since", "scope", "limit", "cursor"], body="none", reply="json", items="observations", cursor="cursor", next=["next_cursor"]),
    "listObservationTopics": Operation(method="GET", path="/v1/observations/topics", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="topics", cursor="cursor", next=["next_cursor"]),
    "getObservation": Operation(method="GET", path="/v1/observations/{id}", repeatable=True, query=[], body="none", reply="json"),
    "submitTelemetry": Operation(method="POST", path="/v1/telemetry/submit", repeatable=True, query=[], body="whole", reply="json"),
    "getTrust": Operation(method="GET", path="/v1/trust/{agentId}", repeatable=True, query=[], body="none", reply="json"),
    "issueToken": Operation(method="POST", path="/v1/tokens/issue", repeatable=True, query=[], body="fields", reply="json"),
    "listTokens": Operation(method="GET", path="/v1/tokens", repeatable=True, query=["status", "limit", "cursor"], body="none", reply="json", items="tokens", cursor="cursor", next=["next_cursor"]),
    "introspectToken": Operation(method="POST", path="/v1/tokens/introspect", repeatable=True, query=[], body="fields", reply="json"),
    "revokeToken": Operation(method="POST", path="/v1/tokens/revoke", repeatable=True, query=[], body="fields", reply="json"),
    "revokeClientToken": Operation(method="POST", path="/oauth/revoke", repeatable=True, query=[], body="fields", reply="json"),
    "getJwks": Operation(method="GET", path="/.well-known/jwks.json", repeatable=True, query=[], body="none", reply="json"),
    "getOpenIdConfiguration": Operation(method="GET", path="/.well-known/openid-configuration", repeatable=True, query=[], body="none", reply="json"),
    "getAuthorizationServerMetadata": Operation(method="GET", path="/.well-known/oauth-authorization-server", repeatable=True, query=[], body="none", reply="json"),
    "getProtectedResourceMetadata": Operation(method="GET", path="/.well-known/oauth-protected-resource/mcp", repeatable=True, query=[], body="none", reply="json"),
    "getServiceDid": Operation(method="GET", path="/.well-known/did.json", repeatable=True, query=[], body="none", reply="json"),
    "getAgentCard": Operation(method="GET", path="/.well-known/agent.json", repeatable=True, query=[], body="none", reply="json"),
    "registerSigningKey": Operation(method="POST", path="/v1/agents/signing-keys", repeatable=True, query=[], body="fields", reply="json"),
    "listSigningKeys": Operation(method="GET", path="/v1/agents/signing-keys", repeatable=True, query=[], body="none", reply="json"),
    "deleteSigningKey": Operation(method="DELETE", path="/v1/agents/signing-keys/{keyid}", repeatable=False, query=[], body="none", reply="json"),
    "getAgentProfile": Operation(method="GET", path="/agents/{name}", repeatable=True, query=[], body="none", reply="bytes"),
    "getAgentDid": Operation(method="GET", path="/agents/{name}/did.json", repeatable=True, query=[], body="none", reply="json"),
    "getAgentJwks": Operation(method="GET", path="/agents/{name}/.well-known/jwks.json", repeatable=True, query=[], body="none", reply="json"),
    "getProfile": Operation(method="GET", path="/v1/agents/profile", repeatable=True, query=[], body="none", reply="json"),
    "updateProfile": Operation(method="PATCH", path="/v1/agents/profile", repeatable=False, query=[], body="fields", reply="json"),
    "listAuditEntries": Operation(method="GET", path="/v1/audit", repeatable=True, query=["from", "to", "category", "action", "resource_id", "result", "actor", "key", "status", "request_id", "console", "limit", "cursor"], body="none", reply="json", items="entries", cursor="cursor", next=["next_cursor"]),
    "listAuditSeals": Operation(method="GET", path="/v1/audit/seals", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="seals", cursor="cursor", next=["next_cursor"]),
    "getAuditRecord": Operation(method="GET", path="/v1/audit/{id}", repeatable=True, query=[], body="none", reply="json"),
    "listOperatorDecisions": Operation(method="GET", path="/v1/operator/decisions", repeatable=True, query=["limit"], body="none", reply="json"),
    "listRequests": Operation(method="GET", path="/v1/requests", repeatable=True, query=["from", "to", "key", "path", "status", "console", "limit", "cursor"], body="none", reply="json", items="requests", cursor="cursor", next=["next_cursor"]),
    "getRequest": Operation(method="GET", path="/v1/requests/{id}", repeatable=True, query=[], body="none", reply="json"),
    "deleteAccount": Operation(method="DELETE", path="/v1/account", repeatable=False, query=[], body="none", reply="json"),
    "cancelAccountDeletion": Operation(method="POST", path="/v1/account/delete/cancel", repeatable=True, query=[], body="none", reply="json"),
    "exportAccount": Operation(method="GET", path="/v1/account/export", repeatable=False, query=[], body="none", reply="bytes"),
    "createCalendarEvent": Operation(method="POST", path="/v1/calendar/events", repeatable=True, query=[], body="fields", reply="json"),
    "listCalendarEvents": Operation(method="GET", path="/v1/calendar/events", repeatable=True, query=["from", "to", "limit", "cursor"], body="none", reply="json", items="events", cursor="cursor", next=["next_cursor"]),
    "getCalendarEvent": Operation(method="GET", path="/v1/calendar/events/{id}", repeatable=True, query=[], body="none", reply="json"),
    "updateCalendarEvent": Operation(method="PATCH", path="/v1/calendar/events/{id}", repeatable=False, query=[], body="fields", reply="json"),
    "deleteCalendarEvent": Operation(method="DELETE", path="/v1/calendar/events/{id}", repeatable=False, query=[], body="none", reply="json"),
    "respondToInvitation": Operation(method="POST", path="/v1/calendar/events/{id}/respond", repeatable=True, query=[], body="fields", reply="json"),
    "getCalendarFeed": Operation(method="GET", path="/v1/calendar/feed", repeatable=True, query=[], body="none", reply="json"),
    "rotateCalendarFeed": Operation(method="POST", path="/v1/calendar/feed/rotate", repeatable=True, query=[], body="none", reply="json"),
    "readCalendarFeed": Operation(method="GET", path="/v1/calendar/feed.ics", repeatable=True, query=["cal_token"], body="none", reply="text"),
    "getCalendarSettings": Operation(method="GET", path="/v1/calendar/settings", repeatable=True, query=[], body="none", reply="json"),
    "setCalendarSettings": Operation(method="PUT", path="/v1/calendar/settings", repeatable=True, query=[], body="fields", reply="json"),
    "requestCredential": Operation(method="POST", path="/v1/credentials/request", repeatable=True, query=[], body="fields", reply="json"),
    "pollCredential": Operation(method="POST", path="/v1/credentials/poll", repeatable=True, query=[], body="fields", reply="json"),
    "listCredentialRequests": Operation(method="GET", path="/v1/credentials/requests", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="requests", cursor="cursor", next=["next_cursor"]),
    "verifyCredentialOperator": Operation(method="POST", path="/v1/credentials/verify-email", repeatable=True, query=[], body="fields", reply="json"),
    "viewCredentialRequest": Operation(method="POST", path="/v1/credentials/view", repeatable=True, query=[], body="fields", reply="json"),
    "approveCredential": Operation(method="POST", path="/v1/credentials/approve", repeatable=True, query=[], body="fields", reply="json"),
    "submitFinding": Operation(method="POST", path="/v1/agents/{agentId}/findings", repeatable=True, query=[], body="fields", reply="json"),
    "listFindings": Operation(method="GET", path="/v1/agents/{agentId}/findings", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="findings", cursor="cursor", next=["next_cursor"]),
    "getFinding": Operation(method="GET", path="/v1/findings/{jti}", repeatable=True, query=[], body="none", reply="json"),
    "judgeFinding": Operation(method="POST", path="/v1/findings/{jti}/outcome", repeatable=True, query=[], body="fields", reply="json"),
    "getTrackRecord": Operation(method="GET", path="/v1/agents/{agentId}/track-record", repeatable=True, query=[], body="none", reply="json"),
    "createProgram": Operation(method="POST", path="/v1/programs", repeatable=True, query=[], body="fields", reply="json"),
    "listPrograms": Operation(method="GET", path="/v1/programs", repeatable=True, query=["limit", "cursor"], body="none", reply="json", items="programs", cursor="cursor", next=["next_cursor"]),
    "endProgram": Operation(method="DELETE", path="/v1/programs/{programId}", repeatable=False, query=[], body="none", reply="json"),
    "callMcp": Operation(method="POST", path="/mcp", repeatable=True, query=[], body="fields", reply="json"),
    "callMcpGroup": Operation(method="POST", path="/mcp/x/{group}", repeatable=True, query=[], body="fields", reply="json"),
}


class AccountsPayments(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListPaymentsReply:
        """List x402 payments, newest first: GET /v1/billing/payments."""
        return self._call("listPayments", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListPaymentsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPayments", {"limit": or_unset(limit)})


class AccountsListSessions(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListSessionsReply:
        """List open sessions: GET /v1/account/sessions."""
        return self._call("listSessions", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListSessionsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listSessions", {"limit": or_unset(limit)})


class AccountsWaiting(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListWaitingReply:
        """List what waits, oldest first: GET /v1/account/waiting."""
        return self._call("listWaiting", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListWaitingItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listWaiting", {"limit": or_unset(limit)})


class AccountsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.payments = AccountsPayments(client)
        self.list_sessions = AccountsListSessions(client)
        self.waiting = AccountsWaiting(client)

    def list_notices(self) -> replies.ListNoticesReply:
        """List announced removals: GET /v1/account/notices."""
        return self._call("listNotices", {})

    def undo_notice(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.UndoNoticeReply:
        """Stop an announced removal: POST /v1/account/notices/{id}/undo."""
        return self._call("undoNotice", {"id": id}, idempotency_key, dry_run)

    def get_account_policy(self) -> replies.GetAccountPolicyReply:
        """Get what may leave the account: GET /v1/account/policy."""
        return self._call("getAccountPolicy", {})

    def set_account_policy(self, *, ways: Mapping[str, Any], idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetAccountPolicyReply:
        """Set what may leave the account: PUT /v1/account/policy."""
        return self._call("setAccountPolicy", {"ways": ways}, idempotency_key, dry_run)

    def get_power(self) -> replies.GetPowerReply:
        """Get what you may do: GET /v1/account/power."""
        return self._call("getPower", {})

    def login(self, *, email: str, idempotency_key: Optional[str] = None) -> replies.LoginReply:
        """Send login links by email: POST /v1/auth/login."""
        return self._call("login", {"email": email}, idempotency_key)

    def verify_login(self, *, token: str) -> replies.VerifyLoginReply:
        """Open a session with a login link: GET /v1/auth/verify."""
        return self._call("verifyLogin", {"token": token})

    def logout(self, *, idempotency_key: Optional[str] = None) -> replies.LogoutReply:
        """End the session: POST /v1/auth/logout."""
        return self._call("logout", {}, idempotency_key)

    def create_key(self, *, name: Optional[str] = None, email: Optional[str] = None, backup: Optional[bool] = None, invite: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.CreateKeyReply:
        """Create an account with an API key: POST /v1/auth/keys."""
        return self._call("createKey", {"name": or_unset(name), "email": or_unset(email), "backup": or_unset(backup), "invite": or_unset(invite)}, idempotency_key)

    def rotate(self, *, idempotency_key: Optional[str] = None) -> replies.RotateKeyReply:
        """Replace the active key: POST /v1/auth/keys/rotate."""
        return self._call("rotateKey", {}, idempotency_key)

    rotate_key = rotate

    def generate_backup_key(self, *, label: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.GenerateBackupKeyReply:
        """Create the backup key: POST /v1/auth/keys/generate-backup."""
        return self._call("generateBackupKey", {"label": or_unset(label)}, idempotency_key)

    def activate_backup_key(self, *, idempotency_key: Optional[str] = None) -> replies.ActivateBackupKeyReply:
        """Activate the backup key: POST /v1/auth/keys/activate-backup."""
        return self._call("activateBackupKey", {}, idempotency_key)

    def delete_backup_key(self) -> replies.DeleteBackupKeyReply:
        """Remove the backup key: DELETE /v1/auth/keys/backup."""
        return self._call("deleteBackupKey", {})

    def list_keys(self) -> replies.ListKeysReply:
        """List keys: GET /v1/auth/keys/list."""
        return self._call("listKeys", {})

    def list_account_keys(self) -> replies.ListAccountKeysReply:
        """List the keys that stand: GET /v1/account/keys."""
        return self._call("listAccountKeys", {})

    def create_named_key(self, *, name: str, scopes: Sequence[str], addresses: Optional[Sequence[str]] = None, requests_share: Optional[int] = None, expires_in_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateNamedKeyReply:
        """Create a named key: POST /v1/account/keys."""
        return self._call("createNamedKey", {"name": name, "scopes": scopes, "addresses": or_unset(addresses), "requests_share": or_unset(requests_share), "expires_in_seconds": or_unset(expires_in_seconds)}, idempotency_key, dry_run)

    def change_named_key(self, id: str, *, name: Optional[str] = None, scopes: Optional[Sequence[str]] = None, requests_share: Union[int, None, Unset] = UNSET, expires_in_seconds: Union[int, None, Unset] = UNSET, dry_run: bool = False) -> replies.ChangeNamedKeyReply:
        """Change what a named key may do, its end, name or share: PATCH /v1/account/keys/{id}."""
        return self._call("changeNamedKey", {"id": id, "name": or_unset(name), "scopes": or_unset(scopes), "requests_share": requests_share, "expires_in_seconds": expires_in_seconds}, None, dry_run)

    def delete_named_key(self, id: str, *, dry_run: bool = False) -> replies.DeleteNamedKeyReply:
        """Delete a named key: DELETE /v1/account/keys/{id}."""
        return self._call("deleteNamedKey", {"id": id}, None, dry_run)

    def rotate_named_key(self, id: str, *, grace_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateNamedKeyReply:
        """Replace the text of a named key: POST /v1/account/keys/{id}/rotate."""
        return self._call("rotateNamedKey", {"id": id, "grace_seconds": or_unset(grace_seconds)}, idempotency_key, dry_run)

    def secure(self, *, revert: Optional[bool] = None, idempotency_key: Optional[str] = None) -> replies.SecureAccountReply:
        """Take the account back after its key was stolen: POST /v1/account/secure."""
        return self._call("secureAccount", {"revert": or_unset(revert)}, idempotency_key)

    def set_recovery_email(self, *, email: Optional[str], idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetRecoveryEmailReply:
        """Set or clear the recovery email: POST /v1/account/recovery-email."""
        return self._call("setRecoveryEmail", {"email": email}, idempotency_key, dry_run)

    def set_operator_email(self, *, email: Optional[str], authority: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetOperatorEmailReply:
        """Name an operator, or clear all: POST /v1/account/operator-email."""
        return self._call("setOperatorEmail", {"email": email, "authority": or_unset(authority)}, idempotency_key, dry_run)

    def remove_operator(self, address: str, *, dry_run: bool = False) -> replies.RemoveOperatorReply:
        """Remove an operator: DELETE /v1/account/operators/{address}."""
        return self._call("removeOperator", {"address": address}, None, dry_run)

    def view_confirmation(self, *, token: Optional[str] = None, id: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ViewConfirmationReply:
        """Get what an address is asked to confirm: POST /v1/people/view."""
        return self._call("viewConfirmation", {"token": or_unset(token), "id": or_unset(id)}, idempotency_key)

    def confirm_person(self, *, decision: str, token: Optional[str] = None, id: Optional[str] = None, authority: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ConfirmPersonReply:
        """Confirm or refuse an address: POST /v1/people/confirm."""
        return self._call("confirmPerson", {"token": or_unset(token), "id": or_unset(id), "decision": decision, "authority": or_unset(authority)}, idempotency_key)

    def open_console_session(self, *, idempotency_key: Optional[str] = None) -> replies.OpenConsoleSessionReply:
        """Open a session with a key, for a console: POST /v1/auth/session."""
        return self._call("openConsoleSession", {}, idempotency_key)

    def end_session(self, id: str, *, dry_run: bool = False) -> replies.EndSessionReply:
        """End a session: DELETE /v1/account/sessions/{id}."""
        return self._call("endSession", {"id": id}, None, dry_run)

    def register(self, *, name: Optional[str] = None, address: Optional[str] = None, recovery_email: Optional[str] = None, capabilities: Optional[Sequence[str]] = None, invite: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.RegisterReply:
        """Create an account with an API key and an email address: POST /v1/register."""
        return self._call("register", {"name": or_unset(name), "address": or_unset(address), "recovery_email": or_unset(recovery_email), "capabilities": or_unset(capabilities), "invite": or_unset(invite)}, idempotency_key)

    def search(self, *, q: str, kinds: Optional[str] = None, limit: Optional[int] = None) -> replies.SearchReply:
        """Find things by their names, and mail by its words: GET /v1/search."""
        return self._call("search", {"q": q, "kinds": or_unset(kinds), "limit": or_unset(limit)})

    def get(self, *, include: Optional[str] = None) -> replies.GetAccountReply:
        """Get the account: GET /v1/account/me."""
        return self._call("getAccount", {"include": or_unset(include)})

    def usage(self) -> replies.GetUsageReply:
        """Get usage and limits: GET /v1/usage."""
        return self._call("getUsage", {})

    def billing(self) -> replies.GetBillingReply:
        """Get plan and prices: GET /v1/billing."""
        return self._call("getBilling", {})

    def delete(self, *, dry_run: bool = False) -> replies.DeleteAccountReply:
        """Delete the account in 72 hours: DELETE /v1/account."""
        return self._call("deleteAccount", {}, None, dry_run)

    def cancel_account_deletion(self, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CancelAccountDeletionReply:
        """Cancel the deletion of the account: POST /v1/account/delete/cancel."""
        return self._call("cancelAccountDeletion", {}, idempotency_key, dry_run)

    def export(self) -> bytes:
        """Export the account: GET /v1/account/export."""
        return self._call("exportAccount", {})


class ApprovalsList(Methods):
    def __call__(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListApprovalsReply:
        """List approvals, newest first: GET /v1/approvals."""
        return self._call("listApprovals", {"status": or_unset(status), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> Iterator[replies.ListApprovalsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listApprovals", {"status": or_unset(status), "limit": or_unset(limit)})


class ApprovalsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = ApprovalsList(client)

    def get(self, id: str) -> replies.GetApprovalReply:
        """Get an approval: GET /v1/approvals/{id}."""
        return self._call("getApproval", {"id": id})

    def approve(self, id: str, *, reason: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ApproveChargeReply:
        """Approve a charge: POST /v1/approvals/{id}/approve."""
        return self._call("approveCharge", {"id": id, "reason": or_unset(reason)}, idempotency_key, dry_run)

    def reject(self, id: str, *, reason: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RejectChargeReply:
        """Reject a charge: POST /v1/approvals/{id}/reject."""
        return self._call("rejectCharge", {"id": id, "reason": or_unset(reason)}, idempotency_key, dry_run)

    def view(self, id: str, *, token: str, idempotency_key: Optional[str] = None) -> replies.ViewApprovalReply:
        """Get the approval for an emailed link: POST /v1/approvals/{id}/view."""
        return self._call("viewApproval", {"id": id, "token": token}, idempotency_key)

    def decide(self, id: str, *, token: str, decision: str, reason: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.DecideApprovalReply:
        """Approve or reject with the token from an emailed link: POST /v1/approvals/{id}/decide."""
        return self._call("decideApproval", {"id": id, "token": token, "decision": decision, "reason": or_unset(reason)}, idempotency_key)


class AuditList(Methods):
    def __call__(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, category: Optional[str] = None, action: Optional[str] = None, resource_id: Optional[str] = None, result: Optional[str] = None, actor: Optional[str] = None, key: Optional[str] = None, status: Optional[str] = None, request_id: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListAuditEntriesReply:
        """List audit entries: GET /v1/audit."""
        return self._call("listAuditEntries", {"from": or_unset(from_), "to": or_unset(to), "category": or_unset(category), "action": or_unset(action), "resource_id": or_unset(resource_id), "result": or_unset(result), "actor": or_unset(actor), "key": or_unset(key), "status": or_unset(status), "request_id": or_unset(request_id), "console": or_unset(console), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, category: Optional[str] = None, action: Optional[str] = None, resource_id: Optional[str] = None, result: Optional[str] = None, actor: Optional[str] = None, key: Optional[str] = None, status: Optional[str] = None, request_id: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None) -> Iterator[replies.ListAuditEntriesItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listAuditEntries", {"from": or_unset(from_), "to": or_unset(to), "category": or_unset(category), "action": or_unset(action), "resource_id": or_unset(resource_id), "result": or_unset(result), "actor": or_unset(actor), "key": or_unset(key), "status": or_unset(status), "request_id": or_unset(request_id), "console": or_unset(console), "limit": or_unset(limit)})


class AuditListAuditSeals(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListAuditSealsReply:
        """List audit checkpoints: GET /v1/audit/seals."""
        return self._call("listAuditSeals", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListAuditSealsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listAuditSeals", {"limit": or_unset(limit)})


class AuditListRequests(Methods):
    def __call__(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, key: Optional[str] = None, path: Optional[str] = None, status: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListRequestsReply:
        """List the latest requests of the account: GET /v1/requests."""
        return self._call("listRequests", {"from": or_unset(from_), "to": or_unset(to), "key": or_unset(key), "path": or_unset(path), "status": or_unset(status), "console": or_unset(console), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, key: Optional[str] = None, path: Optional[str] = None, status: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None) -> Iterator[replies.ListRequestsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listRequests", {"from": or_unset(from_), "to": or_unset(to), "key": or_unset(key), "path": or_unset(path), "status": or_unset(status), "console": or_unset(console), "limit": or_unset(limit)})


class AuditMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AuditList(client)
        self.list_audit_seals = AuditListAuditSeals(client)
        self.list_requests = AuditListRequests(client)

    def get_audit_record(self, id: str) -> replies.GetAuditRecordReply:
        """Get an audit entry, or the status of a token: GET /v1/audit/{id}."""
        return self._call("getAuditRecord", {"id": id})

    def get_request(self, id: str) -> replies.GetRequestReply:
        """Get a request of the account: GET /v1/requests/{id}."""
        return self._call("getRequest", {"id": id})


class BudgetHistory(Methods):
    def __call__(self, *, limit: Optional[int] = None, before: Optional[Time] = None, cursor: Optional[str] = None, category: Optional[str] = None) -> replies.GetBudgetHistoryReply:
        """List charges, newest first: GET /v1/budget/history."""
        return self._call("getBudgetHistory", {"limit": or_unset(limit), "before": or_unset(before), "cursor": or_unset(cursor), "category": or_unset(category)})

    def iter(self, *, limit: Optional[int] = None, before: Optional[Time] = None, category: Optional[str] = None) -> Iterator[replies.GetBudgetHistoryItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("getBudgetHistory", {"limit": or_unset(limit), "before": or_unset(before), "category": or_unset(category)})


class BudgetMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.history = BudgetHistory(client)

    def get(self) -> replies.GetBudgetReply:
        """Get the budget: GET /v1/budget."""
        return self._call("getBudget", {})

    def set(self, *, caps: Optional[Mapping[str, Any]] = None, daily: Union[Amount, None, Unset] = UNSET, weekly: Union[Amount, None, Unset] = UNSET, monthly: Union[Amount, None, Unset] = UNSET, on_limit: Optional[str] = None, single_tx_limit_cents: Union[Amount, None, Unset] = UNSET, authority: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetBudgetReply:
        """Update the budget: PUT /v1/budget."""
        return self._call("setBudget", {"caps": or_unset(caps), "daily": daily, "weekly": weekly, "monthly": monthly, "on_limit": or_unset(on_limit), "single_tx_limit_cents": single_tx_limit_cents, "authority": or_unset(authority)}, idempotency_key, dry_run)

    def charge(self, *, amount: Amount, category: Optional[str] = None, description: Optional[str] = None, reference_id: Optional[str] = None, metadata: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ChargeReply:
        """Charge the budget: POST /v1/charge."""
        return self._call("charge", {"amount": amount, "category": or_unset(category), "description": or_unset(description), "reference_id": or_unset(reference_id), "metadata": or_unset(metadata)}, idempotency_key, dry_run)


class CalendarList(Methods):
    def __call__(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListCalendarEventsReply:
        """List calendar events by start time: GET /v1/calendar/events."""
        return self._call("listCalendarEvents", {"from": or_unset(from_), "to": or_unset(to), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, limit: Optional[int] = None) -> Iterator[replies.ListCalendarEventsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listCalendarEvents", {"from": or_unset(from_), "to": or_unset(to), "limit": or_unset(limit)})


class CalendarMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = CalendarList(client)

    def create(self, *, summary: str, start: Time, end: Time, description: Union[str, None, Unset] = UNSET, location: Union[str, None, Unset] = UNSET, attendees: Optional[Sequence[str]] = None, organizer: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateCalendarEventReply:
        """Create a calendar event: POST /v1/calendar/events."""
        return self._call("createCalendarEvent", {"summary": summary, "start": start, "end": end, "description": description, "location": location, "attendees": or_unset(attendees), "organizer": or_unset(organizer)}, idempotency_key, dry_run)

    def get(self, id: str) -> replies.GetCalendarEventReply:
        """Get a calendar event: GET /v1/calendar/events/{id}."""
        return self._call("getCalendarEvent", {"id": id})

    def update(self, id: str, *, summary: Optional[str] = None, start: Optional[Time] = None, end: Optional[Time] = None, description: Union[str, None, Unset] = UNSET, location: Union[str, None, Unset] = UNSET, attendees: Optional[Sequence[str]] = None, organizer: Optional[str] = None, dry_run: bool = False) -> replies.UpdateCalendarEventReply:
        """Update a calendar event: PATCH /v1/calendar/events/{id}."""
        return self._call("updateCalendarEvent", {"id": id, "summary": or_unset(summary), "start": or_unset(start), "end": or_unset(end), "description": description, "location": location, "attendees": or_unset(attendees), "organizer": or_unset(organizer)}, None, dry_run)

    def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteCalendarEventReply:
        """Delete a calendar event, and cancel its invitations: DELETE /v1/calendar/events/{id}."""
        return self._call("deleteCalendarEvent", {"id": id}, None, dry_run)

    def respond(self, id: str, *, status: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RespondToInvitationReply:
        """Answer an invitation by mail: POST /v1/calendar/events/{id}/respond."""
        return self._call("respondToInvitation", {"id": id, "status": status}, idempotency_key, dry_run)

    def get_calendar_feed(self) -> replies.GetCalendarFeedReply:
        """Get the feed link: GET /v1/calendar/feed."""
        return self._call("getCalendarFeed", {})

    def rotate_calendar_feed(self, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateCalendarFeedReply:
        """Replace the feed link: POST /v1/calendar/feed/rotate."""
        return self._call("rotateCalendarFeed", {}, idempotency_key, dry_run)

    def read_calendar_feed(self, *, cal_token: str) -> str:
        """Get the calendar as iCalendar: GET /v1/calendar/feed.ics."""
        return self._call("readCalendarFeed", {"cal_token": cal_token})

    def get_calendar_settings(self) -> replies.GetCalendarSettingsReply:
        """Get the calendar settings: GET /v1/calendar/settings."""
        return self._call("getCalendarSettings", {})

    def set_calendar_settings(self, *, name: Optional[str], idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetCalendarSettingsReply:
        """Update the calendar settings: PUT /v1/calendar/settings."""
        return self._call("setCalendarSettings", {"name": name}, idempotency_key, dry_run)


class CredentialsListCredentialRequests(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListCredentialRequestsReply:
        """List open credential requests: GET /v1/credentials/requests."""
        return self._call("listCredentialRequests", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListCredentialRequestsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listCredentialRequests", {"limit": or_unset(limit)})


class CredentialsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_credential_requests = CredentialsListCredentialRequests(client)

    def request(self, *, description: str, vault_key: Union[str, None, Unset] = UNSET, public_key: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RequestCredentialReply:
        """Ask the operator for a credential: POST /v1/credentials/request."""
        return self._call("requestCredential", {"description": description, "vault_key": vault_key, "public_key": public_key}, idempotency_key, dry_run)

    def poll(self, *, device_code: str, idempotency_key: Optional[str] = None) -> replies.PollCredentialReply:
        """Poll a credential request: POST /v1/credentials/poll."""
        return self._call("pollCredential", {"device_code": device_code}, idempotency_key)

    def verify_credential_operator(self, *, user_code: str, idempotency_key: Optional[str] = None) -> replies.VerifyCredentialOperatorReply:
        """Email a link to the operator of a request: POST /v1/credentials/verify-email."""
        return self._call("verifyCredentialOperator", {"user_code": user_code}, idempotency_key)

    def view_credential_request(self, *, user_code: str, token: Optional[str] = None, session: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ViewCredentialRequestReply:
        """Get a credential request as its operator: POST /v1/credentials/view."""
        return self._call("viewCredentialRequest", {"user_code": user_code, "token": or_unset(token), "session": or_unset(session)}, idempotency_key)

    def approve(self, *, user_code: str, decision: str, token: Optional[str] = None, session: Optional[str] = None, credential_value: Optional[str] = None, sealed_value: Optional[str] = None, vault_key: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None) -> replies.ApproveCredentialReply:
        """Approve or deny a credential request: POST /v1/credentials/approve."""
        return self._call("approveCredential", {"user_code": user_code, "token": or_unset(token), "session": or_unset(session), "decision": decision, "credential_value": or_unset(credential_value), "sealed_value": or_unset(sealed_value), "vault_key": vault_key}, idempotency_key)


class DelegationsList(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListDelegationsReply:
        """List delegations by and to this account: GET /v1/delegations."""
        return self._call("listDelegations", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListDelegationsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listDelegations", {"limit": or_unset(limit)})


class DelegationsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = DelegationsList(client)

    def create(self, *, to: str, scopes: Sequence[str], expires_at: Time, audience: Optional[str] = None, budget_usdc: Optional[Amount] = None, may_delegate: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateDelegationReply:
        """Delegate to another account: POST /v1/delegations."""
        return self._call("createDelegation", {"to": to, "scopes": scopes, "audience": or_unset(audience), "budget_usdc": or_unset(budget_usdc), "expires_at": expires_at, "may_delegate": or_unset(may_delegate)}, idempotency_key, dry_run)

    def end(self, id: str, *, dry_run: bool = False) -> replies.EndDelegationReply:
        """End a delegation: DELETE /v1/delegations/{id}."""
        return self._call("endDelegation", {"id": id}, None, dry_run)


class DiscoveryMethods(Methods):
    def get_jwks(self) -> replies.GetJwksReply:
        """List public keys (JWKS, RFC 7517): GET /.well-known/jwks.json."""
        return self._call("getJwks", {})

    def get_open_id_configuration(self) -> replies.GetOpenIdConfigurationReply:
        """Get server metadata (OpenID Connect): GET /.well-known/openid-configuration."""
        return self._call("getOpenIdConfiguration", {})

    def get_authorization_server_metadata(self) -> replies.GetAuthorizationServerMetadataReply:
        """Get server metadata (RFC 8414): GET /.well-known/oauth-authorization-server."""
        return self._call("getAuthorizationServerMetadata", {})

    def get_protected_resource_metadata(self) -> replies.GetProtectedResourceMetadataReply:
        """Get the metadata of `/mcp` (RFC 9728): GET /.well-known/oauth-protected-resource/mcp."""
        return self._call("getProtectedResourceMetadata", {})

    def get_service_did(self) -> replies.GetServiceDidReply:
        """Get the DID document (did:web): GET /.well-known/did.json."""
        return self._call("getServiceDid", {})

    def get_agent_card(self) -> replies.GetAgentCardReply:
        """Get the agent card: GET /.well-known/agent.json."""
        return self._call("getAgentCard", {})


class DraftsList(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListDraftsReply:
        """List drafts and scheduled mail, newest first: GET /v1/email/drafts."""
        return self._call("listDrafts", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListDraftsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listDrafts", {"limit": or_unset(limit)})


class DraftsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = DraftsList(client)

    def create(self, *, from_: Optional[str] = None, to: Optional[Union[str, Sequence[str]]] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, reply_to: Optional[str] = None, subject: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, in_reply_to: Optional[str] = None, references: Optional[Sequence[str]] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, unsubscribe: Optional[bool] = None, send_at: Union[Time, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateDraftReply:
        """Write a draft, or schedule a mail: POST /v1/email/drafts."""
        return self._call("createDraft", {"from": or_unset(from_), "to": or_unset(to), "cc": or_unset(cc), "bcc": or_unset(bcc), "reply_to": or_unset(reply_to), "subject": or_unset(subject), "text": or_unset(text), "html": or_unset(html), "in_reply_to": or_unset(in_reply_to), "references": or_unset(references), "attachments": or_unset(attachments), "metadata": metadata, "unsubscribe": or_unset(unsubscribe), "send_at": send_at}, idempotency_key, dry_run)

    def get(self, id: str) -> replies.GetDraftReply:
        """Read a draft: GET /v1/email/drafts/{id}."""
        return self._call("getDraft", {"id": id})

    def update(self, id: str, *, from_: Optional[str] = None, to: Optional[Union[str, Sequence[str]]] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, reply_to: Optional[str] = None, subject: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, in_reply_to: Optional[str] = None, references: Optional[Sequence[str]] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, unsubscribe: Optional[bool] = None, send_at: Union[Time, None, Unset] = UNSET, dry_run: bool = False) -> replies.UpdateDraftReply:
        """Change a draft: PATCH /v1/email/drafts/{id}."""
        return self._call("updateDraft", {"id": id, "from": or_unset(from_), "to": or_unset(to), "cc": or_unset(cc), "bcc": or_unset(bcc), "reply_to": or_unset(reply_to), "subject": or_unset(subject), "text": or_unset(text), "html": or_unset(html), "in_reply_to": or_unset(in_reply_to), "references": or_unset(references), "attachments": or_unset(attachments), "metadata": metadata, "unsubscribe": or_unset(unsubscribe), "send_at": send_at}, None, dry_run)

    def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteDraftReply:
        """Delete a draft: DELETE /v1/email/drafts/{id}."""
        return self._call("deleteDraft", {"id": id}, None, dry_run)

    def send(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SendDraftReply:
        """Send a draft now: POST /v1/email/drafts/{id}/send."""
        return self._call("sendDraft", {"id": id}, idempotency_key, dry_run)


class EmailInbox(Methods):
    def __call__(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, archived: Optional[bool] = None, cursor: Optional[str] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> replies.ListInboxReply:
        """List the messages of an address: GET /v1/email/inbox."""
        return self._call("listInbox", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "archived": or_unset(archived), "cursor": or_unset(cursor), "wait": or_unset(wait), "claim": or_unset(claim)})

    def iter(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, archived: Optional[bool] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> Iterator[replies.ListInboxItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listInbox", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "archived": or_unset(archived), "wait": or_unset(wait), "claim": or_unset(claim)})


class EmailThreads(Methods):
    def __call__(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, archived: Optional[bool] = None, label: Optional[str] = None, cursor: Optional[str] = None) -> replies.ListThreadsReply:
        """List conversations: GET /v1/email/threads."""
        return self._call("listThreads", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "archived": or_unset(archived), "label": or_unset(label), "cursor": or_unset(cursor)})

    def iter(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, archived: Optional[bool] = None, label: Optional[str] = None) -> Iterator[replies.ListThreadsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listThreads", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "archived": or_unset(archived), "label": or_unset(label)})


class EmailThread(Methods):
    def __call__(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.GetThreadReply:
        """Read a conversation: GET /v1/email/threads/{id}."""
        return self._call("getThread", {"id": id, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, id: str, *, limit: Optional[int] = None) -> Iterator[replies.GetThreadItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("getThread", {"id": id, "limit": or_unset(limit)})


class EmailOutbox(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, metadata: Optional[Mapping[str, Any]] = None) -> replies.ListOutboxReply:
        """List sent mail, newest first: GET /v1/email/outbox."""
        return self._call("listOutbox", {"limit": or_unset(limit), "cursor": or_unset(cursor), "metadata": or_unset(metadata)})

    def iter(self, *, limit: Optional[int] = None, metadata: Optional[Mapping[str, Any]] = None) -> Iterator[replies.ListOutboxItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listOutbox", {"limit": or_unset(limit), "metadata": or_unset(metadata)})


class EmailMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.inbox = EmailInbox(client)
        self.threads = EmailThreads(client)
        self.thread = EmailThread(client)
        self.outbox = EmailOutbox(client)

    def claim(self, *, address: str, public_key: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ClaimAddressReply:
        """Claim an address: POST /v1/email/claim."""
        return self._call("claimAddress", {"address": address, "public_key": or_unset(public_key)}, idempotency_key, dry_run)

    def release(self, address: str, *, dry_run: bool = False) -> replies.ReleaseAddressReply:
        """Release an address: DELETE /v1/email/addresses/{address}."""
        return self._call("releaseAddress", {"address": address}, None, dry_run)

    def update_address(self, address: str, *, display_name: Union[str, None, Unset] = UNSET, retention_days: Union[int, None, Unset] = UNSET, dry_run: bool = False) -> replies.UpdateAddressReply:
        """Change the settings of an address: PATCH /v1/email/addresses/{address}."""
        return self._call("updateAddress", {"address": address, "display_name": display_name, "retention_days": retention_days}, None, dry_run)

    def addresses(self) -> replies.ListAddressesReply:
        """List addresses, oldest first: GET /v1/email/addresses."""
        return self._call("listAddresses", {})

    def policy(self, *, address: Optional[str] = None) -> replies.GetMailPolicyReply:
        """Get the mail policy: GET /v1/email/policy."""
        return self._call("getMailPolicy", {"address": or_unset(address)})

    def set_policy(self, *, address: Optional[str] = None, inbound: Optional[Mapping[str, Any]] = None, outbound: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetMailPolicyReply:
        """Update the mail policy: PUT /v1/email/policy."""
        return self._call("setMailPolicy", {"address": or_unset(address), "inbound": or_unset(inbound), "outbound": or_unset(outbound)}, idempotency_key, dry_run)

    def get_review_attachment(self, id: str, n: int) -> bytes:
        """Download an attachment of a held email: GET /v1/email/reviews/{id}/attachments/{n}."""
        return self._call("getReviewAttachment", {"id": id, "n": n})

    def withdraw_review(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.WithdrawReviewReply:
        """Withdraw a held email: POST /v1/email/reviews/{id}/withdraw."""
        return self._call("withdrawReview", {"id": id}, idempotency_key, dry_run)

    def view_review(self, id: str, *, token: str, idempotency_key: Optional[str] = None) -> replies.ViewReviewReply:
        """Read the held email of an emailed link: POST /v1/email/reviews/{id}/view."""
        return self._call("viewReview", {"id": id, "token": token}, idempotency_key)

    def view_review_attachment(self, id: str, n: int, *, token: str, idempotency_key: Optional[str] = None) -> bytes:
        """Download an attachment of the held email of an emailed link: POST /v1/email/reviews/{id}/view/attachments/{n}."""
        return self._call("viewReviewAttachment", {"id": id, "n": n, "token": token}, idempotency_key)

    def decide_review(self, id: str, *, token: str, decision: str, reason: Optional[str] = None, remember: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.DecideReviewReply:
        """Approve or reject with the token from an emailed link: POST /v1/email/reviews/{id}/decide."""
        return self._call("decideReview", {"id": id, "token": token, "decision": decision, "reason": or_unset(reason), "remember": or_unset(remember)}, idempotency_key)

    def rotate_encryption_key(self, *, master_seed: str, new_public_key: str, idempotency_key: Optional[str] = None) -> replies.RotateEncryptionKeyReply:
        """Set or replace the key that encrypts incoming mail: POST /v1/e2e/rotate-key."""
        return self._call("rotateEncryptionKey", {"master_seed": master_seed, "new_public_key": new_public_key}, idempotency_key)

    def delete_encryption_key(self, *, dry_run: bool = False) -> replies.DeleteEncryptionKeyReply:
        """Stop encrypting incoming mail: DELETE /v1/e2e/key."""
        return self._call("deleteEncryptionKey", {}, None, dry_run)

    def read(self, id: str, *, address: Optional[str] = None, folder: Optional[str] = None, format: Optional[str] = None, include: Optional[str] = None) -> replies.GetMessageReply:
        """Read a message: GET /v1/email/messages/{id}."""
        return self._call("getMessage", {"id": id, "address": or_unset(address), "folder": or_unset(folder), "format": or_unset(format), "include": or_unset(include)})

    def update(self, id: str, *, address: Optional[str] = None, query_folder: Optional[str] = None, read: Optional[bool] = None, archived: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, labels: Optional[Sequence[str]] = None, add_labels: Optional[Sequence[str]] = None, remove_labels: Optional[Sequence[str]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, folder: Optional[str] = None, dry_run: bool = False) -> replies.UpdateMessageReply:
        """Update a message: PATCH /v1/email/messages/{id}."""
        return self._call("updateMessage", {"id": id, "address": or_unset(address), "query_folder": or_unset(query_folder), "read": or_unset(read), "archived": or_unset(archived), "starred": or_unset(starred), "answered": or_unset(answered), "labels": or_unset(labels), "add_labels": or_unset(add_labels), "remove_labels": or_unset(remove_labels), "metadata": metadata, "folder": or_unset(folder)}, None, dry_run)

    def delete(self, id: str, *, address: Optional[str] = None, folder: Optional[str] = None, permanent: Optional[bool] = None, dry_run: bool = False) -> replies.DeleteMessageReply:
        """Delete a message: DELETE /v1/email/messages/{id}."""
        return self._call("deleteMessage", {"id": id, "address": or_unset(address), "folder": or_unset(folder), "permanent": or_unset(permanent)}, None, dry_run)

    def wait(self, *, address: Optional[str] = None, from_: Optional[str] = None, subject: Optional[str] = None, after: Optional[Time] = None, code: Optional[bool] = None, wait: Optional[int] = None) -> replies.WaitForMailReply:
        """Wait for the next message: GET /v1/email/wait."""
        return self._call("waitForMail", {"address": or_unset(address), "from": or_unset(from_), "subject": or_unset(subject), "after": or_unset(after), "code": or_unset(code), "wait": or_unset(wait)})

    def raw(self, id: str, *, address: Optional[str] = None, folder: Optional[str] = None) -> bytes:
        """Download a raw message: GET /v1/email/messages/{id}/raw."""
        return self._call("getRawMessage", {"id": id, "address": or_unset(address), "folder": or_unset(folder)})

    def attachment(self, id: str, n: int, *, address: Optional[str] = None, folder: Optional[str] = None) -> bytes:
        """Download an attachment: GET /v1/email/messages/{id}/attachments/{n}."""
        return self._call("getAttachment", {"id": id, "n": n, "address": or_unset(address), "folder": or_unset(folder)})

    def load_pictures(self, id: str, *, urls: Sequence[str], address: Optional[str] = None, folder: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.LoadPicturesReply:
        """Get remote pictures of a message: POST /v1/email/messages/{id}/pictures."""
        return self._call("loadPictures", {"id": id, "address": or_unset(address), "folder": or_unset(folder), "urls": urls}, idempotency_key)

    def update_thread(self, id: str, *, read: Optional[bool] = None, archived: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, labels: Optional[Sequence[str]] = None, add_labels: Optional[Sequence[str]] = None, remove_labels: Optional[Sequence[str]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, folder: Optional[str] = None, dry_run: bool = False) -> replies.UpdateThreadReply:
        """Update all messages of a conversation: PATCH /v1/email/threads/{id}."""
        return self._call("updateThread", {"id": id, "read": or_unset(read), "archived": or_unset(archived), "starred": or_unset(starred), "answered": or_unset(answered), "labels": or_unset(labels), "add_labels": or_unset(add_labels), "remove_labels": or_unset(remove_labels), "metadata": metadata, "folder": or_unset(folder)}, None, dry_run)

    def send(self, *, to: Union[str, Sequence[str]], subject: str, from_: Optional[str] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, reply_to: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, in_reply_to: Optional[str] = None, unsubscribe: Optional[bool] = None, references: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SendEmailReply:
        """Send an email: POST /v1/email/send."""
        return self._call("sendEmail", {"from": or_unset(from_), "to": to, "cc": or_unset(cc), "bcc": or_unset(bcc), "reply_to": or_unset(reply_to), "subject": subject, "text": or_unset(text), "html": or_unset(html), "attachments": or_unset(attachments), "metadata": metadata, "in_reply_to": or_unset(in_reply_to), "unsubscribe": or_unset(unsubscribe), "references": or_unset(references)}, idempotency_key, dry_run)

    def get_sent(self, id: str) -> replies.GetSentEmailReply:
        """Read a sent email: GET /v1/email/outbox/{id}."""
        return self._call("getSentEmail", {"id": id})

    def reply(self, id: str, *, address: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReplyToMessageReply:
        """Reply to the sender of a message: POST /v1/email/messages/{id}/reply."""
        return self._call("replyToMessage", {"id": id, "address": or_unset(address), "text": or_unset(text), "html": or_unset(html), "attachments": or_unset(attachments), "metadata": metadata, "cc": or_unset(cc), "bcc": or_unset(bcc)}, idempotency_key, dry_run)

    def reply_all(self, id: str, *, address: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReplyToAllReply:
        """Reply to everybody a message names: POST /v1/email/messages/{id}/reply_all."""
        return self._call("replyToAll", {"id": id, "address": or_unset(address), "text": or_unset(text), "html": or_unset(html), "attachments": or_unset(attachments), "metadata": metadata, "cc": or_unset(cc), "bcc": or_unset(bcc)}, idempotency_key, dry_run)

    def forward(self, id: str, *, to: Union[str, Sequence[str]], address: Optional[str] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, text: Optional[str] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ForwardMessageReply:
        """Forward a message: POST /v1/email/messages/{id}/forward."""
        return self._call("forwardMessage", {"id": id, "address": or_unset(address), "to": to, "cc": or_unset(cc), "bcc": or_unset(bcc), "text": or_unset(text), "metadata": metadata}, idempotency_key, dry_run)


class EventsList(Methods):
    def __call__(self, *, after: Optional[str] = None, before: Optional[str] = None, order: Optional[str] = None, type: Optional[str] = None, wait: Optional[int] = None, limit: Optional[int] = None) -> replies.ListEventsReply:
        """List events: GET /v1/events."""
        return self._call("listEvents", {"after": or_unset(after), "before": or_unset(before), "order": or_unset(order), "type": or_unset(type), "wait": or_unset(wait), "limit": or_unset(limit)})

    def iter(self, *, after: Optional[str] = None, before: Optional[str] = None, order: Optional[str] = None, type: Optional[str] = None, wait: Optional[int] = None, limit: Optional[int] = None) -> Iterator[replies.ListEventsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listEvents", {"after": or_unset(after), "before": or_unset(before), "order": or_unset(order), "type": or_unset(type), "wait": or_unset(wait), "limit": or_unset(limit)})


class EventsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = EventsList(client)

    def create_socket_ticket(self, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateSocketTicketReply:
        """Create a ticket for a WebSocket: POST /v1/ws/tickets."""
        return self._call("createSocketTicket", {}, idempotency_key, dry_run)


class FindingsList(Methods):
    def __call__(self, agentId: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListFindingsReply:
        """List the findings of an agent: GET /v1/agents/{agentId}/findings."""
        return self._call("listFindings", {"agentId": agentId, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, agentId: str, *, limit: Optional[int] = None) -> Iterator[replies.ListFindingsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listFindings", {"agentId": agentId, "limit": or_unset(limit)})


class FindingsListPrograms(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListProgramsReply:
        """List programs: GET /v1/programs."""
        return self._call("listPrograms", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListProgramsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPrograms", {"limit": or_unset(limit)})


class FindingsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = FindingsList(client)
        self.list_programs = FindingsListPrograms(client)

    def submit(self, agentId: str, *, title: str, severity: str, target: str, evidence_hash: str, cwe: Union[str, None, Unset] = UNSET, evidence_url: Union[str, None, Unset] = UNSET, tools_used: Optional[Sequence[str]] = None, time_to_find_ms: Union[int, None, Unset] = UNSET, audience: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SubmitFindingReply:
        """Submit a security finding: POST /v1/agents/{agentId}/findings."""
        return self._call("submitFinding", {"agentId": agentId, "title": title, "severity": severity, "target": target, "evidence_hash": evidence_hash, "cwe": cwe, "evidence_url": evidence_url, "tools_used": or_unset(tools_used), "time_to_find_ms": time_to_find_ms, "audience": audience}, idempotency_key, dry_run)

    def get(self, jti: str) -> replies.GetFindingReply:
        """Get a signed finding: GET /v1/findings/{jti}."""
        return self._call("getFinding", {"jti": jti})

    def judge(self, jti: str, *, outcome: str, note: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None) -> replies.JudgeFindingReply:
        """Accept or reject a finding: POST /v1/findings/{jti}/outcome."""
        return self._call("judgeFinding", {"jti": jti, "outcome": outcome, "note": note}, idempotency_key)

    def get_track_record(self, agentId: str) -> replies.GetTrackRecordReply:
        """Get the track record of an agent: GET /v1/agents/{agentId}/track-record."""
        return self._call("getTrackRecord", {"agentId": agentId})

    def create_program(self, *, name: str, audience: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateProgramReply:
        """Create a program: POST /v1/programs."""
        return self._call("createProgram", {"name": name, "audience": audience}, idempotency_key, dry_run)

    def end_program(self, programId: str, *, dry_run: bool = False) -> replies.EndProgramReply:
        """End a program: DELETE /v1/programs/{programId}."""
        return self._call("endProgram", {"programId": programId}, None, dry_run)


class InboxGet(Methods):
    def __call__(self, address: str, *, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, cursor: Optional[str] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> replies.GetInboxReply:
        """List the messages of an address: GET /v1/inbox/{address}."""
        return self._call("getInbox", {"address": address, "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "cursor": or_unset(cursor), "wait": or_unset(wait), "claim": or_unset(claim)})

    def iter(self, address: str, *, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> Iterator[replies.GetInboxItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("getInbox", {"address": address, "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "wait": or_unset(wait), "claim": or_unset(claim)})


class InboxMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.get = InboxGet(client)

    def create(self, *, name: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateInboxReply:
        """Claim an address: POST /v1/inbox."""
        return self._call("createInbox", {"name": or_unset(name)}, idempotency_key, dry_run)

    def get_inbox_message(self, address: str, id: str) -> replies.GetInboxMessageReply:
        """Read a message: GET /v1/inbox/{address}/messages/{id}."""
        return self._call("getInboxMessage", {"address": address, "id": id})

    def send(self, address: str, *, to: Union[str, Sequence[str]], subject: str, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, body: Optional[str] = None, html: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SendFromInboxReply:
        """Send an email from this address: POST /v1/inbox/{address}/send."""
        return self._call("sendFromInbox", {"address": address, "to": to, "cc": or_unset(cc), "bcc": or_unset(bcc), "subject": subject, "body": or_unset(body), "html": or_unset(html)}, idempotency_key, dry_run)


class McpMethods(Methods):
    def call(self, *, jsonrpc: Optional[str] = None, id: Optional[Union[str, float]] = None, method: Optional[str] = None, params: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None) -> replies.CallMcpReply:
        """Use Signet as an MCP server: POST /mcp."""
        return self._call("callMcp", {"jsonrpc": or_unset(jsonrpc), "id": or_unset(id), "method": or_unset(method), "params": or_unset(params)}, idempotency_key)

    call_mcp = call

    def call_group(self, group: str, *, jsonrpc: Optional[str] = None, id: Optional[Union[str, float]] = None, method: Optional[str] = None, params: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None) -> replies.CallMcpGroupReply:
        """Use one group of MCP tools: POST /mcp/x/{group}."""
        return self._call("callMcpGroup", {"group": group, "jsonrpc": or_unset(jsonrpc), "id": or_unset(id), "method": or_unset(method), "params": or_unset(params)}, idempotency_key)

    call_mcp_group = call_group


class OauthListGrants(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListGrantsReply:
        """List the clients that people let act for the account: GET /v1/account/grants."""
        return self._call("listGrants", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListGrantsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listGrants", {"limit": or_unset(limit)})


class OauthMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_grants = OauthListGrants(client)

    def decide_consent(self, *, request: str, decision: str, account_id: Optional[str] = None, scopes: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None) -> replies.DecideConsentReply:
        """Let a client in, or deny it: POST /oauth/consent."""
        return self._call("decideConsent", {"request": request, "decision": decision, "account_id": or_unset(account_id), "scopes": or_unset(scopes)}, idempotency_key)

    def register_client(self, *, redirect_uris: Optional[Sequence[str]] = None, client_name: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.RegisterClientReply:
        """Register a client (RFC 7591): POST /oauth/register."""
        return self._call("registerClient", {"redirect_uris": or_unset(redirect_uris), "client_name": or_unset(client_name)}, idempotency_key)

    def start_device_login(self, *, client_id: Optional[str] = None, scope: Optional[str] = None, resource: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.StartDeviceLoginReply:
        """Begin a login with a device code (RFC 8628): POST /oauth/device_authorization."""
        return self._call("startDeviceLogin", {"client_id": or_unset(client_id), "scope": or_unset(scope), "resource": or_unset(resource)}, idempotency_key)

    def decide_device_login(self, *, user_code: str, decision: Optional[str] = None, account_id: Optional[str] = None, scopes: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.DecideDeviceLoginReply:
        """Look at the login that waits with a user code, or decide it: POST /oauth/device."""
        return self._call("decideDeviceLogin", {"user_code": user_code, "decision": or_unset(decision), "account_id": or_unset(account_id), "scopes": or_unset(scopes)}, idempotency_key, dry_run)

    def exchange_token(self, *, grant_type: str, client_id: Optional[str] = None, code: Optional[str] = None, code_verifier: Optional[str] = None, redirect_uri: Optional[str] = None, refresh_token: Optional[str] = None, device_code: Optional[str] = None, scope: Optional[str] = None, resource: Optional[str] = None, audience: Optional[str] = None, subject_token: Optional[str] = None, subject_token_type: Optional[str] = None, requested_token_type: Optional[str] = None, actor_token: Optional[str] = None, actor_token_type: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ExchangeTokenReply:
        """Get an access token (RFC 6749, RFC 8628, RFC 8693): POST /oauth/token."""
        return self._call("exchangeToken", {"grant_type": grant_type, "client_id": or_unset(client_id), "code": or_unset(code), "code_verifier": or_unset(code_verifier), "redirect_uri": or_unset(redirect_uri), "refresh_token": or_unset(refresh_token), "device_code": or_unset(device_code), "scope": or_unset(scope), "resource": or_unset(resource), "audience": or_unset(audience), "subject_token": or_unset(subject_token), "subject_token_type": or_unset(subject_token_type), "requested_token_type": or_unset(requested_token_type), "actor_token": or_unset(actor_token), "actor_token_type": or_unset(actor_token_type)}, idempotency_key)

    def end_grant(self, id: str, *, dry_run: bool = False) -> replies.EndGrantReply:
        """End the access of a client: DELETE /v1/account/grants/{id}."""
        return self._call("endGrant", {"id": id}, None, dry_run)

    def revoke_client_token(self, *, token: str, token_type_hint: Optional[str] = None, client_id: Optional[str] = None, client_secret: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.RevokeClientTokenReply:
        """Revoke a token of a client (RFC 7009): POST /oauth/revoke."""
        return self._call("revokeClientToken", {"token": token, "token_type_hint": or_unset(token_type_hint), "client_id": or_unset(client_id), "client_secret": or_unset(client_secret)}, idempotency_key)


class ObservationsList(Methods):
    def __call__(self, *, topic: Optional[str] = None, agent_id: Optional[str] = None, subject_agent_id: Optional[str] = None, since: Optional[Time] = None, scope: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListObservationsReply:
        """List observations: GET /v1/observations."""
        return self._call("listObservations", {"topic": or_unset(topic), "agent_id": or_unset(agent_id), "subject_agent_id": or_unset(subject_agent_id), "since": or_unset(since), "scope": or_unset(scope), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, topic: Optional[str] = None, agent_id: Optional[str] = None, subject_agent_id: Optional[str] = None, since: Optional[Time] = None, scope: Optional[str] = None, limit: Optional[int] = None) -> Iterator[replies.ListObservationsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listObservations", {"topic": or_unset(topic), "agent_id": or_unset(agent_id), "subject_agent_id": or_unset(subject_agent_id), "since": or_unset(since), "scope": or_unset(scope), "limit": or_unset(limit)})


class ObservationsListObservationTopics(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListObservationTopicsReply:
        """List topics: GET /v1/observations/topics."""
        return self._call("listObservationTopics", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListObservationTopicsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listObservationTopics", {"limit": or_unset(limit)})


class ObservationsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = ObservationsList(client)
        self.list_observation_topics = ObservationsListObservationTopics(client)

    def create(self, *, topic: str, content: str, shared: Optional[bool] = None, display_name: Union[str, None, Unset] = UNSET, subject_agent_id: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateObservationReply:
        """Record an observation: POST /v1/observations."""
        return self._call("createObservation", {"topic": topic, "content": content, "shared": or_unset(shared), "display_name": display_name, "subject_agent_id": subject_agent_id}, idempotency_key, dry_run)

    def get(self, id: str) -> replies.GetObservationReply:
        """Get an observation: GET /v1/observations/{id}."""
        return self._call("getObservation", {"id": id})


class OperatorsListOperatorAgents(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListOperatorAgentsReply:
        """List your agents: GET /v1/operator/agents."""
        return self._call("listOperatorAgents", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListOperatorAgentsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listOperatorAgents", {"limit": or_unset(limit)})


class OperatorsWaiting(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListOperatorWaitingReply:
        """List what waits at your agents, oldest first: GET /v1/operator/waiting."""
        return self._call("listOperatorWaiting", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListOperatorWaitingItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listOperatorWaiting", {"limit": or_unset(limit)})


class OperatorsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_operator_agents = OperatorsListOperatorAgents(client)
        self.waiting = OperatorsWaiting(client)

    def suspend_agent(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SuspendAgentReply:
        """Suspend an agent: POST /v1/operator/agents/{id}/suspend."""
        return self._call("suspendAgent", {"id": id}, idempotency_key, dry_run)

    def resume_agent(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ResumeAgentReply:
        """Resume an agent: POST /v1/operator/agents/{id}/resume."""
        return self._call("resumeAgent", {"id": id}, idempotency_key, dry_run)

    def search_agents(self, *, q: str, kinds: Optional[str] = None, limit: Optional[int] = None) -> replies.SearchAgentsReply:
        """Find things of all your agents: GET /v1/operator/search."""
        return self._call("searchAgents", {"q": q, "kinds": or_unset(kinds), "limit": or_unset(limit)})

    def list_operator_decisions(self, *, limit: Optional[int] = None) -> replies.ListOperatorDecisionsReply:
        """List what was decided about your agents, newest first: GET /v1/operator/decisions."""
        return self._call("listOperatorDecisions", {"limit": or_unset(limit)})


class PasskeysList(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListPasskeysReply:
        """List your passkeys: GET /v1/passkeys."""
        return self._call("listPasskeys", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListPasskeysItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPasskeys", {"limit": or_unset(limit)})


class PasskeysMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = PasskeysList(client)

    def create_passkey_options(self, *, idempotency_key: Optional[str] = None) -> replies.CreatePasskeyOptionsReply:
        """Get options to create a passkey: POST /v1/passkeys/options."""
        return self._call("createPasskeyOptions", {}, idempotency_key)

    def add(self, *, id: str, rawId: str, type: str, response: Mapping[str, Any], authenticatorAttachment: Union[str, None, Unset] = UNSET, clientExtensionResults: Optional[Mapping[str, Any]] = None, name: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.AddPasskeyReply:
        """Add a passkey: POST /v1/passkeys."""
        return self._call("addPasskey", {"id": id, "rawId": rawId, "type": type, "authenticatorAttachment": authenticatorAttachment, "clientExtensionResults": or_unset(clientExtensionResults), "response": response, "name": or_unset(name)}, idempotency_key)

    def remove(self, id: str) -> replies.RemovePasskeyReply:
        """Remove a passkey: DELETE /v1/passkeys/{id}."""
        return self._call("removePasskey", {"id": id})

    def create_recovery_codes(self, *, idempotency_key: Optional[str] = None) -> replies.CreateRecoveryCodesReply:
        """Create recovery codes: POST /v1/passkeys/recovery-codes."""
        return self._call("createRecoveryCodes", {}, idempotency_key)

    def create_passkey_login_options(self, *, email: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.CreatePasskeyLoginOptionsReply:
        """Get options to log in with a passkey: POST /v1/auth/passkey/options."""
        return self._call("createPasskeyLoginOptions", {"email": or_unset(email)}, idempotency_key)

    def log_in(self, *, id: str, rawId: str, type: str, response: Mapping[str, Any], authenticatorAttachment: Union[str, None, Unset] = UNSET, clientExtensionResults: Optional[Mapping[str, Any]] = None, account_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.LogInWithPasskeyReply:
        """Open a session with a passkey: POST /v1/auth/passkey."""
        return self._call("logInWithPasskey", {"id": id, "rawId": rawId, "type": type, "authenticatorAttachment": authenticatorAttachment, "clientExtensionResults": or_unset(clientExtensionResults), "response": response, "account_id": or_unset(account_id)}, idempotency_key)

    def log_in_with_recovery_code(self, *, email: str, code: str, account_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.LogInWithRecoveryCodeReply:
        """Open a session with a recovery code: POST /v1/auth/passkey/recovery."""
        return self._call("logInWithRecoveryCode", {"email": email, "code": code, "account_id": or_unset(account_id)}, idempotency_key)

    def get_operator_settings(self) -> replies.GetOperatorSettingsReply:
        """Get your settings as an operator: GET /v1/operator/settings."""
        return self._call("getOperatorSettings", {})

    def update_operator_settings(self, *, require_passkey: Optional[bool] = None, mails: Optional[str] = None, dry_run: bool = False) -> replies.UpdateOperatorSettingsReply:
        """Change your settings as an operator: PATCH /v1/operator/settings."""
        return self._call("updateOperatorSettings", {"require_passkey": or_unset(require_passkey), "mails": or_unset(mails)}, None, dry_run)


class PodsList(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListPodsReply:
        """List pods, newest first: GET /v1/pods."""
        return self._call("listPods", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListPodsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPods", {"limit": or_unset(limit)})


class PodsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = PodsList(client)

    def create(self, *, name: Union[str, None, Unset] = UNSET, rate_limits: Union[Mapping[str, Any], None, Unset] = UNSET, spending_caps: Union[Mapping[str, Any], None, Unset] = UNSET, allowed_scopes: Union[Sequence[str], None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreatePodReply:
        """Create a pod: POST /v1/pods."""
        return self._call("createPod", {"name": name, "rate_limits": rate_limits, "spending_caps": spending_caps, "allowed_scopes": allowed_scopes}, idempotency_key, dry_run)

    def get(self, pod_id: str) -> replies.GetPodReply:
        """Get a pod: GET /v1/pods/{pod_id}."""
        return self._call("getPod", {"pod_id": pod_id})

    def update(self, pod_id: str, *, name: Union[str, None, Unset] = UNSET, rate_limits: Union[Mapping[str, Any], None, Unset] = UNSET, spending_caps: Union[Mapping[str, Any], None, Unset] = UNSET, allowed_scopes: Union[Sequence[str], None, Unset] = UNSET, policy: Union[Mapping[str, Any], None, Unset] = UNSET, status: Optional[str] = None, recovery_email: Union[str, None, Unset] = UNSET, dry_run: bool = False) -> replies.UpdatePodReply:
        """Update a pod: PATCH /v1/pods/{pod_id}."""
        return self._call("updatePod", {"pod_id": pod_id, "name": name, "rate_limits": rate_limits, "spending_caps": spending_caps, "allowed_scopes": allowed_scopes, "policy": policy, "status": or_unset(status), "recovery_email": recovery_email}, None, dry_run)

    def suspend(self, pod_id: str, *, dry_run: bool = False) -> replies.SuspendPodReply:
        """Suspend a pod: DELETE /v1/pods/{pod_id}."""
        return self._call("suspendPod", {"pod_id": pod_id}, None, dry_run)

    def replace_pod_key(self, pod_id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReplacePodKeyReply:
        """Replace the key of a pod: POST /v1/pods/{pod_id}/keys."""
        return self._call("replacePodKey", {"pod_id": pod_id}, idempotency_key, dry_run)

    def get_pod_usage(self, pod_id: str) -> replies.GetPodUsageReply:
        """Get the usage of a pod: GET /v1/pods/{pod_id}/usage."""
        return self._call("getPodUsage", {"pod_id": pod_id})


class ProfilesMethods(Methods):
    def register_signing_key(self, *, public_key: str, label: Optional[str] = None, proof: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RegisterSigningKeyReply:
        """Publish a signing key: POST /v1/agents/signing-keys."""
        return self._call("registerSigningKey", {"public_key": public_key, "label": or_unset(label), "proof": or_unset(proof)}, idempotency_key, dry_run)

    def list_signing_keys(self) -> replies.ListSigningKeysReply:
        """List signing keys: GET /v1/agents/signing-keys."""
        return self._call("listSigningKeys", {})

    def delete_signing_key(self, keyid: str, *, dry_run: bool = False) -> replies.DeleteSigningKeyReply:
        """Delete a signing key: DELETE /v1/agents/signing-keys/{keyid}."""
        return self._call("deleteSigningKey", {"keyid": keyid}, None, dry_run)

    def get_agent(self, name: str) -> bytes:
        """Get the public profile of an agent: GET /agents/{name}."""
        return self._call("getAgentProfile", {"name": name})

    def get_agent_did(self, name: str) -> replies.GetAgentDidReply:
        """Get the DID document of an agent (did:web): GET /agents/{name}/did.json."""
        return self._call("getAgentDid", {"name": name})

    def get_agent_jwks(self, name: str) -> replies.GetAgentJwksReply:
        """Get the JWKS of an agent: GET /agents/{name}/.well-known/jwks.json."""
        return self._call("getAgentJwks", {"name": name})

    def get(self) -> replies.GetProfileReply:
        """Get your public profile: GET /v1/agents/profile."""
        return self._call("getProfile", {})

    def update(self, *, name: Union[str, None, Unset] = UNSET, description: Union[str, None, Unset] = UNSET, capabilities: Optional[Sequence[str]] = None, unlisted: Optional[bool] = None, dry_run: bool = False) -> replies.UpdateProfileReply:
        """Change your public profile: PATCH /v1/agents/profile."""
        return self._call("updateProfile", {"name": name, "description": description, "capabilities": or_unset(capabilities), "unlisted": or_unset(unlisted)}, None, dry_run)


class QuarantineList(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListQuarantineReply:
        """List mail in quarantine, newest first: GET /v1/email/quarantine."""
        return self._call("listQuarantine", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListQuarantineItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listQuarantine", {"limit": or_unset(limit)})


class QuarantineMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = QuarantineList(client)

    def release(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReleaseQuarantinedReply:
        """Release a message from quarantine: POST /v1/email/quarantine/{id}/release."""
        return self._call("releaseQuarantined", {"id": id}, idempotency_key, dry_run)

    def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteQuarantinedReply:
        """Delete a message in quarantine: DELETE /v1/email/quarantine/{id}."""
        return self._call("deleteQuarantined", {"id": id}, None, dry_run)


class ReviewsList(Methods):
    def __call__(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListReviewsReply:
        """List held emails, newest first: GET /v1/email/reviews."""
        return self._call("listReviews", {"status": or_unset(status), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> Iterator[replies.ListReviewsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listReviews", {"status": or_unset(status), "limit": or_unset(limit)})


class ReviewsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = ReviewsList(client)

    def get(self, id: str) -> replies.GetReviewReply:
        """Read a held email: GET /v1/email/reviews/{id}."""
        return self._call("getReview", {"id": id})

    def approve(self, id: str, *, reason: Optional[str] = None, remember: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ApproveReviewReply:
        """Let a held email go out: POST /v1/email/reviews/{id}/approve."""
        return self._call("approveReview", {"id": id, "reason": or_unset(reason), "remember": or_unset(remember)}, idempotency_key, dry_run)

    def reject(self, id: str, *, reason: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RejectReviewReply:
        """Reject a held email: POST /v1/email/reviews/{id}/reject."""
        return self._call("rejectReview", {"id": id, "reason": or_unset(reason)}, idempotency_key, dry_run)


class ServiceMethods(Methods):
    def get_health(self) -> replies.GetHealthReply:
        """Check that the process is running: GET /health."""
        return self._call("getHealth", {})

    def get_readiness(self) -> replies.GetReadinessReply:
        """Check that this instance can serve requests: GET /ready."""
        return self._call("getReadiness", {})

    def get_api_description(self, *, format: Optional[str] = None, tag: Optional[str] = None, operation: Optional[str] = None) -> replies.GetApiDescriptionReply:
        """Get the OpenAPI 3.1 document of this API: GET /api."""
        return self._call("getApiDescription", {"format": or_unset(format), "tag": or_unset(tag), "operation": or_unset(operation)})

    def get_open_api_file(self) -> replies.GetOpenApiFileReply:
        """Get the document of `GET /api`: GET /openapi.json."""
        return self._call("getOpenApiFile", {})

    def get_metrics(self) -> str:
        """Get metrics in the Prometheus text format: GET /metrics."""
        return self._call("getMetrics", {})


class StacksList(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListStacksReply:
        """List domains: GET /v1/stack."""
        return self._call("listStacks", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListStacksItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listStacks", {"limit": or_unset(limit)})


class StacksMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = StacksList(client)

    def create(self, *, domain: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateStackReply:
        """Set up your own domain for email: POST /v1/stack."""
        return self._call("createStack", {"domain": domain}, idempotency_key, dry_run)

    def get(self, id: str) -> replies.GetStackReply:
        """Get a domain: GET /v1/stack/{id}."""
        return self._call("getStack", {"id": id})

    def verify(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.VerifyStackReply:
        """Verify a domain: POST /v1/stack/{id}/verify."""
        return self._call("verifyStack", {"id": id}, idempotency_key, dry_run)

    def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteStackReply:
        """Delete a domain: DELETE /v1/stack/{id}."""
        return self._call("deleteStack", {"id": id}, None, dry_run)


class SuppressionsList(Methods):
    def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListSuppressionsReply:
        """List recipients that get no more mail: GET /v1/email/suppressions."""
        return self._call("listSuppressions", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListSuppressionsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listSuppressions", {"limit": or_unset(limit)})


class SuppressionsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = SuppressionsList(client)

    def delete(self, address: str, *, dry_run: bool = False) -> replies.DeleteSuppressionReply:
        """Let mail go to a recipient again: DELETE /v1/email/suppressions/{address}."""
        return self._call("deleteSuppression", {"address": address}, None, dry_run)


class TokensList(Methods):
    def __call__(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListTokensReply:
        """List issued tokens: GET /v1/tokens."""
        return self._call("listTokens", {"status": or_unset(status), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> Iterator[replies.ListTokensItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listTokens", {"status": or_unset(status), "limit": or_unset(limit)})


class TokensMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = TokensList(client)

    def issue(self, *, audience: str, scopes: Sequence[str], ttl: Optional[float] = None, agent_name: Optional[str] = None, agent_email: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.IssueTokenReply:
        """Issue a token: POST /v1/tokens/issue."""
        return self._call("issueToken", {"audience": audience, "scopes": scopes, "ttl": or_unset(ttl), "agent_name": or_unset(agent_name), "agent_email": or_unset(agent_email)}, idempotency_key, dry_run)

    def introspect(self, *, token: Optional[str] = None, token_type_hint: Optional[str] = None, client_id: Optional[str] = None, client_secret: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.IntrospectTokenReply:
        """Introspect a token (RFC 7662): POST /v1/tokens/introspect."""
        return self._call("introspectToken", {"token": or_unset(token), "token_type_hint": or_unset(token_type_hint), "client_id": or_unset(client_id), "client_secret": or_unset(client_secret)}, idempotency_key)

    def revoke(self, *, token: str, token_type_hint: Optional[str] = None, client_id: Optional[str] = None, client_secret: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RevokeTokenReply:
        """Revoke a token (RFC 7009): POST /v1/tokens/revoke."""
        return self._call("revokeToken", {"token": token, "token_type_hint": or_unset(token_type_hint), "client_id": or_unset(client_id), "client_secret": or_unset(client_secret)}, idempotency_key, dry_run)


class TrustMethods(Methods):
    def submit_telemetry(self, *, body: Any, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SubmitTelemetryReply:
        """Submit telemetry: POST /v1/telemetry/submit."""
        return self._call("submitTelemetry", {"body": body}, idempotency_key, dry_run)

    def get(self, agentId: str) -> replies.GetTrustReply:
        """Get the trust profile of an agent: GET /v1/trust/{agentId}."""
        return self._call("getTrust", {"agentId": agentId})


class UsageMethods(Methods):
    def get_usage_days(self) -> replies.GetUsageDaysReply:
        """Get requests and emails by day: GET /v1/usage/days."""
        return self._call("getUsageDays", {})


class VaultEntriesList(Methods):
    def __call__(self, *, cursor: Optional[str] = None, limit: Optional[int] = None) -> replies.ListVaultKeysReply:
        """List the keys of the vault: GET /v1/vault/."""
        return self._call("listVaultKeys", {"cursor": or_unset(cursor), "limit": or_unset(limit)})

    def iter(self, *, limit: Optional[int] = None) -> Iterator[replies.ListVaultKeysItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listVaultKeys", {"limit": or_unset(limit)})


class VaultEntriesMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = VaultEntriesList(client)

    def put(self, key: str, *, ciphertext: str, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, if_version: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.PutVaultEntryReply:
        """Store a sealed value as a new key or a new version: PUT /v1/vault/{key}."""
        return self._call("putVaultEntry", {"key": key, "ciphertext": ciphertext, "metadata": metadata, "if_version": or_unset(if_version)}, idempotency_key, dry_run)

    def get(self, key: str, *, version: Optional[int] = None) -> replies.GetVaultEntryReply:
        """Get a sealed value: GET /v1/vault/{key}."""
        return self._call("getVaultEntry", {"key": key, "version": or_unset(version)})

    def list_vault_versions(self, key: str) -> replies.ListVaultVersionsReply:
        """List the versions of a key: GET /v1/vault/{key}/versions."""
        return self._call("listVaultVersions", {"key": key})

    def delete(self, key: str, *, version: Optional[int] = None, dry_run: bool = False) -> replies.DeleteVaultEntryReply:
        """Delete a key or one of its versions: DELETE /v1/vault/{key}."""
        return self._call("deleteVaultEntry", {"key": key, "version": or_unset(version)}, None, dry_run)


class VaultRecoveryMethods(Methods):
    def set(self, *, email: str, encrypted_seed: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetVaultRecoveryReply:
        """Store a sealed seed for recovery by email: POST /v1/vault/recovery-email."""
        return self._call("setVaultRecovery", {"email": email, "encrypted_seed": encrypted_seed}, idempotency_key, dry_run)

    def store_seed(self, *, encrypted_seed: str, recovery_email: str, idempotency_key: Optional[str] = None) -> replies.StoreSeedReply:
        """Store a sealed seed without an account: POST /v1/vault/store."""
        return self._call("storeSeed", {"encrypted_seed": encrypted_seed, "recovery_email": recovery_email}, idempotency_key)

    def request(self, *, email: str, idempotency_key: Optional[str] = None) -> replies.RequestVaultRecoveryReply:
        """Request a recovery link by email: POST /v1/vault/recover."""
        return self._call("requestVaultRecovery", {"email": email}, idempotency_key)

    def verify(self, *, token: str) -> replies.VerifyVaultRecoveryReply:
        """Recover vaults with a recovery link: GET /v1/vault/recover/verify."""
        return self._call("verifyVaultRecovery", {"token": token})


class WebhooksListWebhookDeliveries(Methods):
    def __call__(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListWebhookDeliveriesReply:
        """List deliveries, newest first: GET /v1/email/webhooks/{id}/deliveries."""
        return self._call("listWebhookDeliveries", {"id": id, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, id: str, *, limit: Optional[int] = None) -> Iterator[replies.ListWebhookDeliveriesItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listWebhookDeliveries", {"id": id, "limit": or_unset(limit)})


class WebhooksDeliveries(Methods):
    def __call__(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListEventWebhookDeliveriesReply:
        """List deliveries, newest first: GET /v1/webhooks/{id}/deliveries."""
        return self._call("listEventWebhookDeliveries", {"id": id, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, id: str, *, limit: Optional[int] = None) -> Iterator[replies.ListEventWebhookDeliveriesItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listEventWebhookDeliveries", {"id": id, "limit": or_unset(limit)})


class WebhooksMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_webhook_deliveries = WebhooksListWebhookDeliveries(client)
        self.deliveries = WebhooksDeliveries(client)
        self.list_event_webhook_deliveries = self.deliveries

    def create_webhook(self, *, address: str, url: str, secret: Optional[str] = None, events: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateWebhookReply:
        """Create a webhook: POST /v1/email/webhooks."""
        return self._call("createWebhook", {"address": address, "url": url, "secret": or_unset(secret), "events": or_unset(events)}, idempotency_key, dry_run)

    def list_webhooks(self, *, address: Optional[str] = None) -> replies.ListWebhooksReply:
        """List webhooks, oldest first: GET /v1/email/webhooks."""
        return self._call("listWebhooks", {"address": or_unset(address)})

    def create(self, *, url: str, secret: Optional[str] = None, events: Optional[Sequence[str]] = None, address: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateEventWebhookReply:
        """Create a webhook for events of any type: POST /v1/webhooks."""
        return self._call("createEventWebhook", {"url": url, "secret": or_unset(secret), "events": or_unset(events), "address": or_unset(address)}, idempotency_key, dry_run)

    create_event = create

    def list(self, *, address: Optional[str] = None) -> replies.ListEventWebhooksReply:
        """List all webhooks, oldest first: GET /v1/webhooks."""
        return self._call("listEventWebhooks", {"address": or_unset(address)})

    list_event = list

    def get(self, id: str) -> replies.GetEventWebhookReply:
        """Get a webhook: GET /v1/webhooks/{id}."""
        return self._call("getEventWebhook", {"id": id})

    get_event = get

    def get_event_webhook_delivery(self, id: str, delivery_id: str) -> replies.GetEventWebhookDeliveryReply:
        """Get a delivery with its body: GET /v1/webhooks/{id}/deliveries/{delivery_id}."""
        return self._call("getEventWebhookDelivery", {"id": id, "delivery_id": delivery_id})

    def update(self, id: str, *, url: Optional[str] = None, events: Optional[Sequence[str]] = None, status: Optional[str] = None, dry_run: bool = False) -> replies.UpdateEventWebhookReply:
        """Change, pause or resume a webhook: PATCH /v1/webhooks/{id}."""
        return self._call("updateEventWebhook", {"id": id, "url": or_unset(url), "events": or_unset(events), "status": or_unset(status)}, None, dry_run)

    update_event = update

    def delete_webhook(self, id: str, *, dry_run: bool = False) -> replies.DeleteWebhookReply:
        """Delete a webhook and its deliveries: DELETE /v1/email/webhooks/{id}."""
        return self._call("deleteWebhook", {"id": id}, None, dry_run)

    def test_webhook(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.TestWebhookReply:
        """Send a ping to a webhook: POST /v1/email/webhooks/{id}/test."""
        return self._call("testWebhook", {"id": id}, idempotency_key, dry_run)

    def retry_webhook_delivery(self, id: str, delivery_id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RetryWebhookDeliveryReply:
        """Retry a delivery now: POST /v1/email/webhooks/{id}/deliveries/{delivery_id}/retry."""
        return self._call("retryWebhookDelivery", {"id": id, "delivery_id": delivery_id}, idempotency_key, dry_run)

    def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteEventWebhookReply:
        """Delete a webhook and its deliveries: DELETE /v1/webhooks/{id}."""
        return self._call("deleteEventWebhook", {"id": id}, None, dry_run)

    delete_event = delete

    def test(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.TestEventWebhookReply:
        """Send a ping to a webhook: POST /v1/webhooks/{id}/test."""
        return self._call("testEventWebhook", {"id": id}, idempotency_key, dry_run)

    test_event = test

    def retry(self, id: str, delivery_id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RetryEventWebhookDeliveryReply:
        """Retry a delivery now: POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry."""
        return self._call("retryEventWebhookDelivery", {"id": id, "delivery_id": delivery_id}, idempotency_key, dry_run)

    retry_event_webhook_delivery = retry

    def rotate_secret(self, id: str, *, grace_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateWebhookSecretReply:
        """Replace the secret of a webhook: POST /v1/webhooks/{id}/rotate-secret."""
        return self._call("rotateWebhookSecret", {"id": id, "grace_seconds": or_unset(grace_seconds)}, idempotency_key, dry_run)

    rotate_webhook_secret = rotate_secret

    def rotate_email_webhook_secret(self, id: str, *, grace_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateEmailWebhookSecretReply:
        """Replace the secret of a webhook: POST /v1/email/webhooks/{id}/rotate-secret."""
        return self._call("rotateEmailWebhookSecret", {"id": id, "grace_seconds": or_unset(grace_seconds)}, idempotency_key, dry_run)


class Groups:
    """The groups of methods."""

    def __init__(self, client: Any) -> None:
        self.accounts = AccountsMethods(client)
        self.approvals = ApprovalsMethods(client)
        self.audit = AuditMethods(client)
        self.budget = BudgetMethods(client)
        self.calendar = CalendarMethods(client)
        self.credentials = CredentialsMethods(client)
        self.delegations = DelegationsMethods(client)
        self.discovery = DiscoveryMethods(client)
        self.drafts = DraftsMethods(client)
        self.email = EmailMethods(client)
        self.events = EventsMethods(client)
        self.findings = FindingsMethods(client)
        self.inbox = InboxMethods(client)
        self.mcp = McpMethods(client)
        self.m_c_p = self.mcp
        self.oauth = OauthMethods(client)
        self.o_auth = self.oauth
        self.observations = ObservationsMethods(client)
        self.operators = OperatorsMethods(client)
        self.passkeys = PasskeysMethods(client)
        self.pods = PodsMethods(client)
        self.profiles = ProfilesMethods(client)
        self.quarantine = QuarantineMethods(client)
        self.reviews = ReviewsMethods(client)
        self.service = ServiceMethods(client)
        self.stacks = StacksMethods(client)
        self.suppressions = SuppressionsMethods(client)
        self.tokens = TokensMethods(client)
        self.trust = TrustMethods(client)
        self.usage = UsageMethods(client)
        self.vault_entries = VaultEntriesMethods(client)
        self.vault_recovery = VaultRecoveryMethods(client)
        self.webhooks = WebhooksMethods(client)


class AsyncAccountsPayments(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListPaymentsReply:
        """List x402 payments, newest first: GET /v1/billing/payments."""
        return await self._call("listPayments", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListPaymentsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPayments", {"limit": or_unset(limit)})


class AsyncAccountsListSessions(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListSessionsReply:
        """List open sessions: GET /v1/account/sessions."""
        return await self._call("listSessions", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListSessionsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listSessions", {"limit": or_unset(limit)})


class AsyncAccountsWaiting(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListWaitingReply:
        """List what waits, oldest first: GET /v1/account/waiting."""
        return await self._call("listWaiting", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListWaitingItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listWaiting", {"limit": or_unset(limit)})


class AsyncAccountsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.payments = AsyncAccountsPayments(client)
        self.list_sessions = AsyncAccountsListSessions(client)
        self.waiting = AsyncAccountsWaiting(client)

    async def list_notices(self) -> replies.ListNoticesReply:
        """List announced removals: GET /v1/account/notices."""
        return await self._call("listNotices", {})

    async def undo_notice(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.UndoNoticeReply:
        """Stop an announced removal: POST /v1/account/notices/{id}/undo."""
        return await self._call("undoNotice", {"id": id}, idempotency_key, dry_run)

    async def get_account_policy(self) -> replies.GetAccountPolicyReply:
        """Get what may leave the account: GET /v1/account/policy."""
        return await self._call("getAccountPolicy", {})

    async def set_account_policy(self, *, ways: Mapping[str, Any], idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetAccountPolicyReply:
        """Set what may leave the account: PUT /v1/account/policy."""
        return await self._call("setAccountPolicy", {"ways": ways}, idempotency_key, dry_run)

    async def get_power(self) -> replies.GetPowerReply:
        """Get what you may do: GET /v1/account/power."""
        return await self._call("getPower", {})

    async def login(self, *, email: str, idempotency_key: Optional[str] = None) -> replies.LoginReply:
        """Send login links by email: POST /v1/auth/login."""
        return await self._call("login", {"email": email}, idempotency_key)

    async def verify_login(self, *, token: str) -> replies.VerifyLoginReply:
        """Open a session with a login link: GET /v1/auth/verify."""
        return await self._call("verifyLogin", {"token": token})

    async def logout(self, *, idempotency_key: Optional[str] = None) -> replies.LogoutReply:
        """End the session: POST /v1/auth/logout."""
        return await self._call("logout", {}, idempotency_key)

    async def create_key(self, *, name: Optional[str] = None, email: Optional[str] = None, backup: Optional[bool] = None, invite: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.CreateKeyReply:
        """Create an account with an API key: POST /v1/auth/keys."""
        return await self._call("createKey", {"name": or_unset(name), "email": or_unset(email), "backup": or_unset(backup), "invite": or_unset(invite)}, idempotency_key)

    async def rotate(self, *, idempotency_key: Optional[str] = None) -> replies.RotateKeyReply:
        """Replace the active key: POST /v1/auth/keys/rotate."""
        return await self._call("rotateKey", {}, idempotency_key)

    rotate_key = rotate

    async def generate_backup_key(self, *, label: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.GenerateBackupKeyReply:
        """Create the backup key: POST /v1/auth/keys/generate-backup."""
        return await self._call("generateBackupKey", {"label": or_unset(label)}, idempotency_key)

    async def activate_backup_key(self, *, idempotency_key: Optional[str] = None) -> replies.ActivateBackupKeyReply:
        """Activate the backup key: POST /v1/auth/keys/activate-backup."""
        return await self._call("activateBackupKey", {}, idempotency_key)

    async def delete_backup_key(self) -> replies.DeleteBackupKeyReply:
        """Remove the backup key: DELETE /v1/auth/keys/backup."""
        return await self._call("deleteBackupKey", {})

    async def list_keys(self) -> replies.ListKeysReply:
        """List keys: GET /v1/auth/keys/list."""
        return await self._call("listKeys", {})

    async def list_account_keys(self) -> replies.ListAccountKeysReply:
        """List the keys that stand: GET /v1/account/keys."""
        return await self._call("listAccountKeys", {})

    async def create_named_key(self, *, name: str, scopes: Sequence[str], addresses: Optional[Sequence[str]] = None, requests_share: Optional[int] = None, expires_in_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateNamedKeyReply:
        """Create a named key: POST /v1/account/keys."""
        return await self._call("createNamedKey", {"name": name, "scopes": scopes, "addresses": or_unset(addresses), "requests_share": or_unset(requests_share), "expires_in_seconds": or_unset(expires_in_seconds)}, idempotency_key, dry_run)

    async def change_named_key(self, id: str, *, name: Optional[str] = None, scopes: Optional[Sequence[str]] = None, requests_share: Union[int, None, Unset] = UNSET, expires_in_seconds: Union[int, None, Unset] = UNSET, dry_run: bool = False) -> replies.ChangeNamedKeyReply:
        """Change what a named key may do, its end, name or share: PATCH /v1/account/keys/{id}."""
        return await self._call("changeNamedKey", {"id": id, "name": or_unset(name), "scopes": or_unset(scopes), "requests_share": requests_share, "expires_in_seconds": expires_in_seconds}, None, dry_run)

    async def delete_named_key(self, id: str, *, dry_run: bool = False) -> replies.DeleteNamedKeyReply:
        """Delete a named key: DELETE /v1/account/keys/{id}."""
        return await self._call("deleteNamedKey", {"id": id}, None, dry_run)

    async def rotate_named_key(self, id: str, *, grace_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateNamedKeyReply:
        """Replace the text of a named key: POST /v1/account/keys/{id}/rotate."""
        return await self._call("rotateNamedKey", {"id": id, "grace_seconds": or_unset(grace_seconds)}, idempotency_key, dry_run)

    async def secure(self, *, revert: Optional[bool] = None, idempotency_key: Optional[str] = None) -> replies.SecureAccountReply:
        """Take the account back after its key was stolen: POST /v1/account/secure."""
        return await self._call("secureAccount", {"revert": or_unset(revert)}, idempotency_key)

    async def set_recovery_email(self, *, email: Optional[str], idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetRecoveryEmailReply:
        """Set or clear the recovery email: POST /v1/account/recovery-email."""
        return await self._call("setRecoveryEmail", {"email": email}, idempotency_key, dry_run)

    async def set_operator_email(self, *, email: Optional[str], authority: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetOperatorEmailReply:
        """Name an operator, or clear all: POST /v1/account/operator-email."""
        return await self._call("setOperatorEmail", {"email": email, "authority": or_unset(authority)}, idempotency_key, dry_run)

    async def remove_operator(self, address: str, *, dry_run: bool = False) -> replies.RemoveOperatorReply:
        """Remove an operator: DELETE /v1/account/operators/{address}."""
        return await self._call("removeOperator", {"address": address}, None, dry_run)

    async def view_confirmation(self, *, token: Optional[str] = None, id: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ViewConfirmationReply:
        """Get what an address is asked to confirm: POST /v1/people/view."""
        return await self._call("viewConfirmation", {"token": or_unset(token), "id": or_unset(id)}, idempotency_key)

    async def confirm_person(self, *, decision: str, token: Optional[str] = None, id: Optional[str] = None, authority: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ConfirmPersonReply:
        """Confirm or refuse an address: POST /v1/people/confirm."""
        return await self._call("confirmPerson", {"token": or_unset(token), "id": or_unset(id), "decision": decision, "authority": or_unset(authority)}, idempotency_key)

    async def open_console_session(self, *, idempotency_key: Optional[str] = None) -> replies.OpenConsoleSessionReply:
        """Open a session with a key, for a console: POST /v1/auth/session."""
        return await self._call("openConsoleSession", {}, idempotency_key)

    async def end_session(self, id: str, *, dry_run: bool = False) -> replies.EndSessionReply:
        """End a session: DELETE /v1/account/sessions/{id}."""
        return await self._call("endSession", {"id": id}, None, dry_run)

    async def register(self, *, name: Optional[str] = None, address: Optional[str] = None, recovery_email: Optional[str] = None, capabilities: Optional[Sequence[str]] = None, invite: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.RegisterReply:
        """Create an account with an API key and an email address: POST /v1/register."""
        return await self._call("register", {"name": or_unset(name), "address": or_unset(address), "recovery_email": or_unset(recovery_email), "capabilities": or_unset(capabilities), "invite": or_unset(invite)}, idempotency_key)

    async def search(self, *, q: str, kinds: Optional[str] = None, limit: Optional[int] = None) -> replies.SearchReply:
        """Find things by their names, and mail by its words: GET /v1/search."""
        return await self._call("search", {"q": q, "kinds": or_unset(kinds), "limit": or_unset(limit)})

    async def get(self, *, include: Optional[str] = None) -> replies.GetAccountReply:
        """Get the account: GET /v1/account/me."""
        return await self._call("getAccount", {"include": or_unset(include)})

    async def usage(self) -> replies.GetUsageReply:
        """Get usage and limits: GET /v1/usage."""
        return await self._call("getUsage", {})

    async def billing(self) -> replies.GetBillingReply:
        """Get plan and prices: GET /v1/billing."""
        return await self._call("getBilling", {})

    async def delete(self, *, dry_run: bool = False) -> replies.DeleteAccountReply:
        """Delete the account in 72 hours: DELETE /v1/account."""
        return await self._call("deleteAccount", {}, None, dry_run)

    async def cancel_account_deletion(self, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CancelAccountDeletionReply:
        """Cancel the deletion of the account: POST /v1/account/delete/cancel."""
        return await self._call("cancelAccountDeletion", {}, idempotency_key, dry_run)

    async def export(self) -> bytes:
        """Export the account: GET /v1/account/export."""
        return await self._call("exportAccount", {})


class AsyncApprovalsList(Methods):
    async def __call__(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListApprovalsReply:
        """List approvals, newest first: GET /v1/approvals."""
        return await self._call("listApprovals", {"status": or_unset(status), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListApprovalsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listApprovals", {"status": or_unset(status), "limit": or_unset(limit)})


class AsyncApprovalsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncApprovalsList(client)

    async def get(self, id: str) -> replies.GetApprovalReply:
        """Get an approval: GET /v1/approvals/{id}."""
        return await self._call("getApproval", {"id": id})

    async def approve(self, id: str, *, reason: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ApproveChargeReply:
        """Approve a charge: POST /v1/approvals/{id}/approve."""
        return await self._call("approveCharge", {"id": id, "reason": or_unset(reason)}, idempotency_key, dry_run)

    async def reject(self, id: str, *, reason: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RejectChargeReply:
        """Reject a charge: POST /v1/approvals/{id}/reject."""
        return await self._call("rejectCharge", {"id": id, "reason": or_unset(reason)}, idempotency_key, dry_run)

    async def view(self, id: str, *, token: str, idempotency_key: Optional[str] = None) -> replies.ViewApprovalReply:
        """Get the approval for an emailed link: POST /v1/approvals/{id}/view."""
        return await self._call("viewApproval", {"id": id, "token": token}, idempotency_key)

    async def decide(self, id: str, *, token: str, decision: str, reason: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.DecideApprovalReply:
        """Approve or reject with the token from an emailed link: POST /v1/approvals/{id}/decide."""
        return await self._call("decideApproval", {"id": id, "token": token, "decision": decision, "reason": or_unset(reason)}, idempotency_key)


class AsyncAuditList(Methods):
    async def __call__(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, category: Optional[str] = None, action: Optional[str] = None, resource_id: Optional[str] = None, result: Optional[str] = None, actor: Optional[str] = None, key: Optional[str] = None, status: Optional[str] = None, request_id: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListAuditEntriesReply:
        """List audit entries: GET /v1/audit."""
        return await self._call("listAuditEntries", {"from": or_unset(from_), "to": or_unset(to), "category": or_unset(category), "action": or_unset(action), "resource_id": or_unset(resource_id), "result": or_unset(result), "actor": or_unset(actor), "key": or_unset(key), "status": or_unset(status), "request_id": or_unset(request_id), "console": or_unset(console), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, category: Optional[str] = None, action: Optional[str] = None, resource_id: Optional[str] = None, result: Optional[str] = None, actor: Optional[str] = None, key: Optional[str] = None, status: Optional[str] = None, request_id: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListAuditEntriesItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listAuditEntries", {"from": or_unset(from_), "to": or_unset(to), "category": or_unset(category), "action": or_unset(action), "resource_id": or_unset(resource_id), "result": or_unset(result), "actor": or_unset(actor), "key": or_unset(key), "status": or_unset(status), "request_id": or_unset(request_id), "console": or_unset(console), "limit": or_unset(limit)})


class AsyncAuditListAuditSeals(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListAuditSealsReply:
        """List audit checkpoints: GET /v1/audit/seals."""
        return await self._call("listAuditSeals", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListAuditSealsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listAuditSeals", {"limit": or_unset(limit)})


class AsyncAuditListRequests(Methods):
    async def __call__(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, key: Optional[str] = None, path: Optional[str] = None, status: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListRequestsReply:
        """List the latest requests of the account: GET /v1/requests."""
        return await self._call("listRequests", {"from": or_unset(from_), "to": or_unset(to), "key": or_unset(key), "path": or_unset(path), "status": or_unset(status), "console": or_unset(console), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, key: Optional[str] = None, path: Optional[str] = None, status: Optional[str] = None, console: Optional[bool] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListRequestsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listRequests", {"from": or_unset(from_), "to": or_unset(to), "key": or_unset(key), "path": or_unset(path), "status": or_unset(status), "console": or_unset(console), "limit": or_unset(limit)})


class AsyncAuditMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncAuditList(client)
        self.list_audit_seals = AsyncAuditListAuditSeals(client)
        self.list_requests = AsyncAuditListRequests(client)

    async def get_audit_record(self, id: str) -> replies.GetAuditRecordReply:
        """Get an audit entry, or the status of a token: GET /v1/audit/{id}."""
        return await self._call("getAuditRecord", {"id": id})

    async def get_request(self, id: str) -> replies.GetRequestReply:
        """Get a request of the account: GET /v1/requests/{id}."""
        return await self._call("getRequest", {"id": id})


class AsyncBudgetHistory(Methods):
    async def __call__(self, *, limit: Optional[int] = None, before: Optional[Time] = None, cursor: Optional[str] = None, category: Optional[str] = None) -> replies.GetBudgetHistoryReply:
        """List charges, newest first: GET /v1/budget/history."""
        return await self._call("getBudgetHistory", {"limit": or_unset(limit), "before": or_unset(before), "cursor": or_unset(cursor), "category": or_unset(category)})

    def iter(self, *, limit: Optional[int] = None, before: Optional[Time] = None, category: Optional[str] = None) -> AsyncIterator[replies.GetBudgetHistoryItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("getBudgetHistory", {"limit": or_unset(limit), "before": or_unset(before), "category": or_unset(category)})


class AsyncBudgetMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.history = AsyncBudgetHistory(client)

    async def get(self) -> replies.GetBudgetReply:
        """Get the budget: GET /v1/budget."""
        return await self._call("getBudget", {})

    async def set(self, *, caps: Optional[Mapping[str, Any]] = None, daily: Union[Amount, None, Unset] = UNSET, weekly: Union[Amount, None, Unset] = UNSET, monthly: Union[Amount, None, Unset] = UNSET, on_limit: Optional[str] = None, single_tx_limit_cents: Union[Amount, None, Unset] = UNSET, authority: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetBudgetReply:
        """Update the budget: PUT /v1/budget."""
        return await self._call("setBudget", {"caps": or_unset(caps), "daily": daily, "weekly": weekly, "monthly": monthly, "on_limit": or_unset(on_limit), "single_tx_limit_cents": single_tx_limit_cents, "authority": or_unset(authority)}, idempotency_key, dry_run)

    async def charge(self, *, amount: Amount, category: Optional[str] = None, description: Optional[str] = None, reference_id: Optional[str] = None, metadata: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ChargeReply:
        """Charge the budget: POST /v1/charge."""
        return await self._call("charge", {"amount": amount, "category": or_unset(category), "description": or_unset(description), "reference_id": or_unset(reference_id), "metadata": or_unset(metadata)}, idempotency_key, dry_run)


class AsyncCalendarList(Methods):
    async def __call__(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListCalendarEventsReply:
        """List calendar events by start time: GET /v1/calendar/events."""
        return await self._call("listCalendarEvents", {"from": or_unset(from_), "to": or_unset(to), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, from_: Optional[Time] = None, to: Optional[Time] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListCalendarEventsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listCalendarEvents", {"from": or_unset(from_), "to": or_unset(to), "limit": or_unset(limit)})


class AsyncCalendarMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncCalendarList(client)

    async def create(self, *, summary: str, start: Time, end: Time, description: Union[str, None, Unset] = UNSET, location: Union[str, None, Unset] = UNSET, attendees: Optional[Sequence[str]] = None, organizer: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateCalendarEventReply:
        """Create a calendar event: POST /v1/calendar/events."""
        return await self._call("createCalendarEvent", {"summary": summary, "start": start, "end": end, "description": description, "location": location, "attendees": or_unset(attendees), "organizer": or_unset(organizer)}, idempotency_key, dry_run)

    async def get(self, id: str) -> replies.GetCalendarEventReply:
        """Get a calendar event: GET /v1/calendar/events/{id}."""
        return await self._call("getCalendarEvent", {"id": id})

    async def update(self, id: str, *, summary: Optional[str] = None, start: Optional[Time] = None, end: Optional[Time] = None, description: Union[str, None, Unset] = UNSET, location: Union[str, None, Unset] = UNSET, attendees: Optional[Sequence[str]] = None, organizer: Optional[str] = None, dry_run: bool = False) -> replies.UpdateCalendarEventReply:
        """Update a calendar event: PATCH /v1/calendar/events/{id}."""
        return await self._call("updateCalendarEvent", {"id": id, "summary": or_unset(summary), "start": or_unset(start), "end": or_unset(end), "description": description, "location": location, "attendees": or_unset(attendees), "organizer": or_unset(organizer)}, None, dry_run)

    async def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteCalendarEventReply:
        """Delete a calendar event, and cancel its invitations: DELETE /v1/calendar/events/{id}."""
        return await self._call("deleteCalendarEvent", {"id": id}, None, dry_run)

    async def respond(self, id: str, *, status: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RespondToInvitationReply:
        """Answer an invitation by mail: POST /v1/calendar/events/{id}/respond."""
        return await self._call("respondToInvitation", {"id": id, "status": status}, idempotency_key, dry_run)

    async def get_calendar_feed(self) -> replies.GetCalendarFeedReply:
        """Get the feed link: GET /v1/calendar/feed."""
        return await self._call("getCalendarFeed", {})

    async def rotate_calendar_feed(self, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateCalendarFeedReply:
        """Replace the feed link: POST /v1/calendar/feed/rotate."""
        return await self._call("rotateCalendarFeed", {}, idempotency_key, dry_run)

    async def read_calendar_feed(self, *, cal_token: str) -> str:
        """Get the calendar as iCalendar: GET /v1/calendar/feed.ics."""
        return await self._call("readCalendarFeed", {"cal_token": cal_token})

    async def get_calendar_settings(self) -> replies.GetCalendarSettingsReply:
        """Get the calendar settings: GET /v1/calendar/settings."""
        return await self._call("getCalendarSettings", {})

    async def set_calendar_settings(self, *, name: Optional[str], idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetCalendarSettingsReply:
        """Update the calendar settings: PUT /v1/calendar/settings."""
        return await self._call("setCalendarSettings", {"name": name}, idempotency_key, dry_run)


class AsyncCredentialsListCredentialRequests(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListCredentialRequestsReply:
        """List open credential requests: GET /v1/credentials/requests."""
        return await self._call("listCredentialRequests", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListCredentialRequestsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listCredentialRequests", {"limit": or_unset(limit)})


class AsyncCredentialsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_credential_requests = AsyncCredentialsListCredentialRequests(client)

    async def request(self, *, description: str, vault_key: Union[str, None, Unset] = UNSET, public_key: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RequestCredentialReply:
        """Ask the operator for a credential: POST /v1/credentials/request."""
        return await self._call("requestCredential", {"description": description, "vault_key": vault_key, "public_key": public_key}, idempotency_key, dry_run)

    async def poll(self, *, device_code: str, idempotency_key: Optional[str] = None) -> replies.PollCredentialReply:
        """Poll a credential request: POST /v1/credentials/poll."""
        return await self._call("pollCredential", {"device_code": device_code}, idempotency_key)

    async def verify_credential_operator(self, *, user_code: str, idempotency_key: Optional[str] = None) -> replies.VerifyCredentialOperatorReply:
        """Email a link to the operator of a request: POST /v1/credentials/verify-email."""
        return await self._call("verifyCredentialOperator", {"user_code": user_code}, idempotency_key)

    async def view_credential_request(self, *, user_code: str, token: Optional[str] = None, session: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ViewCredentialRequestReply:
        """Get a credential request as its operator: POST /v1/credentials/view."""
        return await self._call("viewCredentialRequest", {"user_code": user_code, "token": or_unset(token), "session": or_unset(session)}, idempotency_key)

    async def approve(self, *, user_code: str, decision: str, token: Optional[str] = None, session: Optional[str] = None, credential_value: Optional[str] = None, sealed_value: Optional[str] = None, vault_key: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None) -> replies.ApproveCredentialReply:
        """Approve or deny a credential request: POST /v1/credentials/approve."""
        return await self._call("approveCredential", {"user_code": user_code, "token": or_unset(token), "session": or_unset(session), "decision": decision, "credential_value": or_unset(credential_value), "sealed_value": or_unset(sealed_value), "vault_key": vault_key}, idempotency_key)


class AsyncDelegationsList(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListDelegationsReply:
        """List delegations by and to this account: GET /v1/delegations."""
        return await self._call("listDelegations", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListDelegationsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listDelegations", {"limit": or_unset(limit)})


class AsyncDelegationsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncDelegationsList(client)

    async def create(self, *, to: str, scopes: Sequence[str], expires_at: Time, audience: Optional[str] = None, budget_usdc: Optional[Amount] = None, may_delegate: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateDelegationReply:
        """Delegate to another account: POST /v1/delegations."""
        return await self._call("createDelegation", {"to": to, "scopes": scopes, "audience": or_unset(audience), "budget_usdc": or_unset(budget_usdc), "expires_at": expires_at, "may_delegate": or_unset(may_delegate)}, idempotency_key, dry_run)

    async def end(self, id: str, *, dry_run: bool = False) -> replies.EndDelegationReply:
        """End a delegation: DELETE /v1/delegations/{id}."""
        return await self._call("endDelegation", {"id": id}, None, dry_run)


class AsyncDiscoveryMethods(Methods):
    async def get_jwks(self) -> replies.GetJwksReply:
        """List public keys (JWKS, RFC 7517): GET /.well-known/jwks.json."""
        return await self._call("getJwks", {})

    async def get_open_id_configuration(self) -> replies.GetOpenIdConfigurationReply:
        """Get server metadata (OpenID Connect): GET /.well-known/openid-configuration."""
        return await self._call("getOpenIdConfiguration", {})

    async def get_authorization_server_metadata(self) -> replies.GetAuthorizationServerMetadataReply:
        """Get server metadata (RFC 8414): GET /.well-known/oauth-authorization-server."""
        return await self._call("getAuthorizationServerMetadata", {})

    async def get_protected_resource_metadata(self) -> replies.GetProtectedResourceMetadataReply:
        """Get the metadata of `/mcp` (RFC 9728): GET /.well-known/oauth-protected-resource/mcp."""
        return await self._call("getProtectedResourceMetadata", {})

    async def get_service_did(self) -> replies.GetServiceDidReply:
        """Get the DID document (did:web): GET /.well-known/did.json."""
        return await self._call("getServiceDid", {})

    async def get_agent_card(self) -> replies.GetAgentCardReply:
        """Get the agent card: GET /.well-known/agent.json."""
        return await self._call("getAgentCard", {})


class AsyncDraftsList(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListDraftsReply:
        """List drafts and scheduled mail, newest first: GET /v1/email/drafts."""
        return await self._call("listDrafts", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListDraftsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listDrafts", {"limit": or_unset(limit)})


class AsyncDraftsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncDraftsList(client)

    async def create(self, *, from_: Optional[str] = None, to: Optional[Union[str, Sequence[str]]] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, reply_to: Optional[str] = None, subject: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, in_reply_to: Optional[str] = None, references: Optional[Sequence[str]] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, unsubscribe: Optional[bool] = None, send_at: Union[Time, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateDraftReply:
        """Write a draft, or schedule a mail: POST /v1/email/drafts."""
        return await self._call("createDraft", {"from": or_unset(from_), "to": or_unset(to), "cc": or_unset(cc), "bcc": or_unset(bcc), "reply_to": or_unset(reply_to), "subject": or_unset(subject), "text": or_unset(text), "html": or_unset(html), "in_reply_to": or_unset(in_reply_to), "references": or_unset(references), "attachments": or_unset(attachments), "metadata": metadata, "unsubscribe": or_unset(unsubscribe), "send_at": send_at}, idempotency_key, dry_run)

    async def get(self, id: str) -> replies.GetDraftReply:
        """Read a draft: GET /v1/email/drafts/{id}."""
        return await self._call("getDraft", {"id": id})

    async def update(self, id: str, *, from_: Optional[str] = None, to: Optional[Union[str, Sequence[str]]] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, reply_to: Optional[str] = None, subject: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, in_reply_to: Optional[str] = None, references: Optional[Sequence[str]] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, unsubscribe: Optional[bool] = None, send_at: Union[Time, None, Unset] = UNSET, dry_run: bool = False) -> replies.UpdateDraftReply:
        """Change a draft: PATCH /v1/email/drafts/{id}."""
        return await self._call("updateDraft", {"id": id, "from": or_unset(from_), "to": or_unset(to), "cc": or_unset(cc), "bcc": or_unset(bcc), "reply_to": or_unset(reply_to), "subject": or_unset(subject), "text": or_unset(text), "html": or_unset(html), "in_reply_to": or_unset(in_reply_to), "references": or_unset(references), "attachments": or_unset(attachments), "metadata": metadata, "unsubscribe": or_unset(unsubscribe), "send_at": send_at}, None, dry_run)

    async def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteDraftReply:
        """Delete a draft: DELETE /v1/email/drafts/{id}."""
        return await self._call("deleteDraft", {"id": id}, None, dry_run)

    async def send(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SendDraftReply:
        """Send a draft now: POST /v1/email/drafts/{id}/send."""
        return await self._call("sendDraft", {"id": id}, idempotency_key, dry_run)


class AsyncEmailInbox(Methods):
    async def __call__(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, archived: Optional[bool] = None, cursor: Optional[str] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> replies.ListInboxReply:
        """List the messages of an address: GET /v1/email/inbox."""
        return await self._call("listInbox", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "archived": or_unset(archived), "cursor": or_unset(cursor), "wait": or_unset(wait), "claim": or_unset(claim)})

    def iter(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, archived: Optional[bool] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> AsyncIterator[replies.ListInboxItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listInbox", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "archived": or_unset(archived), "wait": or_unset(wait), "claim": or_unset(claim)})


class AsyncEmailThreads(Methods):
    async def __call__(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, archived: Optional[bool] = None, label: Optional[str] = None, cursor: Optional[str] = None) -> replies.ListThreadsReply:
        """List conversations: GET /v1/email/threads."""
        return await self._call("listThreads", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "archived": or_unset(archived), "label": or_unset(label), "cursor": or_unset(cursor)})

    def iter(self, *, address: Optional[str] = None, limit: Optional[int] = None, unread: Optional[bool] = None, archived: Optional[bool] = None, label: Optional[str] = None) -> AsyncIterator[replies.ListThreadsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listThreads", {"address": or_unset(address), "limit": or_unset(limit), "unread": or_unset(unread), "archived": or_unset(archived), "label": or_unset(label)})


class AsyncEmailThread(Methods):
    async def __call__(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.GetThreadReply:
        """Read a conversation: GET /v1/email/threads/{id}."""
        return await self._call("getThread", {"id": id, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, id: str, *, limit: Optional[int] = None) -> AsyncIterator[replies.GetThreadItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("getThread", {"id": id, "limit": or_unset(limit)})


class AsyncEmailOutbox(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None, metadata: Optional[Mapping[str, Any]] = None) -> replies.ListOutboxReply:
        """List sent mail, newest first: GET /v1/email/outbox."""
        return await self._call("listOutbox", {"limit": or_unset(limit), "cursor": or_unset(cursor), "metadata": or_unset(metadata)})

    def iter(self, *, limit: Optional[int] = None, metadata: Optional[Mapping[str, Any]] = None) -> AsyncIterator[replies.ListOutboxItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listOutbox", {"limit": or_unset(limit), "metadata": or_unset(metadata)})


class AsyncEmailMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.inbox = AsyncEmailInbox(client)
        self.threads = AsyncEmailThreads(client)
        self.thread = AsyncEmailThread(client)
        self.outbox = AsyncEmailOutbox(client)

    async def claim(self, *, address: str, public_key: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ClaimAddressReply:
        """Claim an address: POST /v1/email/claim."""
        return await self._call("claimAddress", {"address": address, "public_key": or_unset(public_key)}, idempotency_key, dry_run)

    async def release(self, address: str, *, dry_run: bool = False) -> replies.ReleaseAddressReply:
        """Release an address: DELETE /v1/email/addresses/{address}."""
        return await self._call("releaseAddress", {"address": address}, None, dry_run)

    async def update_address(self, address: str, *, display_name: Union[str, None, Unset] = UNSET, retention_days: Union[int, None, Unset] = UNSET, dry_run: bool = False) -> replies.UpdateAddressReply:
        """Change the settings of an address: PATCH /v1/email/addresses/{address}."""
        return await self._call("updateAddress", {"address": address, "display_name": display_name, "retention_days": retention_days}, None, dry_run)

    async def addresses(self) -> replies.ListAddressesReply:
        """List addresses, oldest first: GET /v1/email/addresses."""
        return await self._call("listAddresses", {})

    async def policy(self, *, address: Optional[str] = None) -> replies.GetMailPolicyReply:
        """Get the mail policy: GET /v1/email/policy."""
        return await self._call("getMailPolicy", {"address": or_unset(address)})

    async def set_policy(self, *, address: Optional[str] = None, inbound: Optional[Mapping[str, Any]] = None, outbound: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetMailPolicyReply:
        """Update the mail policy: PUT /v1/email/policy."""
        return await self._call("setMailPolicy", {"address": or_unset(address), "inbound": or_unset(inbound), "outbound": or_unset(outbound)}, idempotency_key, dry_run)

    async def get_review_attachment(self, id: str, n: int) -> bytes:
        """Download an attachment of a held email: GET /v1/email/reviews/{id}/attachments/{n}."""
        return await self._call("getReviewAttachment", {"id": id, "n": n})

    async def withdraw_review(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.WithdrawReviewReply:
        """Withdraw a held email: POST /v1/email/reviews/{id}/withdraw."""
        return await self._call("withdrawReview", {"id": id}, idempotency_key, dry_run)

    async def view_review(self, id: str, *, token: str, idempotency_key: Optional[str] = None) -> replies.ViewReviewReply:
        """Read the held email of an emailed link: POST /v1/email/reviews/{id}/view."""
        return await self._call("viewReview", {"id": id, "token": token}, idempotency_key)

    async def view_review_attachment(self, id: str, n: int, *, token: str, idempotency_key: Optional[str] = None) -> bytes:
        """Download an attachment of the held email of an emailed link: POST /v1/email/reviews/{id}/view/attachments/{n}."""
        return await self._call("viewReviewAttachment", {"id": id, "n": n, "token": token}, idempotency_key)

    async def decide_review(self, id: str, *, token: str, decision: str, reason: Optional[str] = None, remember: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.DecideReviewReply:
        """Approve or reject with the token from an emailed link: POST /v1/email/reviews/{id}/decide."""
        return await self._call("decideReview", {"id": id, "token": token, "decision": decision, "reason": or_unset(reason), "remember": or_unset(remember)}, idempotency_key)

    async def rotate_encryption_key(self, *, master_seed: str, new_public_key: str, idempotency_key: Optional[str] = None) -> replies.RotateEncryptionKeyReply:
        """Set or replace the key that encrypts incoming mail: POST /v1/e2e/rotate-key."""
        return await self._call("rotateEncryptionKey", {"master_seed": master_seed, "new_public_key": new_public_key}, idempotency_key)

    async def delete_encryption_key(self, *, dry_run: bool = False) -> replies.DeleteEncryptionKeyReply:
        """Stop encrypting incoming mail: DELETE /v1/e2e/key."""
        return await self._call("deleteEncryptionKey", {}, None, dry_run)

    async def read(self, id: str, *, address: Optional[str] = None, folder: Optional[str] = None, format: Optional[str] = None, include: Optional[str] = None) -> replies.GetMessageReply:
        """Read a message: GET /v1/email/messages/{id}."""
        return await self._call("getMessage", {"id": id, "address": or_unset(address), "folder": or_unset(folder), "format": or_unset(format), "include": or_unset(include)})

    async def update(self, id: str, *, address: Optional[str] = None, query_folder: Optional[str] = None, read: Optional[bool] = None, archived: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, labels: Optional[Sequence[str]] = None, add_labels: Optional[Sequence[str]] = None, remove_labels: Optional[Sequence[str]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, folder: Optional[str] = None, dry_run: bool = False) -> replies.UpdateMessageReply:
        """Update a message: PATCH /v1/email/messages/{id}."""
        return await self._call("updateMessage", {"id": id, "address": or_unset(address), "query_folder": or_unset(query_folder), "read": or_unset(read), "archived": or_unset(archived), "starred": or_unset(starred), "answered": or_unset(answered), "labels": or_unset(labels), "add_labels": or_unset(add_labels), "remove_labels": or_unset(remove_labels), "metadata": metadata, "folder": or_unset(folder)}, None, dry_run)

    async def delete(self, id: str, *, address: Optional[str] = None, folder: Optional[str] = None, permanent: Optional[bool] = None, dry_run: bool = False) -> replies.DeleteMessageReply:
        """Delete a message: DELETE /v1/email/messages/{id}."""
        return await self._call("deleteMessage", {"id": id, "address": or_unset(address), "folder": or_unset(folder), "permanent": or_unset(permanent)}, None, dry_run)

    async def wait(self, *, address: Optional[str] = None, from_: Optional[str] = None, subject: Optional[str] = None, after: Optional[Time] = None, code: Optional[bool] = None, wait: Optional[int] = None) -> replies.WaitForMailReply:
        """Wait for the next message: GET /v1/email/wait."""
        return await self._call("waitForMail", {"address": or_unset(address), "from": or_unset(from_), "subject": or_unset(subject), "after": or_unset(after), "code": or_unset(code), "wait": or_unset(wait)})

    async def raw(self, id: str, *, address: Optional[str] = None, folder: Optional[str] = None) -> bytes:
        """Download a raw message: GET /v1/email/messages/{id}/raw."""
        return await self._call("getRawMessage", {"id": id, "address": or_unset(address), "folder": or_unset(folder)})

    async def attachment(self, id: str, n: int, *, address: Optional[str] = None, folder: Optional[str] = None) -> bytes:
        """Download an attachment: GET /v1/email/messages/{id}/attachments/{n}."""
        return await self._call("getAttachment", {"id": id, "n": n, "address": or_unset(address), "folder": or_unset(folder)})

    async def load_pictures(self, id: str, *, urls: Sequence[str], address: Optional[str] = None, folder: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.LoadPicturesReply:
        """Get remote pictures of a message: POST /v1/email/messages/{id}/pictures."""
        return await self._call("loadPictures", {"id": id, "address": or_unset(address), "folder": or_unset(folder), "urls": urls}, idempotency_key)

    async def update_thread(self, id: str, *, read: Optional[bool] = None, archived: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, labels: Optional[Sequence[str]] = None, add_labels: Optional[Sequence[str]] = None, remove_labels: Optional[Sequence[str]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, folder: Optional[str] = None, dry_run: bool = False) -> replies.UpdateThreadReply:
        """Update all messages of a conversation: PATCH /v1/email/threads/{id}."""
        return await self._call("updateThread", {"id": id, "read": or_unset(read), "archived": or_unset(archived), "starred": or_unset(starred), "answered": or_unset(answered), "labels": or_unset(labels), "add_labels": or_unset(add_labels), "remove_labels": or_unset(remove_labels), "metadata": metadata, "folder": or_unset(folder)}, None, dry_run)

    async def send(self, *, to: Union[str, Sequence[str]], subject: str, from_: Optional[str] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, reply_to: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, in_reply_to: Optional[str] = None, unsubscribe: Optional[bool] = None, references: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SendEmailReply:
        """Send an email: POST /v1/email/send."""
        return await self._call("sendEmail", {"from": or_unset(from_), "to": to, "cc": or_unset(cc), "bcc": or_unset(bcc), "reply_to": or_unset(reply_to), "subject": subject, "text": or_unset(text), "html": or_unset(html), "attachments": or_unset(attachments), "metadata": metadata, "in_reply_to": or_unset(in_reply_to), "unsubscribe": or_unset(unsubscribe), "references": or_unset(references)}, idempotency_key, dry_run)

    async def get_sent(self, id: str) -> replies.GetSentEmailReply:
        """Read a sent email: GET /v1/email/outbox/{id}."""
        return await self._call("getSentEmail", {"id": id})

    async def reply(self, id: str, *, address: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReplyToMessageReply:
        """Reply to the sender of a message: POST /v1/email/messages/{id}/reply."""
        return await self._call("replyToMessage", {"id": id, "address": or_unset(address), "text": or_unset(text), "html": or_unset(html), "attachments": or_unset(attachments), "metadata": metadata, "cc": or_unset(cc), "bcc": or_unset(bcc)}, idempotency_key, dry_run)

    async def reply_all(self, id: str, *, address: Optional[str] = None, text: Optional[str] = None, html: Optional[str] = None, attachments: Optional[Sequence[Attachment]] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReplyToAllReply:
        """Reply to everybody a message names: POST /v1/email/messages/{id}/reply_all."""
        return await self._call("replyToAll", {"id": id, "address": or_unset(address), "text": or_unset(text), "html": or_unset(html), "attachments": or_unset(attachments), "metadata": metadata, "cc": or_unset(cc), "bcc": or_unset(bcc)}, idempotency_key, dry_run)

    async def forward(self, id: str, *, to: Union[str, Sequence[str]], address: Optional[str] = None, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, text: Optional[str] = None, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ForwardMessageReply:
        """Forward a message: POST /v1/email/messages/{id}/forward."""
        return await self._call("forwardMessage", {"id": id, "address": or_unset(address), "to": to, "cc": or_unset(cc), "bcc": or_unset(bcc), "text": or_unset(text), "metadata": metadata}, idempotency_key, dry_run)


class AsyncEventsList(Methods):
    async def __call__(self, *, after: Optional[str] = None, before: Optional[str] = None, order: Optional[str] = None, type: Optional[str] = None, wait: Optional[int] = None, limit: Optional[int] = None) -> replies.ListEventsReply:
        """List events: GET /v1/events."""
        return await self._call("listEvents", {"after": or_unset(after), "before": or_unset(before), "order": or_unset(order), "type": or_unset(type), "wait": or_unset(wait), "limit": or_unset(limit)})

    def iter(self, *, after: Optional[str] = None, before: Optional[str] = None, order: Optional[str] = None, type: Optional[str] = None, wait: Optional[int] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListEventsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listEvents", {"after": or_unset(after), "before": or_unset(before), "order": or_unset(order), "type": or_unset(type), "wait": or_unset(wait), "limit": or_unset(limit)})


class AsyncEventsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncEventsList(client)

    async def create_socket_ticket(self, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateSocketTicketReply:
        """Create a ticket for a WebSocket: POST /v1/ws/tickets."""
        return await self._call("createSocketTicket", {}, idempotency_key, dry_run)


class AsyncFindingsList(Methods):
    async def __call__(self, agentId: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListFindingsReply:
        """List the findings of an agent: GET /v1/agents/{agentId}/findings."""
        return await self._call("listFindings", {"agentId": agentId, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, agentId: str, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListFindingsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listFindings", {"agentId": agentId, "limit": or_unset(limit)})


class AsyncFindingsListPrograms(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListProgramsReply:
        """List programs: GET /v1/programs."""
        return await self._call("listPrograms", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListProgramsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPrograms", {"limit": or_unset(limit)})


class AsyncFindingsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncFindingsList(client)
        self.list_programs = AsyncFindingsListPrograms(client)

    async def submit(self, agentId: str, *, title: str, severity: str, target: str, evidence_hash: str, cwe: Union[str, None, Unset] = UNSET, evidence_url: Union[str, None, Unset] = UNSET, tools_used: Optional[Sequence[str]] = None, time_to_find_ms: Union[int, None, Unset] = UNSET, audience: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SubmitFindingReply:
        """Submit a security finding: POST /v1/agents/{agentId}/findings."""
        return await self._call("submitFinding", {"agentId": agentId, "title": title, "severity": severity, "target": target, "evidence_hash": evidence_hash, "cwe": cwe, "evidence_url": evidence_url, "tools_used": or_unset(tools_used), "time_to_find_ms": time_to_find_ms, "audience": audience}, idempotency_key, dry_run)

    async def get(self, jti: str) -> replies.GetFindingReply:
        """Get a signed finding: GET /v1/findings/{jti}."""
        return await self._call("getFinding", {"jti": jti})

    async def judge(self, jti: str, *, outcome: str, note: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None) -> replies.JudgeFindingReply:
        """Accept or reject a finding: POST /v1/findings/{jti}/outcome."""
        return await self._call("judgeFinding", {"jti": jti, "outcome": outcome, "note": note}, idempotency_key)

    async def get_track_record(self, agentId: str) -> replies.GetTrackRecordReply:
        """Get the track record of an agent: GET /v1/agents/{agentId}/track-record."""
        return await self._call("getTrackRecord", {"agentId": agentId})

    async def create_program(self, *, name: str, audience: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateProgramReply:
        """Create a program: POST /v1/programs."""
        return await self._call("createProgram", {"name": name, "audience": audience}, idempotency_key, dry_run)

    async def end_program(self, programId: str, *, dry_run: bool = False) -> replies.EndProgramReply:
        """End a program: DELETE /v1/programs/{programId}."""
        return await self._call("endProgram", {"programId": programId}, None, dry_run)


class AsyncInboxGet(Methods):
    async def __call__(self, address: str, *, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, cursor: Optional[str] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> replies.GetInboxReply:
        """List the messages of an address: GET /v1/inbox/{address}."""
        return await self._call("getInbox", {"address": address, "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "cursor": or_unset(cursor), "wait": or_unset(wait), "claim": or_unset(claim)})

    def iter(self, address: str, *, limit: Optional[int] = None, unread: Optional[bool] = None, folder: Optional[str] = None, label: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None, from_: Optional[str] = None, to: Optional[str] = None, has_attachment: Optional[bool] = None, starred: Optional[bool] = None, answered: Optional[bool] = None, metadata: Optional[Mapping[str, Any]] = None, q: Optional[str] = None, wait: Optional[int] = None, claim: Optional[bool] = None) -> AsyncIterator[replies.GetInboxItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("getInbox", {"address": address, "limit": or_unset(limit), "unread": or_unset(unread), "folder": or_unset(folder), "label": or_unset(label), "since": or_unset(since), "until": or_unset(until), "from": or_unset(from_), "to": or_unset(to), "has_attachment": or_unset(has_attachment), "starred": or_unset(starred), "answered": or_unset(answered), "metadata": or_unset(metadata), "q": or_unset(q), "wait": or_unset(wait), "claim": or_unset(claim)})


class AsyncInboxMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.get = AsyncInboxGet(client)

    async def create(self, *, name: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateInboxReply:
        """Claim an address: POST /v1/inbox."""
        return await self._call("createInbox", {"name": or_unset(name)}, idempotency_key, dry_run)

    async def get_inbox_message(self, address: str, id: str) -> replies.GetInboxMessageReply:
        """Read a message: GET /v1/inbox/{address}/messages/{id}."""
        return await self._call("getInboxMessage", {"address": address, "id": id})

    async def send(self, address: str, *, to: Union[str, Sequence[str]], subject: str, cc: Optional[Union[str, Sequence[str]]] = None, bcc: Optional[Union[str, Sequence[str]]] = None, body: Optional[str] = None, html: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SendFromInboxReply:
        """Send an email from this address: POST /v1/inbox/{address}/send."""
        return await self._call("sendFromInbox", {"address": address, "to": to, "cc": or_unset(cc), "bcc": or_unset(bcc), "subject": subject, "body": or_unset(body), "html": or_unset(html)}, idempotency_key, dry_run)


class AsyncMcpMethods(Methods):
    async def call(self, *, jsonrpc: Optional[str] = None, id: Optional[Union[str, float]] = None, method: Optional[str] = None, params: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None) -> replies.CallMcpReply:
        """Use Signet as an MCP server: POST /mcp."""
        return await self._call("callMcp", {"jsonrpc": or_unset(jsonrpc), "id": or_unset(id), "method": or_unset(method), "params": or_unset(params)}, idempotency_key)

    call_mcp = call

    async def call_group(self, group: str, *, jsonrpc: Optional[str] = None, id: Optional[Union[str, float]] = None, method: Optional[str] = None, params: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None) -> replies.CallMcpGroupReply:
        """Use one group of MCP tools: POST /mcp/x/{group}."""
        return await self._call("callMcpGroup", {"group": group, "jsonrpc": or_unset(jsonrpc), "id": or_unset(id), "method": or_unset(method), "params": or_unset(params)}, idempotency_key)

    call_mcp_group = call_group


class AsyncOauthListGrants(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListGrantsReply:
        """List the clients that people let act for the account: GET /v1/account/grants."""
        return await self._call("listGrants", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListGrantsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listGrants", {"limit": or_unset(limit)})


class AsyncOauthMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_grants = AsyncOauthListGrants(client)

    async def decide_consent(self, *, request: str, decision: str, account_id: Optional[str] = None, scopes: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None) -> replies.DecideConsentReply:
        """Let a client in, or deny it: POST /oauth/consent."""
        return await self._call("decideConsent", {"request": request, "decision": decision, "account_id": or_unset(account_id), "scopes": or_unset(scopes)}, idempotency_key)

    async def register_client(self, *, redirect_uris: Optional[Sequence[str]] = None, client_name: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.RegisterClientReply:
        """Register a client (RFC 7591): POST /oauth/register."""
        return await self._call("registerClient", {"redirect_uris": or_unset(redirect_uris), "client_name": or_unset(client_name)}, idempotency_key)

    async def start_device_login(self, *, client_id: Optional[str] = None, scope: Optional[str] = None, resource: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.StartDeviceLoginReply:
        """Begin a login with a device code (RFC 8628): POST /oauth/device_authorization."""
        return await self._call("startDeviceLogin", {"client_id": or_unset(client_id), "scope": or_unset(scope), "resource": or_unset(resource)}, idempotency_key)

    async def decide_device_login(self, *, user_code: str, decision: Optional[str] = None, account_id: Optional[str] = None, scopes: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.DecideDeviceLoginReply:
        """Look at the login that waits with a user code, or decide it: POST /oauth/device."""
        return await self._call("decideDeviceLogin", {"user_code": user_code, "decision": or_unset(decision), "account_id": or_unset(account_id), "scopes": or_unset(scopes)}, idempotency_key, dry_run)

    async def exchange_token(self, *, grant_type: str, client_id: Optional[str] = None, code: Optional[str] = None, code_verifier: Optional[str] = None, redirect_uri: Optional[str] = None, refresh_token: Optional[str] = None, device_code: Optional[str] = None, scope: Optional[str] = None, resource: Optional[str] = None, audience: Optional[str] = None, subject_token: Optional[str] = None, subject_token_type: Optional[str] = None, requested_token_type: Optional[str] = None, actor_token: Optional[str] = None, actor_token_type: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.ExchangeTokenReply:
        """Get an access token (RFC 6749, RFC 8628, RFC 8693): POST /oauth/token."""
        return await self._call("exchangeToken", {"grant_type": grant_type, "client_id": or_unset(client_id), "code": or_unset(code), "code_verifier": or_unset(code_verifier), "redirect_uri": or_unset(redirect_uri), "refresh_token": or_unset(refresh_token), "device_code": or_unset(device_code), "scope": or_unset(scope), "resource": or_unset(resource), "audience": or_unset(audience), "subject_token": or_unset(subject_token), "subject_token_type": or_unset(subject_token_type), "requested_token_type": or_unset(requested_token_type), "actor_token": or_unset(actor_token), "actor_token_type": or_unset(actor_token_type)}, idempotency_key)

    async def end_grant(self, id: str, *, dry_run: bool = False) -> replies.EndGrantReply:
        """End the access of a client: DELETE /v1/account/grants/{id}."""
        return await self._call("endGrant", {"id": id}, None, dry_run)

    async def revoke_client_token(self, *, token: str, token_type_hint: Optional[str] = None, client_id: Optional[str] = None, client_secret: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.RevokeClientTokenReply:
        """Revoke a token of a client (RFC 7009): POST /oauth/revoke."""
        return await self._call("revokeClientToken", {"token": token, "token_type_hint": or_unset(token_type_hint), "client_id": or_unset(client_id), "client_secret": or_unset(client_secret)}, idempotency_key)


class AsyncObservationsList(Methods):
    async def __call__(self, *, topic: Optional[str] = None, agent_id: Optional[str] = None, subject_agent_id: Optional[str] = None, since: Optional[Time] = None, scope: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListObservationsReply:
        """List observations: GET /v1/observations."""
        return await self._call("listObservations", {"topic": or_unset(topic), "agent_id": or_unset(agent_id), "subject_agent_id": or_unset(subject_agent_id), "since": or_unset(since), "scope": or_unset(scope), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, topic: Optional[str] = None, agent_id: Optional[str] = None, subject_agent_id: Optional[str] = None, since: Optional[Time] = None, scope: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListObservationsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listObservations", {"topic": or_unset(topic), "agent_id": or_unset(agent_id), "subject_agent_id": or_unset(subject_agent_id), "since": or_unset(since), "scope": or_unset(scope), "limit": or_unset(limit)})


class AsyncObservationsListObservationTopics(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListObservationTopicsReply:
        """List topics: GET /v1/observations/topics."""
        return await self._call("listObservationTopics", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListObservationTopicsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listObservationTopics", {"limit": or_unset(limit)})


class AsyncObservationsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncObservationsList(client)
        self.list_observation_topics = AsyncObservationsListObservationTopics(client)

    async def create(self, *, topic: str, content: str, shared: Optional[bool] = None, display_name: Union[str, None, Unset] = UNSET, subject_agent_id: Union[str, None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateObservationReply:
        """Record an observation: POST /v1/observations."""
        return await self._call("createObservation", {"topic": topic, "content": content, "shared": or_unset(shared), "display_name": display_name, "subject_agent_id": subject_agent_id}, idempotency_key, dry_run)

    async def get(self, id: str) -> replies.GetObservationReply:
        """Get an observation: GET /v1/observations/{id}."""
        return await self._call("getObservation", {"id": id})


class AsyncOperatorsListOperatorAgents(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListOperatorAgentsReply:
        """List your agents: GET /v1/operator/agents."""
        return await self._call("listOperatorAgents", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListOperatorAgentsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listOperatorAgents", {"limit": or_unset(limit)})


class AsyncOperatorsWaiting(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListOperatorWaitingReply:
        """List what waits at your agents, oldest first: GET /v1/operator/waiting."""
        return await self._call("listOperatorWaiting", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListOperatorWaitingItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listOperatorWaiting", {"limit": or_unset(limit)})


class AsyncOperatorsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_operator_agents = AsyncOperatorsListOperatorAgents(client)
        self.waiting = AsyncOperatorsWaiting(client)

    async def suspend_agent(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SuspendAgentReply:
        """Suspend an agent: POST /v1/operator/agents/{id}/suspend."""
        return await self._call("suspendAgent", {"id": id}, idempotency_key, dry_run)

    async def resume_agent(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ResumeAgentReply:
        """Resume an agent: POST /v1/operator/agents/{id}/resume."""
        return await self._call("resumeAgent", {"id": id}, idempotency_key, dry_run)

    async def search_agents(self, *, q: str, kinds: Optional[str] = None, limit: Optional[int] = None) -> replies.SearchAgentsReply:
        """Find things of all your agents: GET /v1/operator/search."""
        return await self._call("searchAgents", {"q": q, "kinds": or_unset(kinds), "limit": or_unset(limit)})

    async def list_operator_decisions(self, *, limit: Optional[int] = None) -> replies.ListOperatorDecisionsReply:
        """List what was decided about your agents, newest first: GET /v1/operator/decisions."""
        return await self._call("listOperatorDecisions", {"limit": or_unset(limit)})


class AsyncPasskeysList(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListPasskeysReply:
        """List your passkeys: GET /v1/passkeys."""
        return await self._call("listPasskeys", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListPasskeysItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPasskeys", {"limit": or_unset(limit)})


class AsyncPasskeysMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncPasskeysList(client)

    async def create_passkey_options(self, *, idempotency_key: Optional[str] = None) -> replies.CreatePasskeyOptionsReply:
        """Get options to create a passkey: POST /v1/passkeys/options."""
        return await self._call("createPasskeyOptions", {}, idempotency_key)

    async def add(self, *, id: str, rawId: str, type: str, response: Mapping[str, Any], authenticatorAttachment: Union[str, None, Unset] = UNSET, clientExtensionResults: Optional[Mapping[str, Any]] = None, name: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.AddPasskeyReply:
        """Add a passkey: POST /v1/passkeys."""
        return await self._call("addPasskey", {"id": id, "rawId": rawId, "type": type, "authenticatorAttachment": authenticatorAttachment, "clientExtensionResults": or_unset(clientExtensionResults), "response": response, "name": or_unset(name)}, idempotency_key)

    async def remove(self, id: str) -> replies.RemovePasskeyReply:
        """Remove a passkey: DELETE /v1/passkeys/{id}."""
        return await self._call("removePasskey", {"id": id})

    async def create_recovery_codes(self, *, idempotency_key: Optional[str] = None) -> replies.CreateRecoveryCodesReply:
        """Create recovery codes: POST /v1/passkeys/recovery-codes."""
        return await self._call("createRecoveryCodes", {}, idempotency_key)

    async def create_passkey_login_options(self, *, email: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.CreatePasskeyLoginOptionsReply:
        """Get options to log in with a passkey: POST /v1/auth/passkey/options."""
        return await self._call("createPasskeyLoginOptions", {"email": or_unset(email)}, idempotency_key)

    async def log_in(self, *, id: str, rawId: str, type: str, response: Mapping[str, Any], authenticatorAttachment: Union[str, None, Unset] = UNSET, clientExtensionResults: Optional[Mapping[str, Any]] = None, account_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.LogInWithPasskeyReply:
        """Open a session with a passkey: POST /v1/auth/passkey."""
        return await self._call("logInWithPasskey", {"id": id, "rawId": rawId, "type": type, "authenticatorAttachment": authenticatorAttachment, "clientExtensionResults": or_unset(clientExtensionResults), "response": response, "account_id": or_unset(account_id)}, idempotency_key)

    async def log_in_with_recovery_code(self, *, email: str, code: str, account_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.LogInWithRecoveryCodeReply:
        """Open a session with a recovery code: POST /v1/auth/passkey/recovery."""
        return await self._call("logInWithRecoveryCode", {"email": email, "code": code, "account_id": or_unset(account_id)}, idempotency_key)

    async def get_operator_settings(self) -> replies.GetOperatorSettingsReply:
        """Get your settings as an operator: GET /v1/operator/settings."""
        return await self._call("getOperatorSettings", {})

    async def update_operator_settings(self, *, require_passkey: Optional[bool] = None, mails: Optional[str] = None, dry_run: bool = False) -> replies.UpdateOperatorSettingsReply:
        """Change your settings as an operator: PATCH /v1/operator/settings."""
        return await self._call("updateOperatorSettings", {"require_passkey": or_unset(require_passkey), "mails": or_unset(mails)}, None, dry_run)


class AsyncPodsList(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListPodsReply:
        """List pods, newest first: GET /v1/pods."""
        return await self._call("listPods", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListPodsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listPods", {"limit": or_unset(limit)})


class AsyncPodsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncPodsList(client)

    async def create(self, *, name: Union[str, None, Unset] = UNSET, rate_limits: Union[Mapping[str, Any], None, Unset] = UNSET, spending_caps: Union[Mapping[str, Any], None, Unset] = UNSET, allowed_scopes: Union[Sequence[str], None, Unset] = UNSET, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreatePodReply:
        """Create a pod: POST /v1/pods."""
        return await self._call("createPod", {"name": name, "rate_limits": rate_limits, "spending_caps": spending_caps, "allowed_scopes": allowed_scopes}, idempotency_key, dry_run)

    async def get(self, pod_id: str) -> replies.GetPodReply:
        """Get a pod: GET /v1/pods/{pod_id}."""
        return await self._call("getPod", {"pod_id": pod_id})

    async def update(self, pod_id: str, *, name: Union[str, None, Unset] = UNSET, rate_limits: Union[Mapping[str, Any], None, Unset] = UNSET, spending_caps: Union[Mapping[str, Any], None, Unset] = UNSET, allowed_scopes: Union[Sequence[str], None, Unset] = UNSET, policy: Union[Mapping[str, Any], None, Unset] = UNSET, status: Optional[str] = None, recovery_email: Union[str, None, Unset] = UNSET, dry_run: bool = False) -> replies.UpdatePodReply:
        """Update a pod: PATCH /v1/pods/{pod_id}."""
        return await self._call("updatePod", {"pod_id": pod_id, "name": name, "rate_limits": rate_limits, "spending_caps": spending_caps, "allowed_scopes": allowed_scopes, "policy": policy, "status": or_unset(status), "recovery_email": recovery_email}, None, dry_run)

    async def suspend(self, pod_id: str, *, dry_run: bool = False) -> replies.SuspendPodReply:
        """Suspend a pod: DELETE /v1/pods/{pod_id}."""
        return await self._call("suspendPod", {"pod_id": pod_id}, None, dry_run)

    async def replace_pod_key(self, pod_id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReplacePodKeyReply:
        """Replace the key of a pod: POST /v1/pods/{pod_id}/keys."""
        return await self._call("replacePodKey", {"pod_id": pod_id}, idempotency_key, dry_run)

    async def get_pod_usage(self, pod_id: str) -> replies.GetPodUsageReply:
        """Get the usage of a pod: GET /v1/pods/{pod_id}/usage."""
        return await self._call("getPodUsage", {"pod_id": pod_id})


class AsyncProfilesMethods(Methods):
    async def register_signing_key(self, *, public_key: str, label: Optional[str] = None, proof: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RegisterSigningKeyReply:
        """Publish a signing key: POST /v1/agents/signing-keys."""
        return await self._call("registerSigningKey", {"public_key": public_key, "label": or_unset(label), "proof": or_unset(proof)}, idempotency_key, dry_run)

    async def list_signing_keys(self) -> replies.ListSigningKeysReply:
        """List signing keys: GET /v1/agents/signing-keys."""
        return await self._call("listSigningKeys", {})

    async def delete_signing_key(self, keyid: str, *, dry_run: bool = False) -> replies.DeleteSigningKeyReply:
        """Delete a signing key: DELETE /v1/agents/signing-keys/{keyid}."""
        return await self._call("deleteSigningKey", {"keyid": keyid}, None, dry_run)

    async def get_agent(self, name: str) -> bytes:
        """Get the public profile of an agent: GET /agents/{name}."""
        return await self._call("getAgentProfile", {"name": name})

    async def get_agent_did(self, name: str) -> replies.GetAgentDidReply:
        """Get the DID document of an agent (did:web): GET /agents/{name}/did.json."""
        return await self._call("getAgentDid", {"name": name})

    async def get_agent_jwks(self, name: str) -> replies.GetAgentJwksReply:
        """Get the JWKS of an agent: GET /agents/{name}/.well-known/jwks.json."""
        return await self._call("getAgentJwks", {"name": name})

    async def get(self) -> replies.GetProfileReply:
        """Get your public profile: GET /v1/agents/profile."""
        return await self._call("getProfile", {})

    async def update(self, *, name: Union[str, None, Unset] = UNSET, description: Union[str, None, Unset] = UNSET, capabilities: Optional[Sequence[str]] = None, unlisted: Optional[bool] = None, dry_run: bool = False) -> replies.UpdateProfileReply:
        """Change your public profile: PATCH /v1/agents/profile."""
        return await self._call("updateProfile", {"name": name, "description": description, "capabilities": or_unset(capabilities), "unlisted": or_unset(unlisted)}, None, dry_run)


class AsyncQuarantineList(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListQuarantineReply:
        """List mail in quarantine, newest first: GET /v1/email/quarantine."""
        return await self._call("listQuarantine", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListQuarantineItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listQuarantine", {"limit": or_unset(limit)})


class AsyncQuarantineMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncQuarantineList(client)

    async def release(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ReleaseQuarantinedReply:
        """Release a message from quarantine: POST /v1/email/quarantine/{id}/release."""
        return await self._call("releaseQuarantined", {"id": id}, idempotency_key, dry_run)

    async def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteQuarantinedReply:
        """Delete a message in quarantine: DELETE /v1/email/quarantine/{id}."""
        return await self._call("deleteQuarantined", {"id": id}, None, dry_run)


class AsyncReviewsList(Methods):
    async def __call__(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListReviewsReply:
        """List held emails, newest first: GET /v1/email/reviews."""
        return await self._call("listReviews", {"status": or_unset(status), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListReviewsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listReviews", {"status": or_unset(status), "limit": or_unset(limit)})


class AsyncReviewsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncReviewsList(client)

    async def get(self, id: str) -> replies.GetReviewReply:
        """Read a held email: GET /v1/email/reviews/{id}."""
        return await self._call("getReview", {"id": id})

    async def approve(self, id: str, *, reason: Optional[str] = None, remember: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.ApproveReviewReply:
        """Let a held email go out: POST /v1/email/reviews/{id}/approve."""
        return await self._call("approveReview", {"id": id, "reason": or_unset(reason), "remember": or_unset(remember)}, idempotency_key, dry_run)

    async def reject(self, id: str, *, reason: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RejectReviewReply:
        """Reject a held email: POST /v1/email/reviews/{id}/reject."""
        return await self._call("rejectReview", {"id": id, "reason": or_unset(reason)}, idempotency_key, dry_run)


class AsyncServiceMethods(Methods):
    async def get_health(self) -> replies.GetHealthReply:
        """Check that the process is running: GET /health."""
        return await self._call("getHealth", {})

    async def get_readiness(self) -> replies.GetReadinessReply:
        """Check that this instance can serve requests: GET /ready."""
        return await self._call("getReadiness", {})

    async def get_api_description(self, *, format: Optional[str] = None, tag: Optional[str] = None, operation: Optional[str] = None) -> replies.GetApiDescriptionReply:
        """Get the OpenAPI 3.1 document of this API: GET /api."""
        return await self._call("getApiDescription", {"format": or_unset(format), "tag": or_unset(tag), "operation": or_unset(operation)})

    async def get_open_api_file(self) -> replies.GetOpenApiFileReply:
        """Get the document of `GET /api`: GET /openapi.json."""
        return await self._call("getOpenApiFile", {})

    async def get_metrics(self) -> str:
        """Get metrics in the Prometheus text format: GET /metrics."""
        return await self._call("getMetrics", {})


class AsyncStacksList(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListStacksReply:
        """List domains: GET /v1/stack."""
        return await self._call("listStacks", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListStacksItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listStacks", {"limit": or_unset(limit)})


class AsyncStacksMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncStacksList(client)

    async def create(self, *, domain: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateStackReply:
        """Set up your own domain for email: POST /v1/stack."""
        return await self._call("createStack", {"domain": domain}, idempotency_key, dry_run)

    async def get(self, id: str) -> replies.GetStackReply:
        """Get a domain: GET /v1/stack/{id}."""
        return await self._call("getStack", {"id": id})

    async def verify(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.VerifyStackReply:
        """Verify a domain: POST /v1/stack/{id}/verify."""
        return await self._call("verifyStack", {"id": id}, idempotency_key, dry_run)

    async def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteStackReply:
        """Delete a domain: DELETE /v1/stack/{id}."""
        return await self._call("deleteStack", {"id": id}, None, dry_run)


class AsyncSuppressionsList(Methods):
    async def __call__(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListSuppressionsReply:
        """List recipients that get no more mail: GET /v1/email/suppressions."""
        return await self._call("listSuppressions", {"limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListSuppressionsItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listSuppressions", {"limit": or_unset(limit)})


class AsyncSuppressionsMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncSuppressionsList(client)

    async def delete(self, address: str, *, dry_run: bool = False) -> replies.DeleteSuppressionReply:
        """Let mail go to a recipient again: DELETE /v1/email/suppressions/{address}."""
        return await self._call("deleteSuppression", {"address": address}, None, dry_run)


class AsyncTokensList(Methods):
    async def __call__(self, *, status: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListTokensReply:
        """List issued tokens: GET /v1/tokens."""
        return await self._call("listTokens", {"status": or_unset(status), "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> AsyncIterator[replies.ListTokensItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listTokens", {"status": or_unset(status), "limit": or_unset(limit)})


class AsyncTokensMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncTokensList(client)

    async def issue(self, *, audience: str, scopes: Sequence[str], ttl: Optional[float] = None, agent_name: Optional[str] = None, agent_email: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.IssueTokenReply:
        """Issue a token: POST /v1/tokens/issue."""
        return await self._call("issueToken", {"audience": audience, "scopes": scopes, "ttl": or_unset(ttl), "agent_name": or_unset(agent_name), "agent_email": or_unset(agent_email)}, idempotency_key, dry_run)

    async def introspect(self, *, token: Optional[str] = None, token_type_hint: Optional[str] = None, client_id: Optional[str] = None, client_secret: Optional[str] = None, idempotency_key: Optional[str] = None) -> replies.IntrospectTokenReply:
        """Introspect a token (RFC 7662): POST /v1/tokens/introspect."""
        return await self._call("introspectToken", {"token": or_unset(token), "token_type_hint": or_unset(token_type_hint), "client_id": or_unset(client_id), "client_secret": or_unset(client_secret)}, idempotency_key)

    async def revoke(self, *, token: str, token_type_hint: Optional[str] = None, client_id: Optional[str] = None, client_secret: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RevokeTokenReply:
        """Revoke a token (RFC 7009): POST /v1/tokens/revoke."""
        return await self._call("revokeToken", {"token": token, "token_type_hint": or_unset(token_type_hint), "client_id": or_unset(client_id), "client_secret": or_unset(client_secret)}, idempotency_key, dry_run)


class AsyncTrustMethods(Methods):
    async def submit_telemetry(self, *, body: Any, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SubmitTelemetryReply:
        """Submit telemetry: POST /v1/telemetry/submit."""
        return await self._call("submitTelemetry", {"body": body}, idempotency_key, dry_run)

    async def get(self, agentId: str) -> replies.GetTrustReply:
        """Get the trust profile of an agent: GET /v1/trust/{agentId}."""
        return await self._call("getTrust", {"agentId": agentId})


class AsyncUsageMethods(Methods):
    async def get_usage_days(self) -> replies.GetUsageDaysReply:
        """Get requests and emails by day: GET /v1/usage/days."""
        return await self._call("getUsageDays", {})


class AsyncVaultEntriesList(Methods):
    async def __call__(self, *, cursor: Optional[str] = None, limit: Optional[int] = None) -> replies.ListVaultKeysReply:
        """List the keys of the vault: GET /v1/vault/."""
        return await self._call("listVaultKeys", {"cursor": or_unset(cursor), "limit": or_unset(limit)})

    def iter(self, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListVaultKeysItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listVaultKeys", {"limit": or_unset(limit)})


class AsyncVaultEntriesMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list = AsyncVaultEntriesList(client)

    async def put(self, key: str, *, ciphertext: str, metadata: Union[Mapping[str, Any], None, Unset] = UNSET, if_version: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.PutVaultEntryReply:
        """Store a sealed value as a new key or a new version: PUT /v1/vault/{key}."""
        return await self._call("putVaultEntry", {"key": key, "ciphertext": ciphertext, "metadata": metadata, "if_version": or_unset(if_version)}, idempotency_key, dry_run)

    async def get(self, key: str, *, version: Optional[int] = None) -> replies.GetVaultEntryReply:
        """Get a sealed value: GET /v1/vault/{key}."""
        return await self._call("getVaultEntry", {"key": key, "version": or_unset(version)})

    async def list_vault_versions(self, key: str) -> replies.ListVaultVersionsReply:
        """List the versions of a key: GET /v1/vault/{key}/versions."""
        return await self._call("listVaultVersions", {"key": key})

    async def delete(self, key: str, *, version: Optional[int] = None, dry_run: bool = False) -> replies.DeleteVaultEntryReply:
        """Delete a key or one of its versions: DELETE /v1/vault/{key}."""
        return await self._call("deleteVaultEntry", {"key": key, "version": or_unset(version)}, None, dry_run)


class AsyncVaultRecoveryMethods(Methods):
    async def set(self, *, email: str, encrypted_seed: str, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.SetVaultRecoveryReply:
        """Store a sealed seed for recovery by email: POST /v1/vault/recovery-email."""
        return await self._call("setVaultRecovery", {"email": email, "encrypted_seed": encrypted_seed}, idempotency_key, dry_run)

    async def store_seed(self, *, encrypted_seed: str, recovery_email: str, idempotency_key: Optional[str] = None) -> replies.StoreSeedReply:
        """Store a sealed seed without an account: POST /v1/vault/store."""
        return await self._call("storeSeed", {"encrypted_seed": encrypted_seed, "recovery_email": recovery_email}, idempotency_key)

    async def request(self, *, email: str, idempotency_key: Optional[str] = None) -> replies.RequestVaultRecoveryReply:
        """Request a recovery link by email: POST /v1/vault/recover."""
        return await self._call("requestVaultRecovery", {"email": email}, idempotency_key)

    async def verify(self, *, token: str) -> replies.VerifyVaultRecoveryReply:
        """Recover vaults with a recovery link: GET /v1/vault/recover/verify."""
        return await self._call("verifyVaultRecovery", {"token": token})


class AsyncWebhooksListWebhookDeliveries(Methods):
    async def __call__(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListWebhookDeliveriesReply:
        """List deliveries, newest first: GET /v1/email/webhooks/{id}/deliveries."""
        return await self._call("listWebhookDeliveries", {"id": id, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, id: str, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListWebhookDeliveriesItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listWebhookDeliveries", {"id": id, "limit": or_unset(limit)})


class AsyncWebhooksDeliveries(Methods):
    async def __call__(self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> replies.ListEventWebhookDeliveriesReply:
        """List deliveries, newest first: GET /v1/webhooks/{id}/deliveries."""
        return await self._call("listEventWebhookDeliveries", {"id": id, "limit": or_unset(limit), "cursor": or_unset(cursor)})

    def iter(self, id: str, *, limit: Optional[int] = None) -> AsyncIterator[replies.ListEventWebhookDeliveriesItem]:
        """Every entry of the list, a page at a time."""
        return self._client._entries("listEventWebhookDeliveries", {"id": id, "limit": or_unset(limit)})


class AsyncWebhooksMethods(Methods):
    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.list_webhook_deliveries = AsyncWebhooksListWebhookDeliveries(client)
        self.deliveries = AsyncWebhooksDeliveries(client)
        self.list_event_webhook_deliveries = self.deliveries

    async def create_webhook(self, *, address: str, url: str, secret: Optional[str] = None, events: Optional[Sequence[str]] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateWebhookReply:
        """Create a webhook: POST /v1/email/webhooks."""
        return await self._call("createWebhook", {"address": address, "url": url, "secret": or_unset(secret), "events": or_unset(events)}, idempotency_key, dry_run)

    async def list_webhooks(self, *, address: Optional[str] = None) -> replies.ListWebhooksReply:
        """List webhooks, oldest first: GET /v1/email/webhooks."""
        return await self._call("listWebhooks", {"address": or_unset(address)})

    async def create(self, *, url: str, secret: Optional[str] = None, events: Optional[Sequence[str]] = None, address: Optional[str] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.CreateEventWebhookReply:
        """Create a webhook for events of any type: POST /v1/webhooks."""
        return await self._call("createEventWebhook", {"url": url, "secret": or_unset(secret), "events": or_unset(events), "address": or_unset(address)}, idempotency_key, dry_run)

    create_event = create

    async def list(self, *, address: Optional[str] = None) -> replies.ListEventWebhooksReply:
        """List all webhooks, oldest first: GET /v1/webhooks."""
        return await self._call("listEventWebhooks", {"address": or_unset(address)})

    list_event = list

    async def get(self, id: str) -> replies.GetEventWebhookReply:
        """Get a webhook: GET /v1/webhooks/{id}."""
        return await self._call("getEventWebhook", {"id": id})

    get_event = get

    async def get_event_webhook_delivery(self, id: str, delivery_id: str) -> replies.GetEventWebhookDeliveryReply:
        """Get a delivery with its body: GET /v1/webhooks/{id}/deliveries/{delivery_id}."""
        return await self._call("getEventWebhookDelivery", {"id": id, "delivery_id": delivery_id})

    async def update(self, id: str, *, url: Optional[str] = None, events: Optional[Sequence[str]] = None, status: Optional[str] = None, dry_run: bool = False) -> replies.UpdateEventWebhookReply:
        """Change, pause or resume a webhook: PATCH /v1/webhooks/{id}."""
        return await self._call("updateEventWebhook", {"id": id, "url": or_unset(url), "events": or_unset(events), "status": or_unset(status)}, None, dry_run)

    update_event = update

    async def delete_webhook(self, id: str, *, dry_run: bool = False) -> replies.DeleteWebhookReply:
        """Delete a webhook and its deliveries: DELETE /v1/email/webhooks/{id}."""
        return await self._call("deleteWebhook", {"id": id}, None, dry_run)

    async def test_webhook(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.TestWebhookReply:
        """Send a ping to a webhook: POST /v1/email/webhooks/{id}/test."""
        return await self._call("testWebhook", {"id": id}, idempotency_key, dry_run)

    async def retry_webhook_delivery(self, id: str, delivery_id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RetryWebhookDeliveryReply:
        """Retry a delivery now: POST /v1/email/webhooks/{id}/deliveries/{delivery_id}/retry."""
        return await self._call("retryWebhookDelivery", {"id": id, "delivery_id": delivery_id}, idempotency_key, dry_run)

    async def delete(self, id: str, *, dry_run: bool = False) -> replies.DeleteEventWebhookReply:
        """Delete a webhook and its deliveries: DELETE /v1/webhooks/{id}."""
        return await self._call("deleteEventWebhook", {"id": id}, None, dry_run)

    delete_event = delete

    async def test(self, id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.TestEventWebhookReply:
        """Send a ping to a webhook: POST /v1/webhooks/{id}/test."""
        return await self._call("testEventWebhook", {"id": id}, idempotency_key, dry_run)

    test_event = test

    async def retry(self, id: str, delivery_id: str, *, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RetryEventWebhookDeliveryReply:
        """Retry a delivery now: POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry."""
        return await self._call("retryEventWebhookDelivery", {"id": id, "delivery_id": delivery_id}, idempotency_key, dry_run)

    retry_event_webhook_delivery = retry

    async def rotate_secret(self, id: str, *, grace_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateWebhookSecretReply:
        """Replace the secret of a webhook: POST /v1/webhooks/{id}/rotate-secret."""
        return await self._call("rotateWebhookSecret", {"id": id, "grace_seconds": or_unset(grace_seconds)}, idempotency_key, dry_run)

    rotate_webhook_secret = rotate_secret

    async def rotate_email_webhook_secret(self, id: str, *, grace_seconds: Optional[int] = None, idempotency_key: Optional[str] = None, dry_run: bool = False) -> replies.RotateEmailWebhookSecretReply:
        """Replace the secret of a webhook: POST /v1/email/webhooks/{id}/rotate-secret."""
        return await self._call("rotateEmailWebhookSecret", {"id": id, "grace_seconds": or_unset(grace_seconds)}, idempotency_key, dry_run)


class AsyncGroups:
    """The groups of methods."""

    def __init__(self, client: Any) -> None:
        self.accounts = AsyncAccountsMethods(client)
        self.approvals = AsyncApprovalsMethods(client)
        self.audit = AsyncAuditMethods(client)
        self.budget = AsyncBudgetMethods(client)
        self.calendar = AsyncCalendarMethods(client)
        self.credentials = AsyncCredentialsMethods(client)
        self.delegations = AsyncDelegationsMethods(client)
        self.discovery = AsyncDiscoveryMethods(client)
        self.drafts = AsyncDraftsMethods(client)
        self.email = AsyncEmailMethods(client)
        self.events = AsyncEventsMethods(client)
        self.findings = AsyncFindingsMethods(client)
        self.inbox = AsyncInboxMethods(client)
        self.mcp = AsyncMcpMethods(client)
        self.m_c_p = self.mcp
        self.oauth = AsyncOauthMethods(client)
        self.o_auth = self.oauth
        self.observations = AsyncObservationsMethods(client)
        self.operators = AsyncOperatorsMethods(client)
        self.passkeys = AsyncPasskeysMethods(client)
        self.pods = AsyncPodsMethods(client)
        self.profiles = AsyncProfilesMethods(client)
        self.quarantine = AsyncQuarantineMethods(client)
        self.reviews = AsyncReviewsMethods(client)
        self.service = AsyncServiceMethods(client)
        self.stacks = AsyncStacksMethods(client)
        self.suppressions = AsyncSuppressionsMethods(client)
        self.tokens = AsyncTokensMethods(client)
        self.trust = AsyncTrustMethods(client)
        self.usage = AsyncUsageMethods(client)
        self.vault_entries = AsyncVaultEntriesMethods(client)
        self.vault_recovery = AsyncVaultRecoveryMethods(client)
        self.webhooks = AsyncWebhooksMethods(client)
