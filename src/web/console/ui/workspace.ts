import type { TemplateResult } from 'lit-html';
import type { GetAccountReply, ListOperatorAgentsReply, SignetEvent } from '../../../client/generated/operations.ts';
import type { SignetClient } from '../../../client/signet-client.ts';
import type { ReadPart } from './page-parts.ts';

/** What a page gets, and what it gives back. */

export type Agent = ListOperatorAgentsReply['agents'][number];
export type WaitingAgent = ListOperatorAgentsReply['waiting'][number];

/** Everything that an operator's address may see: its agents, and those that named it and wait for an answer. */
export interface Operated {
  agents: Agent[];
  waiting: WaitingAgent[];
}

export interface Workspace {
  /** The service, for the account that is shown. */
  service: SignetClient;
  /** The same for another account. */
  serviceOf(accountId: string): SignetClient;
  account: GetAccountReply;
  /** The account of the address in the browser; null for the caller's own. Pass it to `linkTo`. */
  selected: string | null;
  /** Null for a key, and for a session of someone who operates nothing. */
  operated: Operated | null;
  /** Whether a person's session is used, not a key or its session. */
  isSession: boolean;
  /** Reads `operated` again. */
  readOperated(): Promise<void>;
  /** Draws the current view again. */
  repaint(): void;
  /** Loads the current page again, without a skeleton. */
  refresh(): Promise<void>;
  /** Leads to a fragment made by `linkTo`. */
  go(link: string): void;
  /** A link to a page of the account that is shown. */
  link(page: string, ...parts: readonly string[]): string;
  /** @param why shown above the sign-in form */
  signOut(why: string): void;
  /** Goes on with another key: after a rotation. */
  replaceKey(key: string): Promise<void>;
}

/** An entry of the palette. */
export interface Command {
  title: string;
  hint?: string;
  /** Other words that find it. */
  words?: string;
  /** The shortcut that does the same. */
  keys?: string;
  run(): void | Promise<void>;
}

/** A page that is open. */
export interface View {
  render(): TemplateResult;
  /** Called for each event of the account while the page is open. */
  onEvent?(event: SignetEvent): void | Promise<void>;
  /** What the palette offers while the page is open. */
  commands?(): Command[];
  close?(): void;
}

export interface Page {
  /** The first part of its address. */
  name: string;
  title: string;
  /** The scope that a key needs for it. */
  scope: GetAccountReply['scopes'][number];
  /** `operator`: it shows all agents of an operator. `linked`: only links and the palette lead to it, not the navigation. */
  place?: 'operator' | 'linked';
  /**
   * Loads what it shows. A page of several readings makes each a part, so that one that fails leaves the others.
   * @param parts of the address, after its name
   */
  open(workspace: Workspace, parts: readonly string[], read: ReadPart): Promise<View>;
  /** Loads its code, so that opening it does not wait for that. */
  load?(): Promise<unknown>;
  /** Drops what it keeps of a login that ends. */
  forget?(): void;
}
