/**
 * Debian's Postfix with its own configuration and queue, independent of the machine's mail system. Its agent
 * `virtual(8)` delivers into one maildir per inbox.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './first-answer.ts';
import { startMailServer } from './mail-server.ts';

export interface Postfix {
  port: number;
  /** Its master, of which all others are children. */
  pid: number;
  /** How many mails are in the maildirs, delivered and synced. */
  delivered(): number;
  stop(): Promise<void>;
}

/** Why a Postfix that is there cannot be measured, or null. */
export const postfixMissing = (): string | null => (process.getuid?.() === 0 ? null : 'Postfix starts as root alone');

const daemonsOf = (root: string): string => join(root, 'usr/lib/postfix/sbin');
const librariesOf = (root: string): string => join(root, 'usr/lib/postfix');

interface User {
  name: string;
  uid: number;
  gid: number;
}

const idsOf = (file: string, name: string): number[] | undefined =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[0] === name)
    ?.slice(2, 4)
    .map(Number);

/** The owner of the queue: the package's user, or one that every Debian has and that is unused here. */
function queueOwner(): User {
  for (const name of ['postfix', 'news']) {
    const [uid, gid] = idsOf('/etc/passwd', name) ?? [];
    if (uid !== undefined && gid !== undefined) return { name, uid, gid };
  }
  throw new Error('there is neither a user postfix nor a user news');
}

const postdropGroup = (): string => (idsOf('/etc/group', 'postdrop') ? 'postdrop' : 'uucp');

const QUEUES = [
  'active',
  'bounce',
  'corrupt',
  'defer',
  'deferred',
  'flush',
  'hold',
  'incoming',
  'maildrop',
  'private',
  'public',
  'saved',
  'trace',
];

/**
 * The defaults of Debian's package, except: no chroot, for the libraries; its own port; no delay when mail arrives faster
 * than it is delivered (`in_flow_delay`), because that would only make Postfix slower.
 */
const mainCf = (root: string, dir: string, owner: User, domain: string): string => `
compatibility_level = 3.6
myhostname = mx.${domain}
mydestination =
inet_interfaces = loopback-only
inet_protocols = ipv4
biff = no
append_dot_mydomain = no
in_flow_delay = 0s
queue_directory = ${dir}/queue
data_directory = ${dir}/data
daemon_directory = ${daemonsOf(root)}
command_directory = ${join(root, 'usr/sbin')}
shlib_directory = ${librariesOf(root)}
meta_directory = ${join(root, 'etc/postfix')}
mail_owner = ${owner.name}
setgid_group = ${postdropGroup()}
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = ${domain}
virtual_mailbox_base = ${dir}/mail
virtual_mailbox_maps = texthash:${dir}/conf/mailboxes
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
import_environment = MAIL_CONFIG LANG=C LD_LIBRARY_PATH=${librariesOf(root)}
`;

const masterCf = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
virtual unix - n n - - virtual
`;

function layOut(root: string, dir: string, domain: string, inboxes: readonly string[], port: number): void {
  const owner = queueOwner();
  for (const name of ['conf', 'queue', 'queue/pid', 'data', 'mail']) mkdirSync(join(dir, name));
  // The daemons drop root before they open most of these files.
  chmodSync(dir, 0o755);
  for (const name of QUEUES) {
    mkdirSync(join(dir, 'queue', name), { mode: name === 'public' ? 0o750 : 0o700 });
    chownSync(join(dir, 'queue', name), owner.uid, owner.gid);
  }
  chownSync(join(dir, 'data'), owner.uid, owner.gid);
  chownSync(join(dir, 'mail'), 65534, 65534);
  writeFileSync(join(dir, 'conf/main.cf'), mainCf(root, dir, owner, domain));
  writeFileSync(join(dir, 'conf/master.cf'), masterCf(port));
  writeFileSync(join(dir, 'conf/mailboxes'), inboxes.map((name) => `${name}@${domain} ${name}/\n`).join(''));
}

/**
 * Starts Postfix with an inbox for each name. The master daemon is a child of this process and ends with `stop`.
 * @param root the folder of the package: `/` if it is installed, or where it is unpacked
 */
export async function startPostfix(root: string, domain: string, inboxes: readonly string[]): Promise<Postfix> {
  const dir = mkdtempSync(join(tmpdir(), 'signet-bench-postfix-'));
  const port = await freePort();
  layOut(root, dir, domain, inboxes, port);
  const server = await startMailServer({
    name: 'Postfix',
    command: [join(daemonsOf(root), 'master'), '-c', join(dir, 'conf'), '-d'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LD_LIBRARY_PATH: librariesOf(root) },
    dir,
    port,
  });
  const count = (name: string): number => {
    const folder = join(dir, 'mail', name, 'new');
    return existsSync(folder) ? readdirSync(folder).length : 0;
  };
  return { port, ...server, delivered: () => inboxes.reduce((sum, name) => sum + count(name), 0) };
}
