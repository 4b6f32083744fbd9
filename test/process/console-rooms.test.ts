import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ImapFlow } from 'imapflow';
import type { Browser, Page, Route } from 'playwright-core';
import { EVENT_TYPES } from '../../src/api/events.ts';
import { DAY_MS } from '../../src/base/period.ts';
import { confirmOperator, setTier } from '../support/agents.ts';
import { WARES, type Ware } from '../support/buyer.ts';
import {
  axeFaults,
  closePages,
  launchChromium,
  openConsole,
  openPage,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { delegate, exchange, tokenFor } from '../support/delegations.ts';
import { createTestDns, publish } from '../support/dns.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';
import { Keyboard } from '../support/keyboard.ts';
import { newPerson } from '../support/operators.ts';
import { payV1 } from '../support/wallet.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';

/** The account of a configuration profile. @throws when it is no XML that a strict reader takes */
function plist(text: string): { dict: Record<string, unknown> } {
  const script = 'import json,plistlib,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const read = spawnSync('python3', ['-c', script], { input: text, encoding: 'utf8' });
  assert.equal(read.status, 0, read.stderr);
  const [dict] = JSON.parse(read.stdout).PayloadContent;
  return { dict };
}

const HOSTILE = '<img src=x onerror=alert(1)>"\'';

/** What the owner of an agent does besides its mail: vault, webhooks, domains, identity, audit log, settings. */
describe('the rooms of the console, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let keys: Keyboard;
  let owner: TestAccount;
  const dns = createTestDns();

  before(async () => {
    t = await startTestApp('sqlite', { resolveDns: dns.resolve });
    owner = await t.createAccount({ name: HOSTILE });
    browser = await launchChromium();
    watched = await openPage(browser, t);
    page = watched.page;
    keys = new Keyboard(page);
    // The browser has the time of the service, so that no step depends on the day of the run.
    await page.clock.setFixedTime(t.clock.now());
    await openConsole(watched, t, owner.key);
  });
  after(async () => {
    await closePages(browser).finally(async () => {
      await t?.stop();
    });
  });

  const unreadable: string[] = [];
  const look = async (name: string, within?: string): Promise<void> =>
    void unreadable.push(...(await axeFaults(page, name, within)));
  const room = (title: string): Promise<void> => keys.room(title);
  const confirm = async (typed?: string): Promise<void> => {
    if (typed !== undefined) await keys.type('dialog #typed', typed);
    await keys.press('dialog .primary');
  };

  it('a passphrase protects the vault: secrets are sealed and opened in the browser, and the service never sees them', async () => {
    const secret = '  s3cret-of-the-vault\nsecond line\n';
    const phrase = 'correct horse battery';
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await room('Vault');
    await look('vault-new');
    await keys.type('#vault-passphrase', phrase);
    await keys.type('#vault-passphrase-again', `${phrase}!`);
    await keys.press('#protect .primary');
    await page.waitForSelector('#protect .problem:has-text("differ")');
    await keys.type('#vault-passphrase-again', phrase);
    await keys.press('#protect .primary');
    await keys.type('#name', 'db-password');
    await keys.type('#value', secret);
    await keys.press('#seal .primary');
    await page.waitForSelector('th:has-text("db-password")');
    await owner.api.put('/v1/vault/zz', { ciphertext: 'AAAA', metadata: { about: HOSTILE } });
    await page.waitForSelector('th:has-text("onerror")');
    assert.equal(await page.locator('tbody tr').count(), 2, 'the sealed seed is no secret of the list');
    await look('vault');
    await keys.press('button:has-text("Show"):has-text("db-password")');
    assert.equal(await page.textContent('dialog .secret'), secret, 'with its lines and blanks');
    await keys.press('dialog button:has-text("I ")');
    await keys.press('button:has-text("Show the seed")');
    const seed = (await page.textContent('dialog .secret')) ?? '';
    assert.match(seed, /^[\w-]{43}$/);
    await keys.press('dialog button:has-text("I ")');
    assert.ok(sent.every((body) => ![secret, 's3cret', seed, phrase].some((text) => body.includes(text))));
  });

  it('D: a name that exists asks before its secret is replaced, also when another wrote it meanwhile', async () => {
    const version = async (name: string) => (await owner.api.get(`/v1/vault/${name}`)).body.version;
    const fill = async (name: string, text: string): Promise<void> => {
      await keys.type('#name', name);
      await keys.type('#value', text);
      await keys.press('#seal .primary');
    };
    await fill('db-password', 'another');
    await page.waitForSelector('dialog:has-text("Replace db-password?")');
    await look('dialog-replace', 'dialog');
    await keys.press('dialog button:has-text("Cancel")');
    assert.equal(await version('db-password'), 1);
    await keys.press('#seal .primary');
    await keys.press('dialog button:has-text("Replace")');
    await page.waitForSelector('td[data-label="Version"]:has-text("2")');
    // The page does not learn of what another writes before it sends its own.
    const meanwhile = async (route: Route): Promise<void> => {
      await owner.api.put('/v1/vault/fresh', { ciphertext: 'AAAA' });
      await route.continue();
    };
    await page.route('**/v1/vault/fresh', meanwhile, { times: 1 });
    await fill('fresh', 'mine');
    await page.waitForSelector('dialog:has-text("Replace fresh?")');
    assert.equal(await version('fresh'), 1);
    await keys.press('dialog button:has-text("Cancel")');
    await owner.api.delete('/v1/vault/fresh');
  });

  it('the versions of a secret are shown, compared and restored, and the restored one is the newest', async () => {
    await keys.press('th a:has-text("db-password")');
    await page.waitForSelector('.badge:has-text("Current")');
    await look('vault-versions');
    await keys.press('button:has-text("Compare")');
    await page.waitForSelector('.diff .removed:has-text("s3cret-of-the-vault")');
    await page.waitForSelector('.diff .added:has-text("another")');
    await look('dialog-compare', 'dialog');
    await keys.press('dialog button:has-text("Close")');
    await keys.press('button:has-text("Restore")');
    await confirm();
    await page.waitForSelector('tr:has-text("Current"):has(th:has-text("3"))');
    const stored = async (version: number) => (await owner.api.get(`/v1/vault/db-password?version=${version}`)).body;
    assert.equal((await stored(3)).ciphertext, (await stored(1)).ciphertext);
    await keys.press('button:has-text("Show"):has-text("version 3")');
    assert.match((await page.textContent('dialog .secret')) ?? '', /second line/);
    await keys.press('dialog button:has-text("I ")');
  });

  it('a vault opens by its passphrase, its seed, or a sealed copy of it, and by nothing else', async () => {
    const phrase = 'correct horse battery';
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await room('Vault');
    await keys.press('button:has-text("Show the seed")');
    const seed = (await page.textContent('dialog .secret')) ?? '';
    await keys.press('dialog button:has-text("I ")');
    await keys.press('#recovery summary');
    await keys.type('#recovery-email', 'Ada@example.com');
    await keys.type('#passphrase', phrase);
    await keys.type('#passphrase-again', phrase);
    await keys.press('#vault-recovery .actions button');
    await page.waitForSelector('#recovery summary:has-text("ada@example.com")');
    const copy = /"encrypted_seed":"([^"]+)"/.exec(sent.join('\n'))?.[1] ?? '';
    assert.ok(sent.every((body) => !body.includes(phrase) && !body.includes(seed)));
    await keys.press('button:has-text("Close the vault")');
    await look('vault-locked');
    await keys.type('#open-passphrase', 'not the passphrase');
    await keys.press('#unlock .primary');
    await page.waitForSelector('#unlock .problem:has-text("not the passphrase")');
    await keys.type('#open-passphrase', phrase);
    await keys.press('#unlock .primary');
    await keys.press('button:has-text("Close the vault")');
    await keys.press('summary:has-text("Open with the seed")');
    const bySeed = async (text: string, passphrase = ''): Promise<void> => {
      await keys.type('#seed', text);
      if (passphrase !== '') await keys.type('#copy-passphrase', passphrase);
      await keys.press('#unlock-by-seed .actions button');
    };
    await bySeed('too short');
    await page.waitForSelector('.problem:has-text("This is not a seed")');
    await bySeed('A'.repeat(43));
    await page.waitForSelector('.problem:has-text("This seed does not open")');
    await bySeed(seed);
    await keys.press('button:has-text("Close the vault")');
    await keys.press('summary:has-text("Open with the seed")');
    await bySeed(copy, 'not the passphrase');
    await page.waitForSelector('.problem:has-text("does not open the sealed copy")');
    await bySeed(copy, phrase);
    await page.waitForSelector('#seal');
    await owner.api.delete('/v1/vault/zz');
    await keys.press('td button:has-text("Delete"):has-text("db-password")');
    await confirm('db-password');
    await page.waitForSelector('.empty:has-text("The vault is empty")');
  });

  it('a webhook is added, tested, signed, and its delivery sent again', async () => {
    const receiver = await startReceiver(answer(200, {}, '<b>thanks</b>'));
    try {
      await room('Webhooks');
      await keys.type('#url', `${receiver.url}/hooks`);
      // The types are those of the API, found by what they are called and by what they are.
      assert.equal(await page.locator('.event-types input').count(), EVENT_TYPES.length);
      await keys.type('#find-event', 'RECORD');
      await page.waitForSelector(`#event-count:has-text("1 chosen, 1 of ${EVENT_TYPES.length} shown")`);
      await page.keyboard.press('Enter');
      await keys.check('.event-types input[value="charge.completed"]');
      await page.waitForSelector('#event-count:has-text("2 chosen")');
      await keys.type('#find-event', 'approval.');
      await page.waitForSelector('#event-count:has-text("2 chosen, 2 of")');
      await look('webhook-events');
      await keys.press('button:has-text("Choose all shown")');
      await page.waitForSelector('#event-count:has-text("4 chosen")');
      await keys.press('button:has-text("Clear")');
      await keys.press('#add-webhook .primary');
      await page.waitForSelector('#add-webhook .problem:has-text("Choose at least one event type")');
      await keys.check('.event-types input[value="approval.resolved"]');
      await keys.type('#find-event', 'email.rec');
      await keys.check('.event-types input[value="email.received"]');
      await keys.press('#add-webhook .primary');
      assert.match((await page.textContent('dialog .secret')) ?? '', /^whsec_/);
      await keys.press('dialog button:has-text("I saved it")');
      await keys.press('.entries a');
      const [made] = (await owner.api.get('/v1/webhooks')).body.webhooks;
      assert.deepEqual(made.events.toSorted(), ['approval.resolved', 'email.received'], 'also what the search hides');
      await keys.press('button:has-text("Send a test")');
      await page.waitForSelector('.badge:has-text("Delivered")');
      await keys.press('.view a:text-is("Edit")');
      await keys.type('#url', `${receiver.url}/moved`);
      await keys.press('button:has-text("Clear")');
      await keys.check('.event-types input[value="charge.completed"]');
      await look('webhook-edit');
      await keys.press('#edit-webhook .primary');
      await page.waitForSelector('h1:has-text("/moved")');
      await page.waitForSelector('#week-deliveries + .figures:has-text("1 delivered, 0 failed")');
      const [edited] = (await owner.api.get('/v1/webhooks')).body.webhooks;
      assert.deepEqual([edited.url, edited.events], [`${receiver.url}/moved`, ['charge.completed']]);
      await keys.press('button:text-is("Pause")');
      await page.waitForSelector('.badge:text-is("Paused")');
      await keys.press('button:text-is("Resume")');
      await page.waitForSelector('.badge:text-is("Active")');
      await keys.press('button:has-text("Rotate the secret")');
      assert.match((await page.textContent('dialog .secret')) ?? '', /^whsec_/);
      await keys.press('dialog button:has-text("I saved it")');
      await page.waitForSelector('.badge:text-is("Signed")');
      await look('webhook');
      await keys.press('td summary:has-text("200")');
      await page.waitForSelector('.attempts li:has-text("200")');
      await keys.press('button:has-text("Replay")');
      await page.waitForSelector('[role="status"]:has-text("Sent again")');
      await keys.press('th a:has-text("webhook.test")');
      await page.waitForSelector('h1:has-text("webhook.test")');
      await page.waitForSelector('pre:has-text("webhook.test")');
      await look('webhook-delivery');
      await keys.press('#replay');
      await page.waitForSelector('.attempts li:nth-child(3)');
      await page.waitForSelector('.heading .badge:text-is("Delivered")');
      await page.goBack();
      await keys.press('.view > .actions button:has-text("Delete")');
      await confirm();
      await page.waitForSelector('.empty:has-text("No webhook yet")');
      await look('webhooks');
    } finally {
      await receiver.close();
    }
  });

  it('a domain shows each record to set, and turns green as the DNS has them', async () => {
    await room('Domains');
    await keys.type('#domain', 'customer.example');
    await keys.press('button:has-text("Add a domain")');
    await page.waitForSelector('h2:has-text("customer.example")');
    await keys.press('button:has-text("Check now")');
    await page.waitForSelector('.badge:has-text("Missing")');
    await page.waitForSelector('td[data-label="Found"]:has-text("Nothing")');
    await page.waitForSelector('[role="status"]:has-text("0 of 5 records are right")');
    const [stack] = (await owner.api.get('/v1/stack')).body.stacks;
    dns.set('TXT', 'customer.example', 'v=spf1 -all');
    await keys.press('button:has-text("Check now")');
    await page.waitForSelector(
      'tr:has-text("v=spf1 include:"):has-text("Different") td[data-label="Found"]:has-text("v=spf1 -all")',
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await keys.press('button:has-text("Copy all")');
    const zone = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(zone.split('\n').length, stack.records.length + 1);
    for (const { type, name, value } of stack.records) {
      assert.ok(zone.includes(`${name}. 3600 IN ${type} `), zone);
      assert.ok(zone.replaceAll('" "', '').includes(value), zone);
      assert.equal(await page.locator(`button[aria-label="Copy the value of ${type} ${name}"]`).count(), 1);
    }
    assert.ok(
      [...zone.matchAll(/"([^"]*)"/g)].every(([, text]) => (text ?? '').length <= 255),
      'RFC 1035 3.3',
    );
    await keys.press(`button[aria-label="Copy the name of TXT _dmarc.customer.example"]`);
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), '_dmarc.customer.example');
    await look('domains');
    dns.clear('TXT', 'customer.example');
    publish(dns, stack);
    await keys.press('button:has-text("Check now")');
    await page.waitForSelector('h2 .badge.good:has-text("Active")');
    await page.waitForSelector('[role="status"]:has-text("5 of 5 records are right")');
    assert.equal(await page.locator('td .badge.good').count(), stack.records.length);
    await look('domains-active');
  });

  it('a delegation is granted, shown with what was passed on below it, and ended with that', async () => {
    const [first, second] = [await t.createAccount(), await t.createAccount()];
    await room('Identity');
    await keys.press('nav[aria-label="Identity"] a:has-text("Delegations")');
    await keys.press('summary:has-text("Let another account")');
    await keys.type('#delegate-to', first.accountId);
    await keys.check('#delegate input[value="mail:read"]');
    await keys.type('#delegate-budget', '5');
    await keys.check('#delegate input[name="passes"]');
    await keys.press('#delegate .button.primary');
    await page.waitForSelector(`strong:has-text("${first.accountId}")`);
    const [given] = (await owner.api.get('/v1/delegations')).body.delegations;
    assert.deepEqual([given.scopes, given.budget_usdc, given.may_delegate], [['mail:read'], 5_000_000, 1]);
    const { access_token: token } = await tokenFor(t, first.key, given.id);
    const passed = { to: second.accountId, scopes: ['mail:read'], expires_at: given.expires_at, budget_usdc: 1 };
    assert.equal((await t.api(token).post('/v1/delegations', passed)).status, 201);
    await room('Audit log');
    await room('Identity');
    await keys.press('nav[aria-label="Identity"] a:has-text("Delegations")');
    const below = page.locator('.tree ul', { hasText: second.accountId });
    await below.waitFor();
    await look('identity');
    await keys.press('button:text-is("End")');
    await confirm();
    await below.locator('.badge:has-text("Revoked")').waitFor();
    assert.equal((await t.api(token).get('/v1/email/addresses')).status, 401);
  });

  it('the audit log verifies in the browser, and an altered entry is found', async () => {
    await room('Audit log');
    await keys.press('#verify');
    await page.waitForSelector('#verified:has-text("The chain is intact")');
    await look('audit');
    const others = page.locator('th .mono', { hasText: 'stack.' });
    assert.ok((await others.count()) > 0);
    await keys.choose('#filter-category', 'delegation');
    await others.first().waitFor({ state: 'detached' });
    await page.waitForSelector('th .mono:has-text("delegation.")');
    assert.match(page.url(), /\/dashboard\?category=delegation#\/audit$/);
    await page.reload();
    await page.waitForSelector('th .mono:has-text("delegation.")');
    assert.equal(await others.count(), 0, 'the address alone says what is shown');
    await keys.press('th a:has-text("Delegated to another agent")');
    await page.waitForSelector('h1:has-text("Delegated to another agent")');
    await page.waitForSelector('.facts:has-text("127.0.0.0/24"):has-text("dlg_")');
    await look('audit-entry');
    await page.goBack();
    await page.waitForSelector('th .mono:has-text("delegation.")');
    await keys.press('#clear-filters');
    await others.first().waitFor();
    const [table] = await Promise.all([page.waitForEvent('download'), keys.press('#save-csv')]);
    assert.match(readFileSync(await table.path(), 'utf8'), /^"at","summary".*\r\n(?:.*\r\n){5}/);
    await page.route('**/v1/audit?*', async (route) => {
      const reply = await route.fetch();
      const body = await reply.json();
      for (const entry of body.entries) if (entry.seq === 2) entry.status = 299;
      await route.fulfill({ response: reply, json: body });
    });
    await keys.press('#verify');
    await page.waitForSelector('#verified:has-text("The chain is broken"):has-text("2")');
    await page.unroute('**/v1/audit?*');
  });

  it('D: the audit log says who acted: a person by role and address, a key by its name, a delegate with its chain', async () => {
    const helper = await t.createAccount();
    const { id } = await delegate(t, owner.api, helper, { scopes: ['vault:write'] });
    const { body: held } = await exchange(t, helper.key, id);
    assert.equal((await t.api(held.access_token).put('/v1/vault/by-helper', { ciphertext: 'x' })).status, 201);
    const named = (await owner.api.post('/v1/account/keys', { name: 'deploy', scopes: ['vault:write'] })).body;
    assert.equal((await t.api(named.api_key).put('/v1/vault/by-deploy', { ciphertext: 'x' })).status, 201);
    const agent = await t.createAccount();
    const email = newPerson(t);
    await confirmOperator(t, agent, email);
    await room('Vault');
    await room('Audit log');
    await page.waitForSelector('tr:has-text("vault.stored"):has-text("Key deploy")');
    await page.waitForSelector(`tr:has-text("vault.stored"):has-text("Delegate"):has-text("${helper.accountId}")`);
    await look('audit-actors');
    const other = await openPage(browser, t);
    await other.page.clock.setFixedTime(t.clock.now());
    await openConsole(other, t, agent.key);
    await new Keyboard(other.page).room('Audit log');
    await other.page.waitForSelector(`tr:has-text("person.confirmed"):has-text("Operator"):has-text("${email}")`);
    await other.page.waitForSelector('tr:has-text("account.operator_email_set"):has-text("Key primary")');
    await other.page.close();
  });

  it('what the agent paid the service is listed beside its charges, and saved as CSV', async () => {
    const vault = WARES.at(-1) as Ware;
    const buyer = await vault.prepare(t);
    const paid = await buyer.buy(await payV1(buyer.wallet, await buyer.buy(), t.clock.now()), 1);
    assert.equal(paid.status, vault.status, paid.text);
    const other = await openPage(browser, t);
    await openConsole(other, t, buyer.key, '#/money');
    await other.page.waitForSelector('#payments');
    unreadable.push(...(await axeFaults(other.page, 'money-payments')));
    const [download] = await Promise.all([
      other.page.waitForEvent('download'),
      new Keyboard(other.page).press('#payments-csv'),
    ]);
    assert.match(
      readFileSync(await download.path(), 'utf8'),
      new RegExp(`"${paid.body.payment_id}",.*"0\\.01","verified"`),
    );
    assert.deepEqual(other.faults, []);
    await other.page.context().close();
  });

  it('D: the settings are in tabs, each with an address of its own', async () => {
    await room('Settings');
    for (const [title, path, shows] of [
      ['What it can do', 'ways', '#power'],
      ['Sessions', 'sessions', '#keep-text'],
      ['Export and delete', 'account', 'button:has-text("Download the export")'],
      ['Addresses and people', '', '#people'],
    ]) {
      await keys.press(`.folders a:has-text("${title}")`);
      await page.waitForSelector(`${shows}`);
      assert.equal(new URL(page.url()).hash, `#/settings${path === '' ? '' : `/${path}`}`);
      await look(`settings-${path}`);
    }
  });

  it('an address is used with a mail program: one key for it, the settings beside it, and a profile without the password', async () => {
    const { api, key } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: 'post' })).body;
    const other = await openPage(browser, t, { viewport: { width: 1440, height: 900 } });
    const at = other.page;
    const by = new Keyboard(at);
    await openConsole(other, t, key, '#/settings');
    await by.press(`a:has-text("Use a mail program"):has-text("${address}")`);
    const { imap: port, submission } = t.app.programPorts;
    for (const [id, number] of [
      ['imap', port],
      ['submission', submission],
    ])
      for (const text of ['127.0.0.1', `${number}`, 'None', address])
        await at.waitForSelector(`section[aria-labelledby="door-${id}"]:has-text("${text}")`);
    await by.type('#program-name', 'Laptop');
    await by.press('#mail-program .primary');
    assert.equal(await at.locator('dialog').count(), 0, 'whether it sees codes is not decided by itself');
    unreadable.push(...(await axeFaults(at, 'mail-program')));
    await at.setViewportSize({ width: 1440, height: 900 });
    assert.equal(await at.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    const [profile] = await Promise.all([
      at.waitForEvent('download'),
      by.press('button:has-text("Download the profile")'),
    ]);
    assert.equal(profile.suggestedFilename(), `${address}.mobileconfig`);
    const { dict } = plist(readFileSync(await profile.path(), 'utf8'));
    for (const side of ['Incoming', 'Outgoing']) {
      assert.equal(dict[`${side}MailServerAuthentication`], 'EmailAuthPassword');
      assert.equal(dict[`${side}MailServerUsername`], address);
      assert.equal(dict[`${side}MailServerPortNumber`], side === 'Incoming' ? port : submission);
    }
    assert.deepEqual([dict.PayloadType, dict.EmailAccountType], ['com.apple.mail.managed', 'EmailTypeIMAP']);
    assert.deepEqual(
      Object.keys(dict).filter((name) => /Password$/.test(name)),
      ['OutgoingPasswordSameAsIncomingPassword'],
    );
    await by.press('#mail-program input[value="yes"]', 'ArrowDown');
    assert.ok(await at.isChecked('#mail-program input[value="no"]'));
    await by.press('#mail-program .primary');
    const password = (await at.textContent('dialog .secret')) ?? '';
    unreadable.push(...(await axeFaults(at, 'mail-program-key', 'dialog')));
    await by.press('dialog button:has-text("I saved it")');
    await at.waitForSelector('dialog', { state: 'detached' });
    assert.ok(!(await at.content()).includes(password), 'shown once');
    const { keys: all } = (await api.get('/v1/account/keys')).body;
    const made = all.find(({ name }: { name: string }) => name === 'Laptop');
    assert.deepEqual([made.scopes.sort(), made.addresses], [['mail:manage', 'mail:read', 'mail:send'], [address]]);
    const program = new ImapFlow({
      host: '127.0.0.1',
      port: port as number,
      secure: false,
      auth: { user: address, pass: password },
      logger: false,
    });
    await program.connect();
    await program.logout();
    await at.route('**/config-v1.1.xml', (route) => route.fulfill({ status: 404, body: '' }), { times: 1 });
    await at.reload();
    await at.waitForSelector('.empty:has-text("IMAP and submission are off")');
    assert.equal(await at.locator('#mail-program').count(), 0);
    await at.route('**/config-v1.1.xml', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 });
    await at.reload();
    await by.press('.failed button:has-text("Try again")');
    await at.waitForSelector('#mail-program');
    const weak = await api.post('/v1/account/keys', { name: 'weak', scopes: ['account:read', 'mail:read'] });
    await openConsole(other, t, weak.body.api_key, `#/settings/program/${address}`);
    await at.waitForSelector('.empty:has-text("may not create keys")');
    assert.equal(await at.locator('#mail-program').count(), 0);
    await openConsole(other, t, weak.body.api_key, '#/settings');
    await at.waitForSelector(`#own-addresses:visible >> xpath=.. >> text=${address}`);
    assert.equal(await at.locator('a[href*="/program/"]').count(), 0, 'who makes no keys is not asked');
    assert.deepEqual(other.faults, []);
    await at.context().close();
  });

  it('the account is secured: the new key is shown once, and the console goes on with it', async () => {
    await room('Settings');
    await keys.type('#recovery-email', 'bob@example.com');
    await keys.press('form:has(#recovery-email) .button');
    await keys.press('button:has-text("Remove bob@example.com")');
    await confirm();
    await page.waitForSelector('.entry:has-text("bob@example.com")', { state: 'detached' });
    assert.equal(await page.inputValue('#recovery-email'), '', 'what was saved is not in the field anymore');
    await keys.press('.folders a:has-text("Export and delete")');
    await keys.press('button:has-text("Delete the account")');
    await page.waitForSelector('dialog #typed');
    await look('dialog-delete-account', 'dialog');
    await confirm(owner.accountId);
    await page.waitForSelector('#deletion:has-text("Asked by")');
    await look('settings');
    await keys.press('#deletion button');
    await page.waitForSelector('#deletion', { state: 'detached' });
    assert.equal((await owner.api.post('/v1/account/delete/cancel')).status, 404);
    const { address } = (await owner.api.post('/v1/email/claim', { address: 'spare' })).body;
    await room('Vault');
    await room('Settings');
    await keys.press('button:has-text("Release spare")');
    await confirm(address);
    await page.waitForSelector('.empty:has-text("No address is claimed")');
    await keys.press('.folders a:has-text("Export and delete")');
    await keys.press('button:has-text("Secure the account")');
    await confirm();
    const key = (await page.textContent('dialog .secret')) ?? '';
    await keys.press('dialog button:has-text("I saved it")');
    assert.equal((await owner.api.get('/v1/account/me')).status, 401);
    assert.equal((await t.api(key).get('/v1/account/me')).status, 200);
    await room('Vault');
  });

  it('a ledger of several pages: older charges, one category, a chart of 30 days, and a file with all of them', async () => {
    const spender = await t.createAccount();
    await setTier(t, spender.accountId, 'paid');
    const charge = (category: string, amount: string) => spender.api.post('/v1/charge', { amount, category });
    await charge('tools', '2.50');
    t.clock.advance(40 * DAY_MS);
    await Promise.all(Array.from({ length: 110 }, () => charge('calls', '0.01')));
    const other = await openPage(browser, t);
    await other.page.clock.setFixedTime(t.clock.now());
    const at = other.page;
    const by = new Keyboard(at);
    const shown = (text: string) => at.waitForSelector(`#shown:has-text("${text}")`);
    await openConsole(other, t, spender.key, '#/money');
    await shown('100 of 111 charges, 3.60 USDC in all');
    await at.waitForSelector('#by-day-reach:has-text("Of the 100 latest charges")');
    await by.press('#older');
    await shown('111 of 111 charges');
    assert.equal(await at.locator('#older').count(), 0);
    await at.waitForSelector('#by-day-reach:has-text("Of the last 30 days")');
    assert.equal(await at.locator('.chart rect:not([height="0"])').count(), 1, 'the other day is longer ago');
    await by.choose('#category', 'tools');
    await shown('1 of 1 charges, 2.50 USDC in all');
    await at.waitForSelector('.usage:has(#category-1):has-text("1.10 USDC")');
    await by.choose('#category', 'calls');
    await shown('100 of 110 charges');
    unreadable.push(...(await axeFaults(at, 'money-ledger')));
    const [download] = await Promise.all([at.waitForEvent('download'), by.press('#csv')]);
    assert.equal(readFileSync(await download.path(), 'utf8').split('"calls"').length, 111);
    assert.deepEqual(other.faults, []);
    await at.context().close();
  });

  it('nothing ran, left the page or could not be read', () => {
    assert.deepEqual([watched.faults, unreadable], [[], []]);
  });
});
