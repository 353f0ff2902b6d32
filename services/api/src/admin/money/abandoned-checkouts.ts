/**
 * What makes the row `lost` of `checkouts` a checkout given up: it was left, and whoever left it has completed no
 * other, neither with the same lead, nor with the same address, nor by the link back to it (all that is known of
 * somebody who left before giving an address). Three questions and not one with an "or": each has its index.
 */
export const IS_ABANDONED = `lost.state = 'abandoned'
  and not exists (select from checkouts won where won.state = 'complete' and won.lead_id = lost.lead_id)
  and not exists (select from checkouts won where won.state = 'complete' and won.email_normalised = lost.email_normalised)
  and not exists (select from checkouts won where won.state = 'complete' and won.recovered_from = lost.stripe_checkout_session_id)`;
