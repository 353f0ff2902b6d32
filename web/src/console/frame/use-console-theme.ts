import { useLayoutEffect, useState } from 'react';
import { readStored, writeStored } from '../../stored-text.ts';
import { useMedia } from '../shared/use-media.ts';

export type ConsoleTheme = { name: 'light' | 'dark'; toggle: () => void };
const STORAGE_KEY = 'consoleTheme';

/**
 * The console's theme: the operator's choice in this browser, or the system's, which may change. Theme and density are set
 * on the root element because dialogs are rendered outside the page. They are removed when the operator leaves the console.
 */
export function useConsoleTheme(): ConsoleTheme {
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const [chosen, setChosen] = useState(() => readStored('localStorage', STORAGE_KEY));
  const name = chosen === 'light' || chosen === 'dark' ? chosen : isSystemDark ? 'dark' : 'light';
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
    setChosen(other);
    writeStored('localStorage', STORAGE_KEY, other);
  };
  return { name, toggle };
}
