/** The entry point of the library, `signet/client`. */
// A library has one entry point. Inside the project no file imports it, so no import loads more than it names.
// biome-ignore-all lint/performance/noBarrelFile: see above.

export type { ApprovalWait } from './approval-wait.ts';
export { type AuditChain, type AuditEntry, type AuditKey, type AuditSeal, verifyAuditChain } from './audit-chain.ts';
export type { CodeWait, ReceivedCode } from './code-wait.ts';
export { credentialFingerprint } from './credential-fingerprint.ts';
export type { EventStreamOptions } from './event-stream.ts';
export type * from './generated/operations.ts';
export type { AttachedFile, CallOptions, FullReply } from './operation.ts';
export { openCredential } from './sealed-credential.ts';
export {
  generateMailKeys,
  type MailKeys,
  type MessageOpener,
  mailKeyId,
  messageOpener,
  openMessage,
  type SealedMessage,
} from './sealed-mail.ts';
export {
  type ApprovalGroup,
  type EmailGroup,
  type EventGroup,
  SignetClient,
  type SignetOptions,
  type VaultGroup,
} from './signet-client.ts';
export {
  ApprovalRequired,
  BudgetExceeded,
  Conflict,
  Expired,
  Forbidden,
  InvalidRequest,
  LimitReached,
  NotFound,
  PaymentRequired,
  RateLimited,
  type SignetConnectionCode,
  SignetConnectionError,
  type SignetCryptoCode,
  SignetCryptoError,
  SignetError,
  type SignetErrorDetail,
  Unauthorized,
  Unavailable,
  VersionConflict,
} from './signet-error.ts';
export {
  createTokenVerifier,
  type TokenClaims,
  type TokenVerifier,
  type TokenVerifierOptions,
} from './token-verifier.ts';
export {
  openRecovered,
  type PutOptions,
  type ReadOptions,
  type RecoveredEntries,
  Vault,
  type VaultContent,
  type VaultKey,
  type VaultOptions,
} from './vault.ts';
export {
  checkVaultVersion,
  openVaultEntry,
  openVaultText,
  proveVaultVersion,
  sealVaultEntry,
  VERSION_PROOF,
} from './vault-seal.ts';
export {
  backUpSeed,
  randomSalt,
  randomSeed,
  readSeed,
  restoreSeed,
  seedFromPassphrase,
  writeSeed,
} from './vault-seed.ts';
export type { VersionStore } from './vault-versions.ts';
export { type HeaderSource, verifyWebhook, type WebhookCheck } from './webhook-proof.ts';
