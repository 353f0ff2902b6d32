/**
 * True if somebody uses an address, so that it must stay subscribed: a lead of its own that does not look automated, or
 * a subscription that has not ended. `address` is an SQL expression for the normalised address.
 */
export const isUsed = (address: string) => `(
  exists (select from leads where leads.email_normalised = ${address} and quarantine_reason is null and corrected_to is null)
  or exists (select from subscriptions s where s.stage <> 'ended' and ${address} in (s.email_normalised, s.delivery_normalised)))`;

/** What is on record for a mistyped address that stays subscribed. */
export const ADDRESS_IS_USED = {
  reason: 'address-used',
  message: 'Somebody else uses this address',
} as const;
