/*
 * The operators' actions in the console and with `admin:user`. Only these are recorded, and the
 * console does not compile without words for each.
 */

/** The subject that each action's record names. */
export const OPERATOR_ACTIONS = {
  login: 'none',
  'login-failed': 'account',
  logout: 'none',
  'sign-out-everywhere': 'none',
  'sign-out-others': 'none',
  'end-session': 'none',
  'password-change': 'none',
  'two-step-login-on': 'none',
  'two-step-login-off': 'none',
  'recovery-codes': 'none',
  'opening-view': 'none',
  'read-lead': 'lead',
  'read-lists': 'none',
  'export-leads': 'none',
  'export-people': 'none',
  'delete-quarantined': 'none',
  'export-payments': 'none',
  probe: 'none',
  'test-mail': 'none',
  retry: 'lead',
  'bulk-retry': 'bulk retry',
  'bulk-retry-stop': 'bulk retry',
  correct: 'lead',
  'correct-payer': 'lead or subscription',
  refund: 'subscription',
  'payment-link': 'lead',
  'free-access': 'lead',
  'cancel-subscription': 'subscription',
  'resume-subscription': 'subscription',
  'open-invoice': 'subscription',
  note: 'lead',
  'delete-note': 'lead',
  'export-person': 'lead',
  'erase-person': 'erasure',
  contact: 'lead',
  'contact-undone': 'lead',
  'review-second': 'subscription',
  'review-not-receiving': 'subscription',
  'review-subscription': 'subscription',
  'review-refund': 'refund',
  'review-stripe-event': 'event',
  'review-undone': 'subscription, refund or event',
  remedy: 'lead',
  compare: 'none',
  'user-add': 'account',
  'user-reset': 'account',
  'user-password': 'account',
  'user-remove': 'account',
} as const;
export type ActionName = keyof typeof OPERATOR_ACTIONS;

/** Returns false for an action that this version does not have. */
export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(OPERATOR_ACTIONS, name);
}

/**
 * An end of access "now" may differ a little from the time of the action, because two clocks set
 * them.
 */
const SAME_MOMENT_MS = 60_000;

/**
 * Returns true if free access with this end, recorded at that time, was ended rather than given.
 */
export function isEndOfAccess(until: string, at: string): boolean {
  return Date.parse(until) < Date.parse(at) + SAME_MOMENT_MS;
}
