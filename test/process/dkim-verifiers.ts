import { spawnSync } from 'node:child_process';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** The DNS record of a signer: its name and value. */
export interface DkimRecord {
  name: string;
  text: string;
}

/** Verifies with Debian's dkimpy, which shares no code with our signer. Its DNS has only this record. */
const DKIMPY = `
import sys, dkim
name, text = sys.argv[1], sys.argv[2]
lookup = lambda asked, timeout=5: text.encode() if asked.decode().rstrip('.') == name else None
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=lookup))
`;

export const missingForDkimpy = (): string | null =>
  spawnSync('/usr/bin/python3', ['-c', 'import dkim']).status === 0
    ? null
    : 'dkimpy (Debian package python3-dkim) is not installed';

export function passesDkimpy(raw: Buffer, { name, text }: DkimRecord): boolean {
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', DKIMPY, name, text], {
    input: raw,
    encoding: 'utf8',
  });
  if (!/^(True|False)$/m.test(stdout)) throw new Error(`dkimpy: ${stdout}${stderr}`);
  return stdout.trim() === 'True';
}

export async function passesMailauth(raw: Buffer, { name, text }: DkimRecord): Promise<boolean> {
  const resolver = async (asked: string): Promise<string[][]> => {
    if (asked !== name) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return [[text]];
  };
  const { results } = await dkimVerify(raw, { resolver });
  return results.length > 0 && results.every(({ status }) => status.result === 'pass');
}
