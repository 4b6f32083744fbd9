/** The agents' commands, in the order of the help: what an agent does each day comes first. */
export const AGENT_COMMANDS = {
  register: 'create an account with a key and an address, and log in',
  login: 'log in with a browser, a code or a key, and keep the key in a file that only you can read',
  logout: 'forget the login, and end the key that it got',
  auth: 'show the login, and choose between several',
  whoami: 'show the account, its addresses, and what the key may do',
  waiting: 'list what waits, and for whom',
  mail: 'read, send and await mail',
  draft: 'drafts and scheduled mail',
  address: 'the addresses of the account',
  secret: 'secrets, sealed on this machine',
  charge: 'record what you spend, in USDC',
  budget: 'show or change the budget',
  approvals: 'charges that a person decides',
  calendar: 'events, invitations and the feed',
  token: 'issue a token that proves who you are to another service',
  events: 'show what happened to the account',
  webhook: 'events sent to a URL, or to a program on this machine',
  delegation: 'let another account act for this one',
  profile: 'the public profile of the agent',
  policy: 'what may leave the account',
  power: 'show what you may do, and what an operator decides',
  pod: 'accounts below this one',
  key: 'named keys, which may do less',
  rotate: 'replace the key',
  secure: 'take the account back after its key was stolen',
  export: 'export the account',
  call: 'call any operation of the API by its name',
  operations: 'list the operations for signet call',
  mcp: 'serve MCP on stdin and stdout',
} as const;

/**
 * Whether a command line is an agent's: its first word that is no option is one of their commands, also after `help`.
 * `mail test` is the administrator's.
 */
export function isAgentCommand(args: readonly string[]): boolean {
  // The name of a profile is no command.
  const words = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '--profile');
  const [word, next] = words[0] === 'help' ? words.slice(1) : words;
  if (word === 'mail' && next === 'test') return false;
  return word !== undefined && Object.hasOwn(AGENT_COMMANDS, word);
}
