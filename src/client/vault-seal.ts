import { type Bytes, bytesOf, fromBase64, textOf, toBase64Url, utf8 } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';
import { hkdf, hmac, hmacHolds, open, seal } from './web-crypto.ts';

/**
 * The format of a vault entry, `signet:vault:v1` (docs/client.md, docs/vectors/vault.json). The service never
 * sees the content.
 *
 * Key: HKDF-SHA-256 of the 32-byte seed, salt of 32 zero bytes, info `signet:vault:v1:{name}`. AES-256-GCM with the name
 * as additional data. Blob: base64url(IV of 12 bytes ‖ ciphertext ‖ tag of 16 bytes).
 *
 * A blob alone does not prove its version, so a service could return an old one as the latest. The proof in the entry's
 * metadata does: HMAC-SHA-256 of `{version}.{blob}` under HKDF of the seed with the
 * info `signet:vault-version:v1:{name}`.
 */

const SEED_BYTES = 32;
/** The names that the service accepts (spec, Vault entry). */
const NAME = /^[A-Za-z0-9_\-.]{1,128}$/;

/** The metadata field with the proof. */
export const VERSION_PROOF = 'signet_version_proof';
const PROOF = /^v1\.([A-Za-z0-9_-]{43})$/;

function derive(seed: Uint8Array, purpose: 'vault' | 'vault-version', name: string): Promise<Bytes> {
  if (seed.length !== SEED_BYTES) throw new SignetCryptoError('malformed', `A seed has ${SEED_BYTES} bytes.`);
  if (!NAME.test(name)) throw new SignetCryptoError('malformed', 'This is not a valid name of a vault entry.');
  return hkdf(new Uint8Array(seed), utf8(`signet:${purpose}:v1:${name}`), 32);
}

/** Seals bytes, or text as UTF-8, under a name. The blob differs each time. */
export async function sealVaultEntry(seed: Uint8Array, name: string, content: string | Uint8Array): Promise<string> {
  return toBase64Url(await seal(await derive(seed, 'vault', name), bytesOf(content), utf8(name)));
}

/** @throws SignetCryptoError `malformed`, `truncated`, `not_authentic` */
export async function openVaultEntry(seed: Uint8Array, name: string, blob: string): Promise<Uint8Array<ArrayBuffer>> {
  return open(await derive(seed, 'vault', name), fromBase64(blob), utf8(name));
}

/** Like {@link openVaultEntry}, for text. */
export const openVaultText = async (seed: Uint8Array, name: string, blob: string): Promise<string> =>
  textOf(await openVaultEntry(seed, name, blob));

const proven = (version: number, blob: string): Bytes => utf8(`${version}.${blob}`);

/** Proves that a blob was sealed as this version of the name. Making or checking a proof requires the seed. */
export async function proveVaultVersion(
  seed: Uint8Array,
  name: string,
  version: number,
  blob: string,
): Promise<string> {
  return `v1.${toBase64Url(await hmac(await derive(seed, 'vault-version', name), proven(version, blob)))}`;
}

/** @throws SignetCryptoError `version_unproven` without a proof, `version_mismatch` with a wrong one */
export async function checkVaultVersion(
  seed: Uint8Array,
  name: string,
  version: number,
  blob: string,
  proof: unknown,
): Promise<void> {
  if (proof === undefined) {
    throw new SignetCryptoError('version_unproven', `Nothing proves that ${name} was sealed as version ${version}.`);
  }
  const mac = typeof proof === 'string' ? PROOF.exec(proof)?.[1] : undefined;
  if (mac === undefined) throw new SignetCryptoError('malformed', 'The version proof is malformed.');
  const key = await derive(seed, 'vault-version', name);
  if (await hmacHolds(key, fromBase64(mac), proven(version, blob))) return;
  throw new SignetCryptoError('version_mismatch', `${name} was not sealed as version ${version}.`);
}
