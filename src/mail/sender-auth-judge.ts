/** What the mail library finds out about a message. Runs in a thread of its own: see sender-auth-worker.ts. */
import type { DNSResolver } from 'mailauth';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { slicesOf } from './byte-slices.ts';
import type { AuthWord, SenderVerdict } from './sender-auth.ts';

export interface Session {
  ip: string;
  helo: string;
  /** The reverse path, '' for a bounce. */
  sender: string;
}

const WORDS: readonly string[] = ['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'];

/** `policy`: signed, but in a way that no longer counts (RFC 8301). */
const wordOf = (word: string | undefined): AuthWord =>
  word === 'policy' ? 'fail' : WORDS.includes(word ?? '') ? (word as AuthWord) : 'none';

/** @throws whatever the library throws at a message it cannot read */
export async function judge(raw: Buffer, session: Session, resolver: DNSResolver): Promise<SenderVerdict> {
  const [signed, sent] = await Promise.all([
    // Strict: a changed body is `fail` and not `neutral`. A sender of its own, or it would read Return-Path.
    dkimVerify(slicesOf(raw), { resolver, sender: session.sender || 'unknown', strict: true }),
    spf({ ...session, mta: 'localhost', resolver }),
  ]);
  const passed = signed.results.filter(({ status }) => status.result === 'pass');
  const spfDomain = sent.status.result === 'pass' ? sent.domain : false;
  const { response } = await evaluateDmarc({
    headerFrom: signed.headerFrom ?? [],
    fromFields: signed.fromFields,
    spfDomains: spfDomain ? [spfDomain] : [],
    dkimDomains: passed.map(({ signingDomain, status }) => ({
      domain: signingDomain,
      aligned: status.aligned,
      underSized: status.underSized,
    })),
    resolver,
  } as Parameters<typeof evaluateDmarc>[0]);
  const dmarc = response === false ? 'none' : wordOf(response.status.result);
  const authors = new Set((signed.headerFrom ?? []).map((author) => author.toLowerCase()));
  const fromDomain = authors.size === 1 ? ([...authors][0] ?? '').replace(/^.*@/s, '') : '';
  // A signature over the first bytes alone (l=) lets anybody write the rest.
  const isWhole = passed.some(({ status }) => status.aligned && !status.underSized);
  const policyMet = dmarc === 'pass' && (isWhole || (response !== false && Boolean(response.alignment?.spf?.result)));
  const aligned = dmarc === 'none' && response !== false && (isWhole || spfDomain === fromDomain);
  return {
    spf: wordOf(sent.status.result),
    dkim: bestOf(signed.results),
    dmarc,
    provenDomain: fromDomain !== '' && (policyMet || aligned) ? fromDomain : null,
  };
}

/** One word for all signatures: any that passes, else what was said of the first. */
function bestOf(results: readonly { status: { result?: string } }[]): AuthWord {
  const words = results.map(({ status }) => wordOf(status.result));
  return words.includes('pass') ? 'pass' : (words[0] ?? 'none');
}
