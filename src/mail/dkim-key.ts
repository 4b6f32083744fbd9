import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/**
 * Returns a function that reads the private key at `path` and makes one, RSA with 2048 bits and readable for its owner
 * alone, when there is none. Processes that start together end up with the same key. Work begins with the first call,
 * so that the start does not wait for it; after a failure the next call tries again.
 */
export function createDkimKeyFile(path: string): () => Promise<string> {
  let key: Promise<string> | null = null;
  return () => {
    key ??= readOrMake(path).catch((err: unknown) => {
      key = null;
      throw err;
    });
    return key;
  };
}

const codeOf = (err: unknown): string | undefined => (err as NodeJS.ErrnoException).code;

const makePair = () =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** A private key in PEM, and the `p=` of its DNS record (RFC 6376 3.6.1). Made off the main thread. */
export async function makeDkimPair(): Promise<{ privateKey: string; publicKey: string }> {
  const { privateKey, publicKey } = await makePair();
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey: der.toString('base64') };
}

async function readOrMake(path: string): Promise<string> {
  const known = await readKey(path);
  if (known !== null) return known;
  const { privateKey } = await makePair();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  await rm(draft, { force: true });
  try {
    const file = await open(draft, 'wx', 0o600);
    await file.writeFile(privateKey).then(() => file.sync());
    await file.close();
    // A link and not a rename: it fails where somebody was first, and that key may already be in the DNS.
    await link(draft, path);
  } catch (err) {
    if (codeOf(err) !== 'EEXIST') throw err;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKey(path)) ?? privateKey;
}

async function readKey(path: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return null;
    throw err;
  }
  try {
    createPrivateKey(text);
  } catch {
    throw new Error('the DKIM key in the data folder is no private key in PEM');
  }
  return text;
}
