import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { freshDatabase } from '../support/harness.ts';
import { Dialogue } from '../support/smtp-dialogue.ts';
import { runService, startService } from './service.ts';

const WATCH = { NODE_OPTIONS: `--import ${new URL('./health-before-smtp.ts', import.meta.url).href}` };
const portsOf = async () => ({ PORT: String(await freePort()), SMTP_PORT: String(await freePort()) });

/** What `GET /health` said while SMTP did not listen yet. */
const beforeSmtp = (stdout: string): string[] =>
  [...stdout.matchAll(/^health before SMTP: (.+)$/gm)].map(([, came]) => came as string);

describe('the start', () => {
  for (const [name, engine, more] of [
    ['on SQLite', 'sqlite', {}],
    ['on PostgreSQL, with two workers', 'postgres', { WORKERS: '2' }],
  ] as const)
    it(`E: /health answers 200 only when SMTP listens, ${name}`, async () => {
      const { env, drop } = await freshDatabase(engine);
      const service = await startService({ ...env, ...(await portsOf()), ...WATCH, ...more });
      try {
        // A second worker listens at the same ports as the first, which listens at both.
        assert.equal(beforeSmtp(service.stdout())[0], 'ECONNREFUSED', service.stdout());
        assert.equal((await service.api().get('/health')).status, 200);
        (await Dialogue.open(service.smtpPort)).close();
      } finally {
        await service.kill('SIGTERM');
        await drop();
      }
    });

  it('E: with SMTP_PORT taken, /health never answers, and one line says what to do', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const ports = await portsOf();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(ports.SMTP_PORT), '127.0.0.1', resolve));
    try {
      const { code, stdout, stderr } = await runService({ ...env, ...ports, ...WATCH });
      assert.deepEqual([code, beforeSmtp(stdout)], [1, ['ECONNREFUSED']], stdout);
      assert.match(
        stderr,
        new RegExp(`^signet: .*${ports.SMTP_PORT}; stop the program .* SMTP_PORT, IMAP_PORT or SUBMISSION_PORT\n$`),
      );
    } finally {
      other.close();
      await drop();
    }
  });
});
