import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDispatched } from './dispatch.ts';

export type Coding = 'br' | 'gzip' | 'identity';

/** Whether an `Accept-Encoding` header allows a coding (RFC 9110 12.5.3). */
export function allowsCoding(accept: string | undefined, coding: Coding): boolean {
  if (coding === 'identity') return true;
  const parts = (accept ?? '').toLowerCase().slice(0, 1000).split(',');
  const named = parts.map((part) => part.trim().split(/\s*;\s*q=/));
  const quality = (name: string) => named.find(([token]) => token === name)?.[1] ?? null;
  const isNamed = named.some(([token]) => token === coding);
  const isAny = named.some(([token]) => token === '*');
  return isNamed ? Number(quality(coding) ?? 1) > 0 : isAny && Number(quality('*') ?? 1) > 0;
}

/** A shorter reply is sent as it is. */
const COMPRESSED_FROM_BYTES = 8 * 1024;

const compress = promisify(gzip);

/** The body of a reply that may be compressed, and its headers. A compressed one would need an `ETag` for each coding: none has one. */
export async function encoded(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
  const isShort = Buffer.byteLength(text) <= COMPRESSED_FROM_BYTES;
  if (isShort || isDispatched(request.headers) || !allowsCoding(request.headers['accept-encoding'], 'gzip'))
    return text;
  reply.header('content-encoding', 'gzip');
  return compress(text, { level: 1 });
}
