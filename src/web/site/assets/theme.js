/* The theme that a person chose in the console, before anything is drawn. The storage may be blocked. */
try {
  const theme = localStorage.getItem('signet.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {}
