/** Returns a text in lower case without accents, as Postgres's `plain_words` does. */
export const toPlain = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** A word of an email or a number. Such words are rare. */
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
