/** Text without what Postgres refuses in any text, and no person means: NUL and lone surrogates. */
export function withoutUnstorable(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, '');
}

/**
 * Free text from outside as it may be stored: any script, trimmed, cut to `maxChars` characters. Numbers and booleans
 * become their words; anything else, and nothing, becomes undefined. Never fails: odd text must not cost a lead.
 */
export function toStoredText(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const clean = withoutUnstorable(String(value)).trim();
  // A character outside the basic plane takes two code units, so only a text longer than that needs counting.
  const cut =
    clean.length <= maxChars
      ? clean
      : Array.from(clean.slice(0, maxChars * 2))
          .slice(0, maxChars)
          .join('')
          .trim();
  return cut === '' ? undefined : cut;
}
