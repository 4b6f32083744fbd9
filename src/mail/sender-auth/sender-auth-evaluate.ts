/** Checks the sender of one message with the mail library. Runs in a separate thread: see sender-auth-worker.ts. */
import type { DNSResolver } from 'mailauth';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { slicesOf } from '../../base/byte-slices.ts';
import type { AuthResult, SenderAuthResults, SenderSession } from './sender-auth-result.ts';

const RESULTS: readonly string[] = ['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'];

/** `policy`: signed, but in a way that no longer counts (RFC 8301). */
const resultOf = (result: string | undefined): AuthResult =>
  result === 'policy' ? 'fail' : RESULTS.includes(result ?? '') ? (result as AuthResult) : 'none';

/**
 * Evaluates SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989).
 * @throws what the library throws for a message it cannot read
 */
export async function evaluateSender(
  raw: Buffer,
  session: SenderSession,
  resolver: DNSResolver,
): Promise<SenderAuthResults> {
  const [signed, sent] = await Promise.all([
    // Strict: a changed body is `fail` and not `neutral`. The sender is given, or it would read Return-Path.
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
  const dmarc = response === false ? 'none' : resultOf(response.status.result);
  const authors = new Set((signed.headerFrom ?? []).map((author) => author.toLowerCase()));
  const fromDomain = authors.size === 1 ? ([...authors][0] ?? '').replace(/^.*@/s, '') : '';
  // A signature over the first bytes only (l=) lets anyone write the rest.
  const isWhole = passed.some(({ status }) => status.aligned && !status.underSized);
  const policyMet = dmarc === 'pass' && (isWhole || (response !== false && Boolean(response.alignment?.spf?.result)));
  const aligned = dmarc === 'none' && response !== false && (isWhole || spfDomain === fromDomain);
  return {
    spf: resultOf(sent.status.result),
    dkim: bestOf(signed.results),
    dmarc,
    provenDomain: fromDomain !== '' && (policyMet || aligned) ? fromDomain : null,
  };
}

/** One result for all signatures: `pass` if any passes, else the result of the first. */
function bestOf(signatures: readonly { status: { result?: string } }[]): AuthResult {
  const results = signatures.map(({ status }) => resultOf(status.result));
  return results.includes('pass') ? 'pass' : (results[0] ?? 'none');
}
