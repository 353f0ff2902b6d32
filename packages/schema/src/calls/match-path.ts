/**
 * Finds the template of a path, such as `/api/admin/leads/:id`. Returns null if there is none.
 * Accepts a trailing slash, as the router does. A fixed path wins over a template.
 */
export function createPathMatcher(patterns: readonly string[]): (path: string) => string | null {
  const isFixed = (pattern: string) => !pattern.includes(':');
  const fixed = new Set(patterns.filter(isFixed));
  const open = patterns
    .filter((pattern) => !isFixed(pattern))
    .map((pattern) => ({
      pattern,
      regex: new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`),
    }));
  return (path) => {
    const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
    return fixed.has(plain)
      ? plain
      : (open.find(({ regex }) => regex.test(plain))?.pattern ?? null);
  };
}
