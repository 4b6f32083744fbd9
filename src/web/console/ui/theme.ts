/** Light, dark, or what the system says. `/assets/theme.js` sets it before anything is drawn. */

export const THEMES = { light: 'Light', dark: 'Dark', system: 'System' } as const;

export type Theme = keyof typeof THEMES;

const STORED = 'signet.theme';

/** The theme that this browser keeps. */
export function keptTheme(): Theme {
  const kept = localStorage.getItem(STORED);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Keeps a theme in this browser, and shows it. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    localStorage.removeItem(STORED);
    delete dataset.theme;
  } else {
    localStorage.setItem(STORED, theme);
    dataset.theme = theme;
  }
}
