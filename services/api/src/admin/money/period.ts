import type { MoneyPeriod } from '@site/schema/calls/money';

/** Binds a period from the start of its first London day to the end of its last, as Postgres reads times. */
export const bindPeriod = ({ startDate, endDate }: MoneyPeriod) => ({
  from: startDate ? `${startDate} 00:00 Europe/London` : '-infinity',
  to: endDate ? `${endDate} 24:00 Europe/London` : 'infinity',
});
