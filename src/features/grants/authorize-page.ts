import { SCOPES } from '../../kernel/scopes.ts';
import type { AuthorizationRequest } from './grant-data.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes untrusted text for HTML. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);

const page = (title: string, head: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title} · Signet</title>
    <link rel="icon" type="image/svg+xml" href="/assets/seal.svg">
    <link rel="stylesheet" href="/assets/signet.css">${head}
  </head>
  <body class="centred">
    <main class="card">
      <a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="44" height="44">Signet</a>${content}
      <noscript><p>This page needs JavaScript.</p></noscript>
      <p class="visually-hidden" id="status" role="status" aria-live="polite"></p>
    </main>
  </body>
</html>
`;

const SCRIPT = `
    <script type="module" src="/assets/authorize.js"></script>`;

/** The words of a scope, with code marks. */
const meaningOf = (meaning: string): string => escaped(meaning).replace(/`([^`]*)`/g, '<code>$1</code>');

function aboutPart({ client, destination: { host, isOwnMachine } }: AuthorizationRequest): string {
  const vouched =
    client.host === null
      ? 'It registered itself, and nobody checked its name.'
      : `Its metadata come from <strong>${escaped(client.host)}</strong>.`;
  const warning = isOwnMachine
    ? `
        <p class="problem" id="own-machine">Its answer goes to a program on your own computer (${escaped(host)}). Any program there can ask under any name. Go on only if you have just started this yourself.</p>`
    : '';
  return `
        <p><strong id="client">${escaped(client.name)}</strong> asks to act for one of your agents through MCP. ${vouched}</p>
        <dl class="asked"><dt>Its answer goes to</dt><dd id="redirect-host">${escaped(host)}</dd></dl>${warning}`;
}

const scopesPart = ({ scopes }: AuthorizationRequest): string =>
  scopes
    .map(
      (scope) => `
            <p><label><input type="checkbox" name="scope" value="${scope}" checked> ${meaningOf(SCOPES[scope])} <code>${scope}</code></label></p>`,
    )
    .join('');

/**
 * The page on which a person lets a client act for an agent. `request` is what it sends back with the decision. It
 * decides nothing by itself, and only its buttons do.
 */
export const authorizePage = (asked: AuthorizationRequest, request: string): string =>
  page(
    'Let an application in?',
    SCRIPT,
    `
      <input type="hidden" id="request" name="request" value="${escaped(request)}">
      <section id="asking">
        <h1 id="asking-title" tabindex="-1">Let this application in?</h1>${aboutPart(asked)}
        <form id="login" hidden>
          <p>Log in first, as the operator of the agent.</p>
          <label for="email">Email address</label>
          <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required spellcheck="false">
          <button type="submit" class="button primary wide" id="send">Email me a link</button>
          <p id="with-passkey" hidden><button type="button" class="button wide" id="passkey">Log in with a passkey</button></p>
        </form>
        <form id="form" hidden>
          <label for="account">Agent</label>
          <select id="account" name="account"></select>
          <fieldset>
            <legend>It may</legend>${scopesPart(asked)}
          </fieldset>
          <button type="button" class="button primary wide" id="allow">Allow</button>
          <p><button type="button" class="button wide" id="deny">Deny</button></p>
          <p class="fine"><button type="button" class="link" id="other">Log in as somebody else</button></p>
        </form>
        <p class="problem" id="problem" role="alert"></p>
        <p class="fine">You can end its access at any time. It cannot change keys, people or limits.</p>
      </section>
      <section id="sent" hidden>
        <h1 id="sent-title" tabindex="-1">Check your email</h1>
        <p>If your address belongs to an account, a login link is on its way. Open it in this browser: it brings you back here.</p>
      </section>`,
  );

/** Says that a link cannot be used. Nothing goes to the client, because it is not known who it is. */
export const refusedPage = (message: string): string =>
  page(
    'This link cannot be used',
    '',
    `
      <section>
        <h1>This link cannot be used</h1>
        <p id="refused">${escaped(message)}</p>
        <p>Start again from the application. If this comes back, tell whoever makes it.</p>
      </section>`,
  );

/**
 * Says what is wrong with a request, and leaves it to the person to go back. Clients read the answer in the link.
 */
export const faultPage = ({ error, message, to, host }: { error: string; message: string; to: string; host: string }) =>
  page(
    'This application asks for something unknown',
    '',
    `
      <section>
        <h1>This application asks for something that does not work</h1>
        <p id="refused">${escaped(message)} <code id="error">${escaped(error)}</code></p>
        <p>Nothing was allowed. Tell whoever makes the application.</p>
        <p><a class="button wide" id="back" rel="noreferrer" href="${escaped(to)}">Go back to ${escaped(host)}</a></p>
      </section>`,
  );
