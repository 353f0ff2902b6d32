/*
 * What a row `s` of `subscriptions` brings in each month. The figures and the history share it.
 */

export const RECURRING = 'coalesce(s.recurring_pence, s.amount_pence)';
/** An annual price counts as a twelfth. A fraction of a penny stays until the sum is rounded. */
export const MONTHLY = `(${RECURRING} / case s.plan when 'annual' then 12.0 else 1 end)`;
export const IS_RECURRING = `s.status in ('active', 'past_due') and ${RECURRING} > 0`;

/** The start of a London day. */
export const midnight = (day: string) => `((${day})::timestamp at time zone 'Europe/London')`;
