/*
 * What a row `s` of `subscriptions` brings in each month. The figures and the history share it.
 */

export const RECURRING = 'coalesce(s.recurring_pence, s.amount_pence)';
/** An annual price counts as a twelfth. A fraction of a penny stays until the sum is rounded. */
export const MONTHLY = `(case s.plan when 'annual' then ${RECURRING} / 12.0 else ${RECURRING} end)`;
const IS_ACTIVE = `s.status in ('active', 'past_due') and ${RECURRING} > 0`;
/** Nothing is charged while collection is paused. */
export const IS_RECURRING = `${IS_ACTIVE} and not s.is_collection_paused`;
export const IS_PAUSED = `${IS_ACTIVE} and s.is_collection_paused`;

/** The start of a London day. */
export const midnight = (day: string) => `((${day})::timestamp at time zone 'Europe/London')`;
