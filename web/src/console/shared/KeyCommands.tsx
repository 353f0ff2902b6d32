import { createContext, use, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { readStored, writeStored } from '../../stored-text.ts';
import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import { CONSOLE_KEYS, useKeyPresses } from './keyboard.ts';
import type { Commands } from './keyboard.ts';
import { Key } from './Key.tsx';
import dialogStyles from './dialog.module.css';
import styles from './KeyCommands.module.css';

const STORAGE_KEY = 'consoleKeys';

type Keys = { areOn: boolean; showList: () => void };
const KeysContext = createContext<Keys>({ areOn: true, showList: () => undefined });

/** Lists the keyboard shortcuts on `?`, and lets the operator turn off those of a single key. */
export function KeyCommands({ children }: { children: ReactNode }) {
  const [areOn, setOn] = useState(() => readStored('localStorage', STORAGE_KEY) !== 'off');
  const [isListOpen, setListOpen] = useState(false);
  const keys = useMemo(() => ({ areOn, showList: () => setListOpen(true) }), [areOn]);
  useKeyPresses(areOn, { help: keys.showList });
  const turn = (on: boolean) => {
    setOn(on);
    writeStored('localStorage', STORAGE_KEY, on ? null : 'off');
  };
  return (
    <KeysContext value={keys}>
      {children}
      <Dialog open={isListOpen} onClose={() => setListOpen(false)} className={dialogStyles.dialog}>
        <DialogTitle className={dialogStyles.title}>Keyboard shortcuts</DialogTitle>
        <dl className={styles.keys}>
          {CONSOLE_KEYS.map(({ key, does }) => (
            <div key={key}>
              <dt>
                <Key>{key}</Key>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <label className={dialogStyles.tick}>
          <input type="checkbox" checked={areOn} onChange={(event) => turn(event.target.checked)} />
          Use single-key shortcuts
        </label>
      </Dialog>
    </KeysContext>
  );
}

export function useKeys(): Keys {
  return use(KeysContext);
}

export function useKeyCommands(commands: Commands): void {
  useKeyPresses(useKeys().areOn, commands);
}
