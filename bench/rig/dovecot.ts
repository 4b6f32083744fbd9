/** Debian's Dovecot with its own configuration and maildirs, independent of the machine's mail system. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './first-answer.ts';
import { startMailServer } from './mail-server.ts';

export interface Dovecot {
  port: number;
  /** Its master, of which all others are children. */
  pid: number;
  /** Anyone logs in, with any password. */
  user: string;
  stop(): Promise<void>;
}

const USER = 'bench';
/** Users of Debian's package, and `mail`. */
const MAIL = { uid: 8, gid: 8 };

/** Why a Dovecot that is there cannot be measured, or null. */
export const dovecotMissing = (): string | null =>
  process.getuid?.() === 0 ? null : 'Dovecot is started as root here';

/** The defaults of Debian's package, except: its own folders and port, no TLS, and as many sessions as are measured. */
const settings = (dir: string, port: number): string => `
base_dir = ${dir}/run
state_dir = ${dir}/state
log_path = ${dir}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = ${MAIL.uid}
mail_location = maildir:${dir}/mail/%u
mail_max_userip_connections = 2000
service anvil {
  client_limit = 4000
}
service auth {
  client_limit = 4000
}
service imap-login {
  client_limit = 2000
  process_limit = 2000
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service imap {
  process_limit = 2000
}
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=${MAIL.uid} gid=${MAIL.gid} home=${dir}/home/%u
}
`;

/** Starts Dovecot with these mails in the maildir of {@link Dovecot.user}. It is a child of this process and ends with `stop`. */
export async function startDovecot(mails: readonly string[]): Promise<Dovecot> {
  const dir = mkdtempSync(join(tmpdir(), 'signet-bench-dovecot-'));
  const port = await freePort();
  chmodSync(dir, 0o755);
  for (const name of ['run', 'state', 'mail', 'home', `mail/${USER}`, `home/${USER}`]) mkdirSync(join(dir, name));
  for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(dir, 'mail', USER, name));
  mails.forEach((mail, n) => {
    writeFileSync(join(dir, `mail/${USER}/cur`, `${1_700_000_000 + n}.M${n}.bench:2,`), mail);
  });
  for (const name of ['mail', `mail/${USER}`, 'home', `home/${USER}`]) chownSync(join(dir, name), MAIL.uid, MAIL.gid);
  for (const name of ['cur', 'new', 'tmp']) chownSync(join(dir, 'mail', USER, name), MAIL.uid, MAIL.gid);
  writeFileSync(join(dir, 'dovecot.conf'), settings(dir, port));
  const command = ['/usr/sbin/dovecot', '-F', '-c', join(dir, 'dovecot.conf')];
  return { port, user: USER, ...(await startMailServer({ name: 'Dovecot', command, env: process.env, dir, port })) };
}
