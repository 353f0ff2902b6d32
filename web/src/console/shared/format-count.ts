/** What an owner asks for, in this order. Rows of other tables are records. */
const NAMES: Record<string, [one: string, many?: string]> = {
  leads: ['lead'],
  subscriptions: ['subscription'],
  stripe_invoices: ['invoice'],
  notes: ['note'],
  sample_requests: ['sample request'],
  stripe_refunds: ['refund'],
  stripe_disputes: ['dispute'],
  complimentary_access: ['grant of free access', 'grants of free access'],
};
/** `a, b and c`. */
export const IN_SENTENCE = new Intl.ListFormat('en-GB');

/** `1 lead and 3 other records`: rows by table, in words. Empty without rows. */
export function countRows(rowsOf: Record<string, unknown>): string {
  const rowsIn = (table: string) => (typeof rowsOf[table] === 'number' ? rowsOf[table] : 0);
  const named = Object.entries(NAMES).map(([table, name]) => [rowsIn(table), ...name] as const);
  const others = Object.keys(rowsOf).filter((table) => !Object.hasOwn(NAMES, table));
  const records = others.reduce((sum, table) => sum + rowsIn(table), 0);
  const what = named.some(([rows]) => rows > 0) ? 'other record' : 'record';
  const told = [...named, [records, what] as const].filter(([rows]) => rows > 0);
  return IN_SENTENCE.format(told.map(([rows, one, many]) => countOf(rows, one, many)));
}

/** `3 charges`, `1 charge`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `12,345`, or `10,000+` where more were not counted. */
export function formatCount(count: number, isCapped = false): string {
  return `${count.toLocaleString('en-GB')}${isCapped ? '+' : ''}`;
}

const LEAST = 0.1;

/** `29 a day`: with one decimal below 10, or as many as asked for. */
export function formatPace(leads: number, days: number, decimals?: number): string {
  const perDay = leads / days;
  if (perDay > 0 && perDay < LEAST) return `under ${LEAST} a day`;
  return `${perDay.toLocaleString('en-GB', { maximumFractionDigits: decimals ?? (perDay < 10 ? 1 : 0) })} a day`;
}
