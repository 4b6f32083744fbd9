/** A reply without the texts beside its amounts (`amount_usdc_display`), for tests that are about the amounts. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a reply holds, and fails where it does not.
export const withoutDisplays = (body: any): any =>
  JSON.parse(JSON.stringify(body, (name, value) => (name.endsWith('_display') ? undefined : value)));
