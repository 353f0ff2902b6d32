import { useEffect, useEffectEvent, useState } from 'react';
import type { MouseEvent } from 'react';
import { readStored, writeStored } from '../../stored-text.ts';
import { findHeading, focusInPlace, listAncestors } from './find-heading.ts';

/**
 * Moves the focus when the focused element is removed: to its nearest remaining focusable ancestor
 * (a row, a list, a dialog), or else to the heading of its section or view. Otherwise keyboard
 * users would start again at the top.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    let path: HTMLElement[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent) => {
      path = target instanceof Element ? listAncestors(target) : [];
    };
    // A click elsewhere gives up the focus on purpose.
    const forget = ({ target }: Event) => {
      if (!(target instanceof Node && path[0]?.contains(target))) path = [];
    };
    const restore = () => {
      timer = undefined;
      if (!isLost(path)) return;
      focusInPlace(
        path.find((element) => element.isConnected && element.hasAttribute('tabindex')) ??
          findHeading(path),
      );
    };
    const observer = new MutationObserver(() => {
      // A closing dialog returns the focus itself, so it goes first.
      if (isLost(path)) timer ??= setTimeout(restore);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, []);
}

function isLost([focused]: readonly HTMLElement[]): boolean {
  return focused !== undefined && !focused.isConnected && document.activeElement === document.body;
}

/** The id of the list of leads. */
export const LIST_ID = 'leads';

export const toRowId = (leadId: string): string => `lead-${leadId}`;

/** Focuses the list of leads, or in another view its heading. */
export function focusContent(): void {
  (document.getElementById(LIST_ID) ?? findHeading())?.focus();
}

/** Focuses the row after or before the focused row. */
export function moveToRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr[tabindex]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/** Opens a row at a click anywhere in it, except on a link or button, or while text is selected. */
export function openRow({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  const isOwnTarget =
    target instanceof Element && target.closest('a, button, input, label') !== null;
  if (!isOwnTarget && !window.getSelection()?.toString())
    currentTarget.querySelector<HTMLElement>('th a')?.click();
}

/** Focuses the first field with an error, once the form shows it, a little later. */
export function focusFailure(form: HTMLElement, frames = 10): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else if (frames > 0) focusFailure(form, frames - 1);
  });
}

const STORAGE_KEY = 'consoleKeys';
const areOn = () => readStored('localStorage', STORAGE_KEY) !== 'off';

/**
 * Runs commands by key anywhere on the page, except in a dialog without `data-beside-list`. While
 * typing, a single key is no command. `Ctrl-k` is also ⌘K.
 */
export function useKeys(commands: Partial<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isChord = ctrlKey || metaKey;
    const run = commands[isChord ? `Ctrl-${key}` : key];
    const at = target instanceof Element ? target : null;
    const dialog = at?.closest('[role="dialog"], dialog');
    if (!run || altKey || event.defaultPrevented) return;
    if (dialog && !dialog.matches('[data-beside-list]')) return;
    if (!isChord && at?.closest('input, select, textarea')) return;
    // Enter on a button or a link activates that element.
    if (key === 'Enter' ? at?.closest('a, button, summary') : !isChord && !areOn()) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/**
 * Handles the keys of a list: `j` and `k` for the next and the previous row, Enter to open it.
 */
export function useListKeys(move: (step: 1 | -1) => void): void {
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () =>
      document.activeElement
        ?.closest('tbody tr[tabindex]')
        ?.querySelector<HTMLElement>('th a')
        ?.click(),
  });
}

/** Returns whether single keys are shortcuts in this browser, and a function to change that. */
export function useKeySetting(): { isOn: boolean; toggle: () => void } {
  const [isOn, setOn] = useState(areOn);
  const toggle = () => {
    writeStored('localStorage', STORAGE_KEY, isOn ? 'off' : null);
    setOn(!isOn);
  };
  return { isOn, toggle };
}
