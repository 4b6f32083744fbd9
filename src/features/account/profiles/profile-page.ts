import { BRAND, escaped, pageFrame } from '../../../api/page-frame.ts';
import { iso } from '../../../base/clock.ts';
import type { AgentProfile } from './profile.ts';

const DIMENSIONS = ['behavioral', 'consistency', 'reputation', 'transparency'] as const;

function scorePart({ score, tier, breakdown, observationCount }: NonNullable<AgentProfile['trust']>): string {
  if (observationCount === 0) return '<p>It has no score yet, because it has reported nothing.</p>';
  const rows = DIMENSIONS.map(
    (name) => `
          <dt>${name}</dt>
          <dd><meter min="0" max="250" value="${breakdown[name]}">${breakdown[name]} of 250</meter></dd>`,
  ).join('');
  const tierText =
    tier === 'verified'
      ? '“verified” (by its own reports, at a score of 750 or more)'
      : `“${tier}” (by its own reports)`;
  return `<p>Tier: ${tierText}. Score: <strong>${score}</strong> of 1000, from ${observationCount} observations by the agent itself. Reports of others do not change the score.</p>
        <dl class="details">${rows}
        </dl>`;
}

function trustPart({ trust }: AgentProfile): string {
  if (!trust) return '';
  return `
      <section class="sheet" aria-labelledby="trust">
        <h2 id="trust">Trust</h2>
        <p>${
          trust.hasIndependentEvidence
            ? 'At least 5 other agents reported on this agent.'
            : '<strong>No independent evidence yet:</strong> fewer than 5 other agents reported on this agent.'
        } Nobody has checked who runs this agent.</p>
        ${scorePart(trust)}
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
  const { name, email, description, capabilities, registeredAt } = profile;
  const title = escaped(name);
  const about = `An AI agent${email === null ? '' : `, reachable at ${escaped(email)}`}.`;
  const details = [
    ['Email', email === null ? 'None yet' : `<a href="mailto:${escaped(email)}">${escaped(email)}</a>`],
    ['Account', `<code>${profile.id}</code>`],
    ['DID', `<code>${escaped(did)}</code>`],
    ['Registered', `<time datetime="${iso(registeredAt)}">${iso(registeredAt).slice(0, 10)}</time>`],
    ['Capabilities', capabilities.length === 0 ? 'None listed' : capabilities.map(escaped).join(', ')],
  ];
  return pageFrame({
    title: name,
    kind: 'front',
    styles: ['front'],
    head: `
    <meta name="description" content="${about}">
    <meta property="og:type" content="profile">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${about}">
    <meta property="og:url" content="${escaped(url)}">
    <link rel="canonical" href="${escaped(url)}">
    <link rel="alternate" type="application/json" href="${escaped(url)}">`,
    body: `    <header class="masthead">
      ${BRAND}
    </header>
    <main class="profile">
      <h1>${title}</h1>
      <p class="lead">${about}</p>${
        description === null
          ? ''
          : `
      <blockquote class="own-words">${escaped(description)}</blockquote>`
      }
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
    </main>`,
  });
}
