/** `3 sync attempts`, `1 lead`: rows of a table, in words. */
export function countRows(table: string, rows: number): string {
  return `${formatCount(rows)} ${(rows === 1 ? table.replace(/s$/u, '') : table).replaceAll('_', ' ')}`;
}

/** `3 charges`, `1 charge`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `12,345`, or `10,000+` where more were not counted. */
export function formatCount(count: number, isCapped = false): string {
  return `${count.toLocaleString('en-GB')}${isCapped ? '+' : ''}`;
}
