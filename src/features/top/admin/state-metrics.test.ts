import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';

const folder = fileURLToPath(new URL('../../../../docs/monitoring/', import.meta.url));
const METRIC = /\b(?:signet|process|nodejs)_[a-z0-9_]+/g;

/** Every metric that a file names, without the endings of histograms. */
const metricsIn = (text: string): string[] => (text.match(METRIC) ?? []).map((name) => name.replace(/_bucket$/, ''));

const scrape = async (t: TestApp): Promise<string> => (await t.api().get('/metrics')).text;
const value = (text: string, metric: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${metric} `))
      ?.slice(metric.length + 1) ?? Number.NaN,
  );

onEngines('any', 'GET /metrics', {}, (suite) => {
  it('has every metric that docs/monitoring names, in pages, alerts and panels', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const address = (await api.post('/v1/email/claim', { address: 'watched' })).body.address;
    await t.sendSmtp({ to: address, text: 'hello' });
    // A relay is not set, so the mail of a login becomes a job and a file.
    await api.post('/v1/account/recovery-email', { email: 'ada@example.org' });
    const exported = new Set([...(await scrape(t)).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
    const files = globSync('*', { cwd: folder });
    assert.deepEqual(files.sort(), ['README.md', 'alerts-test.yml', 'alerts.yml', 'dashboard.json', 'prometheus.yml']);
    for (const file of files) {
      const text = readFileSync(folder + file, 'utf8');
      for (const name of metricsIn(text)) assert.ok(exported.has(name), `${file} names ${name}`);
    }
    const [group] = parse(readFileSync(`${folder}alerts.yml`, 'utf8')).groups;
    for (const { alert, expr, annotations } of group.rules)
      assert.ok(metricsIn(expr).length > 0 || expr.startsWith('up'), `${alert} ${annotations.summary}`);
    const { panels } = JSON.parse(readFileSync(`${folder}dashboard.json`, 'utf8'));
    for (const { title, targets } of panels) assert.ok(metricsIn(targets[0].expr).length > 0, title);
  });

  it('shows how full each cache is', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { token } = (await api.post('/v1/tokens/issue', { audience: 'https://a.example', scopes: ['a'] })).body;
    await t.api().post('/v1/tokens/introspect', { token });
    await t.api().get(new URL((await api.get('/v1/calendar/feed')).body.feed_url).href.slice(t.baseUrl.length));
    const text = await scrape(t);
    const names = [...text.matchAll(/^signet_cache_entries\{cache="(\w+)"\} (\d+)$/gm)];
    assert.deepEqual(names.map(([, name]) => name).sort(), [
      'calendar_feeds',
      'client_documents',
      'credentials',
      'tokens',
    ]);
    for (const [, name = '', entries] of names) {
      const ratio = value(text, `signet_cache_full_ratio{cache="${name}"}`);
      assert.ok(ratio <= 1 && ratio > 0 === Number(entries) > 0, `${name}: ${entries} entries, ${ratio} full`);
    }
    for (const name of ['tokens', 'calendar_feeds'])
      assert.ok(value(text, `signet_cache_entries{cache="${name}"}`) > 0, name);
  });
});

onEngines('both', 'GET /metrics', {}, (suite) => {
  it('counts what waits, what fails, what SMTP answered, and the size of the database', async () => {
    const { t } = suite;
    await t.app.worker.stop();
    t.clock.advance(60_000);
    const before = await scrape(t);
    await t.createAccount({ email: 'grace@example.org' });
    await assert.rejects(t.sendSmtp({ to: 'nobody@agents.localhost', text: 'hello' }));
    t.clock.advance(300_000);
    const after = await scrape(t);
    assert.equal(value(after, 'signet_database_up'), 1);
    assert.ok(value(after, 'signet_database_bytes') > 0 && value(after, 'signet_disk_free_bytes') > 0);
    assert.equal(value(after, 'signet_smtp_answers_total{code="550"}'), 1);
    const lanes = [...after.matchAll(/^signet_jobs_oldest_due_seconds\{lane="(\w+)"\} (\d+)$/gm)];
    assert.ok(
      lanes.some(([, , seconds]) => Number(seconds) >= 300),
      after.match(/signet_jobs.*/g)?.join('\n'),
    );
    assert.equal(value(before, 'signet_smtp_answers_total{code="550"}'), Number.NaN);
  });
});
