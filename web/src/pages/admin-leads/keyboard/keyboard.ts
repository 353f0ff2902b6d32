import { useEffect, useEffectEvent } from 'react';

type ConsoleCommand = 'search' | 'next' | 'previous' | 'open' | 'select' | 'retry' | 'help';

/** The keys of the console, in the order in which they are listed to the operator. */
export const CONSOLE_KEYS: readonly { key: string; command: ConsoleCommand; does: string }[] = [
  { key: '/', command: 'search', does: 'Search' },
  { key: 'j', command: 'next', does: 'Next row' },
  { key: 'k', command: 'previous', does: 'Previous row' },
  { key: 'Enter', command: 'open', does: 'Open the current row' },
  { key: 'x', command: 'select', does: 'Tick the current row' },
  { key: 'r', command: 'retry', does: 'Retry the current row now' },
  { key: '?', command: 'help', does: 'This list' },
];

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

/** The command a key press means, if any: none while typing, in a dialog, or with a modifier of the browser's own. */
export function toCommand({ key, ctrlKey, metaKey, altKey, target }: Press): ConsoleCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (target instanceof Element && target.closest('input, select, textarea, [contenteditable], [role="dialog"]')) {
    return undefined;
  }
  // What is pressed on a button or a link is meant for it.
  if (key === 'Enter' && target instanceof Element && target.closest('a, button, summary')) return undefined;
  return CONSOLE_KEYS.find((entry) => entry.key === key)?.command;
}

/** Listens for the console's keys on the whole page; for Enter alone where single letters are to be no commands. */
export function useConsoleKeys(areLettersOn: boolean, onCommand: (command: ConsoleCommand) => void): void {
  const run = useEffectEvent(onCommand);
  const isMeant = useEffectEvent((key: string) => areLettersOn || key === 'Enter');
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const command = toCommand(event);
      if (command === undefined || !isMeant(event.key)) return;
      event.preventDefault();
      run(command);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
