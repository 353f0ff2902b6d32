/**
 * Finds the pattern of a path among those of the document, `/api/admin/leads/{id}`; null for a path of none.
 * Takes what the router takes: any case, and a slash at the end. A fixed path wins over a pattern.
 */
export function createPathMatcher(patterns: readonly string[]): (path: string) => string | null {
  const isFixed = (pattern: string) => !pattern.includes('{');
  const fixed = new Map(patterns.filter(isFixed).map((pattern) => [pattern.toLowerCase(), pattern]));
  const open = patterns
    .filter((pattern) => !isFixed(pattern))
    .map((pattern) => ({ pattern, regex: new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i') }));
  return (path) => {
    const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
    return fixed.get(plain.toLowerCase()) ?? open.find(({ regex }) => regex.test(plain))?.pattern ?? null;
  };
}
