/** The record for a mistyped email that stays subscribed. */
export const ADDRESS_IS_USED = {
  reason: 'address-used',
  message: 'Somebody else uses this email',
} as const;
