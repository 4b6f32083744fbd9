import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Api, ApiReply } from './harness.ts';

/** A passkey in memory, for tests over HTTP. What Chromium does is in test/process/passkeys.test.ts. */

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url');

/** CBOR (RFC 8949) of what an attestation holds: maps, texts, bytes and small numbers. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, member]) => [cbor(key), cbor(member as Uint8Array)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

export interface CeremonyOptions {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

/** What a test can make wrong. */
export interface Faults {
  origin?: string;
  /** The host name that the authenticator signs for. */
  rpId?: string;
  /** False: the user was present and not verified. */
  verified?: boolean;
  challenge?: string;
  /** The counter that it shows. By default it rises by one. */
  counter?: number;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export class SoftwarePasskey {
  readonly credentialId = base64url(randomBytes(16));
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: Map<number, number | Uint8Array>;
  counter = 0;

  /** @param origin of the page that uses it */
  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const point = (text: string): Uint8Array => Buffer.from(text, 'base64url');
    this.#publicKey = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]);
  }

  /** What `navigator.credentials.create` answers, as JSON. */
  create(options: CeremonyOptions, faults: Faults = {}): Record<string, unknown> {
    const id = Buffer.from(this.credentialId, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(this.#publicKey)]);
    const authData = Buffer.concat([this.#authData(options, faults, HAS_CREDENTIAL), credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#envelope({
      clientDataJSON: this.#clientData('webauthn.create', options, faults),
      attestationObject: base64url(cbor(attestation)),
      transports: ['internal'],
    });
  }

  /** What `navigator.credentials.get` answers, as JSON. */
  get(options: CeremonyOptions, faults: Faults = {}): Record<string, unknown> {
    const clientDataJSON = this.#clientData('webauthn.get', options, faults);
    const authData = this.#authData(options, faults, 0);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const signature = base64url(sign('sha256', signed, this.#privateKey));
    return this.#envelope({ clientDataJSON, authenticatorData: base64url(authData), signature });
  }

  #envelope(response: object): Record<string, unknown> {
    const { credentialId: id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, options: CeremonyOptions, faults: Faults): string {
    const { origin = this.#origin, challenge = options.challenge } = faults;
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authData(options: CeremonyOptions, { rpId, verified = true, counter }: Faults, flags: number): Buffer {
    this.counter = counter ?? this.counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const all = flags | USER_PRESENT | (verified ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(rpId ?? options.rp?.id ?? options.rpId ?? ''), Buffer.from([all]), count]);
  }
}

/** Adds a passkey in a session. */
export async function addPasskey(session: Api, passkey: SoftwarePasskey, faults: Faults = {}): Promise<ApiReply> {
  const options = await session.post('/v1/passkeys/options');
  if (options.status !== 200) throw new Error(`no options: ${options.status} ${options.text}`);
  return session.post('/v1/passkeys', passkey.create(options.body, faults));
}

/** Logs in with a passkey. */
export async function logInWith(anyone: Api, passkey: SoftwarePasskey, faults: Faults = {}): Promise<ApiReply> {
  const options = await anyone.post('/v1/auth/passkey/options');
  if (options.status !== 200) throw new Error(`no options: ${options.status} ${options.text}`);
  return anyone.post('/v1/auth/passkey', passkey.get(options.body, faults));
}
