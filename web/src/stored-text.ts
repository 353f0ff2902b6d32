/**
 * Reads text from the browser's storage. Returns null if it is absent or the visitor has blocked
 * storage.
 */
export function readStored(storage: 'localStorage' | 'sessionStorage', key: string): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or deletes it if null. Returns false if the browser blocks storage. */
export function writeStored(
  storage: 'localStorage' | 'sessionStorage',
  key: string,
  text: string | null,
): boolean {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
