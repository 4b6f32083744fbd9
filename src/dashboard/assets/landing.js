import { byId } from './dom.js';
import { copyFrom } from './notice.js';
import { drawSeal } from './seal.js';

for (const node of document.querySelectorAll('[data-origin]')) node.textContent = location.origin;

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!(button instanceof HTMLElement)) continue;
  button.addEventListener('click', () => copyFrom(byId(button.dataset.copy ?? '', HTMLElement)));
}

// Drawn from the service's own name: each instance has a seal of its own.
byId('rosette', HTMLElement).append(drawSeal(location.host, 'SIGNET · KEY · MAIL · EVENT · RECORD · ', 'S'));
