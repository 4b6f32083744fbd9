/** The texts of the page on which a person lets an application act for an agent. */
export const consent = {
  consent: {
    title: 'Let this application in?',
    asks: 'It asks to act for one of your agents through MCP.',
    host: 'Its metadata come from {host}.',
    nobody: 'It registered itself, and nobody checked its name.',
    application: 'Application',
    answer: 'Its answer goes to',
    ownMachine:
      'Its answer goes to a program on your own computer ({host}). Any program there can ask under any name. Go on only if you have just started this yourself.',
    logIn: 'Log in first, as the operator of the agent.',
    ended: 'Your login has ended. Log in again.',
    agent: 'Agent',
    named: '{name} ({id})',
    may: 'It may',
    manage: 'Change settings of the account',
    chooseOne: 'Choose at least one thing that it may do, or deny.',
    allow: 'Allow',
    deny: 'Deny',
    other: 'Log in as somebody else',
    means: 'You can end its access at any time. It cannot change keys, people or limits.',
    sent: 'Check your email',
    sentWhy:
      'If your address belongs to an account, a login link is on its way. Open it in this browser: it brings you back here.',
    allowed: { title: 'Allowed', why: '{name} may now act for {agent}. Taking you back to {host}.' },
    denied: { title: 'Denied', why: '{name} learns that you refused. Taking you back to {host}.' },
    back: 'Go back to {host}',
  },
} as const;
