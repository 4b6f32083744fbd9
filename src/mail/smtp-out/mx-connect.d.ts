/** The part of `mx-connect` that is used here; the package brings no types. */
declare module 'mx-connect' {
  import type { Socket } from 'node:net';

  /** What a domain wants of TLS (RFC 8461 3.2). */
  export interface PolicyMatch {
    valid: boolean;
    mode: 'enforce' | 'testing' | 'none';
    testing: boolean;
  }

  export interface MxConnection {
    socket: Socket;
    hostname: string;
    /** The IP address. */
    host: string;
    port: number;
    policyMatch?: PolicyMatch;
  }

  /** An error carries what it says about the domain: a `temporary` one may pass. */
  export interface MxError extends Error {
    code?: string;
    category?: 'dns' | 'network' | 'policy';
    temporary?: boolean;
  }

  export interface MxOptions {
    target: string;
    port: number;
    maxConnectTime: number;
    mx?: readonly { exchange: string; A?: string[]; AAAA?: string[] }[];
    ignoreMXHosts?: readonly string[];
    dnsOptions: {
      blockLocalAddresses: boolean;
      resolveRecords(name: string, type: 'A' | 'AAAA' | 'MX' | 'TXT'): Promise<unknown[]>;
    };
    mtaSts: {
      enabled: boolean;
      cache: { get(domain: string): Promise<unknown>; set(domain: string, policy: unknown): Promise<unknown> };
    };
    connectError?(err: MxError, delivery: unknown, options: { host: string }): void;
  }

  // biome-ignore lint/style/noDefaultExport: the package has one.
  export default function mxConnect(options: MxOptions): Promise<MxConnection>;
}
