/** A text without accents and in small letters, as Postgres's `plain_words` writes it. */
export const toPlain = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Of an address or a number. They are rare. */
export const RARE = /.@|\d/;

/** The words of a search. A name's hyphen separates two, one in an address or a number does not. */
export function toWords(search: string): string[] {
  const words = search
    .split(/[\s,;<>"]+/)
    .flatMap((word) => (RARE.test(word) ? word : word.split('-')));
  const given = words.filter(Boolean);
  return given.length > 0 ? given : [search.replaceAll('\n', ' ')];
}
