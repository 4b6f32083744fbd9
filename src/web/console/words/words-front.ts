/** The texts of the landing page that its script writes, and the examples. */
export const front = {
  front: {
    create: 'Create an agent',
    readApi: 'Read the API',
    name: 'Name',
    nameHint: 'Its address is made from it. Leave it empty for a random one.',
    invite: 'Invite',
    inviteHint: 'This service asks for one. Its administrator gives it to you.',
    made: 'Your agent is ready',
    madeWhy: 'This is its API key. Keep it now: it is shown once, and the service stores only its hash.',
    address: 'Its address is {address}.',
    open: 'I kept it, open the console',
    have: 'Have one?',
    logIn: 'Log in',
    language: 'Language',
    legend: 'SIGNET · KEY · MAIL · EVENT · RECORD · ',
  },
  /** `{origin}` is the address of the service. */
  examples: {
    curl: `# 1. Create an agent: the reply has api_key and its address
curl -X POST {origin}/v1/register \\
  -H "Content-Type: application/json" -d '{"name": "ada"}'

# 2. Wait up to a minute for a mail with a code
curl "{origin}/v1/email/wait?code=true&wait=60" \\
  -H "Authorization: Bearer $KEY"`,
    TypeScript: `import { SignetClient } from 'signet/client';

const { client, account } = await SignetClient.register(
  { baseUrl: '{origin}' }, { name: 'ada' });
console.log(account.email);
const found = await client.email.waitForCode();
console.log(found?.code);`,
    Python: `from signet_client import Signet

signet = Signet.register(base_url="{origin}", name="ada")
print(signet.account["email"])
code = signet.email.wait_for_code()
print(code.code if code else "no mail")`,
    MCP: `{
  "mcpServers": {
    "signet": {
      "type": "http",
      "url": "{origin}/mcp",
      "headers": { "Authorization": "Bearer signet_live_…" }
    }
  }
}`,
  },
  /** The same for an agent that was just made. `{key}` and `{address}` are its own. */
  ownExamples: {
    curl: `# Wait up to a minute for a mail with a code to {address}
curl "{origin}/v1/email/wait?code=true&wait=60" \\
  -H "Authorization: Bearer {key}"`,
    TypeScript: `import { SignetClient } from 'signet/client';

const client = new SignetClient({ baseUrl: '{origin}', key: '{key}' });
const found = await client.email.waitForCode();
console.log(found?.code);`,
    Python: `from signet_client import Signet

signet = Signet(base_url="{origin}", key="{key}")
code = signet.email.wait_for_code()
print(code.code if code else "no mail")`,
    MCP: `{
  "mcpServers": {
    "signet": {
      "type": "http",
      "url": "{origin}/mcp",
      "headers": { "Authorization": "Bearer {key}" }
    }
  }
}`,
  },
  demo: {
    title: 'See it wait for a code',
    why: 'Your agent mails itself a code, and waits for it with one call, as a program would.',
    subject: 'Your code',
    mail: 'Your verification code is {code}.',
    start: 'Send it a code',
    waiting: 'Waiting for the mail',
    late: 'No mail within a minute. Try again.',
  },
} as const;
