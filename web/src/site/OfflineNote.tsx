import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { holdButton, noteButton, showWithButton } from './show-focused.ts';

const APPEARS_MS = 400;

type OfflineNoteProps = {
  offline: string;
  /** What became of what was sent offline, once back online. */
  online: string | null;
  /** How many presses have been answered. */
  answered: number;
  className?: string | undefined;
  /** Called before a change of the connection is shown. */
  onChange: () => void;
};

/** Says beside a form that the visitor is offline. Always in the page, so that screen readers announce the change. */
export function OfflineNote({ offline, online, answered, className, onChange }: OfflineNoteProps) {
  const note = useRef<HTMLOutputElement>(null);
  const isOnline = useOnline(
    useCallback(() => {
      noteButton(note.current);
      onChange();
    }, [onChange]),
  );
  const wasOnline = useRef(isOnline);
  const isShown = !isOnline || online !== null;
  useLayoutEffect(() => {
    // Nor does a button that was pressed move as the connection comes and goes, unless a field would that somebody types in.
    const hasChanged = wasOnline.current !== isOnline;
    wasOnline.current = isOnline;
    if (hasChanged && !isTyping()) holdButton(note.current);
  }, [isOnline]);
  const told = useRef({ answered, isShown });
  useEffect(() => {
    const before = told.current;
    told.current = { answered, isShown };
    const isAnswer = answered !== before.answered;
    // Not when the form is opened again, nor over a field.
    const isChange = isShown !== before.isShown && answered > 0 && !isTyping();
    if (!isShown || !(isAnswer || isChange)) return;
    showWithButton(note.current);
    // The same words may have been there before the press.
    if (isAnswer && note.current && 'animate' in note.current)
      note.current.animate({ opacity: [0, 1] }, APPEARS_MS);
  }, [answered, isShown]);
  return (
    <output ref={note} className={className} hidden={!isShown}>
      <span>{isOnline ? online : offline}</span>
    </output>
  );
}

const isTyping = () => document.activeElement instanceof HTMLInputElement;
const nothing = () => undefined;

/** Tells whether the visitor is online. `before` is called before a change is shown. */
export function useOnline(before: () => void = nothing): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const change = () => {
        before();
        listener();
      };
      for (const type of ['online', 'offline']) window.addEventListener(type, change);
      return () => {
        for (const type of ['online', 'offline']) window.removeEventListener(type, change);
      };
    },
    [before],
  );
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
