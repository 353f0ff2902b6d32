import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

/**
 * Returns what only the browser knows, and `onServer()` until it has taken over what the server
 * rendered.
 */
export const useInBrowser = <T>(read: () => T, onServer: () => T): T =>
  useSyncExternalStore(neverChanges, read, onServer);
