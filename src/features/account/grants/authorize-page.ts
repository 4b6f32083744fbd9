import { BRAND, escaped, pageFrame } from '../../../api/page-frame.ts';
import { type AuthorizationRequest, COMMAND_LINE } from './grant-table.ts';

const page = (title: string, content: string): string =>
  pageFrame({
    title,
    kind: 'centred',
    styles: [],
    head: '\n    <meta name="robots" content="noindex">',
    body: `    <main class="card">
      ${BRAND}${content}
    </main>`,
  });

/** What the page of the console reads of a request. `request` is what it sends back with the decision. */
export function askedOf({ client, destination, scopes }: AuthorizationRequest, request: string): string {
  const given = {
    request,
    client: client.name,
    kind: client.id === COMMAND_LINE.id ? 'command_line' : 'application',
    ...(client.host === null ? {} : { host: client.host }),
    destination: destination.host,
    'own-machine': String(destination.isOwnMachine),
    scopes: scopes.join(' '),
  };
  const attributes = Object.entries(given).map(([name, value]) => `data-${name}="${escaped(value)}"`);
  return `<div id="asked" hidden ${attributes.join(' ')}></div>`;
}

/** Says that a link cannot be used. Nothing goes to the client, because it is not known who it is. */
export const refusedPage = (message: string): string =>
  page(
    'This link cannot be used',
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
    `
      <section>
        <h1>This application asks for something that does not work</h1>
        <p id="refused">${escaped(message)} <code id="error">${escaped(error)}</code></p>
        <p>Nothing was allowed. Tell whoever makes the application.</p>
        <p><a class="button wide" id="back" rel="noreferrer" href="${escaped(to)}">Go back to ${escaped(host)}</a></p>
      </section>`,
  );
