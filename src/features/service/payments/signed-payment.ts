import type { TypedDataDomain } from 'viem';
import {
  ASSET,
  ASSET_DOMAIN,
  type Authorization,
  CHAIN_ID,
  type HexText,
  NETWORK,
  NETWORK_CAIP2,
  PRICE_USDC,
  type RefusalReason,
  type SignedPayment,
  type X402Version,
} from './payment-table.ts';

/** Enough for any wallet's signature and any client's extensions. Node accepts 16 KiB of headers in all. */
const HEADER_CHARS = 8192;
/** How far a client's clock may be ahead of ours. */
const SKEW_SECONDS = 5;
/** An authorization must stay valid for a few blocks, as facilitators require. */
const LEFT_SECONDS = 6;

/** Base64 with padding (RFC 4648 4), as clients send it. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES32 = /^0x[0-9a-fA-F]{64}$/;
/** r, s and v. Signatures of contract wallets (ERC-1271, ERC-6492) are longer, and only a chain can check them. */
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
const UINT256 = /^(?:0|[1-9]\d{0,77})$/;

type Fields = Record<string, unknown>;

/** The refusal of a payment, with its reason. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}

const refuse = (reason: RefusalReason): never => {
  throw new Refusal(reason);
};

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : refuse('invalid_payload');

function textOf(fields: Fields, name: string, form: RegExp): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' && form.test(value) ? value : refuse('invalid_payload');
}

const hexOf = (fields: Fields, name: string, form: RegExp): HexText =>
  textOf(fields, name, form).toLowerCase() as HexText;

function decode(header: string): Fields {
  if (header.length > HEADER_CHARS) refuse('too_large');
  if (header.length % 4 !== 0 || !BASE64.test(header)) refuse('invalid_base64');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64')));
  } catch {
    refuse('invalid_json');
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : refuse('invalid_json');
}

function authorizationOf(payload: Fields): Authorization {
  const fields = fieldsOf(payload.authorization);
  return {
    from: hexOf(fields, 'from', ADDRESS),
    to: hexOf(fields, 'to', ADDRESS),
    value: textOf(fields, 'value', UINT256),
    validAfter: textOf(fields, 'validAfter', UINT256),
    validBefore: textOf(fields, 'validBefore', UINT256),
    nonce: hexOf(fields, 'nonce', BYTES32),
    signature: hexOf(payload, 'signature', SIGNATURE),
  };
}

const ANY = /^[\s\S]+$/;

/** A v2 payment repeats the accepted terms. A v1 payment has scheme and network only. */
function checkTerms(fields: Fields, version: X402Version, payTo: string): void {
  const terms = version === 2 ? fieldsOf(fields.accepted) : fields;
  if (textOf(terms, 'scheme', ANY) !== 'exact') refuse('wrong_scheme');
  if (textOf(terms, 'network', ANY) !== (version === 2 ? NETWORK_CAIP2 : NETWORK)) refuse('wrong_network');
  if (version === 1) return;
  if (textOf(terms, 'asset', ANY).toLowerCase() !== ASSET.toLowerCase()) refuse('wrong_asset');
  if (textOf(terms, 'amount', ANY) !== String(PRICE_USDC)) refuse('wrong_amount');
  if (textOf(terms, 'payTo', ANY).toLowerCase() !== payTo.toLowerCase()) refuse('wrong_payee');
}

/** The scheme `exact` means the exact amount: facilitators refuse more, too. */
function checkAuthorization({ value, to, validAfter, validBefore }: Authorization, payTo: string, now: number): void {
  if (value !== String(PRICE_USDC)) refuse('wrong_amount');
  if (to !== payTo.toLowerCase()) refuse('wrong_payee');
  const seconds = BigInt(Math.floor(now / 1000));
  if (BigInt(validAfter) > seconds + BigInt(SKEW_SECONDS)) refuse('not_yet_valid');
  if (BigInt(validBefore) < seconds + BigInt(LEFT_SECONDS)) refuse('expired');
}

/**
 * Reads the payment of a request and checks it against our terms, except for the signature.
 * @returns null without a payment header
 * @throws Refusal with the reason
 */
export function readPayment(
  { header, now }: { header(name: string): string | undefined; now: number },
  payTo: string,
): SignedPayment | null {
  const [v1, v2] = [header('x-payment'), header('payment-signature')];
  if (v1 === undefined && v2 === undefined) return null;
  if (v1 !== undefined && v2 !== undefined) refuse('one_header_only');
  const version: X402Version = v2 === undefined ? 1 : 2;
  const fields = decode((v2 ?? v1) as string);
  if (fields.x402Version !== version) refuse('invalid_version');
  checkTerms(fields, version, payTo);
  const authorization = authorizationOf(fieldsOf(fields.payload));
  checkAuthorization(authorization, payTo, now);
  return { version, authorization };
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const DOMAIN: TypedDataDomain = { ...ASSET_DOMAIN, chainId: CHAIN_ID, verifyingContract: ASSET };

/** Half the order of secp256k1. The token contract refuses a larger `s`, because such a signature has a second form. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Whether the signature over this transfer is by `from` (EIP-712 over EIP-3009). */
export async function isSignedByPayer({ signature, ...authorization }: Authorization): Promise<boolean> {
  const v = signature.slice(130);
  if (v !== '1b' && v !== '1c') return false;
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER) return false;
  // Loaded on first use: most instances never see a payment.
  const { recoverTypedDataAddress } = await import('viem/utils');
  const { from, to, nonce } = authorization;
  try {
    const signer = await recoverTypedDataAddress({
      domain: DOMAIN,
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: {
        from,
        to,
        value: BigInt(authorization.value),
        validAfter: BigInt(authorization.validAfter),
        validBefore: BigInt(authorization.validBefore),
        nonce,
      },
      signature,
    });
    return signer.toLowerCase() === from;
  } catch {
    // Numbers that are not on the curve, or above 256 bits.
    return false;
  }
}
