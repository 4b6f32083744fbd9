import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createTestClient, http, parseAbi, parseSignature, publicActions, walletActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import type { FacilitatorAnswer, FacilitatorCall } from './facilitator.ts';
import { compileToken } from './usdc-token.ts';
import type { Wallet } from './wallet.ts';

const ANVIL = fileURLToPath(new URL('../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil', import.meta.url));
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const TOKEN = parseAbi([
  'function mint(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function cancelAuthorization(address, bytes32, uint8, bytes32, bytes32)',
]);
const CANCEL = [
  { name: 'authorizer', type: 'address' },
  { name: 'nonce', type: 'bytes32' },
] as const;

/** The reason to skip tests with a chain, or false. */
export const noChain: string | false =
  process.platform === 'linux' && existsSync(ANVIL) ? false : 'anvil is not installed: npm has it for Linux on x64';

export interface Chain {
  /** Its JSON-RPC. */
  url: string;
  mint(to: string, amount: number): Promise<void>;
  balanceOf(address: string): Promise<number>;
  /** Ends an authorization in the name of its payer. */
  cancel(wallet: Wallet, nonce: string): Promise<void>;
  /** The replies of the protocol's own facilitator, which pays for gas on this chain. */
  verify(call: FacilitatorCall): Promise<FacilitatorAnswer>;
  settle(call: FacilitatorCall): Promise<FacilitatorAnswer>;
  stop(): Promise<void>;
}

async function startAnvil(): Promise<{ url: string; process: ChildProcess }> {
  const anvil = spawn(ANVIL, ['--port', '0', '--host', '127.0.0.1', '--chain-id', String(base.id)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: anvil.stdout })) {
    const address = /Listening on (\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    // Discard further output: a full pipe would stop anvil.
    anvil.stdout.resume();
    return { url: `http://${address}`, process: anvil };
  }
  throw new Error('anvil ended before it listened');
}

/** Starts a chain with the token at the address of USDC on Base, and a facilitator that settles on it. */
export async function startChain(): Promise<Chain> {
  const anvil = await startAnvil();
  const account = privateKeyToAccount(generatePrivateKey());
  const client = createTestClient({
    mode: 'anvil',
    chain: base,
    account,
    transport: http(anvil.url),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions);
  await client.setCode({ address: USDC, bytecode: compileToken() });
  await client.setBalance({ address: account.address, value: 10n ** 18n });
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never);
  const facilitator = registerExactEvmScheme(new x402Facilitator(), { signer, networks: `eip155:${base.id}` });
  return {
    url: anvil.url,
    mint: async (to, amount) => {
      const args = [to as `0x${string}`, BigInt(amount)] as const;
      const hash = await client.writeContract({ address: USDC, abi: TOKEN, functionName: 'mint', args });
      await client.waitForTransactionReceipt({ hash });
    },
    cancel: async (wallet, nonce) => {
      const message = { authorizer: wallet.address, nonce: nonce as `0x${string}` };
      const signature = await wallet.signTypedData({
        domain: { name: 'USD Coin', version: '2', chainId: base.id, verifyingContract: USDC },
        types: { CancelAuthorization: CANCEL },
        primaryType: 'CancelAuthorization',
        message,
      });
      const { r, s, v } = parseSignature(signature);
      const args = [message.authorizer, message.nonce, Number(v), r, s] as const;
      const hash = await client.writeContract({ address: USDC, abi: TOKEN, functionName: 'cancelAuthorization', args });
      await client.waitForTransactionReceipt({ hash });
    },
    balanceOf: async (address) =>
      Number(
        await client.readContract({
          address: USDC,
          abi: TOKEN,
          functionName: 'balanceOf',
          args: [address as `0x${string}`],
        }),
      ),
    verify: async ({ body }) => ({ body: await facilitator.verify(body.paymentPayload, body.paymentRequirements) }),
    settle: async ({ body }) => ({ body: await facilitator.settle(body.paymentPayload, body.paymentRequirements) }),
    stop: async () => {
      const ended = new Promise((resolve) => anvil.process.once('exit', resolve));
      anvil.process.kill();
      await ended;
    },
  };
}
