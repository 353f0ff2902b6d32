import { useEffect, useRef, useSyncExternalStore } from 'react';
import { showWithButton } from './show-focused.ts';

const APPEARS_MS = 400;
const CONTINUE_ONLINE = 'You are offline. Continue when you are back online.';

type OfflineNoteProps = {
  offline?: string | undefined;
  /** What became of what was sent offline, once back online. */
  online: string | null;
  /** How many presses have been answered. */
  answered: number;
  /** Something is still being sent. */
  isHeld: boolean;
  className?: string | undefined;
};

/** Says beside a form that the visitor is offline. Always in the page, so that screen readers announce the change. */
export function OfflineNote({ offline = CONTINUE_ONLINE, online, answered, isHeld, className }: OfflineNoteProps) {
  const isOnline = useOnline();
  const isShown = !isHeld && (!isOnline || online !== null);
  const note = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (answered === 0 || note.current?.hidden !== false) return;
    showWithButton(note.current);
    // The same words may have been there before the press.
    if ('animate' in note.current) note.current.animate({ opacity: [0, 1] }, APPEARS_MS);
  }, [answered]);
  const hasAnswer = answered > 0;
  useEffect(() => {
    // The field that somebody types in stays where it is.
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (hasAnswer && isShown && !isTyping) showWithButton(note.current);
  }, [hasAnswer, isShown]);
  return (
    <output ref={note} className={className} hidden={!isShown}>
      {isOnline ? online : offline}
    </output>
  );
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
