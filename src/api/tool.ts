import type { Scope } from './scopes.ts';

/** The groups of tools. `/mcp/x/{group}` offers one of them; `start` needs no credential. */
export const TOOL_GROUPS = ['mail', 'vault', 'money', 'calendar', 'identity', 'events', 'start'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

type Plain = string | number | boolean;

/**
 * An endpoint as a tool for models, over MCP. Names, types and limits of the arguments come from the endpoint's own
 * schemas, so a tool cannot disagree with its endpoint.
 */
export interface Tool {
  name: string;
  group: ToolGroup;
  /** What the tool does and when to use it, for a model. */
  description: string;
  /** The scope that the tool needs beside that of its endpoint. */
  scope?: Scope;
  /** The arguments that matter, by their names in the endpoint. */
  takes: readonly string[];
  /** Arguments that the tool needs, beside those that the endpoint needs. */
  needs?: readonly string[];
  /** Sent with every call. The model cannot change it. */
  sends?: Readonly<Record<string, Plain>>;
  /** Sent unless the model gives another value. */
  defaults?: Readonly<Record<string, Plain>>;
  /** The argument that is the account's only address unless given. */
  ownAddress?: 'address' | 'from';
  /** Other texts for arguments. */
  says?: Readonly<Record<string, string>>;
  /** The fields worth returning. A dot goes into an object, or into the entries of a list. Absent: all of them. */
  gives?: readonly string[];
  /** The text that is shown a page at a time. The tool takes `offset`. */
  pages?: string;
  /** Sent as data too, with its schema: a short reply that holds no words of others. */
  structured?: true;
  /** Waits for a decision, while the reply's `status` is one of `pending`. `id` names it in the reply, `eventId` in the event. */
  awaits?: {
    event: 'approval.resolved' | 'credential.resolved';
    id: string;
    eventId: string;
    pending: readonly string[];
  };
  /** True: reaches beyond the service, such as mail to strangers or from them. */
  openWorld?: true;
  /** True: a read by its endpoint that leaves something changed. */
  changes?: true;
  /** True: something that was there may be gone afterwards. */
  destroys?: true;
}
