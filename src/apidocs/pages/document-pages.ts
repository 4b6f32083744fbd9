import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The pages of docs/ as the service serves them: with its own base URL, and with links only to what it serves too.
 */

const DOCS = new URL('../../../docs/', import.meta.url);
/** The base URL of a new installation, in the examples of the pages. */
export const WRITTEN_BASE_URL = 'http://127.0.0.1:8787';
/** For the people who work on the service, not for those who use it. */
const NOT_SERVED = new Set(['next', 'performance']);
/** Served, but not worth a line in the list for agents. */
const ABOUT_THE_CODE = new Set(['architecture', 'security-model', 'specification']);
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;

const namesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, DOCS))
    .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
    .filter((name) => !NOT_SERVED.has(name))
    .sort();

/** The names of the pages of jobs: each is at most 1 KB, with the calls of one job. */
export const jobNames = (): string[] => namesIn('jobs/');

/** The names of the pages about areas. */
export const areaNames = (): string[] => namesIn('.');

/** The names of all pages, without `.md`: `mail`, `jobs/code`. */
export const pageNames = (): string[] => [...areaNames(), ...jobNames().map((name) => `jobs/${name}`)];

/** A link to what only the repository has becomes its text. */
function withServedLinks(markdown: string, served: ReadonlySet<string>): string {
  return markdown.replace(LINK, (whole, label: string, target: string) => {
    if (/^(https?:|mailto:|#|\/)/.test(target)) return whole;
    const [, page, anchor = ''] = /^((?:jobs\/)?[a-z-]+)\.md(#.*)?$/.exec(target) ?? [];
    return page !== undefined && served.has(page) ? `[${label}](/docs/${page}.md${anchor})` : label;
  });
}

const atBaseUrl = (markdown: string, baseUrl: string): string => markdown.replaceAll(WRITTEN_BASE_URL, baseUrl);

const read = (path: string): string => readFileSync(new URL(path, DOCS), 'utf8').replace(/^<!--.*-->\n/gm, '');

/** A page of docs/. @param name one of {@link pageNames} */
export const pageText = (name: string, baseUrl: string): string =>
  atBaseUrl(withServedLinks(read(`${name}.md`), new Set(pageNames())), baseUrl);

/** The first heading of a page. */
const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? '';

/** The title of a page. @param name one of {@link pageNames} */
export const pageTitle = (name: string): string => titleOf(read(`${name}.md`));

/** The names of the pages about the API. */
const pageList = (): string =>
  areaNames()
    .filter((name) => !ABOUT_THE_CODE.has(name) && !name.startsWith('quickstart-'))
    .join(', ');

/** The jobs: `- [Get a verification code](/docs/jobs/code.md)`. */
const jobList = (): string =>
  jobNames()
    .map((name) => `- [${pageTitle(`jobs/${name}`)}](/docs/jobs/${name}.md)`)
    .join('\n');

/** `/llms.txt`: what an agent reads first. */
export const llmsText = (baseUrl: string): string =>
  atBaseUrl(read('agents/llms.md'), baseUrl).replace('{{jobs}}', jobList()).replace('{{pages}}', pageList());

/** The same for a client that reads JSON. */
export const welcome = (baseUrl: string) => ({
  name: 'Signet',
  documentation: `${baseUrl}/llms.txt`,
  text: llmsText(baseUrl),
});

/** `/llms-full.txt`: the same, and every page. */
export const llmsFullText = (baseUrl: string): string =>
  [llmsText(baseUrl), ...pageNames().map((name) => pageText(name, baseUrl))].join('\n\n');

/** `/skill.md`: when and how to use the service (agentskills.io), with the examples of `/llms.txt`. */
export function skillText(baseUrl: string): string {
  const [, examples = ''] = /\n(## Start\n[\s\S]*?)\n## Jobs\n/.exec(read('agents/llms.md')) ?? [];
  return atBaseUrl(read('agents/skill.md').replace('{{examples}}', examples), baseUrl);
}

/** `/.well-known/agent-skills/index.json` (Agent Skills Discovery 0.2.0), with the digest of the skill as it is served. */
export function skillIndex(baseUrl: string): string {
  const text = skillText(baseUrl);
  const digest = createHash('sha256').update(text).digest('hex');
  const head = (name: string): string =>
    new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]?.replace(/^"|"$/g, '') ?? '';
  return JSON.stringify({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: head('name'),
        description: head('description'),
        type: 'skill-md',
        url: `${baseUrl}/skill.md`,
        digest: `sha256:${digest}`,
      },
    ],
  });
}
