import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { makePrivateFile, readIfThere } from '../../base/private-file.ts';

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
  await makePrivateFile(path, privateKey);
  return (await readKey(path)) ?? privateKey;
}

async function readKey(path: string): Promise<string | null> {
  const text = await readIfThere(path);
  if (text === null) return null;
  try {
    createPrivateKey(text);
  } catch {
    throw new Error('the DKIM key in the data folder is no private key in PEM');
  }
  return text;
}
