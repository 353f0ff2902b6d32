import { useState } from 'react';
import { readStored, writeStored } from '../../../stored-text.ts';

const STORAGE_KEY = 'consoleKeys';

/** Whether single letters are commands, remembered in this browser: who dictates, or slips, can do without. */
export function useSingleKeys() {
  const [areOn, setOn] = useState(() => readStored('localStorage', STORAGE_KEY) !== 'off');
  return {
    areOn,
    turn: (on: boolean) => {
      setOn(on);
      writeStored('localStorage', STORAGE_KEY, on ? null : 'off');
    },
  };
}
