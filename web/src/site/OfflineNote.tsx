import { useSyncExternalStore } from 'react';

type OfflineNoteProps = { kept?: string | null; back?: string; className?: string | undefined };

/**
 * Says that the visitor is offline, beside a form. `kept`: what they sent waits in this browser until `main.tsx` sends it,
 * and `back` says what became of it. Always in the page, so that screen readers announce the change.
 */
export function OfflineNote({ kept = null, back, className }: OfflineNoteProps) {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <output className={className} hidden={isOnline && kept === null}>
      {!isOnline && `You are offline. ${kept ?? 'Continue when you are back online.'}`}
      {isOnline && kept && back}
    </output>
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
