/** A source as charts and tables call it; `isRest` is all but the largest together. */
export function nameSource({ source, isRest = false }: { source: string | null; isRest?: boolean }): string {
  return source ?? (isRest ? 'all others' : '(none)');
}
