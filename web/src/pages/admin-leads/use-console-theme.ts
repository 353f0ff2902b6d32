import { useLayoutEffect, useState } from 'react';

type Theme = 'light' | 'dark';
const STORAGE_KEY = 'consoleTheme';

/**
 * The console's theme, remembered in this browser and at first the system's. Density and theme stand on the
 * root element, so that dialogs, which live outside the page, have them too; the site itself never does.
 */
export function useConsoleTheme(): { theme: Theme; toggle: () => void } {
  const [theme, setTheme] = useState<Theme>(readTheme);
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.dataset.density = 'tool';
    root.dataset.theme = theme;
    return () => {
      delete root.dataset.density;
      delete root.dataset.theme;
    };
  }, [theme]);
  return {
    theme,
    toggle: () => {
      const other = theme === 'dark' ? 'light' : 'dark';
      setTheme(other);
      rememberTheme(other);
    },
  };
}

function readTheme(): Theme {
  const remembered = readRemembered();
  if (remembered === 'light' || remembered === 'dark') return remembered;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

// A browser may refuse storage altogether; the theme then lasts as long as the page.
function readRemembered(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Nothing to do: see above.
  }
}
