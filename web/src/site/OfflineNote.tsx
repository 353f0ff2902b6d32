import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { showWithButton } from './show-focused.ts';

const APPEARS_MS = 400;

type OfflineNoteProps = {
  offline: string;
  /** What became of what was sent offline, once back online. */
  online: string | null;
  /** How many presses have been answered. */
  answered: number;
  className?: string | undefined;
};

/** Says beside a form that the visitor is offline. Always in the page, so that screen readers announce the change. */
export function OfflineNote({ offline, online, answered, className }: OfflineNoteProps) {
  const isOnline = useOnline();
  // Who closes the form has read what became of it.
  const [answeredBefore] = useState(answered);
  const isAnswered = answered > answeredBefore;
  const isShown = !isOnline || (isAnswered && online !== null);
  const note = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (answered === answeredBefore || note.current?.hidden !== false) return;
    showWithButton(note.current);
    // The same words may have been there before the press.
    if ('animate' in note.current) note.current.animate({ opacity: [0, 1] }, APPEARS_MS);
  }, [answered, answeredBefore]);
  useEffect(() => {
    // The field that somebody types in stays where it is.
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (isAnswered && isShown && !isTyping) showWithButton(note.current);
  }, [isAnswered, isShown]);
  return (
    <output ref={note} className={className} hidden={!isShown}>
      <span>{isOnline ? online : offline}</span>
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
