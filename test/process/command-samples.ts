/** One run of each of the agents' commands, for what holds of all of them. */

/** What the commands before have printed, by their words. */
// biome-ignore lint/suspicious/noExplicitAny: a sample reads whatever the output holds, and fails where it does not.
export type Printed = Readonly<Record<string, any>>;

export interface Sample {
  args: (printed: Printed) => string[];
  stdin?: string;
  /** 0 unless told. */
  code?: number;
  /** Several lines, each of them JSON. */
  lines?: true;
}

interface World {
  /** The agent's address. */
  address: string;
  /** The id of another account. */
  other: string;
  /** A file to send, and a folder for what is saved. */
  file: string;
  folder: string;
  /** A program that accepts what it gets. */
  receiver: string;
  /** The key of the login. */
  key: string;
}

const [START, END] = ['2027-01-14T12:00:00Z', '2027-01-14T13:00:00Z'];

/** In an order in which each finds what it needs. */
export function commandSamples({ address, other, file, folder, receiver, key }: World): Record<string, Sample> {
  const plain = (...args: string[]): Sample => ({ args: () => args });
  const on = (command: string, field: string, ...more: string[]): Sample => ({
    args: (printed) => [printed[command][field], ...more],
  });
  const message = (...more: string[]): Sample => ({
    args: (printed) => [printed['mail list'].messages[0].message_id, ...more],
  });
  const mail = ['--to', address, '--subject', 'Plan', '--text'];
  return {
    login: plain('--key', key),
    'auth status': plain(),
    'auth list': plain(),
    'auth switch': plain('default'),
    whoami: plain(),
    power: plain(),
    waiting: plain(),

    'address add': plain('second@agents.localhost'),
    'address change': plain('second@agents.localhost', '--display-name', 'Second'),
    'address list': plain('--limit', '1'),
    'address remove': plain('second@agents.localhost'),

    'mail send': plain(...mail, 'Your verification code is 482913.', '--attach', file),
    'mail wait': plain('--code', '--after', '2020-01-01T00:00:00Z'),
    'mail list': plain('--unread', '--limit', '1'),
    'mail read': message(),
    'mail attachment': message('--output', `${folder}/saved`),
    'mail reply': message('--text', 'Yes.', '--attach', file),
    'mail reply-all': message('--text', 'All.'),
    'mail forward': message('--to', address),
    'mail change': message('--no-read', '--add-label', 'todo'),
    'mail outbox': plain('--all'),
    'mail status': on('mail send', 'id'),
    'mail delete': message(),
    'mail held': plain(),
    'mail withdraw': { ...plain('rev_00000000000000000000000000'), code: 5 },

    'draft create': plain(...mail, 'Later.'),
    'draft change': on('draft create', 'draft_id', '--subject', 'Plan B'),
    'draft list': plain(),
    'draft show': on('draft create', 'draft_id'),
    'draft send': on('draft create', 'draft_id'),
    'draft delete': on('draft create', 'draft_id'),

    'secret put': { ...plain('token', '-'), stdin: 'correct horse\n' },
    'secret get': plain('token'),
    'secret list': plain(),
    'secret versions': plain('token'),
    'secret delete': plain('token'),

    budget: plain('--daily', '5.00', '--on-limit', 'approve'),
    charge: { ...plain('9.00', '--description', 'map data'), code: 6 },
    'approvals list': plain('--status', 'pending'),
    'approvals show': on('charge', 'approval_id'),
    'approvals reject': on('charge', 'approval_id', '--reason', 'too much'),
    'approvals wait': { ...on('charge', 'approval_id'), code: 5 },
    'approvals approve': { ...on('charge', 'approval_id'), code: 5 },

    'calendar add': plain('--summary', 'Review', '--start', START, '--end', END),
    'calendar list': plain('--from', START, '--to', END),
    'calendar show': on('calendar add', 'id'),
    'calendar change': on('calendar add', 'id', '--location', 'Oslo'),
    'calendar answer': { ...on('calendar add', 'id', 'accepted'), code: 5 },
    'calendar feed': plain(),
    'calendar delete': on('calendar add', 'id'),

    token: plain('--audience', 'https://api.example', '--scope', 'orders:read'),
    events: plain('--limit', '3'),

    'webhook create': plain(receiver, '--event', 'email.received'),
    'webhook list': plain(),
    'webhook show': on('webhook create', 'id'),
    'webhook change': on('webhook create', 'id', '--event', 'email.sent'),
    'webhook test': on('webhook create', 'id'),
    'webhook rotate': on('webhook create', 'id'),
    'webhook deliveries': on('webhook create', 'id'),
    'webhook retry': { args: (printed) => [printed['webhook create'].id, printed['webhook test'].id] },
    'webhook delete': on('webhook create', 'id'),
    'webhook listen': {
      args: () => ['--forward', receiver, '--after', 'ev_00000000000000000000000000', '--limit', '2'],
      lines: true,
    },

    'delegation create': plain(other, '--scope', 'mail:read', '--expires-at', END),
    'delegation list': plain(),
    'delegation end': on('delegation create', 'id'),

    'profile change': plain('--description', 'Plans journeys'),
    'profile show': plain(),

    'policy set': plain('webhook', 'list', 'hooks.example.com'),
    'policy show': plain(),
    'policy change-mail': plain('--outbound', '{"to":"list","allow":["example.com"]}'),
    'policy mail': plain(),

    'pod create': { ...plain('--name', 'helper'), code: 5 },
    'pod list': plain(),
    'pod show': { ...plain('pod_00000000000000000000000000'), code: 5 },
    'pod change': { ...plain('pod_00000000000000000000000000', '--name', 'x'), code: 5 },
    'pod suspend': { ...plain('pod_00000000000000000000000000'), code: 5 },

    'key create': plain('reader', '--scope', 'mail:read'),
    'key list': plain(),
    'key rotate': on('key create', 'id'),
    'key delete': on('key create', 'id'),

    export: plain('--output', `${folder}/account.zip`),
    operations: plain('calendar'),
    call: plain('getUsage'),
    rotate: plain(),
    secure: plain(),
    register: plain('--name', 'again', '--replace'),
    logout: plain(),
  };
}
