import { useSyncExternalStore } from 'react';

export const CONTINUE_ONLINE = 'You are offline. Continue when you are back online.';

type OfflineNoteProps = { kept?: string | null; back?: string; isHeld?: boolean; className?: string | undefined };

/**
 * Says that the visitor is offline, beside a form. `kept`: what they sent waits in this browser until `main.tsx` sends it,
 * and `back` says what became of it. `isHeld`: something is still being sent. Always in the page, so that screen readers announce the change.
 */
export function OfflineNote({ kept = null, back, isHeld = false, className }: OfflineNoteProps) {
  const isOnline = useOnline();
  return (
    <output className={className} hidden={isHeld || (isOnline && kept === null)}>
      {!isOnline && (kept === null ? CONTINUE_ONLINE : `You are offline. ${kept}`)}
      {isOnline && kept && back}
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
