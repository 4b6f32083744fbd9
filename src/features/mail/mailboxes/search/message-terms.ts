import { createHash } from 'node:crypto';
import { domainOf } from '../../../../mail/address/mail-address.ts';
import type { Metadata } from '../messages/message-metadata-schema.ts';

/** A longer term is stored as its hash: PostgreSQL cannot index it. */
const TERM_CHARS = 400;

const bounded = (kind: string, text: string): string =>
  `${kind}:${text.length <= TERM_CHARS ? text : createHash('sha256').update(text).digest('hex')}`;

const lower = (text: string): string => text.toLowerCase();

/** What an address is found by: itself, and its domain. */
const ofAddress = (kind: string, address: string): string[] => [
  bounded(kind, lower(address)),
  ...(address.includes('@') ? [bounded(kind, `@${lower(domainOf(address))}`)] : []),
];

/** An address as a filter names it, or `@` and a domain. */
export const person = (text: string): string =>
  /[^@]@/.test(text) ? lower(text) : `@${lower(text.replace(/^@/, ''))}`;

export const fromTerm = (text: string): string => bounded('f', person(text));
export const toTerm = (text: string): string => bounded('t', person(text));
export const labelTerm = (label: string): string => `l:${label}`;
export const ATTACHMENT_TERM = 'a';
export const STARRED_TERM = 's';
export const ANSWERED_TERM = 'r';
/** 24 and "24" are the same in a filter. */
export const metadataTerm = (name: string, value: unknown): string => bounded('m', `${name}=${String(value)}`);

export const metadataTerms = (metadata: Metadata | null): string[] =>
  Object.entries(metadata ?? {}).map(([name, value]) => metadataTerm(name, value));

/** What the terms of a message follow from. */
interface Described {
  address: string;
  fromAddress: string;
  recipients: { to: readonly string[]; cc: readonly string[] };
  labels: readonly string[];
  attachments: number;
  starred: boolean;
  answered: boolean;
  metadata: Metadata | null;
}

/** What lists can find a message by. The inbox itself is in almost every To, so it is no term. */
export function termsOf(message: Described): string[] {
  const { address, fromAddress, recipients, labels, attachments, metadata } = message;
  const others = [...recipients.to, ...recipients.cc].filter((recipient) => lower(recipient) !== address);
  return [
    ...new Set([
      ...ofAddress('f', fromAddress),
      ...others.flatMap((recipient) => ofAddress('t', recipient)),
      ...labels.map(labelTerm),
      ...(attachments > 0 ? [ATTACHMENT_TERM] : []),
      ...(message.starred ? [STARRED_TERM] : []),
      ...(message.answered ? [ANSWERED_TERM] : []),
      ...metadataTerms(metadata),
    ]),
  ];
}
