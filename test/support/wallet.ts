import { randomBytes } from 'node:crypto';
import { recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ApiReply } from './harness.ts';

/** A payer of x402 in tests. It signs transfers like the protocol's clients, or wrongly if a test asks for that. */
export type Wallet = PrivateKeyAccount;

type Hex = `0x${string}`;

export interface Transfer {
  from: Hex;
  to: Hex;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
}

const DOMAIN = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
} as const;

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

export const newWallet = (): Wallet => privateKeyToAccount(generatePrivateKey());

const typedData = (transfer: Transfer, domain: object = {}) =>
  ({
    domain: { ...DOMAIN, ...domain },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: transfer.from,
      to: transfer.to,
      value: BigInt(transfer.value),
      validAfter: BigInt(transfer.validAfter),
      validBefore: BigInt(transfer.validBefore),
      nonce: transfer.nonce,
    },
  }) as const;

export const sign = (wallet: Wallet, transfer: Transfer, domain?: object): Promise<Hex> =>
  wallet.signTypedData(typedData(transfer, domain));

/** The signer, for a signature with low or high `s`. */
export const signerOf = (transfer: Transfer, signature: Hex): Promise<Hex> =>
  recoverTypedDataAddress({ ...typedData(transfer), signature });

/** A transfer of the price to `payTo`, valid for five minutes from `now` (milliseconds). */
export const transferTo = (payTo: string, wallet: Wallet, now: number): Transfer => ({
  from: wallet.address,
  to: payTo as Hex,
  value: '10000',
  validAfter: '0',
  validBefore: String(Math.floor(now / 1000) + 300),
  nonce: `0x${randomBytes(32).toString('hex')}`,
});

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a header holds, and fails where it does not.
export const decode = (text: string | null): any => JSON.parse(Buffer.from(text ?? '', 'base64').toString());

/** Pays for a 402 by the terms in its body (v1). */
export async function payV1(wallet: Wallet, { body }: ApiReply, now: number): Promise<{ 'x-payment': string }> {
  const { scheme, network, payTo } = body.accepts[0];
  const authorization = transferTo(payTo, wallet, now);
  const payload = { signature: await sign(wallet, authorization), authorization };
  return { 'x-payment': encode({ x402Version: 1, scheme, network, payload }) };
}

/** Pays for a 402 by the terms in its header (v2). */
export async function payV2(
  wallet: Wallet,
  { headers }: ApiReply,
  now: number,
): Promise<{ 'payment-signature': string }> {
  const { resource, accepts } = decode(headers.get('payment-required'));
  const [accepted] = accepts;
  const authorization = transferTo(accepted.payTo, wallet, now);
  const payload = { signature: await sign(wallet, authorization), authorization };
  return { 'payment-signature': encode({ x402Version: 2, resource, accepted, payload }) };
}
