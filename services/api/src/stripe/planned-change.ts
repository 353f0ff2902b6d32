/** A difference between the account and the offer, and how to remove it. `isShown` is what subscribers only see. */
export type Change = { description: string; isShown?: boolean; apply: () => Promise<unknown> };
