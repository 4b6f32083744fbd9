// Made from the endpoint table by `npm run generate`: change the endpoint, not this file.
import type { CallOptions } from '../operation.ts';
import {
  type GetHealthInput,
  type GetHealthReply,
  type GetReadinessInput,
  type GetReadinessReply,
  type GetApiDescriptionInput,
  type GetApiDescriptionReply,
  type GetOpenApiFileInput,
  type GetOpenApiFileReply,
  type GetLlmsTextInput,
  type GetLlmsTextReply,
  type GetLlmsFullTextInput,
  type GetLlmsFullTextReply,
  type GetSkillInput,
  type GetSkillReply,
  type ListAgentSkillsInput,
  type ListAgentSkillsReply,
  type GetDocsPageInput,
  type GetDocsPageReply,
  type GetOperationPageInput,
  type GetOperationPageReply,
  type GetMetricsInput,
  type GetMetricsReply,
  type ListPaymentsInput,
  type ListPaymentsReply,
  type ListNoticesInput,
  type ListNoticesReply,
  type UndoNoticeInput,
  type UndoNoticeReply,
  type LoginInput,
  type LoginReply,
  type VerifyLoginInput,
  type VerifyLoginReply,
  type LogoutInput,
  type LogoutReply,
  type CreateDelegationInput,
  type CreateDelegationReply,
  type ListDelegationsInput,
  type ListDelegationsReply,
  type EndDelegationInput,
  type EndDelegationReply,
  type ClaimAddressInput,
  type ClaimAddressReply,
  type ReleaseAddressInput,
  type ReleaseAddressReply,
  type UpdateAddressInput,
  type UpdateAddressReply,
  type ListAddressesInput,
  type ListAddressesReply,
  type CreateKeyInput,
  type CreateKeyReply,
  type CreateKeyAliasInput,
  type CreateKeyAliasReply,
  type RotateKeyInput,
  type RotateKeyReply,
  type GenerateBackupKeyInput,
  type GenerateBackupKeyReply,
  type ActivateBackupKeyInput,
  type ActivateBackupKeyReply,
  type DeleteBackupKeyInput,
  type DeleteBackupKeyReply,
  type ListKeysInput,
  type ListKeysReply,
  type ListAccountKeysInput,
  type ListAccountKeysReply,
  type CreateNamedKeyInput,
  type CreateNamedKeyReply,
  type DeleteNamedKeyInput,
  type DeleteNamedKeyReply,
  type RotateNamedKeyInput,
  type RotateNamedKeyReply,
  type SecureAccountInput,
  type SecureAccountReply,
  type GetBudgetInput,
  type GetBudgetReply,
  type SetBudgetInput,
  type SetBudgetReply,
  type GetBudgetHistoryInput,
  type GetBudgetHistoryReply,
  type ChargeInput,
  type ChargeReply,
  type ListApprovalsInput,
  type ListApprovalsReply,
  type GetApprovalInput,
  type GetApprovalReply,
  type ApproveChargeInput,
  type ApproveChargeReply,
  type RejectChargeInput,
  type RejectChargeReply,
  type ViewApprovalInput,
  type ViewApprovalReply,
  type DecideApprovalInput,
  type DecideApprovalReply,
  type SetRecoveryEmailInput,
  type SetRecoveryEmailReply,
  type SetOperatorEmailInput,
  type SetOperatorEmailReply,
  type RemoveOperatorInput,
  type RemoveOperatorReply,
  type ViewConfirmationInput,
  type ViewConfirmationReply,
  type ConfirmPersonInput,
  type ConfirmPersonReply,
  type AuthorizeClientInput,
  type AuthorizeClientReply,
  type DecideConsentInput,
  type DecideConsentReply,
  type RegisterClientInput,
  type RegisterClientReply,
  type ExchangeTokenInput,
  type ExchangeTokenReply,
  type ListGrantsInput,
  type ListGrantsReply,
  type EndGrantInput,
  type EndGrantReply,
  type CreatePasskeyOptionsInput,
  type CreatePasskeyOptionsReply,
  type AddPasskeyInput,
  type AddPasskeyReply,
  type ListPasskeysInput,
  type ListPasskeysReply,
  type RemovePasskeyInput,
  type RemovePasskeyReply,
  type CreateRecoveryCodesInput,
  type CreateRecoveryCodesReply,
  type CreatePasskeyLoginOptionsInput,
  type CreatePasskeyLoginOptionsReply,
  type LogInWithPasskeyInput,
  type LogInWithPasskeyReply,
  type LogInWithRecoveryCodeInput,
  type LogInWithRecoveryCodeReply,
  type GetOperatorSettingsInput,
  type GetOperatorSettingsReply,
  type UpdateOperatorSettingsInput,
  type UpdateOperatorSettingsReply,
  type ListSessionsInput,
  type ListSessionsReply,
  type EndSessionInput,
  type EndSessionReply,
  type GetMailPolicyInput,
  type GetMailPolicyReply,
  type SetMailPolicyInput,
  type SetMailPolicyReply,
  type ListReviewsInput,
  type ListReviewsReply,
  type GetReviewInput,
  type GetReviewReply,
  type GetReviewAttachmentInput,
  type GetReviewAttachmentReply,
  type ApproveReviewInput,
  type ApproveReviewReply,
  type RejectReviewInput,
  type RejectReviewReply,
  type ViewReviewInput,
  type ViewReviewReply,
  type ViewReviewAttachmentInput,
  type ViewReviewAttachmentReply,
  type DecideReviewInput,
  type DecideReviewReply,
  type ListOperatorAgentsInput,
  type ListOperatorAgentsReply,
  type SuspendAgentInput,
  type SuspendAgentReply,
  type ResumeAgentInput,
  type ResumeAgentReply,
  type RotateEncryptionKeyInput,
  type RotateEncryptionKeyReply,
  type DeleteEncryptionKeyInput,
  type DeleteEncryptionKeyReply,
  type RegisterInput,
  type RegisterReply,
  type ListEventsInput,
  type ListEventsReply,
  type CreateSocketTicketInput,
  type CreateSocketTicketReply,
  type ListInboxInput,
  type ListInboxReply,
  type GetMessageInput,
  type GetMessageReply,
  type UpdateMessageInput,
  type UpdateMessageReply,
  type DeleteMessageInput,
  type DeleteMessageReply,
  type WaitForMailInput,
  type WaitForMailReply,
  type GetRawMessageInput,
  type GetRawMessageReply,
  type GetAttachmentInput,
  type GetAttachmentReply,
  type LoadPicturesInput,
  type LoadPicturesReply,
  type CreateInboxInput,
  type CreateInboxReply,
  type GetInboxInput,
  type GetInboxReply,
  type GetInboxMessageInput,
  type GetInboxMessageReply,
  type ListQuarantineInput,
  type ListQuarantineReply,
  type ReleaseQuarantinedInput,
  type ReleaseQuarantinedReply,
  type DeleteQuarantinedInput,
  type DeleteQuarantinedReply,
  type ListThreadsInput,
  type ListThreadsReply,
  type GetThreadInput,
  type GetThreadReply,
  type UpdateThreadInput,
  type UpdateThreadReply,
  type ListSuppressionsInput,
  type ListSuppressionsReply,
  type DeleteSuppressionInput,
  type DeleteSuppressionReply,
  type SendEmailInput,
  type SendEmailReply,
  type ListOutboxInput,
  type ListOutboxReply,
  type GetSentEmailInput,
  type GetSentEmailReply,
  type ReplyToMessageInput,
  type ReplyToMessageReply,
  type ReplyToAllInput,
  type ReplyToAllReply,
  type ForwardMessageInput,
  type ForwardMessageReply,
  type GetUnsubscribePageInput,
  type GetUnsubscribePageReply,
  type UnsubscribeInput,
  type UnsubscribeReply,
  type SendFromInboxInput,
  type SendFromInboxReply,
  type CreateDraftInput,
  type CreateDraftReply,
  type ListDraftsInput,
  type ListDraftsReply,
  type GetDraftInput,
  type GetDraftReply,
  type UpdateDraftInput,
  type UpdateDraftReply,
  type DeleteDraftInput,
  type DeleteDraftReply,
  type SendDraftInput,
  type SendDraftReply,
  type CreateWebhookInput,
  type CreateWebhookReply,
  type ListWebhooksInput,
  type ListWebhooksReply,
  type CreateEventWebhookInput,
  type CreateEventWebhookReply,
  type ListEventWebhooksInput,
  type ListEventWebhooksReply,
  type GetEventWebhookInput,
  type GetEventWebhookReply,
  type UpdateEventWebhookInput,
  type UpdateEventWebhookReply,
  type DeleteWebhookInput,
  type DeleteWebhookReply,
  type TestWebhookInput,
  type TestWebhookReply,
  type ListWebhookDeliveriesInput,
  type ListWebhookDeliveriesReply,
  type RetryWebhookDeliveryInput,
  type RetryWebhookDeliveryReply,
  type DeleteEventWebhookInput,
  type DeleteEventWebhookReply,
  type TestEventWebhookInput,
  type TestEventWebhookReply,
  type ListEventWebhookDeliveriesInput,
  type ListEventWebhookDeliveriesReply,
  type RetryEventWebhookDeliveryInput,
  type RetryEventWebhookDeliveryReply,
  type RotateWebhookSecretInput,
  type RotateWebhookSecretReply,
  type RotateEmailWebhookSecretInput,
  type RotateEmailWebhookSecretReply,
  type ListVaultKeysInput,
  type ListVaultKeysReply,
  type ListVaultKeysAliasInput,
  type ListVaultKeysAliasReply,
  type PutVaultEntryInput,
  type PutVaultEntryReply,
  type GetVaultEntryInput,
  type GetVaultEntryReply,
  type DeleteVaultEntryInput,
  type DeleteVaultEntryReply,
  type SetVaultRecoveryInput,
  type SetVaultRecoveryReply,
  type StoreSeedInput,
  type StoreSeedReply,
  type RequestVaultRecoveryInput,
  type RequestVaultRecoveryReply,
  type VerifyVaultRecoveryInput,
  type VerifyVaultRecoveryReply,
  type GetAccountInput,
  type GetAccountReply,
  type CreatePodInput,
  type CreatePodReply,
  type ListPodsInput,
  type ListPodsReply,
  type GetPodInput,
  type GetPodReply,
  type UpdatePodInput,
  type UpdatePodReply,
  type SuspendPodInput,
  type SuspendPodReply,
  type ReplacePodKeyInput,
  type ReplacePodKeyReply,
  type CreateStackInput,
  type CreateStackReply,
  type ListStacksInput,
  type ListStacksReply,
  type GetStackInput,
  type GetStackReply,
  type VerifyStackInput,
  type VerifyStackReply,
  type DeleteStackInput,
  type DeleteStackReply,
  type GetUsageInput,
  type GetUsageReply,
  type GetUsageDaysInput,
  type GetUsageDaysReply,
  type GetPodUsageInput,
  type GetPodUsageReply,
  type GetBillingInput,
  type GetBillingReply,
  type CreateObservationInput,
  type CreateObservationReply,
  type ListObservationsInput,
  type ListObservationsReply,
  type ListObservationTopicsInput,
  type ListObservationTopicsReply,
  type GetObservationInput,
  type GetObservationReply,
  type SubmitTelemetryInput,
  type SubmitTelemetryReply,
  type GetTrustInput,
  type GetTrustReply,
  type IssueTokenInput,
  type IssueTokenReply,
  type ListTokensInput,
  type ListTokensReply,
  type IntrospectTokenInput,
  type IntrospectTokenReply,
  type GetTokenStatusInput,
  type GetTokenStatusReply,
  type RevokeTokenInput,
  type RevokeTokenReply,
  type RevokeClientTokenInput,
  type RevokeClientTokenReply,
  type GetJwksInput,
  type GetJwksReply,
  type GetOpenIdConfigurationInput,
  type GetOpenIdConfigurationReply,
  type GetAuthorizationServerMetadataInput,
  type GetAuthorizationServerMetadataReply,
  type GetProtectedResourceMetadataInput,
  type GetProtectedResourceMetadataReply,
  type GetServiceDidInput,
  type GetServiceDidReply,
  type GetAgentCardInput,
  type GetAgentCardReply,
  type RegisterSigningKeyInput,
  type RegisterSigningKeyReply,
  type ListSigningKeysInput,
  type ListSigningKeysReply,
  type DeleteSigningKeyInput,
  type DeleteSigningKeyReply,
  type GetAgentProfileInput,
  type GetAgentProfileReply,
  type GetAgentDidInput,
  type GetAgentDidReply,
  type GetAgentJwksInput,
  type GetAgentJwksReply,
  type GetProfileInput,
  type GetProfileReply,
  type UpdateProfileInput,
  type UpdateProfileReply,
  type ListAuditEntriesInput,
  type ListAuditEntriesReply,
  type ListAuditSealsInput,
  type ListAuditSealsReply,
  type ListRequestsInput,
  type ListRequestsReply,
  type DeleteAccountInput,
  type DeleteAccountReply,
  type CancelAccountDeletionInput,
  type CancelAccountDeletionReply,
  type ExportAccountInput,
  type ExportAccountReply,
  type CreateCalendarEventInput,
  type CreateCalendarEventReply,
  type ListCalendarEventsInput,
  type ListCalendarEventsReply,
  type GetCalendarEventInput,
  type GetCalendarEventReply,
  type UpdateCalendarEventInput,
  type UpdateCalendarEventReply,
  type DeleteCalendarEventInput,
  type DeleteCalendarEventReply,
  type RespondToInvitationInput,
  type RespondToInvitationReply,
  type GetCalendarFeedInput,
  type GetCalendarFeedReply,
  type RotateCalendarFeedInput,
  type RotateCalendarFeedReply,
  type ReadCalendarFeedInput,
  type ReadCalendarFeedReply,
  type GetCalendarSettingsInput,
  type GetCalendarSettingsReply,
  type SetCalendarSettingsInput,
  type SetCalendarSettingsReply,
  type RequestCredentialInput,
  type RequestCredentialReply,
  type PollCredentialInput,
  type PollCredentialReply,
  type ListCredentialRequestsInput,
  type ListCredentialRequestsReply,
  type VerifyCredentialOperatorInput,
  type VerifyCredentialOperatorReply,
  type ViewCredentialRequestInput,
  type ViewCredentialRequestReply,
  type ApproveCredentialInput,
  type ApproveCredentialReply,
  type SubmitFindingInput,
  type SubmitFindingReply,
  type ListFindingsInput,
  type ListFindingsReply,
  type GetFindingInput,
  type GetFindingReply,
  type JudgeFindingInput,
  type JudgeFindingReply,
  type GetTrackRecordInput,
  type GetTrackRecordReply,
  type CreateProgramInput,
  type CreateProgramReply,
  type ListProgramsInput,
  type ListProgramsReply,
  type EndProgramInput,
  type EndProgramReply,
  type GetLandingPageInput,
  type GetLandingPageReply,
  type GetLoginPageInput,
  type GetLoginPageReply,
  type GetRecoverPageInput,
  type GetRecoverPageReply,
  type GetDashboardPageInput,
  type GetDashboardPageReply,
  type GetApprovePageInput,
  type GetApprovePageReply,
  type GetReviewPageInput,
  type GetReviewPageReply,
  type GetConfirmPageInput,
  type GetConfirmPageReply,
  type GetCredentialsPageInput,
  type GetCredentialsPageReply,
  type GetAssetInput,
  type GetAssetReply,
  type GetConsoleFileInput,
  type GetConsoleFileReply,
  type CallMcpInput,
  type CallMcpReply,
  type CallMcpGroupInput,
  type CallMcpGroupReply,
  type OperationName,
  Operations,
} from './operations.ts';

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
  'email.sent': {
    id: string;
    from: string;
    to: string[];
    subject: string;
    provider: string;
  };
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
    recipients: {
      address: string;
      error: string;
    }[];
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
  'email.released': {
    review_id: string;
    id: string;
    from: string;
    to: string[];
    subject: string;
  };
  /** An email that waited was rejected, or was not approved in time. It is not sent. */
  'email.rejected': {
    review_id: string;
    id: string;
    from: string;
    to: string[];
    subject: string;
    reason: "rejected" | "expired";
  };
  /** A message came that the mail policy keeps from the agent. The event says nothing of its content. */
  'email.quarantined': {
    address: string;
    message_id: string;
    reason: string;
  };
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
  'address.released': {
    address: string;
  };
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
  'payment.failed': {
    payment_id: string;
    amount_usdc: number;
    error: string;
  };
  /** A key was rotated, or the backup key was activated. */
  'key.rotated': {
    key_prefix: string;
    reason: "rotated" | "backup_activated";
  };
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
  'account.secured': {
    key_prefix: string;
    reverted: string[];
  };
  /** The account will be deleted at `deletes_at`, unless somebody cancels it. */
  'account.deletion_scheduled': {
    deletes_at: string;
    by: "key" | "session" | "operator" | "administrator";
    /** the prefix of a key, an address, or `administrator` */
    asked_by: string;
  };
  /** The account will not be deleted. */
  'account.deletion_cancelled': {
    cancelled_by: string;
  };
  /** A charge was recorded. */
  'charge.completed': {
    charge_id: string;
    amount_usdc: number;
    category: string;
    reference_id: string | null;
  };
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
  'token.issued': {
    jti: string;
    audience: string;
    scopes: string[];
    expires_at: string;
  };
  /** A [token](tokens.md) was revoked. */
  'token.revoked': {
    jti: string;
  };
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
  'delegation.ended': {
    delegation_id: string;
    account_id: string;
    from: string;
    to: string;
  };
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
  'credential.requested': {
    request_id: string;
    description: string;
    vault_key: string | null;
    expires_at: string;
  };
  /** A request for a [credential](credentials.md) was approved or denied. */
  'credential.resolved': {
    request_id: string;
    status: "approved" | "denied";
    reason: "operator" | "wrong_codes";
    vault_key: string | null;
  };
  /** A program judged a [finding](findings.md). */
  'finding.judged': {
    jti: string;
    outcome: "accepted" | "rejected";
    severity: string;
    program_id: string;
  };
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

/** An input that may leave out a field: the client fills in the only address of the account. */
type Defaulted<Input, Field extends keyof Input> = Omit<Input, Field> & { [Name in Field]?: Input[Name] | undefined };

export interface AccountsMethods {
  /** List x402 payments, newest first: `GET /v1/billing/payments`, as `listPayments`. */
  payments(input?: ListPaymentsInput, options?: CallOptions): Promise<ListPaymentsReply>;

  /** List announced removals: `GET /v1/account/notices`, as `listNotices`. */
  listNotices(input?: ListNoticesInput, options?: CallOptions): Promise<ListNoticesReply>;

  /** Stop an announced removal: `POST /v1/account/notices/{id}/undo`, as `undoNotice`. */
  undoNotice(input: UndoNoticeInput, options?: CallOptions): Promise<UndoNoticeReply>;

  /** Send login links by email: `POST /v1/auth/login`, as `login`. */
  login(input: LoginInput, options?: CallOptions): Promise<LoginReply>;

  /** Open a session with a login link: `GET /v1/auth/verify`, as `verifyLogin`. */
  verifyLogin(input: VerifyLoginInput, options?: CallOptions): Promise<VerifyLoginReply>;

  /** End the session: `POST /v1/auth/logout`, as `logout`. */
  logout(input?: LogoutInput, options?: CallOptions): Promise<LogoutReply>;

  /** Create an account with an API key: `POST /v1/auth/keys`, as `createKey`. */
  createKey(input?: CreateKeyInput, options?: CallOptions): Promise<CreateKeyReply>;

  /** Create an account with an API key (short form): `POST /v1/keys`, as `createKeyAlias`. */
  createKeyAlias(input?: CreateKeyAliasInput, options?: CallOptions): Promise<CreateKeyAliasReply>;

  /** Replace the active key: `POST /v1/auth/keys/rotate`, as `rotateKey`. */
  rotateKey(input?: RotateKeyInput, options?: CallOptions): Promise<RotateKeyReply>;

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

  /** List open sessions: `GET /v1/account/sessions`, as `listSessions`. */
  listSessions(input?: ListSessionsInput, options?: CallOptions): Promise<ListSessionsReply>;

  /** End a session: `DELETE /v1/account/sessions/{id}`, as `endSession`. */
  endSession(input: EndSessionInput, options?: CallOptions): Promise<EndSessionReply>;

  /** Create an account with an API key and an email address: `POST /v1/register`, as `register`. */
  register(input?: RegisterInput, options?: CallOptions): Promise<RegisterReply>;

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
  list(input?: ListApprovalsInput, options?: CallOptions): Promise<ListApprovalsReply>;

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
  list(input?: ListAuditEntriesInput, options?: CallOptions): Promise<ListAuditEntriesReply>;

  /** List audit checkpoints: `GET /v1/audit/seals`, as `listAuditSeals`. */
  listAuditSeals(input?: ListAuditSealsInput, options?: CallOptions): Promise<ListAuditSealsReply>;

  /** List the latest requests of the account: `GET /v1/requests`, as `listRequests`. */
  listRequests(input?: ListRequestsInput, options?: CallOptions): Promise<ListRequestsReply>;
}

export interface BudgetMethods {
  /** Get the budget: `GET /v1/budget`, as `getBudget`. */
  get(input?: GetBudgetInput, options?: CallOptions): Promise<GetBudgetReply>;

  /** Update the budget: `PUT /v1/budget`, as `setBudget`. */
  set(input?: SetBudgetInput, options?: CallOptions): Promise<SetBudgetReply>;

  /** List charges, newest first: `GET /v1/budget/history`, as `getBudgetHistory`. */
  history(input?: GetBudgetHistoryInput, options?: CallOptions): Promise<GetBudgetHistoryReply>;

  /** Charge the budget: `POST /v1/charge`, as `charge`. */
  charge(input: ChargeInput, options?: CallOptions): Promise<ChargeReply>;
}

export interface CalendarMethods {
  /** Create a calendar event: `POST /v1/calendar/events`, as `createCalendarEvent`. */
  create(input: CreateCalendarEventInput, options?: CallOptions): Promise<CreateCalendarEventReply>;

  /** List calendar events by start time: `GET /v1/calendar/events`, as `listCalendarEvents`. */
  list(input?: ListCalendarEventsInput, options?: CallOptions): Promise<ListCalendarEventsReply>;

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
  listCredentialRequests(input?: ListCredentialRequestsInput, options?: CallOptions): Promise<ListCredentialRequestsReply>;

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
  list(input?: ListDelegationsInput, options?: CallOptions): Promise<ListDelegationsReply>;

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

export interface DocumentsMethods {
  /** Get the introduction for agents: `GET /llms.txt`, as `getLlmsText`. */
  getLlmsText(input?: GetLlmsTextInput, options?: CallOptions): Promise<GetLlmsTextReply>;

  /** Get all documentation in one file: `GET /llms-full.txt`, as `getLlmsFullText`. */
  getLlmsFullText(input?: GetLlmsFullTextInput, options?: CallOptions): Promise<GetLlmsFullTextReply>;

  /** Get the agent skill: `GET /skill.md`, as `getSkill`. */
  getSkill(input?: GetSkillInput, options?: CallOptions): Promise<GetSkillReply>;

  /** List the agent skills: `GET /.well-known/agent-skills/index.json`, as `listAgentSkills`. */
  listAgentSkills(input?: ListAgentSkillsInput, options?: CallOptions): Promise<ListAgentSkillsReply>;

  /** Get a page of the documentation: `GET /docs/{page}.md`, as `getDocsPage`. */
  getDocsPage(input: GetDocsPageInput, options?: CallOptions): Promise<GetDocsPageReply>;

  /** Get the page of an operation: `GET /docs/api/{operationId}.md`, as `getOperationPage`. */
  getOperationPage(input: GetOperationPageInput, options?: CallOptions): Promise<GetOperationPageReply>;
}

export interface DraftsMethods {
  /** Write a draft, or schedule a mail: `POST /v1/email/drafts`, as `createDraft`. */
  create(input?: CreateDraftInput, options?: CallOptions): Promise<CreateDraftReply>;

  /** List drafts and scheduled mail, newest first: `GET /v1/email/drafts`, as `listDrafts`. */
  list(input?: ListDraftsInput, options?: CallOptions): Promise<ListDraftsReply>;

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
  inbox(input?: Defaulted<ListInboxInput, 'address'>, options?: CallOptions): Promise<ListInboxReply>;

  /** Read a message: `GET /v1/email/messages/{id}`, as `getMessage`. */
  read(input: Defaulted<GetMessageInput, 'address'>, options?: CallOptions): Promise<GetMessageReply>;

  /** Update a message: `PATCH /v1/email/messages/{id}`, as `updateMessage`. */
  update(input: Defaulted<UpdateMessageInput, 'address'>, options?: CallOptions): Promise<UpdateMessageReply>;

  /** Delete a message: `DELETE /v1/email/messages/{id}`, as `deleteMessage`. */
  delete(input: Defaulted<DeleteMessageInput, 'address'>, options?: CallOptions): Promise<DeleteMessageReply>;

  /** Wait for the next message: `GET /v1/email/wait`, as `waitForMail`. */
  wait(input?: WaitForMailInput, options?: CallOptions): Promise<WaitForMailReply>;

  /** Download a raw message: `GET /v1/email/messages/{id}/raw`, as `getRawMessage`. */
  raw(input: Defaulted<GetRawMessageInput, 'address'>, options?: CallOptions): Promise<GetRawMessageReply>;

  /** Download an attachment: `GET /v1/email/messages/{id}/attachments/{n}`, as `getAttachment`. */
  attachment(input: Defaulted<GetAttachmentInput, 'address'>, options?: CallOptions): Promise<GetAttachmentReply>;

  /** Get remote pictures of a message: `POST /v1/email/messages/{id}/pictures`, as `loadPictures`. */
  loadPictures(input: Defaulted<LoadPicturesInput, 'address'>, options?: CallOptions): Promise<LoadPicturesReply>;

  /** List conversations: `GET /v1/email/threads`, as `listThreads`. */
  threads(input?: Defaulted<ListThreadsInput, 'address'>, options?: CallOptions): Promise<ListThreadsReply>;

  /** Read a conversation: `GET /v1/email/threads/{id}`, as `getThread`. */
  thread(input: GetThreadInput, options?: CallOptions): Promise<GetThreadReply>;

  /** Update all messages of a conversation: `PATCH /v1/email/threads/{id}`, as `updateThread`. */
  updateThread(input: UpdateThreadInput, options?: CallOptions): Promise<UpdateThreadReply>;

  /** Send an email: `POST /v1/email/send`, as `sendEmail`. */
  send(input: Defaulted<SendEmailInput, 'from'>, options?: CallOptions): Promise<SendEmailReply>;

  /** List sent mail, newest first: `GET /v1/email/outbox`, as `listOutbox`. */
  outbox(input?: ListOutboxInput, options?: CallOptions): Promise<ListOutboxReply>;

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
  list(input?: ListEventsInput, options?: CallOptions): Promise<EventPage>;

  /** Create a ticket for a WebSocket: `POST /v1/ws/tickets`, as `createSocketTicket`. */
  createSocketTicket(input?: CreateSocketTicketInput, options?: CallOptions): Promise<CreateSocketTicketReply>;
}

export interface FindingsMethods {
  /** Submit a security finding: `POST /v1/agents/{agentId}/findings`, as `submitFinding`. */
  submit(input: SubmitFindingInput, options?: CallOptions): Promise<SubmitFindingReply>;

  /** List the findings of an agent: `GET /v1/agents/{agentId}/findings`, as `listFindings`. */
  list(input: ListFindingsInput, options?: CallOptions): Promise<ListFindingsReply>;

  /** Get a signed finding: `GET /v1/findings/{jti}`, as `getFinding`. */
  get(input: GetFindingInput, options?: CallOptions): Promise<GetFindingReply>;

  /** Accept or reject a finding: `POST /v1/findings/{jti}/outcome`, as `judgeFinding`. */
  judge(input: JudgeFindingInput, options?: CallOptions): Promise<JudgeFindingReply>;

  /** Get the track record of an agent: `GET /v1/agents/{agentId}/track-record`, as `getTrackRecord`. */
  getTrackRecord(input: GetTrackRecordInput, options?: CallOptions): Promise<GetTrackRecordReply>;

  /** Create a program: `POST /v1/programs`, as `createProgram`. */
  createProgram(input: CreateProgramInput, options?: CallOptions): Promise<CreateProgramReply>;

  /** List programs: `GET /v1/programs`, as `listPrograms`. */
  listPrograms(input?: ListProgramsInput, options?: CallOptions): Promise<ListProgramsReply>;

  /** End a program: `DELETE /v1/programs/{programId}`, as `endProgram`. */
  endProgram(input: EndProgramInput, options?: CallOptions): Promise<EndProgramReply>;
}

export interface InboxMethods {
  /** Claim an address: `POST /v1/inbox`, as `createInbox`. */
  create(input?: CreateInboxInput, options?: CallOptions): Promise<CreateInboxReply>;

  /** List the messages of an address: `GET /v1/inbox/{address}`, as `getInbox`. */
  get(input: GetInboxInput, options?: CallOptions): Promise<GetInboxReply>;

  /** Read a message: `GET /v1/inbox/{address}/messages/{id}`, as `getInboxMessage`. */
  getInboxMessage(input: GetInboxMessageInput, options?: CallOptions): Promise<GetInboxMessageReply>;

  /** Send an email from this address: `POST /v1/inbox/{address}/send`, as `sendFromInbox`. */
  send(input: SendFromInboxInput, options?: CallOptions): Promise<SendFromInboxReply>;
}

export interface MCPMethods {
  /** Use Signet as an MCP server: `POST /mcp`, as `callMcp`. */
  callMcp(input?: CallMcpInput, options?: CallOptions): Promise<CallMcpReply>;

  /** Use one group of MCP tools: `POST /mcp/x/{group}`, as `callMcpGroup`. */
  callMcpGroup(input: CallMcpGroupInput, options?: CallOptions): Promise<CallMcpGroupReply>;
}

export interface OAuthMethods {
  /** Get the page that lets a client in (RFC 6749 4.1): `GET /oauth/authorize`, as `authorizeClient`. */
  authorizeClient(input?: AuthorizeClientInput, options?: CallOptions): Promise<AuthorizeClientReply>;

  /** Let a client in, or deny it: `POST /oauth/consent`, as `decideConsent`. */
  decideConsent(input: DecideConsentInput, options?: CallOptions): Promise<DecideConsentReply>;

  /** Register a client (RFC 7591): `POST /oauth/register`, as `registerClient`. */
  registerClient(input?: RegisterClientInput, options?: CallOptions): Promise<RegisterClientReply>;

  /** Get an access token (RFC 6749, RFC 8693): `POST /oauth/token`, as `exchangeToken`. */
  exchangeToken(input: ExchangeTokenInput, options?: CallOptions): Promise<ExchangeTokenReply>;

  /** List the clients that people let act for the account: `GET /v1/account/grants`, as `listGrants`. */
  listGrants(input?: ListGrantsInput, options?: CallOptions): Promise<ListGrantsReply>;

  /** End the access of a client: `DELETE /v1/account/grants/{id}`, as `endGrant`. */
  endGrant(input: EndGrantInput, options?: CallOptions): Promise<EndGrantReply>;

  /** Revoke a token of a client (RFC 7009): `POST /oauth/revoke`, as `revokeClientToken`. */
  revokeClientToken(input: RevokeClientTokenInput, options?: CallOptions): Promise<RevokeClientTokenReply>;
}

export interface ObservationsMethods {
  /** Record an observation: `POST /v1/observations`, as `createObservation`. */
  create(input: CreateObservationInput, options?: CallOptions): Promise<CreateObservationReply>;

  /** List observations: `GET /v1/observations`, as `listObservations`. */
  list(input?: ListObservationsInput, options?: CallOptions): Promise<ListObservationsReply>;

  /** List topics: `GET /v1/observations/topics`, as `listObservationTopics`. */
  listObservationTopics(input?: ListObservationTopicsInput, options?: CallOptions): Promise<ListObservationTopicsReply>;

  /** Get an observation: `GET /v1/observations/{id}`, as `getObservation`. */
  get(input: GetObservationInput, options?: CallOptions): Promise<GetObservationReply>;
}

export interface OperatorsMethods {
  /** List your agents: `GET /v1/operator/agents`, as `listOperatorAgents`. */
  listOperatorAgents(input?: ListOperatorAgentsInput, options?: CallOptions): Promise<ListOperatorAgentsReply>;

  /** Suspend an agent: `POST /v1/operator/agents/{id}/suspend`, as `suspendAgent`. */
  suspendAgent(input: SuspendAgentInput, options?: CallOptions): Promise<SuspendAgentReply>;

  /** Resume an agent: `POST /v1/operator/agents/{id}/resume`, as `resumeAgent`. */
  resumeAgent(input: ResumeAgentInput, options?: CallOptions): Promise<ResumeAgentReply>;
}

export interface PagesMethods {
  /** Get the page of an unsubscribe link: `GET /unsubscribe/{token}`, as `getUnsubscribePage`. */
  getUnsubscribe(input: GetUnsubscribePageInput, options?: CallOptions): Promise<GetUnsubscribePageReply>;

  /** Unsubscribe with one click: `POST /unsubscribe/{token}`, as `unsubscribe`. */
  unsubscribe(input: UnsubscribeInput, options?: CallOptions): Promise<UnsubscribeReply>;

  /** Get the landing page: `GET /`, as `getLandingPage`. */
  getLanding(input?: GetLandingPageInput, options?: CallOptions): Promise<GetLandingPageReply>;

  /** Get the login page: `GET /login`, as `getLoginPage`. */
  getLogin(input?: GetLoginPageInput, options?: CallOptions): Promise<GetLoginPageReply>;

  /** Get the vault recovery page: `GET /recover`, as `getRecoverPage`. */
  getRecover(input?: GetRecoverPageInput, options?: CallOptions): Promise<GetRecoverPageReply>;

  /** Get the console: `GET /dashboard`, as `getDashboardPage`. */
  getDashboard(input?: GetDashboardPageInput, options?: CallOptions): Promise<GetDashboardPageReply>;

  /** Get the approval page: `GET /approve`, as `getApprovePage`. */
  getApprove(input?: GetApprovePageInput, options?: CallOptions): Promise<GetApprovePageReply>;

  /** Get the review page: `GET /review`, as `getReviewPage`. */
  getReview(input?: GetReviewPageInput, options?: CallOptions): Promise<GetReviewPageReply>;

  /** Get the confirmation page: `GET /confirm`, as `getConfirmPage`. */
  getConfirm(input?: GetConfirmPageInput, options?: CallOptions): Promise<GetConfirmPageReply>;

  /** Get the credential page: `GET /credentials`, as `getCredentialsPage`. */
  getCredentials(input?: GetCredentialsPageInput, options?: CallOptions): Promise<GetCredentialsPageReply>;

  /** Get an asset of the pages: `GET /assets/{name}`, as `getAsset`. */
  getAsset(input: GetAssetInput, options?: CallOptions): Promise<GetAssetReply>;

  /** Get a file of the console: `GET /assets/{tree}/{folder}/{name}`, as `getConsoleFile`. */
  getConsoleFile(input: GetConsoleFileInput, options?: CallOptions): Promise<GetConsoleFileReply>;
}

export interface PasskeysMethods {
  /** Get options to create a passkey: `POST /v1/passkeys/options`, as `createPasskeyOptions`. */
  createPasskeyOptions(input?: CreatePasskeyOptionsInput, options?: CallOptions): Promise<CreatePasskeyOptionsReply>;

  /** Add a passkey: `POST /v1/passkeys`, as `addPasskey`. */
  add(input: AddPasskeyInput, options?: CallOptions): Promise<AddPasskeyReply>;

  /** List your passkeys: `GET /v1/passkeys`, as `listPasskeys`. */
  list(input?: ListPasskeysInput, options?: CallOptions): Promise<ListPasskeysReply>;

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
  updateOperatorSettings(input: UpdateOperatorSettingsInput, options?: CallOptions): Promise<UpdateOperatorSettingsReply>;
}

export interface PodsMethods {
  /** Create a pod: `POST /v1/pods`, as `createPod`. */
  create(input?: CreatePodInput, options?: CallOptions): Promise<CreatePodReply>;

  /** List pods, newest first: `GET /v1/pods`, as `listPods`. */
  list(input?: ListPodsInput, options?: CallOptions): Promise<ListPodsReply>;

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
  list(input?: ListQuarantineInput, options?: CallOptions): Promise<ListQuarantineReply>;

  /** Release a message from quarantine: `POST /v1/email/quarantine/{id}/release`, as `releaseQuarantined`. */
  release(input: ReleaseQuarantinedInput, options?: CallOptions): Promise<ReleaseQuarantinedReply>;

  /** Delete a message in quarantine: `DELETE /v1/email/quarantine/{id}`, as `deleteQuarantined`. */
  delete(input: DeleteQuarantinedInput, options?: CallOptions): Promise<DeleteQuarantinedReply>;
}

export interface ReviewsMethods {
  /** List held emails, newest first: `GET /v1/email/reviews`, as `listReviews`. */
  list(input?: ListReviewsInput, options?: CallOptions): Promise<ListReviewsReply>;

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
  list(input?: ListStacksInput, options?: CallOptions): Promise<ListStacksReply>;

  /** Get a domain: `GET /v1/stack/{id}`, as `getStack`. */
  get(input: GetStackInput, options?: CallOptions): Promise<GetStackReply>;

  /** Verify a domain: `POST /v1/stack/{id}/verify`, as `verifyStack`. */
  verify(input: VerifyStackInput, options?: CallOptions): Promise<VerifyStackReply>;

  /** Delete a domain: `DELETE /v1/stack/{id}`, as `deleteStack`. */
  delete(input: DeleteStackInput, options?: CallOptions): Promise<DeleteStackReply>;
}

export interface SuppressionsMethods {
  /** List recipients that get no more mail: `GET /v1/email/suppressions`, as `listSuppressions`. */
  list(input?: ListSuppressionsInput, options?: CallOptions): Promise<ListSuppressionsReply>;

  /** Let mail go to a recipient again: `DELETE /v1/email/suppressions/{address}`, as `deleteSuppression`. */
  delete(input: DeleteSuppressionInput, options?: CallOptions): Promise<DeleteSuppressionReply>;
}

export interface TokensMethods {
  /** Issue a token: `POST /v1/tokens/issue`, as `issueToken`. */
  issue(input: IssueTokenInput, options?: CallOptions): Promise<IssueTokenReply>;

  /** List issued tokens: `GET /v1/tokens`, as `listTokens`. */
  list(input?: ListTokensInput, options?: CallOptions): Promise<ListTokensReply>;

  /** Introspect a token (RFC 7662): `POST /v1/tokens/introspect`, as `introspectToken`. */
  introspect(input?: IntrospectTokenInput, options?: CallOptions): Promise<IntrospectTokenReply>;

  /** Get the status of a token: `GET /v1/audit/{jti}`, as `getTokenStatus`. */
  getTokenStatus(input: GetTokenStatusInput, options?: CallOptions): Promise<GetTokenStatusReply>;

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
  list(input?: ListVaultKeysInput, options?: CallOptions): Promise<ListVaultKeysReply>;

  /** List the keys of the vault: `GET /v1/vault`, as `listVaultKeysAlias`. */
  listVaultKeysAlias(input?: ListVaultKeysAliasInput, options?: CallOptions): Promise<ListVaultKeysAliasReply>;

  /** Store a sealed value as a new key or a new version: `PUT /v1/vault/{key}`, as `putVaultEntry`. */
  put(input: PutVaultEntryInput, options?: CallOptions): Promise<PutVaultEntryReply>;

  /** Get a sealed value: `GET /v1/vault/{key}`, as `getVaultEntry`. */
  get(input: GetVaultEntryInput, options?: CallOptions): Promise<GetVaultEntryReply>;

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
  create(input: CreateWebhookInput, options?: CallOptions): Promise<CreateWebhookReply>;

  /** List webhooks, oldest first: `GET /v1/email/webhooks`, as `listWebhooks`. */
  list(input?: ListWebhooksInput, options?: CallOptions): Promise<ListWebhooksReply>;

  /** Create a webhook for events of any type: `POST /v1/webhooks`, as `createEventWebhook`. */
  createEvent(input: CreateEventWebhookInput, options?: CallOptions): Promise<CreateEventWebhookReply>;

  /** List all webhooks, oldest first: `GET /v1/webhooks`, as `listEventWebhooks`. */
  listEvent(input?: ListEventWebhooksInput, options?: CallOptions): Promise<ListEventWebhooksReply>;

  /** Get a webhook: `GET /v1/webhooks/{id}`, as `getEventWebhook`. */
  getEvent(input: GetEventWebhookInput, options?: CallOptions): Promise<GetEventWebhookReply>;

  /** Change, pause or resume a webhook: `PATCH /v1/webhooks/{id}`, as `updateEventWebhook`. */
  updateEvent(input: UpdateEventWebhookInput, options?: CallOptions): Promise<UpdateEventWebhookReply>;

  /** Delete a webhook and its deliveries: `DELETE /v1/email/webhooks/{id}`, as `deleteWebhook`. */
  delete(input: DeleteWebhookInput, options?: CallOptions): Promise<DeleteWebhookReply>;

  /** Send a ping to a webhook: `POST /v1/email/webhooks/{id}/test`, as `testWebhook`. */
  test(input: TestWebhookInput, options?: CallOptions): Promise<TestWebhookReply>;

  /** List deliveries, newest first: `GET /v1/email/webhooks/{id}/deliveries`, as `listWebhookDeliveries`. */
  listWebhookDeliveries(input: ListWebhookDeliveriesInput, options?: CallOptions): Promise<ListWebhookDeliveriesReply>;

  /** Retry a delivery now: `POST /v1/email/webhooks/{id}/deliveries/{delivery_id}/retry`, as `retryWebhookDelivery`. */
  retryWebhookDelivery(input: RetryWebhookDeliveryInput, options?: CallOptions): Promise<RetryWebhookDeliveryReply>;

  /** Delete a webhook and its deliveries: `DELETE /v1/webhooks/{id}`, as `deleteEventWebhook`. */
  deleteEvent(input: DeleteEventWebhookInput, options?: CallOptions): Promise<DeleteEventWebhookReply>;

  /** Send a ping to a webhook: `POST /v1/webhooks/{id}/test`, as `testEventWebhook`. */
  testEvent(input: TestEventWebhookInput, options?: CallOptions): Promise<TestEventWebhookReply>;

  /** List deliveries, newest first: `GET /v1/webhooks/{id}/deliveries`, as `listEventWebhookDeliveries`. */
  listEventWebhookDeliveries(input: ListEventWebhookDeliveriesInput, options?: CallOptions): Promise<ListEventWebhookDeliveriesReply>;

  /** Retry a delivery now: `POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry`, as `retryEventWebhookDelivery`. */
  retryEventWebhookDelivery(input: RetryEventWebhookDeliveryInput, options?: CallOptions): Promise<RetryEventWebhookDeliveryReply>;

  /** Replace the secret of a webhook: `POST /v1/webhooks/{id}/rotate-secret`, as `rotateWebhookSecret`. */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<RotateWebhookSecretReply>;

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
  documents: DocumentsMethods;
  drafts: DraftsMethods;
  email: EmailMethods;
  events: EventsMethods;
  findings: FindingsMethods;
  inbox: InboxMethods;
  mCP: MCPMethods;
  oAuth: OAuthMethods;
  observations: ObservationsMethods;
  operators: OperatorsMethods;
  pages: PagesMethods;
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

export const METHODS = {
  accounts: {
    payments: 'listPayments',
    listNotices: 'listNotices',
    undoNotice: 'undoNotice',
    login: 'login',
    verifyLogin: 'verifyLogin',
    logout: 'logout',
    createKey: 'createKey',
    createKeyAlias: 'createKeyAlias',
    rotateKey: 'rotateKey',
    generateBackupKey: 'generateBackupKey',
    activateBackupKey: 'activateBackupKey',
    deleteBackupKey: 'deleteBackupKey',
    listKeys: 'listKeys',
    listAccountKeys: 'listAccountKeys',
    createNamedKey: 'createNamedKey',
    deleteNamedKey: 'deleteNamedKey',
    rotateNamedKey: 'rotateNamedKey',
    secure: 'secureAccount',
    setRecoveryEmail: 'setRecoveryEmail',
    setOperatorEmail: 'setOperatorEmail',
    removeOperator: 'removeOperator',
    viewConfirmation: 'viewConfirmation',
    confirmPerson: 'confirmPerson',
    listSessions: 'listSessions',
    endSession: 'endSession',
    register: 'register',
    get: 'getAccount',
    usage: 'getUsage',
    billing: 'getBilling',
    delete: 'deleteAccount',
    cancelAccountDeletion: 'cancelAccountDeletion',
    export: 'exportAccount',
  },
  approvals: {
    list: 'listApprovals',
    get: 'getApproval',
    approve: 'approveCharge',
    reject: 'rejectCharge',
    view: 'viewApproval',
    decide: 'decideApproval',
  },
  audit: {
    list: 'listAuditEntries',
    listAuditSeals: 'listAuditSeals',
    listRequests: 'listRequests',
  },
  budget: {
    get: 'getBudget',
    set: 'setBudget',
    history: 'getBudgetHistory',
    charge: 'charge',
  },
  calendar: {
    create: 'createCalendarEvent',
    list: 'listCalendarEvents',
    get: 'getCalendarEvent',
    update: 'updateCalendarEvent',
    delete: 'deleteCalendarEvent',
    respond: 'respondToInvitation',
    getCalendarFeed: 'getCalendarFeed',
    rotateCalendarFeed: 'rotateCalendarFeed',
    readCalendarFeed: 'readCalendarFeed',
    getCalendarSettings: 'getCalendarSettings',
    setCalendarSettings: 'setCalendarSettings',
  },
  credentials: {
    request: 'requestCredential',
    poll: 'pollCredential',
    listCredentialRequests: 'listCredentialRequests',
    verifyCredentialOperator: 'verifyCredentialOperator',
    viewCredentialRequest: 'viewCredentialRequest',
    approve: 'approveCredential',
  },
  delegations: {
    create: 'createDelegation',
    list: 'listDelegations',
    end: 'endDelegation',
  },
  discovery: {
    getJwks: 'getJwks',
    getOpenIdConfiguration: 'getOpenIdConfiguration',
    getAuthorizationServerMetadata: 'getAuthorizationServerMetadata',
    getProtectedResourceMetadata: 'getProtectedResourceMetadata',
    getServiceDid: 'getServiceDid',
    getAgentCard: 'getAgentCard',
  },
  documents: {
    getLlmsText: 'getLlmsText',
    getLlmsFullText: 'getLlmsFullText',
    getSkill: 'getSkill',
    listAgentSkills: 'listAgentSkills',
    getDocsPage: 'getDocsPage',
    getOperationPage: 'getOperationPage',
  },
  drafts: {
    create: 'createDraft',
    list: 'listDrafts',
    get: 'getDraft',
    update: 'updateDraft',
    delete: 'deleteDraft',
    send: 'sendDraft',
  },
  email: {
    claim: 'claimAddress',
    release: 'releaseAddress',
    updateAddress: 'updateAddress',
    addresses: 'listAddresses',
    policy: 'getMailPolicy',
    setPolicy: 'setMailPolicy',
    getReviewAttachment: 'getReviewAttachment',
    viewReview: 'viewReview',
    viewReviewAttachment: 'viewReviewAttachment',
    decideReview: 'decideReview',
    rotateEncryptionKey: 'rotateEncryptionKey',
    deleteEncryptionKey: 'deleteEncryptionKey',
    inbox: 'listInbox',
    read: 'getMessage',
    update: 'updateMessage',
    delete: 'deleteMessage',
    wait: 'waitForMail',
    raw: 'getRawMessage',
    attachment: 'getAttachment',
    loadPictures: 'loadPictures',
    threads: 'listThreads',
    thread: 'getThread',
    updateThread: 'updateThread',
    send: 'sendEmail',
    outbox: 'listOutbox',
    getSent: 'getSentEmail',
    reply: 'replyToMessage',
    replyAll: 'replyToAll',
    forward: 'forwardMessage',
  },
  events: {
    list: 'listEvents',
    createSocketTicket: 'createSocketTicket',
  },
  findings: {
    submit: 'submitFinding',
    list: 'listFindings',
    get: 'getFinding',
    judge: 'judgeFinding',
    getTrackRecord: 'getTrackRecord',
    createProgram: 'createProgram',
    listPrograms: 'listPrograms',
    endProgram: 'endProgram',
  },
  inbox: {
    create: 'createInbox',
    get: 'getInbox',
    getInboxMessage: 'getInboxMessage',
    send: 'sendFromInbox',
  },
  mCP: {
    callMcp: 'callMcp',
    callMcpGroup: 'callMcpGroup',
  },
  oAuth: {
    authorizeClient: 'authorizeClient',
    decideConsent: 'decideConsent',
    registerClient: 'registerClient',
    exchangeToken: 'exchangeToken',
    listGrants: 'listGrants',
    endGrant: 'endGrant',
    revokeClientToken: 'revokeClientToken',
  },
  observations: {
    create: 'createObservation',
    list: 'listObservations',
    listObservationTopics: 'listObservationTopics',
    get: 'getObservation',
  },
  operators: {
    listOperatorAgents: 'listOperatorAgents',
    suspendAgent: 'suspendAgent',
    resumeAgent: 'resumeAgent',
  },
  pages: {
    getUnsubscribe: 'getUnsubscribePage',
    unsubscribe: 'unsubscribe',
    getLanding: 'getLandingPage',
    getLogin: 'getLoginPage',
    getRecover: 'getRecoverPage',
    getDashboard: 'getDashboardPage',
    getApprove: 'getApprovePage',
    getReview: 'getReviewPage',
    getConfirm: 'getConfirmPage',
    getCredentials: 'getCredentialsPage',
    getAsset: 'getAsset',
    getConsoleFile: 'getConsoleFile',
  },
  passkeys: {
    createPasskeyOptions: 'createPasskeyOptions',
    add: 'addPasskey',
    list: 'listPasskeys',
    remove: 'removePasskey',
    createRecoveryCodes: 'createRecoveryCodes',
    createPasskeyLoginOptions: 'createPasskeyLoginOptions',
    logIn: 'logInWithPasskey',
    logInWithRecoveryCode: 'logInWithRecoveryCode',
    getOperatorSettings: 'getOperatorSettings',
    updateOperatorSettings: 'updateOperatorSettings',
  },
  pods: {
    create: 'createPod',
    list: 'listPods',
    get: 'getPod',
    update: 'updatePod',
    suspend: 'suspendPod',
    replacePodKey: 'replacePodKey',
    getPodUsage: 'getPodUsage',
  },
  profiles: {
    registerSigningKey: 'registerSigningKey',
    listSigningKeys: 'listSigningKeys',
    deleteSigningKey: 'deleteSigningKey',
    getAgent: 'getAgentProfile',
    getAgentDid: 'getAgentDid',
    getAgentJwks: 'getAgentJwks',
    get: 'getProfile',
    update: 'updateProfile',
  },
  quarantine: {
    list: 'listQuarantine',
    release: 'releaseQuarantined',
    delete: 'deleteQuarantined',
  },
  reviews: {
    list: 'listReviews',
    get: 'getReview',
    approve: 'approveReview',
    reject: 'rejectReview',
  },
  service: {
    getHealth: 'getHealth',
    getReadiness: 'getReadiness',
    getApiDescription: 'getApiDescription',
    getOpenApiFile: 'getOpenApiFile',
    getMetrics: 'getMetrics',
  },
  stacks: {
    create: 'createStack',
    list: 'listStacks',
    get: 'getStack',
    verify: 'verifyStack',
    delete: 'deleteStack',
  },
  suppressions: {
    list: 'listSuppressions',
    delete: 'deleteSuppression',
  },
  tokens: {
    issue: 'issueToken',
    list: 'listTokens',
    introspect: 'introspectToken',
    getTokenStatus: 'getTokenStatus',
    revoke: 'revokeToken',
  },
  trust: {
    submitTelemetry: 'submitTelemetry',
    get: 'getTrust',
  },
  usage: {
    getUsageDays: 'getUsageDays',
  },
  vaultEntries: {
    list: 'listVaultKeys',
    listVaultKeysAlias: 'listVaultKeysAlias',
    put: 'putVaultEntry',
    get: 'getVaultEntry',
    delete: 'deleteVaultEntry',
  },
  vaultRecovery: {
    set: 'setVaultRecovery',
    storeSeed: 'storeSeed',
    request: 'requestVaultRecovery',
    verify: 'verifyVaultRecovery',
  },
  webhooks: {
    create: 'createWebhook',
    list: 'listWebhooks',
    createEvent: 'createEventWebhook',
    listEvent: 'listEventWebhooks',
    getEvent: 'getEventWebhook',
    updateEvent: 'updateEventWebhook',
    delete: 'deleteWebhook',
    test: 'testWebhook',
    listWebhookDeliveries: 'listWebhookDeliveries',
    retryWebhookDelivery: 'retryWebhookDelivery',
    deleteEvent: 'deleteEventWebhook',
    testEvent: 'testEventWebhook',
    listEventWebhookDeliveries: 'listEventWebhookDeliveries',
    retryEventWebhookDelivery: 'retryEventWebhookDelivery',
    rotateWebhookSecret: 'rotateWebhookSecret',
    rotateEmailWebhookSecret: 'rotateEmailWebhookSecret',
  },
} as const satisfies Record<keyof MethodGroups, Record<string, OperationName>>;

/** The field that takes the only address of the account, when it is left out. */
export const OWN_ADDRESS: Readonly<Partial<Record<OperationName, 'address' | 'from'>>> = {
  listInbox: 'address',
  getMessage: 'address',
  updateMessage: 'address',
  deleteMessage: 'address',
  getRawMessage: 'address',
  getAttachment: 'address',
  loadPictures: 'address',
  listThreads: 'address',
  sendEmail: 'from',
};

/** Every operation as a method, and the groups of methods as properties. */
export abstract class Methods extends Operations {
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

  get documents(): DocumentsMethods {
    return this.group('documents');
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

  get mCP(): MCPMethods {
    return this.group('mCP');
  }

  get oAuth(): OAuthMethods {
    return this.group('oAuth');
  }

  get observations(): ObservationsMethods {
    return this.group('observations');
  }

  get operators(): OperatorsMethods {
    return this.group('operators');
  }

  get pages(): PagesMethods {
    return this.group('pages');
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
