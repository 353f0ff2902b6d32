/** What an owner asks for first. */
const FIRST = ['leads', 'subscriptions', 'stripe_invoices', 'notes'];
/** The tables whose names are no words of the console. */
const ROWS: Record<string, string> = {
  lead_repeats: 'repeat submissions',
  lead_sync_attempts: 'sync attempts',
  stripe_invoices: 'invoices',
  stripe_charges: 'charges',
  stripe_refunds: 'refunds',
  stripe_disputes: 'disputes',
  complimentary_access: 'grants of complimentary access',
};
const IN_SENTENCE = new Intl.ListFormat('en-GB');

/** `1 lead and 2 repeat submissions`: rows by table, in words. Empty without rows. */
export function countRows(rowsOf: Record<string, unknown>): string {
  const tables = [...FIRST, ...Object.keys(rowsOf).filter((table) => !FIRST.includes(table))];
  const told = tables.flatMap((table) => {
    const rows = rowsOf[table];
    if (typeof rows !== 'number' || rows === 0) return [];
    const many = ROWS[table] ?? table.replaceAll('_', ' ');
    return [
      countOf(
        rows,
        many.replace(/^grants|s$/u, (end) => (end === 's' ? '' : 'grant')),
        many,
      ),
    ];
  });
  return IN_SENTENCE.format(told);
}

/** `3 charges`, `1 charge`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `12,345`, or `10,000+` where more were not counted. */
export function formatCount(count: number, isCapped = false): string {
  return `${count.toLocaleString('en-GB')}${isCapped ? '+' : ''}`;
}
