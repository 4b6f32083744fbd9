/** The letter of each page for the shortcut `g` and that letter, and whether shortcuts of single keys are on. */

const STORED = 'signet.shortcuts';

const LETTERS: Readonly<Record<string, string>> = {
  home: 'h',
  overview: 'o',
  mail: 'i',
  money: 'm',
  vault: 'v',
  calendar: 'c',
  identity: 'p',
  activity: 'a',
  keys: 'k',
  webhooks: 'w',
  requests: 'r',
  domains: 'd',
  pods: 't',
  audit: 'l',
  settings: 's',
};

/** @param name of a page */
export const letterOf = (name: string): string | undefined => LETTERS[name];

/** Who speaks to the browser, or uses one key at a time, must be able to switch them off (WCAG 2.1.4). */
export const areLettersOn = (): boolean => localStorage.getItem(STORED) !== 'off';

export function switchLetters(on: boolean): void {
  if (on) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, 'off');
}
