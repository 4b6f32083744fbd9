import { VARIABLES, type Variable } from '../src/config/environment.ts';

/** The lists of variables in compose.yaml and deploy/, by the name of their marker in the file. */

/** Variables that compose.yaml sets by hand. */
const SET_IN_COMPOSE = new Set([
  ...['HOST', 'PORT', 'SMTP_HOST', 'SMTP_PORT', 'DATA_DIR', 'DATABASE_URL'],
  ...['IMAP_HOST', 'IMAP_PORT', 'SUBMISSION_HOST', 'SUBMISSION_PORT'],
  ...['BASE_URL', 'MAIL_DOMAIN', 'MASTER_KEY', 'TRUST_PROXY'],
]);
/** Variables that the systemd units set. */
const SET_IN_UNITS = new Set(['DATA_DIR']);

/** An empty variable counts as unset. */
const composeVariables = (): string =>
  Object.keys(VARIABLES)
    .filter((name) => !SET_IN_COMPOSE.has(name))
    .map((name) => `      ${name}: \${${name}:-}`)
    .join('\n');

/** Links and code marks mean nothing in such a file. */
const plain = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');

const envVariables = (): string =>
  Object.entries<Variable>(VARIABLES)
    .filter(([name]) => !SET_IN_UNITS.has(name))
    .map(([name, { fallback, text }]) => `\n# ${plain(text)}\n#${name}=${fallback ?? ''}`)
    .join('\n');

export const DEPLOY_TABLES: Readonly<Record<string, () => string>> = {
  'compose-variables': composeVariables,
  'env-variables': envVariables,
};
