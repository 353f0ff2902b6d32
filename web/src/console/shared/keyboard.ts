import { useEffect, useEffectEvent } from 'react';

type ConsoleCommand = 'search' | 'next' | 'previous' | 'open' | 'select' | 'retry' | 'help';

export type Commands = Partial<Record<ConsoleCommand, () => void>>;

/** The console's keyboard shortcuts, in the order of the operator's list. */
export const CONSOLE_KEYS: readonly { key: string; command?: ConsoleCommand; does: string }[] = [
  { key: '/', command: 'search', does: 'Search' },
  { key: 'j', command: 'next', does: 'Next row, or the next lead in the drawer' },
  { key: 'k', command: 'previous', does: 'Previous row, or the previous lead in the drawer' },
  { key: '↓ ↑', does: 'Next or previous row; in the search, ↓ or Enter: the first row' },
  { key: 'Enter', command: 'open', does: 'Open the current row' },
  { key: 'x', command: 'select', does: 'In Leads: select the current row' },
  {
    key: 'r',
    command: 'retry',
    does: 'In Leads: retry the current row now, or correct its address',
  },
  { key: 'Esc', does: 'Close the drawer or a dialog; in a search, clear it' },
  { key: '?', command: 'help', does: 'Show this list' },
];

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>;

/** A dialog beside the list, in which the keys that move through the list still do. */
export const BESIDE_LIST = 'data-beside-list';
const MOVES: ReadonlySet<string> = new Set<ConsoleCommand>(['next', 'previous']);

/** In a row, as in People. Elsewhere they scroll the page. */
const ROW_KEYS: Partial<Record<string, string>> = { ArrowDown: 'j', ArrowUp: 'k' };

/**
 * Returns the command of a key press. There is none while typing or with a modifier key, and in a dialog at most one
 * that moves through the list beside it.
 */
export function toCommand({
  key,
  ctrlKey,
  metaKey,
  altKey,
  target,
}: Press): ConsoleCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const at = target instanceof Element ? target : null;
  if (at?.closest('input, select, textarea, [contenteditable]')) return undefined;
  // Enter on a button or a link activates that.
  if (key === 'Enter' && at?.closest('a, button, summary')) return undefined;
  const pressed = (at?.closest('[id^="lead-"]') && ROW_KEYS[key]) || key;
  const command = CONSOLE_KEYS.find((entry) => entry.key === pressed)?.command;
  const dialog = at?.closest('[role="dialog"]');
  if (dialog && !(command && MOVES.has(command) && dialog.hasAttribute(BESIDE_LIST)))
    return undefined;
  return command;
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
