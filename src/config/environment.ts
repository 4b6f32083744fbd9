/** An environment variable, for the configuration and for the table in docs/operator.md. */
export interface Variable {
  /** The value when the variable is unset or empty. Null: no default. */
  fallback: string | null;
  /** The default in words, when it is not a fixed value. */
  shown?: string;
  /** What the variable sets. */
  text: string;
  /** True: the value is never logged or shown. */
  secret?: true;
}

/** Every environment variable that the service reads. */
export const VARIABLES = {
  HOST: { fallback: '127.0.0.1', text: 'Address of the API listener.' },
  PORT: { fallback: '8787', text: 'Port of the API listener; `0` picks a free one.' },
  BASE_URL: {
    fallback: null,
    shown: 'from host and port',
    text: 'Public base address in links, tokens and discovery. Replies carry `Strict-Transport-Security` when it is `https`.',
  },
  DEVELOPMENT: {
    fallback: null,
    shown: '`on` when `HOST` and `BASE_URL` are loopback',
    text: '`on`: webhooks may go to private addresses, and payments are accepted without a facilitator and never settled. Only possible with a loopback `BASE_URL`. `off`: never.',
  },
  MAIL_DOMAIN: { fallback: 'agents.localhost', text: 'Domain of agent addresses.' },
  RESERVED_ADDRESSES: {
    fallback: null,
    text: 'Names that no agent may claim, besides the [reserved ones](mail.md#claim-an-address), separated by commas.',
  },
  POSTMASTER_MAIL: {
    fallback: null,
    text: 'Where mail to `postmaster@` and `abuse@` is forwarded. Unset: it is kept; read it with `signet postmaster list`.',
  },
  DATA_DIR: {
    fallback: './data',
    text: 'Folder of the SQLite file, master key, DKIM key, signing key and development outbox.',
  },
  DATABASE_URL: {
    fallback: null,
    text: 'A `postgres://…` URL. PostgreSQL supports any number of instances. Unset: SQLite in `DATA_DIR`.',
    secret: true,
  },
  WORKERS: {
    fallback: '1',
    text: 'Processes that serve together, 1 to 64 ([workers](operator.md#workers)). More than 1 needs PostgreSQL.',
  },
  SMTP_HOST: { fallback: '127.0.0.1', text: 'Address of the inbound SMTP listener.' },
  SMTP_PORT: { fallback: '2525', text: 'Port of the inbound SMTP listener; `off` for none, `0` picks a free one.' },
  SMTP_TLS_CERT: {
    fallback: null,
    text: 'Path of the certificate of the mail server (PEM): for STARTTLS, `IMAPS_PORT` and `SUBMISSIONS_PORT`. It is read anew when the file changes. Set it together with `SMTP_TLS_KEY`.',
  },
  SMTP_TLS_KEY: { fallback: null, text: 'Path of the private key of that certificate (PEM).' },
  IMAP_HOST: { fallback: '127.0.0.1', text: 'Address of the IMAP listeners for [mail programs](mail-programs.md).' },
  IMAP_PORT: { fallback: '1143', text: 'Port of IMAP, with STARTTLS; `off` for none, `0` picks a free one.' },
  IMAPS_PORT: {
    fallback: 'off',
    text: 'Port of IMAP over TLS, usually 993; `off` for none. It needs `SMTP_TLS_CERT`.',
  },
  SUBMISSION_HOST: { fallback: '127.0.0.1', text: 'Address of the listeners to which mail programs hand mail over.' },
  SUBMISSION_PORT: {
    fallback: '1587',
    text: 'Port of submission, with STARTTLS; `off` for none, `0` picks a free one.',
  },
  SUBMISSIONS_PORT: {
    fallback: 'off',
    text: 'Port of submission over TLS, usually 465; `off` for none. It needs `SMTP_TLS_CERT`.',
  },
  DKIM_KEY: {
    fallback: null,
    shown: 'generated as `DATA_DIR/dkim.pem`',
    text: 'Path of the RSA key (PEM) that signs outgoing mail. Set it when several instances share no `DATA_DIR`.',
  },
  DKIM_SELECTOR: { fallback: 'signet', text: 'DKIM selector. The public key is in DNS at `<selector>._domainkey`.' },
  SMTP_RELAY_URL: {
    fallback: null,
    text: 'Relay for mail to other domains, `smtp://user:pass@host:port`.',
    secret: true,
  },
  DELIVERY: {
    fallback: null,
    shown: '`relay` with `SMTP_RELAY_URL`, else `file`',
    text: 'How mail to other domains leaves: `relay`, `direct`: to the servers of its recipients ([going live](go-live.md)), or `file`: not at all, into `DATA_DIR/outbox/*.eml`.',
  },
  MAIL_HOST: {
    fallback: null,
    shown: '`MAIL_DOMAIN`',
    text: 'Host name of the SMTP server: in MX and PTR records, in its greeting and in EHLO.',
  },
  MTA_STS: {
    fallback: 'testing',
    text: 'Mode of the policy at `/.well-known/mta-sts.txt` (RFC 8461): `enforce`, `testing`, or `off`. Served when `SMTP_TLS_CERT` is set.',
  },
  DNS_SERVERS: {
    fallback: null,
    text: 'DNS servers for mail and domains, `address` or `address:port`, separated by commas. Unset: those of the system.',
  },
  DNSBL: {
    fallback: null,
    text: 'Blocklists that `signet doctor --dns` asks, such as `zen.spamhaus.org`, separated by commas.',
  },
  SIGNUP: {
    fallback: 'open',
    text: 'Who may create an account: `open`: everyone, `invite`: those with an invite, `closed`: only `signet account create`.',
  },
  ADMIN_PORT: {
    fallback: null,
    text: 'Port of the [administration API](operator.md#the-administration-api) on 127.0.0.1. Unset: off.',
  },
  AUDIT_EXPORT: {
    fallback: null,
    text: 'Where each audit entry is also written as a JSON line: `stdout`, or `file:PATH` ([audit](audit.md#export)). Unset: nowhere.',
  },
  MASTER_KEY: {
    fallback: null,
    shown: 'generated as `DATA_DIR/master.key`; required on PostgreSQL in production',
    text: 'The key that seals the secrets in the database: 32 bytes in base64, or `file:PATH` ([master key](#the-master-key)).',
    secret: true,
  },
  MASTER_KEY_PREVIOUS: {
    fallback: null,
    text: 'The master key before, in the same form, until `signet master-key rotate` has run.',
    secret: true,
  },
  SIGNING: {
    fallback: 'on',
    text: '`off`: the service issues no tokens (503 `signing_unavailable`). It still verifies tokens that it issued before.',
  },
  SIGNING_KEY: {
    fallback: null,
    shown: 'generated as `DATA_DIR/signing-key.json`',
    text: 'The Ed25519 key that signs tokens, as a private JWK ([tokens](tokens.md#the-services-signing-key)).',
    secret: true,
  },
  TRUST: {
    fallback: 'on',
    text: '`off`: no trust profiles (503 `audit_unavailable`). Observations are still recorded.',
  },
  TRUST_PROXY: {
    fallback: 'off',
    text: 'Number of proxies, or list of IP ranges, whose `X-Forwarded-For` the service trusts.',
  },
  X402_PAY_TO: {
    fallback: '0x000000000000000000000000000000000000dEaD',
    shown: 'a payee for development',
    text: 'EVM address that receives payments. Required with a facilitator.',
  },
  X402_FACILITATOR_URL: {
    fallback: null,
    text: 'URL of the x402 facilitator that settles payments. Unset: payments are not settled ([payments](payments.md#for-the-operator)).',
  },
  X402_RPC_URL: {
    fallback: 'https://mainnet.base.org',
    text: 'URL of a JSON-RPC node of Base. It is asked which event used a nonce when the facilitator says that it was used.',
    secret: true,
  },
  DISK_FREE_MIN: {
    fallback: '512M',
    text: 'Free space on the disk of `DATA_DIR`, in bytes or with K, M or G. Below it, mail is deferred with 451 and writes answer 503; reads and deletes go on. `0`: never.',
  },
  LIMITS: {
    fallback: null,
    text: 'JSON merged over the [limits](#limits), such as `{"free": {"requests_per_day": 1000}}`.',
  },
  LOG_LEVEL: { fallback: 'info', text: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.' },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;
