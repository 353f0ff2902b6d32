const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';

/** What never parts at the end of a line: `30-day`, `5-8`, `9AM GMT`, `4 December` and their like. */
export const UNBROKEN = new RegExp(`(\\d+-(?:day|\\d+)|\\d+AM GMT|\\d+ (?:${MONTHS}))`);

/** The same where only text may stand, and no element: joined by characters that do not break. */
export function joinUnbroken(text: string): string {
  return text.replaceAll(new RegExp(UNBROKEN, 'g'), (part) =>
    part.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060'),
  );
}
