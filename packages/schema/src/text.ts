/** Removes NUL and lone surrogates, which Postgres cannot store. */
export function withoutUnstorable(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, '');
}

/**
 * Prepares outside text for storage: any script, trimmed, cut to `maxChars` characters. Numbers and
 * booleans become text, and anything else becomes undefined. Never throws, because odd text must
 * not lose a lead.
 */
export function toStoredText(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return undefined;
  const clean = withoutUnstorable(String(value)).trim();
  // A character can take two code units, so characters are only counted in text longer than the
  // limit.
  const cut =
    clean.length <= maxChars
      ? clean
      : Array.from(clean.slice(0, maxChars * 2))
          .slice(0, maxChars)
          .join('')
          .trim();
  return cut === '' ? undefined : cut;
}

/** Returns a text in lower case without accents, as Postgres's `plain_words` does. */
export const toPlain = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/** Matches a word from an email or a number. Such words are rare. */
export const RARE = /.@|\d/;

/**
 * Splits a search into words. A hyphen separates words in a name, but not in an email or a number.
 */
export function toWords(search: string): string[] {
  const words = search
    .split(/[\s,;<>"]+/)
    .flatMap((word) => (RARE.test(word) ? word : word.split('-')));
  const given = words.filter(Boolean);
  return given.length > 0 ? given : [search.replaceAll('\n', ' ')];
}
