import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

/** Returns a value that only the browser knows, and `onServer()` until hydration has finished. */
export const useInBrowser = <T>(read: () => T, onServer: () => T): T =>
  useSyncExternalStore(neverChanges, read, onServer);
