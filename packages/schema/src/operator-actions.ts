/*
 * The operators' actions in the console and with `admin:user`. The record has no others, and the
 * console does not compile without words for each.
 */

/** The subject that the record of each action names. */
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
  'read-lead': 'lead',
  'read-lists': 'none',
  'export-leads': 'none',
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
  'free-access': 'lead',
  'cancel-subscription': 'subscription',
  'resume-subscription': 'subscription',
  'open-invoice': 'subscription',
  note: 'lead',
  'delete-note': 'lead',
  'export-person': 'lead',
  'erase-person': 'erasure',
  'contact-abandoned': 'lead',
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
  'user-remove': 'account',
} as const;
export type ActionName = keyof typeof OPERATOR_ACTIONS;

/** Returns false for an action that this version does not have. */
export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(OPERATOR_ACTIONS, name);
}

/**
 * Access that an operator ends at once is stored with an end of that moment, by a clock that may
 * differ a little.
 */
const SAME_MOMENT_MS = 60_000;

/** True if free access with this end, given at that time, was ended rather than given. */
export function isEndOfAccess(until: string, at: string): boolean {
  return Date.parse(until) < Date.parse(at) + SAME_MOMENT_MS;
}
