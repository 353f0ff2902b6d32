/** What an owner asks for first. */
const FIRST = ['leads', 'subscriptions', 'stripe_invoices', 'notes'];
/** The tables whose names are no words of the console. */
const ROWS: Record<string, [one: string, many?: string]> = {
  lead_repeats: ['repeat of a form', 'repeats of a form'],
  lead_sync_attempts: ['attempt to send a lead', 'attempts to send a lead'],
  retry_run_leads: ['part in a bulk retry', 'parts in bulk retries'],
  subscriber_tiers: ['place on the free or paid list', 'places on the free or paid list'],
  subscribers: ['record of the subscriber', 'records of the subscriber'],
  listed_subscribers: ['entry of Beehiiv’s list', 'entries of Beehiiv’s list'],
  differences: ['mismatch', 'mismatches'],
  payer_mismatches: ['payment from another address', 'payments from another address'],
  stripe_events: ['Stripe event'],
  stripe_invoices: ['invoice'],
  stripe_charges: ['charge'],
  stripe_refunds: ['refund'],
  stripe_disputes: ['dispute'],
  complimentary_access: ['grant of free access', 'grants of free access'],
};
const IN_SENTENCE = new Intl.ListFormat('en-GB');

/** `1 lead and 2 repeats of a form`: rows by table, in words. Empty without rows. */
export function countRows(rowsOf: Record<string, unknown>): string {
  const tables = [...FIRST, ...Object.keys(rowsOf).filter((table) => !FIRST.includes(table))];
  const told = tables.flatMap((table) => {
    const rows = rowsOf[table];
    if (typeof rows !== 'number' || rows === 0) return [];
    const [one, many] = ROWS[table] ?? [table.replaceAll('_', ' ').replace(/s$/u, '')];
    return [countOf(rows, one, many)];
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

const LEAST = 0.1;

/** `29 a day`: with one decimal below 10, or as many as asked for. */
export function formatPace(leads: number, days: number, decimals?: number): string {
  const perDay = leads / days;
  if (perDay > 0 && perDay < LEAST) return `under ${LEAST} a day`;
  return `${perDay.toLocaleString('en-GB', { maximumFractionDigits: decimals ?? (perDay < 10 ? 1 : 0) })} a day`;
}
