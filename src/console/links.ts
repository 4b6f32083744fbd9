import { render } from 'lit-html';
import { approveLink } from './approve-link.ts';
import { confirmLink } from './confirm-link.ts';
import { credentialLink } from './credential-link.ts';
import type { LinkView } from './link-question.ts';
import { prepareNotices } from './notice.ts';
import { showPlainly } from './plain-text.ts';
import { recoverLink } from './recover-link.ts';
import { reviewLink } from './review-link.ts';
import { words } from './words.ts';

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
  document.title = `${view.title} · ${words.frame.brand}`;
  if (focus !== undefined) document.getElementById(focus)?.focus();
}

showPlainly();
prepareNotices();
view.start(repaint);
globalThis.addEventListener('hashchange', () => view.start(repaint));
