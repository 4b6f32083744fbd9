import { byId } from './dom.js';
import { copyFrom } from './notice.js';
import { drawSeal } from './seal.js';

for (const node of document.querySelectorAll('[data-origin]')) node.textContent = location.origin;

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!(button instanceof HTMLElement)) continue;
  button.addEventListener('click', () => copyFrom(byId(button.dataset.copy ?? '', HTMLElement)));
}

// The host name determines the shape, so each instance has its own seal.
byId('rosette', HTMLElement).append(drawSeal(location.host, 'SIGNET · KEY · MAIL · EVENT · RECORD · ', 'S'));
