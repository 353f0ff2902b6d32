/**
 * Text kept by the browser, where it lets us: a visitor may have forbidden storage, and then a page works
 * without it.
 */
export function readStored(storage: 'localStorage' | 'sessionStorage', key: string): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text, or with null forgets it. Answers whether the browser let us. */
export function writeStored(storage: 'localStorage' | 'sessionStorage', key: string, text: string | null): boolean {
  try {
    if (text === null) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
