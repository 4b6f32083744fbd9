import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemNow } from '../../client/client-clock.ts';
import type { ExchangeTokenInput, ServerMetadata } from '../../client/generated/operations.ts';
import type { SignetClient } from '../../client/signet-client.ts';
import { SignetConnectionError, SignetError } from '../../client/signet-error.ts';
import { printable, say } from '../output.ts';
import { AgentCommandError, EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, collect, textOrInput } from './agent-run.ts';
import { accountIdOf, type Login, uninterrupted } from './agent-session.ts';
import { listenForAnswer, openBrowser } from './browser-answer.ts';

/** The client that this program is to the service. */
const CLIENT = { client_id: 'signet-cli' };
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628 3.5. */
const SLOWER_SECONDS = 5;
/** As long as a code of a device waits. */
const BROWSER_WAIT_MS = 600_000;
/** Decisions about money are a person's, and no named key changes an account: neither is asked for unless it is named. */
const NOT_ASKED = ['account:manage', 'money:approve'];

interface LoginOptions {
  url?: string;
  key?: string;
  withKey?: boolean;
  device?: boolean;
  browser: boolean;
  scope?: string[];
  replace?: boolean;
}

/** What a person is asked for. */
interface Asked {
  client: SignetClient;
  metadata: ServerMetadata;
  scope: string;
}

/** @throws AgentCommandError unless the service goes by the URL that it was asked at (RFC 8414 3.3) */
async function askedOf(client: SignetClient, scopes: readonly string[] | undefined): Promise<Asked> {
  const metadata = await client.getAuthorizationServerMetadata();
  const { issuer, scopes_supported: known, authorization_endpoint: page } = metadata;
  if (issuer !== client.baseUrl || !page.startsWith(`${issuer}/`))
    throw new AgentCommandError(
      EXIT.usage,
      `the service at ${client.baseUrl} is ${issuer}: log in with --url ${issuer}`,
    );
  return { client, metadata, scope: (scopes ?? known.filter((scope) => !NOT_ASKED.includes(scope))).join(' ') };
}

/** Ends a key that a person gave this command line. */
async function endGranted(run: AgentRun, { url, key }: Login): Promise<void> {
  await run.session.stranger(url).revokeClientToken({ token: key, ...CLIENT });
}

/** Gets a key and keeps it, before anything else can fail. A key that cannot be kept ends. @throws SignetError, SignetConnectionError */
const redeem = (run: AgentRun, { client }: Asked, form: ExchangeTokenInput): Promise<Login> =>
  uninterrupted(async () => {
    const { access_token: key, scope, expires_in: seconds } = await client.exchangeToken(form, { retries: 0 });
    const granted = { scopes: scope.split(' '), expiresAt: new Date(systemNow() + seconds * 1000).toISOString() };
    const login = { url: client.baseUrl, key, granted };
    try {
      run.session.saveLogin(login);
    } catch (err) {
      await endGranted(run, login);
      throw err;
    }
    return login;
  });

async function keyByBrowser(run: AgentRun, asked: Asked, opens: boolean): Promise<Login> {
  const { metadata, scope } = asked;
  const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
  const answer = await listenForAnswer(state, metadata.issuer);
  try {
    const { redirectUri: redirect_uri } = answer;
    const resource = metadata.issuer;
    const request = {
      response_type: 'code',
      ...CLIENT,
      redirect_uri,
      scope,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
    };
    const page = `${metadata.authorization_endpoint}?${new URLSearchParams(request)}`;
    run.note(`log in at ${printable(page)}`);
    if (opens) openBrowser(page, run.session.browser);
    const code = await answer.code(BROWSER_WAIT_MS);
    const form = { grant_type: 'authorization_code', ...CLIENT, code, code_verifier: verifier, redirect_uri, resource };
    return await redeem(run, asked, form).catch((err: unknown) => {
      if (!(err instanceof SignetConnectionError)) throw err;
      // The reply may be lost, and the key with it: a code that comes again ends what it gave.
      return redeem(run, asked, form);
    });
  } finally {
    answer.close();
  }
}

async function keyByDevice(run: AgentRun, asked: Asked): Promise<Login> {
  const { client, metadata, scope } = asked;
  const resource = metadata.issuer;
  const { device_code, user_code, verification_uri, expires_in, interval } = await client.startDeviceLogin({
    ...CLIENT,
    scope,
    resource,
  });
  run.note(`open ${printable(verification_uri)} and type the code ${printable(user_code)}`);
  const endsAt = systemNow() + expires_in * 1000;
  for (let seconds = interval; ; ) {
    await sleep(seconds * 1000);
    try {
      return await redeem(run, asked, { grant_type: DEVICE_CODE, ...CLIENT, device_code, resource });
    } catch (err) {
      // The next poll ends a key whose reply was lost, and says so.
      if (err instanceof SignetConnectionError && systemNow() < endsAt) continue;
      if (!(err instanceof SignetError) || !['authorization_pending', 'slow_down'].includes(err.code)) throw err;
      if (err.code === 'slow_down') seconds += SLOWER_SECONDS;
    }
  }
}

/** @throws AgentCommandError when the profile has another key, which may be kept nowhere else */
function requireRoom(run: AgentRun, replace: boolean | undefined, key: string | undefined): Login | null {
  const former = run.session.login();
  if (former && !former.granted && former.key !== key && !replace)
    throw new AgentCommandError(
      EXIT.usage,
      `the login of ${former.accountId ?? former.url} has a key that may be kept nowhere else; choose another --profile, or forget it with --replace`,
    );
  run.session.requireWritable();
  return former;
}

/** Ends the key of a login that another replaced, if a person gave it: it is stored nowhere now. The new login is good either way. */
export async function endFormer(run: AgentRun, former: Login | null, key: string): Promise<void> {
  if (former?.granted && former.key !== key)
    await endGranted(run, former).catch(() => run.note('the former key could not be ended'));
}

async function loginByConsent(run: AgentRun, options: LoginOptions): Promise<Login> {
  const client = run.session.stranger(options.url);
  const asked = await askedOf(client, options.scope);
  const login = await (options.device ? keyByDevice(run, asked) : keyByBrowser(run, asked, options.browser));
  return { ...login, accountId: await accountIdOf(client.withKey(login.key)) };
}

async function loginByKey(run: AgentRun, url: string | undefined, key: string, former: Login | null): Promise<Login> {
  const client = run.session.stranger(url).withKey(key);
  const accountId = await accountIdOf(client);
  // The same key stays one that a person gave.
  return { ...(former?.key === key ? former : {}), url: client.baseUrl, key, accountId };
}

async function logIn(run: AgentRun, options: LoginOptions): Promise<void> {
  const named = await textOrInput(run, options.withKey ? '-' : options.key);
  if (named === '') throw new AgentCommandError(EXIT.usage, 'stdin has no key');
  const byConsent = options.device || !options.browser || options.scope !== undefined;
  const key = named ?? (byConsent ? undefined : run.session.environmentKeyFor(options.url));
  if (named !== undefined && byConsent)
    throw new AgentCommandError(EXIT.usage, 'a key needs no --device, --no-browser or --scope');
  const former = requireRoom(run, options.replace, key);
  const login = await (key === undefined ? loginByConsent(run, options) : loginByKey(run, options.url, key, former));
  const path = run.session.saveLogin(login);
  await endFormer(run, former, login.key);
  const { accountId, url, granted } = login;
  const { profile } = run.session;
  const more = granted && { scopes: granted.scopes, expires_at: granted.expiresAt };
  const text = `logged in as ${accountId ?? 'a key that may not read its account'}; the key is in ${path}`;
  say(run.output(), { account_id: accountId, url, profile, path, ...more }, text);
}

async function logOut(run: AgentRun): Promise<void> {
  const login = run.session.login();
  const { profile } = run.session;
  if (!login) throw new AgentCommandError(EXIT.auth, `there is no login in the profile ${profile}`);
  if (login.granted) await endGranted(run, login);
  run.session.forgetLogin();
  const ended = login.granted !== undefined;
  const what = ended ? 'its key has ended' : 'its key still works, and is no longer kept here';
  say(run.output(), { profile, account_id: login.accountId, ended }, `logged out of ${login.url}; ${what}`);
}

/** `login`, `logout`. */
export const addLoginCommands: AddCommands = (program, run) => {
  program
    .command('login')
    .description('log in with a browser, and keep the key in a file that only you can read')
    .option('--url <url>', 'the service')
    .option('--device', 'show a code to type in a browser of another machine')
    .option('--no-browser', 'show the address of the page, and open none')
    .option('--scope <scope>', 'ask for this alone; repeat it for several', collect)
    .option('--replace', 'forget the key of the present login')
    .option('--with-key', 'read a key from stdin')
    .option('--key <key>', 'the key; - reads it from stdin')
    .addHelpText(
      'after',
      '\nExamples: signet login --url https://signet.example\n          signet login --url https://signet.example --with-key < key.txt',
    )
    .action((options: LoginOptions) => logIn(run, options));
  program
    .command('logout')
    .description('forget the login, and end the key that it got')
    .action(() => logOut(run));
};
