import { useLayoutEffect, useState } from 'react';
import { readStored, writeStored } from '../../stored-text.ts';

export type ConsoleTheme = { name: 'light' | 'dark'; toggle: () => void };
const STORAGE_KEY = 'consoleTheme';

/**
 * The console's theme: the operator's choice in this browser, or the system's. Theme and density are set on the root
 * element because dialogs are rendered outside the page. They are removed when the operator leaves the console.
 */
export function useConsoleTheme(): ConsoleTheme {
  const [name, setName] = useState(readTheme);
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.dataset.density = 'tool';
    root.dataset.theme = name;
    return () => {
      delete root.dataset.density;
      delete root.dataset.theme;
    };
  }, [name]);
  const toggle = () => {
    const other = name === 'dark' ? 'light' : 'dark';
    setName(other);
    writeStored('localStorage', STORAGE_KEY, other);
  };
  return { name, toggle };
}

function readTheme(): ConsoleTheme['name'] {
  const stored = readStored('localStorage', STORAGE_KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
