import { render } from 'lit-html';
import { approveLink } from '../parts/links/approve-link.ts';
import { confirmLink } from '../parts/links/confirm-link.ts';
import { credentialLink } from '../parts/links/credential-link.ts';
import type { LinkView } from '../parts/links/link-question.ts';
import { recoverLink } from '../parts/links/recover-link.ts';
import { reviewLink } from '../parts/links/review-link.ts';
import { showPlainly } from '../ui/plain-text.ts';
import { prepareToasts } from '../ui/toast.ts';

/** The pages that mailed links open. Each works without a login. */

const VIEWS: Readonly<Record<string, LinkView>> = {
  '/approve': approveLink,
  '/review': reviewLink,
  '/confirm': confirmLink,
  '/credentials': credentialLink,
  '/recover': recoverLink,
};

const root = document.getElementById('app') as HTMLElement;
const view = VIEWS[location.pathname] ?? approveLink;

function repaint(focus?: string): void {
  render(view.render(), root);
  document.title = `${view.title} · Signet`;
  if (focus !== undefined) document.getElementById(focus)?.focus();
}

root.replaceChildren();
showPlainly();
prepareToasts();
view.start(repaint);
globalThis.addEventListener('hashchange', () => view.start(repaint));
