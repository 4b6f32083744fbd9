import assert from 'node:assert/strict';
import { isAbsolute } from 'node:path';
import { describe, it } from 'node:test';
import { DEFAULT_LIMITS } from '../api/limits.ts';
import { ConfigError } from './config-variable.ts';
import { readConfig } from './service-config.ts';

type Env = Record<string, string>;

describe('the configuration', () => {
  it('without variables is a development service for this machine only', () => {
    const config = readConfig({});
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, 8787);
    assert.equal(config.baseUrl, null);
    assert.equal(config.mailDomain, 'agents.localhost');
    assert.ok(isAbsolute(config.dataDir) && config.dataDir.endsWith('data'));
    assert.equal(config.databaseUrl, null);
    assert.deepEqual([config.smtpHost, config.smtpPort, config.smtpRelayUrl], ['127.0.0.1', 2525, null]);
    assert.equal(config.trustProxy, false);
    assert.deepEqual(config.limits, DEFAULT_LIMITS);
    assert.equal(config.logLevel, 'info');
  });

  it('is frozen', () => assert.ok(Object.isFrozen(readConfig({}))));

  it('treats an empty variable as unset', () => {
    const names = ['HOST', 'PORT', 'BASE_URL', 'MAIL_DOMAIN', 'DATA_DIR', 'DATABASE_URL', 'SMTP_HOST', 'SMTP_PORT'];
    const more = [
      'SMTP_TLS_CERT',
      'SMTP_TLS_KEY',
      'IMAP_HOST',
      'IMAP_PORT',
      'IMAPS_PORT',
      'SUBMISSION_HOST',
      'SUBMISSION_PORT',
      'SUBMISSIONS_PORT',
      'SMTP_RELAY_URL',
      'TRUST_PROXY',
      'X402_PAY_TO',
      'X402_FACILITATOR_URL',
      'LIMITS',
      'LOG_LEVEL',
    ];
    const empty = Object.fromEntries([...names, ...more].map((name) => [name, '']));
    assert.deepEqual(readConfig(empty), readConfig({}));
  });

  const read: [Env, string, unknown][] = [
    [{}, 'development', true],
    [{ HOST: '::1', BASE_URL: 'http://localhost:8787' }, 'development', true],
    // As in a container: the listener is open to other machines.
    [{ HOST: '0.0.0.0', BASE_URL: 'http://127.0.0.1:8787' }, 'development', false],
    [{ HOST: '0.0.0.0' }, 'development', false],
    [{ HOST: '0.0.0.0', BASE_URL: 'http://127.0.0.1:8787', DEVELOPMENT: 'on' }, 'development', true],
    [{ HOST: '0.0.0.0', DEVELOPMENT: 'on' }, 'development', true],
    [{ BASE_URL: 'https://id.example.com' }, 'development', false],
    [{ DEVELOPMENT: 'off' }, 'development', false],
    [{ RESERVED_ADDRESSES: ' CEO, press@agents.localhost,' }, 'reservedAddresses', ['ceo', 'press']],
    [{ POSTMASTER_MAIL: 'Ops@Example.com' }, 'postmasterMail', 'Ops@example.com'],
    [{ PORT: '0' }, 'port', 0],
    [{ PORT: '65535' }, 'port', 65_535],
    [{ SMTP_PORT: 'off' }, 'smtpPort', null],
    [{ SMTP_PORT: '0' }, 'smtpPort', 0],
    [{}, 'imapPort', 1143],
    [{ IMAP_PORT: 'off' }, 'imapPort', null],
    [{}, 'imapsPort', null],
    [{ SUBMISSION_PORT: '0' }, 'submissionPort', 0],
    [{}, 'submissionPort', 1587],
    [{}, 'submissionsPort', null],
    [{ BASE_URL: 'https://id.example.com//' }, 'baseUrl', 'https://id.example.com'],
    [{ MAIL_DOMAIN: 'Agents.Example.COM' }, 'mailDomain', 'agents.example.com'],
    [{ DATABASE_URL: 'postgresql://u:p@db/signet' }, 'databaseUrl', 'postgresql://u:p@db/signet'],
    [{ SMTP_RELAY_URL: 'smtps://u:p@relay:465' }, 'smtpRelayUrl', 'smtps://u:p@relay:465'],
    [{ TRUST_PROXY: 'off' }, 'trustProxy', false],
    [{ TRUST_PROXY: '0' }, 'trustProxy', false],
    [{ TRUST_PROXY: '2' }, 'trustProxy', 2],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, 'trustProxy', ['10.0.0.0/8', '::1']],
    [{ LOG_LEVEL: 'silent' }, 'logLevel', 'silent'],
    [{}, 'delivery', 'file'],
    [{ BASE_URL: 'https://id.example.com' }, 'delivery', 'file'],
    [{ SMTP_RELAY_URL: 'smtp://relay' }, 'delivery', 'relay'],
    [{ SMTP_RELAY_URL: 'smtp://relay', DELIVERY: 'direct' }, 'delivery', 'direct'],
    [{ SIGNUP: '' }, 'signUp', 'open'],
    [{ SIGNUP: 'invite' }, 'signUp', 'invite'],
    [{ SIGNUP: 'closed' }, 'signUp', 'closed'],
  ];
  for (const [env, name, value] of read) {
    it(`reads ${JSON.stringify(env)}`, () =>
      assert.deepEqual((readConfig(env) as unknown as Record<string, unknown>)[name], value));
  }

  it('merges LIMITS over the defaults', () => {
    const { limits } = readConfig({ LIMITS: '{"free": {"requests_per_day": 7}}' });
    assert.equal(limits.free.requests_per_day, 7);
    assert.equal(limits.free.addresses, DEFAULT_LIMITS.free.addresses);
  });
});

describe('a configuration error names the variable, what it got, and what it must be', () => {
  const cases: [Env, string][] = [
    [{ PORT: '65536' }, 'PORT is "65536"; it must be a port'],
    [{ PORT: '-1' }, 'PORT is "-1"; it must be a port'],
    [{ PORT: '80a' }, 'PORT is "80a"; it must be a port'],
    [{ PORT: ' 80' }, 'PORT is " 80"; it must be a port'],
    [{ PORT: '1e3' }, 'PORT is "1e3"; it must be a port'],
    [{ SMTP_PORT: 'on' }, 'SMTP_PORT is "on"; it must be a port'],
    [{ IMAP_PORT: '70000' }, 'IMAP_PORT is "70000"; it must be a port'],
    [{ IMAPS_PORT: '993' }, 'IMAPS_PORT is "993"; it must be "off" or unset, unless SMTP_TLS_CERT'],
    [{ SUBMISSIONS_PORT: '465' }, 'SUBMISSIONS_PORT is "465"; it must be "off" or unset, unless SMTP_TLS_CERT'],
    [{ BASE_URL: 'id.example.com' }, 'BASE_URL is "id.example.com"; it must be a URL'],
    [{ BASE_URL: 'ftp://id.example.com' }, 'BASE_URL is "ftp://id.example.com"; it must be a URL'],
    [{ MAIL_DOMAIN: 'agents_example' }, 'MAIL_DOMAIN is "agents_example"; it must be a domain name'],
    [{ MAIL_DOMAIN: 'a..b' }, 'MAIL_DOMAIN is "a..b"; it must be a domain name'],
    [{ MAIL_DOMAIN: `${'a.'.repeat(100)}b` }, `MAIL_DOMAIN is "${'a.'.repeat(100)}b"; it must be a domain name`],
    [{ DEVELOPMENT: 'yes' }, 'DEVELOPMENT is "yes"; it must be "on" or "off"'],
    [{ DEVELOPMENT: 'on', BASE_URL: 'https://id.example.com' }, 'DEVELOPMENT is "on"; it must be "off" or unset'],
    [{ DEVELOPMENT: 'on', HOST: '192.168.1.5' }, 'DEVELOPMENT is "on"; it must be "off" or unset'],
    [{ RESERVED_ADDRESSES: 'ceo;press' }, 'RESERVED_ADDRESSES is "ceo;press"; it must be a list'],
    [{ POSTMASTER_MAIL: 'ops' }, 'POSTMASTER_MAIL is "ops"; it must be an email address outside'],
    [{ POSTMASTER_MAIL: 'ops@agents.localhost' }, 'POSTMASTER_MAIL is "ops@agents.localhost"; it must be'],
    [{ DATABASE_URL: 'mysql://db/signet' }, 'DATABASE_URL is "mysql://db/signet"; it must be a URL'],
    [{ SMTP_RELAY_URL: 'relay:25' }, 'SMTP_RELAY_URL is "relay:25"; it must be a URL'],
    [{ DELIVERY: 'relay' }, 'DELIVERY is "relay"; it must be "direct" or "file", unless SMTP_RELAY_URL is set'],
    [{ DELIVERY: 'fax' }, 'DELIVERY is "fax"; it must be "relay", "direct" or "file"'],
    [{ SIGNUP: 'off' }, 'SIGNUP is "off"; it must be "open", "invite" or "closed"'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY is "yes"; it must be "off", a number'],
    [{ TRUST_PROXY: '10.0.0.0/8,bad' }, 'TRUST_PROXY is "10.0.0.0/8,bad"; it must be "off", a number'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY is "10.0.0.0/33"; it must be "off", a number'],
    [{ X402_PAY_TO: '0x12' }, 'X402_PAY_TO is "0x12"; it must be an EVM address'],
    [{ X402_FACILITATOR_URL: 'ftp://f.example' }, 'X402_FACILITATOR_URL is "ftp://f.example"; it must be a URL'],
    [{ X402_FACILITATOR_URL: 'https://f.example' }, 'X402_PAY_TO is ""; it must be your own EVM address'],
    [{ X402_FACILITATOR_URL: 'https://u:hunter2@f.example' }, 'X402_FACILITATOR_URL is "a URL with a user in it"'],
    [{ LIMITS: '{' }, 'LIMITS is "{"; it must be JSON'],
    [{ LIMITS: '{"free": {"mails": 1}}' }, 'LIMITS: free.mails is not a limit'],
    [{ LIMITS: '{"free": {"requests_per_day": "1"}}' }, 'LIMITS: free.requests_per_day must be a non-negative'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"; it must be one of'],
    [{ SMTP_TLS_CERT: 'cert.pem' }, 'SMTP_TLS_KEY is ""; it must be the path'],
    [{ SMTP_TLS_KEY: 'key.pem' }, 'SMTP_TLS_CERT is ""; it must be the path'],
  ];
  for (const [env, message] of cases) {
    it(`${JSON.stringify(env).slice(0, 80)}`, () => {
      assert.throws(
        () => readConfig(env),
        (err) => err instanceof ConfigError && err.message.startsWith(message),
      );
    });
  }

  it('never repeats a password', () => {
    for (const env of [
      { DATABASE_URL: 'mysql://user:hunter2@db/signet' },
      { SMTP_RELAY_URL: 'http://user:hunter2@relay' },
      { BASE_URL: 'ftp://user:hunter2@example.com' },
      { DATABASE_URL: 'mysql://user:hun@ter2@db/signet' },
      { DATABASE_URL: 'user:hunter2@db/signet' },
    ]) {
      assert.throws(
        () => readConfig(env),
        (err) => err instanceof ConfigError && !/hunter2|ter2/.test(err.message),
        JSON.stringify(env),
      );
    }
  });
});
