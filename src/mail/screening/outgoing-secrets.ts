/**
 * Looks for secrets in outgoing mail. It finds what stands there as text; who encodes a secret gets past it. So it helps
 * against an agent that was talked into sending one, and is no boundary.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLong } from '../../base/byte-slices.ts';

/** Our own keys, sessions and links, by their shape: a prefix and 32 characters. */
const OWN = /(?:signet_[a-z]{2,8}|session|whsec|device|wst)_[0-9A-Za-z]{32}/;
const OWN_PREFIXES = ['signet_', 'session_', 'whsec_', 'device_', 'wst_'];

/** Well-known kinds, each with a text that every one of them begins with. */
const KINDS: readonly { name: string; prefix: string; shape: RegExp }[] = [
  { name: 'private key', prefix: '-----BEGIN', shape: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/ },
  { name: 'AWS access key', prefix: 'AKIA', shape: /\bAKIA[0-9A-Z]{16}\b/ },
  { name: 'AWS access key', prefix: 'ASIA', shape: /\bASIA[0-9A-Z]{16}\b/ },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ({
    name: 'GitHub token',
    prefix,
    shape: /\bgh[pousr]_[0-9A-Za-z]{36,255}\b/,
  })),
  { name: 'GitHub token', prefix: 'github_pat_', shape: /\bgithub_pat_[0-9A-Za-z_]{60,100}\b/ },
  { name: 'GitLab token', prefix: 'glpat-', shape: /\bglpat-[0-9A-Za-z_-]{20,64}/ },
  { name: 'Slack token', prefix: 'xox', shape: /\bxox[abeoprs]-[0-9A-Za-z-]{10,200}/ },
  { name: 'Stripe key', prefix: '_live_', shape: /\b[rs]k_live_[0-9A-Za-z]{16,128}/ },
  { name: 'OpenAI or Anthropic key', prefix: 'sk-', shape: /\bsk-(?:[a-z]{2,8}[0-9]{0,2}-)?[0-9A-Za-z_-]{20,200}/ },
  { name: 'Google API key', prefix: 'AIza', shape: /\bAIza[0-9A-Za-z_-]{35}/ },
  { name: 'npm token', prefix: 'npm_', shape: /\bnpm_[0-9A-Za-z]{36}\b/ },
  { name: 'SendGrid key', prefix: 'SG.', shape: /\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}/ },
  { name: 'Hugging Face token', prefix: 'hf_', shape: /\bhf_[0-9A-Za-z]{34,64}\b/ },
];

/** Whether any of them begins somewhere: one look through a short text, where most mails have none. */
const ANY_PREFIX = new RegExp(
  [...OWN_PREFIXES, ...KINDS.map(({ prefix }) => prefix)].map((prefix) => prefix.replaceAll('.', '\\.')).join('|'),
);

/** What is looked at around a place where a prefix stands. */
const AROUND = { before: 16, after: 300 };
/** Places of one prefix that are looked at. A file full of prefixes must not hold the thread. */
const PLACES_MAX = 20_000;

/** Whether the bytes have the shape near one of the places of the prefix. The search for the prefix is fast at any size. */
function has(bytes: Buffer, prefix: string, shape: RegExp): boolean {
  let at = bytes.indexOf(prefix);
  for (let places = 0; at >= 0 && places < PLACES_MAX; places++) {
    const around = bytes.toString('latin1', Math.max(0, at - AROUND.before), at + AROUND.after);
    if (shape.test(around)) return true;
    at = bytes.indexOf(prefix, at + prefix.length);
  }
  return false;
}

/** Text without invisible characters, which could split a secret. */
const visible = (text: string): string => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** A file of text has no NUL near its beginning. */
const isText = (bytes: Buffer): boolean => !bytes.subarray(0, 8192).includes(0);

/** What {@link secretsIn} finds. */
export interface FoundSecrets {
  /** Whether there is a key, session or link of this service. */
  own: boolean;
  /** The kinds of other well-known secrets, each once. */
  kinds: string[];
}

/** Finds secrets in the texts and attached files of a mail. Other work can run between the looks into a large file. */
export async function secretsIn(texts: readonly string[], files: readonly Buffer[]): Promise<FoundSecrets> {
  const found = { own: false, kinds: new Set<string>() };
  const text = visible(texts.join('\n'));
  const mayHaveSome = isLong(text.length) || ANY_PREFIX.test(text);
  for (const bytes of [...(mayHaveSome ? [Buffer.from(text)] : []), ...files]) {
    for (const prefix of OWN_PREFIXES) {
      found.own ||= has(bytes, prefix, OWN);
      if (isLong(bytes.length)) await nextTurn();
    }
    for (const { name, prefix, shape } of isText(bytes) ? KINDS : []) {
      if (has(bytes, prefix, shape)) found.kinds.add(name);
      if (isLong(bytes.length)) await nextTurn();
    }
  }
  return { own: found.own, kinds: [...new Set(KINDS.map(({ name }) => name).filter((name) => found.kinds.has(name)))] };
}
