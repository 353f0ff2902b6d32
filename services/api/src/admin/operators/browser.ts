import Bowser from 'bowser';
import { toStoredText } from '@site/schema/text';

const MAX_CHARS = 60;

/**
 * Returns a browser's name for its operator, such as "Firefox on Windows". Returns null for a
 * program or a hidden name.
 */
export function readBrowser(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null;
  try {
    const { browser, os } = Bowser.parse(userAgent);
    const name = [browser.name, os.name].filter(Boolean).join(' on ');
    return toStoredText(name, MAX_CHARS) ?? null;
  } catch {
    return null;
  }
}
