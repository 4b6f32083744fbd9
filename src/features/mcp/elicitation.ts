import type { Endpoint } from '../../api/endpoint.ts';
import type { InnerReply } from '../../api/inner-call.ts';
import type { Principal } from '../../api/principal.ts';
import type { Tool } from '../../api/tool.ts';
import { lastEventSeq, readEvents } from '../../events/event-log.ts';
import type { Caller, InputRequired, Json, RpcRequest, ToolOutcome } from './mcp-messages.ts';
import type { McpDeps, Toolbox } from './toolbox.ts';

/** Calls that a person decides: asking, and waiting for the answer. */

export interface HumanCall {
  tool: Tool;
  endpoint: Endpoint;
  args: Json;
  request: RpcRequest;
  caller: Caller;
  /** How long to wait for a decision. */
  seconds: number;
}

type Sent = InnerReply | ToolOutcome;
type Send = (endpoint: Endpoint, args: Json) => Promise<Sent>;

/** How a call asks a person, and which operation answers. */
interface Asking {
  answeredBy: string;
  /** Whether the reply says that a person is asked. */
  isAsked(reply: InnerReply): boolean;
  /** What the page says, and its address. */
  question(body: Json, baseUrl: string): { message: string; url: string };
  /** The arguments of the operation that answers. They are handles: that operation checks the credential. */
  handle(body: Json): Json;
  isHandle(state: Json): boolean;
  /** The tool to go on with. */
  next: string;
}

/** By operation. */
const ASKING: Readonly<Record<string, Asking>> = {
  charge: {
    answeredBy: 'getApproval',
    isAsked: ({ status }) => status === 202,
    question: ({ amount_usdc: amount }, baseUrl) => ({
      message: `A charge of ${Number(amount) / 1_000_000} USDC waits for its operator. Open the mail about it, or log in here.`,
      url: `${baseUrl}/dashboard`,
    }),
    handle: ({ approval_id: id }) => ({ id }),
    isHandle: ({ id }) => typeof id === 'string' && id.length <= 64 && id.isWellFormed(),
    next: 'wait_for_approval',
  },
  requestCredential: {
    answeredBy: 'pollCredential',
    isAsked: ({ status }) => status === 201,
    question: ({ user_code: code, verification_url: url }) => ({
      message: `The agent asks its operator for a credential. Enter ${code} on this page.`,
      url: String(url),
    }),
    handle: ({ device_code: code }) => ({ device_code: code }),
    isHandle: ({ device_code: code }) => typeof code === 'string' && code.length <= 64 && code.isWellFormed(),
    next: 'wait_for_answer',
  },
};

const QUESTION = 'open_page';

/**
 * Reads the state of a repeated call. It may come from a stranger, and names nothing that the caller could not name.
 */
function stateOf({ requestState }: Json, { isHandle }: Asking): Json | null {
  if (typeof requestState !== 'string' || requestState.length > 500) return null;
  try {
    const state = JSON.parse(requestState) as Json;
    return isHandle(state) ? state : null;
  } catch {
    return null;
  }
}

function isAccepted({ inputResponses }: Json): boolean {
  const answer = (inputResponses as Record<string, { action?: unknown } | undefined> | undefined)?.[QUESTION];
  return answer?.action === 'accept';
}

export class Elicitation {
  readonly #deps: McpDeps;
  readonly #toolbox: Toolbox;

  constructor(deps: McpDeps, toolbox: Toolbox) {
    this.#deps = deps;
    this.#toolbox = toolbox;
  }

  /** Calls the endpoint of a tool, and waits for or asks a person where the tool does. */
  async call(about: HumanCall, send: Send): Promise<Sent> {
    const { tool, endpoint, args, caller, seconds } = about;
    if (tool.awaits) return this.#await(endpoint, args, seconds, caller, send);
    const asking = ASKING[endpoint.operation];
    return asking ? this.#ask(about, asking, send) : send(endpoint, args);
  }

  async #ask({ endpoint, args, request, caller, seconds }: HumanCall, asking: Asking, send: Send): Promise<Sent> {
    const answering = this.#toolbox.endpoint(asking.answeredBy);
    const isOpen = caller.principal !== null && this.#toolbox.mayUse(caller.principal, answering);
    const state = request.isModern && isOpen ? stateOf(request.params, asking) : null;
    // An accepted question means that the page was opened, not that a person decided.
    if (state !== null) return this.#await(answering, state, isAccepted(request.params) ? seconds : 0, caller, send);
    const reply = await send(endpoint, args);
    if ('kind' in reply || !asking.isAsked(reply)) return reply;
    const body = reply.body as Json;
    const handle = asking.handle(body);
    if (!isOpen) return reply;
    if (!request.opensPages) return { ...reply, body: { ...body, next: { tool: asking.next, arguments: handle } } };
    const params = { mode: 'url' as const, ...asking.question(body, this.#deps.baseUrl()) };
    const result: InputRequired = {
      resultType: 'input_required',
      inputRequests: { [QUESTION]: { method: 'elicitation/create', params } },
      requestState: JSON.stringify(handle),
    };
    return { kind: 'result', result };
  }

  /** Asks for the state of something undecided, now and once more when it is decided. */
  async #await(
    endpoint: Endpoint,
    args: Json,
    seconds: number,
    { principal, gone }: Caller,
    send: Send,
  ): Promise<Sent> {
    const { database, waitFor } = this.#deps;
    const awaits = endpoint.tools?.find((tool) => tool.awaits)?.awaits;
    const start = principal && (await lastEventSeq(database, principal.accountId));
    const first = await send(endpoint, args);
    if ('kind' in first || awaits === undefined || principal === null || start === null) return first;
    const { [awaits.id]: id, status } = first.body as Json;
    if (seconds === 0 || !awaits.pending.includes(String(status))) return first;
    const range = { accountId: principal.accountId, types: [awaits.event], addresses: null, limit: 200 } as const;
    const look = async (): Promise<boolean> => {
      const events = await readEvents(database, range, start);
      return events.some(({ data }) => (data as Json)[awaits.eventId] === id);
    };
    const isDecided = await waitFor({ principal: principal as Principal, gone }, seconds, look, (found) => found);
    return isDecided ? send(endpoint, args) : first;
  }
}
