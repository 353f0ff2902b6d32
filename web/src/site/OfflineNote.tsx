import { useSyncExternalStore } from 'react';

/** Says that the visitor is offline, beside a form. Always in the page, so that screen readers announce the change. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <output hidden={isOnline}>
      {!isOnline && 'You are offline. Nothing is lost. Continue when you are back online.'}
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
