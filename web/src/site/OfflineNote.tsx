import { useSyncExternalStore } from 'react';

const CONTINUE_ONLINE = 'You are offline. Continue when you are back online.';

type OfflineNoteProps = {
  offline?: string | undefined;
  /** What became of what was sent offline, once back online. */
  online: string | null;
  /** Something is still being sent. */
  isHeld: boolean;
  className?: string | undefined;
};

/** Says beside a form that the visitor is offline. Always in the page, so that screen readers announce the change. */
export function OfflineNote({ offline = CONTINUE_ONLINE, online, isHeld, className }: OfflineNoteProps) {
  const isOnline = useOnline();
  return (
    <output className={className} hidden={isHeld || (isOnline && online === null)}>
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
