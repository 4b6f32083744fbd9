import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { parseMasterKey } from '../base/sealing.ts';
import { ConfigError, type Environment, refuse, settingOf } from './config-variable.ts';
import type { VariableName } from './environment.ts';

function pemFile(env: Environment, name: VariableName): string {
  const path = env[name] as string;
  try {
    const text = readFileSync(path, 'utf8');
    return text.includes('-----BEGIN ') ? text : refuse(name, path, 'the path of a PEM file');
  } catch (err) {
    if (err instanceof ConfigError) throw err;
    return refuse(name, path, `the path of a PEM file that can be read (${(err as NodeJS.ErrnoException).code})`);
  }
}

/** The certificate of the mail server. */
export interface TlsConfig {
  /** PEM texts, as they were at the start. */
  cert: string;
  key: string;
  /** The files that they are from, which are replaced while the service runs. */
  files: { cert: string; key: string };
}

export function smtpTls(env: Environment): TlsConfig | null {
  const names = ['SMTP_TLS_CERT', 'SMTP_TLS_KEY'] as const;
  const missing = names.filter((name) => !env[name]);
  if (missing.length === 2) return null;
  if (missing[0]) refuse(missing[0], '', 'the path of a PEM file: set the certificate and the key together');
  const [cert, key] = [pemFile(env, names[0]), pemFile(env, names[1])];
  try {
    createSecureContext({ cert, key });
  } catch (err) {
    refuse(
      'SMTP_TLS_KEY',
      env.SMTP_TLS_KEY as string,
      `the key of the certificate in SMTP_TLS_CERT (${(err as Error).message})`,
    );
  }
  return { cert, key, files: { cert: env.SMTP_TLS_CERT as string, key: env.SMTP_TLS_KEY as string } };
}

export function dkimKey(env: Environment): string | null {
  const path = settingOf(env, 'DKIM_KEY');
  if (!path) return null;
  const text = pemFile(env, 'DKIM_KEY');
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(text);
  } catch {
    // Refused below: the library's message could contain a part of the key.
  }
  // RFC 8301 3.2: verifiers ignore shorter ones.
  const bits = key?.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  return bits >= 1024
    ? text
    : refuse('DKIM_KEY', path, 'the path of an RSA private key in PEM, preferably of 2048 bits');
}

/** The variable is the key itself, not a path. The error message never repeats it. */
export function signingKey(env: Environment): string | null {
  const text = settingOf(env, 'SIGNING_KEY');
  if (!text) return null;
  const wants = 'an Ed25519 private key as a JWK: {"kty":"OKP","crv":"Ed25519","d":"…","x":"…"}';
  try {
    const key = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    // The public half is read from the JWK, so it must match the private one.
    const { x } = key.export({ format: 'jwk' });
    if (key.asymmetricKeyType === 'ed25519' && x === JSON.parse(text).x) return text;
  } catch {
    // Refused below: the parser's message could contain a part of the key.
  }
  return refuse('SIGNING_KEY', '…', wants);
}

/** The key itself or the file that holds it. The error message never repeats a key. */
export function masterKey(env: Environment, name: 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'): Buffer | null {
  const setting = settingOf(env, name);
  if (setting === null) return null;
  const isFile = setting.startsWith('file:');
  const shown = isFile ? setting : '…';
  const wants = '32 bytes in base64 (openssl rand -base64 32), or file: and the path of a file that holds them';
  try {
    const key = parseMasterKey(isFile ? readFileSync(setting.slice('file:'.length), 'utf8') : setting);
    if (key) return key;
  } catch (err) {
    return refuse(name, shown, `${wants} (${(err as NodeJS.ErrnoException).code})`);
  }
  return refuse(name, shown, wants);
}
