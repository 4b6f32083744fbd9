const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title} · Signet</title>
    <link rel="stylesheet" href="/assets/signet.css">
  </head>
  <body class="centred">
    <main class="card">
      <h1>${title}</h1>${content}
    </main>
  </body>
</html>
`;

/** Asks before it ends anything: programs that check links open them (RFC 8058 1). */
export const askPage = (): string =>
  page(
    'Unsubscribe',
    `
      <p>You will get no more mail from this sender.</p>
      <form method="post"><button name="List-Unsubscribe" value="One-Click">Unsubscribe</button></form>`,
  );

export const donePage = (): string =>
  page(
    'Unsubscribed',
    `
      <p>You will get no more mail from this sender.</p>`,
  );
