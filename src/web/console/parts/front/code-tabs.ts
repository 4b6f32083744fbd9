import { html, type TemplateResult } from 'lit-html';
import { PACKAGE_NAME } from '../../../../client/package-name.ts';
import { copy } from '../../ui/toast.ts';

/** The same example in several languages, in tabs as the ARIA patterns describe them. */

/** `{origin}` is the address of the service. */
const EXAMPLES = {
  curl: `# 1. Create an agent: the reply has api_key and its address
curl -X POST {origin}/v1/register \\
  -H "Content-Type: application/json" -d '{"name": "ada"}'

# 2. Wait up to a minute for a mail with a code
curl "{origin}/v1/email/wait?code=true&wait=60" \\
  -H "Authorization: Bearer $KEY"`,
  TypeScript: `import { SignetClient } from '${PACKAGE_NAME}';

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
} as const;

type Language = keyof typeof EXAMPLES;

const languages = Object.keys(EXAMPLES) as Language[];
let chosen: Language = 'curl';

/** The same for an agent that was just made. `{key}` and `{address}` are its own. */
const OWN_EXAMPLES = {
  curl: `# Wait up to a minute for a mail with a code to {address}
curl "{origin}/v1/email/wait?code=true&wait=60" \\
  -H "Authorization: Bearer {key}"`,
  TypeScript: `import { SignetClient } from '${PACKAGE_NAME}';

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
} as const;

/** @param agent what an agent that was just made has; the examples then go on with it */
export function codeTabs(repaint: () => void, agent: { key: string; address: string } | null): TemplateResult {
  const choose = (language: Language): void => {
    chosen = language;
    repaint();
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    choose(languages[(languages.indexOf(chosen) + step + languages.length) % languages.length] ?? chosen);
    document.getElementById(`tab-${chosen}`)?.focus();
  };
  const examples = agent === null ? EXAMPLES : OWN_EXAMPLES;
  const text = examples[chosen]
    .replaceAll('{origin}', location.origin)
    .replaceAll('{key}', agent?.key ?? '')
    .replaceAll('{address}', agent?.address ?? '');
  return html`
    <div class="tabs" role="tablist" aria-label="Language" @keydown=${press}>
      ${languages.map(
        (language) => html`
          <button type="button" role="tab" id="tab-${language}" aria-controls="example" aria-selected=${language === chosen}
            tabindex=${language === chosen ? 0 : -1} @click=${() => choose(language)}>${language}</button>`,
      )}
    </div>
    <div class="command" role="tabpanel" id="example" aria-labelledby="tab-${chosen}">
      <pre tabindex="0"><code>${text}</code></pre>
      <button type="button" class="copy" @click=${() => void copy(text, document.querySelector('#example code'))}>Copy</button>
    </div>`;
}
