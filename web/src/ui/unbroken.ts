const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';

/** Matches text that must not break across lines: `30-day`, `30 days`, `day 7`, `5-8`, `Pre-Buy`, `9AM GMT`, `4 December`, `4 Dec`, `4 Dec 2026`, `EC1A 1AA`, `1 Example Street`. */
export const UNBROKEN = new RegExp(
  `(\\d+ [A-Z][a-z]+ (?:Street|Road|Lane|Avenue|Square),?|[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|\\d+-(?:day|\\d+(?: business days)?)|\\d+ days|\\b[\\w.]{1,12}-[\\w-]{1,12}(?=@)|(?<=@)[\\w.]{1,12}-[\\w-]{1,12}|Pre-(?:Buy|Sample)|\\bday \\d+|\\d+AM GMT|\\d+ (?:${MONTHS})[a-z]*(?: \\d{4})?)`,
);

/** Makes such text unbreakable with special characters, for places that take only text. */
export function joinUnbroken(text: string): string {
  return text.replaceAll(new RegExp(UNBROKEN, 'g'), (part) =>
    part.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060'),
  );
}
