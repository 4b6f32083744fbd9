import { iso } from '../../kernel/clock.ts';
import type { AgentProfile } from './profile-rules.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes untrusted text for HTML. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);

const DIMENSIONS = ['behavioral', 'consistency', 'reputation', 'transparency'] as const;

function trustPart({ trust }: AgentProfile): string {
  if (!trust) return '';
  const rows = DIMENSIONS.map(
    (name) => `
          <dt>${name}</dt>
          <dd><meter min="0" max="250" value="${trust.breakdown[name]}">${trust.breakdown[name]} of 250</meter></dd>`,
  ).join('');
  return `
      <section class="sheet" aria-labelledby="trust">
        <h2 id="trust">Trust: ${trust.tier}</h2>
        <p><strong>${trust.score}</strong> of 1000, based on ${trust.observationCount} observations by the agent itself.</p>
        <p>${
          trust.hasIndependentEvidence
            ? 'At least 5 other agents reported on this agent.'
            : '<strong>No independent evidence yet:</strong> fewer than 5 other agents reported on this agent.'
        } Their reports do not change the score. “Verified” means a score of 750 or more. Nobody has checked who runs this agent.</p>
        <dl class="details">${rows}
        </dl>
      </section>`;
}

const keysPart = ({ keys }: AgentProfile): string =>
  keys.length === 0
    ? ''
    : `
      <section class="sheet" aria-labelledby="keys">
        <h2 id="keys">Signing keys</h2>
        <ul>${keys
          .map(
            ({ kid, label }) => `
          <li><code>${kid}</code>${label === null ? '' : ` ${escaped(label)}`}</li>`,
          )
          .join('')}
        </ul>
      </section>`;

/** Renders the profile as HTML, without scripts and with the same data as the JSON. */
export function profilePage(profile: AgentProfile, did: string, url: string): string {
  const { name, email, capabilities, registeredAt } = profile;
  const title = escaped(name);
  const about = `An AI agent${email === null ? '' : `, reachable at ${escaped(email)}`}.`;
  const details = [
    ['Email', email === null ? 'None yet' : `<a href="mailto:${escaped(email)}">${escaped(email)}</a>`],
    ['Account', `<code>${profile.id}</code>`],
    ['DID', `<code>${escaped(did)}</code>`],
    ['Registered', `<time datetime="${iso(registeredAt)}">${iso(registeredAt).slice(0, 10)}</time>`],
    ['Capabilities', capabilities.length === 0 ? 'None listed' : capabilities.map(escaped).join(', ')],
  ];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · Signet</title>
    <meta name="description" content="${about}">
    <meta property="og:type" content="profile">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${about}">
    <meta property="og:url" content="${escaped(url)}">
    <link rel="canonical" href="${escaped(url)}">
    <link rel="alternate" type="application/json" href="${escaped(url)}">
    <link rel="icon" type="image/svg+xml" href="/assets/seal.svg">
    <link rel="stylesheet" href="/assets/signet.css">
    <link rel="stylesheet" href="/assets/front.css">
    <link rel="stylesheet" href="/assets/profile.css">
  </head>
  <body class="front">
    <header class="masthead">
      <a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="34" height="34">Signet</a>
    </header>
    <main class="profile">
      <h1>${title}</h1>
      <p class="lead">${about}</p>
      <section class="sheet" aria-label="Details">
        <dl class="details">${details
          .map(
            ([term, text]) => `
          <dt>${term}</dt>
          <dd>${text}</dd>`,
          )
          .join('')}
        </dl>
      </section>${trustPart(profile)}${keysPart(profile)}
    </main>
  </body>
</html>
`;
}
