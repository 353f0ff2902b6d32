import { useEffect, useEffectEvent, useState } from 'react';
import { readStored, writeStored } from '../../stored-text.ts';

const STORAGE_KEY = 'consoleKeys';
const areOn = () => readStored('localStorage', STORAGE_KEY) !== 'off';

/**
 * Runs commands by the key that is pressed anywhere on the page, except while typing, with a modifier key, or in a dialog
 * that is not `data-beside-list`.
 */
export function useKeys(commands: Partial<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const run = commands[key];
    const at = target instanceof Element ? target : null;
    const dialog = at?.closest('[role="dialog"], dialog');
    if (!run || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    if (at?.closest('input, select, textarea') || (dialog && !dialog.matches('[data-beside-list]')))
      return;
    // Enter on a button or a link activates that.
    if (key === 'Enter' ? at?.closest('a, button, summary') : !areOn()) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Whether single keys are shortcuts in this browser, and a way to change that. */
export function useKeySetting(): { isOn: boolean; toggle: () => void } {
  const [isOn, setOn] = useState(areOn);
  const toggle = () => {
    writeStored('localStorage', STORAGE_KEY, isOn ? 'off' : null);
    setOn(!isOn);
  };
  return { isOn, toggle };
}
