import { useSyncExternalStore } from 'react';

/** Says that the network is away, where something was about to be sent. Always there for screen readers, so that they hear it come. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return <output hidden={isOnline}>{!isOnline && 'You are offline. Nothing is lost: go on once you are back.'}</output>;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
