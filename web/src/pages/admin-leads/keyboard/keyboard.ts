import { useEffect, useEffectEvent } from 'react';

type ConsoleCommand = 'search' | 'next' | 'previous' | 'open' | 'select' | 'retry' | 'help';

export type Commands = Partial<Record<ConsoleCommand, () => void>>;

/** The console's keyboard shortcuts, in the order of the operator's list. */
export const CONSOLE_KEYS: readonly { key: string; command: ConsoleCommand; does: string }[] = [
  { key: '/', command: 'search', does: 'Search' },
  { key: 'j', command: 'next', does: 'Next row' },
  { key: 'k', command: 'previous', does: 'Previous row' },
  { key: 'Enter', command: 'open', does: 'Open the current row' },
  { key: 'x', command: 'select', does: 'Select the current row' },
  { key: 'r', command: 'retry', does: 'Retry the current row now' },
  { key: '?', command: 'help', does: 'Show this list' },
];

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

/** Returns the command of a key press. There is none while typing, in a dialog, or with a modifier key. */
export function toCommand({ key, ctrlKey, metaKey, altKey, target }: Press): ConsoleCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (target instanceof Element && target.closest('input, select, textarea, [contenteditable], [role="dialog"]')) {
    return undefined;
  }
  // Enter on a button or a link activates that.
  if (key === 'Enter' && target instanceof Element && target.closest('a, button, summary')) return undefined;
  return CONSOLE_KEYS.find((entry) => entry.key === key)?.command;
}

/** Runs commands when their keys are pressed anywhere on the page. Enter works even when single keys are off. */
export function useKeyPresses(areSingleKeysOn: boolean, commands: Commands): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = toCommand(event);
    const run = command && commands[command];
    if (!run || !(areSingleKeysOn || event.key === 'Enter')) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
