/*
 * Beehiiv's answers and their meanings, the only table of its kind. The worker classes answers by
 * it, attempts and leads store its reasons, the console shows its labels, and the sandbox answers
 * from it. docs/recipes.md explains how to add an answer.
 */

export const ATTEMPT_CLASSES = [
  'accepted',
  'permanent',
  'configuration',
  'transient',
  'rate-limited',
  'unknown',
] as const;
export type AttemptClass = (typeof ATTEMPT_CLASSES)[number];

/** A request about subscribers, because a 404 means something else for each. */
export type Asked = 'add' | 'find' | 'update' | 'tier' | 'remove' | 'list';

export type BeehiivAnswer = {
  class: AttemptClass;
  /** The operator's words for the answer. */
  label: string;
  statuses?: readonly number[];
  /** Only for these requests, or with these words. Such an answer precedes others of its status. */
  asked?: readonly Asked[];
  said?: RegExp;
  /** Beehiiv's own error. The sandbox sends it too. */
  error?: { message: string; code: string };
  setting?: string;
  /** The email is to blame: a retry without a correction is refused again. */
  isAboutEmail?: true;
};

export const BEEHIIV_ANSWERS = {
  accepted: { class: 'accepted', label: 'Accepted' },
  'not-subscribed': {
    class: 'accepted',
    label: 'Beehiiv does not know the email',
    statuses: [404],
    asked: ['find', 'remove'],
  },

  'request-refused': {
    class: 'permanent',
    label: 'Beehiiv refused the request',
    statuses: [400, 409],
  },
  'email-invalid': {
    class: 'permanent',
    label: 'Email is invalid',
    statuses: [422],
    error: { message: 'Email is invalid', code: 'INVALID' },
    isAboutEmail: true,
  },
  'email-rejected': { class: 'permanent', label: 'Rejected by Beehiiv', isAboutEmail: true },
  'already-subscribed': {
    class: 'permanent',
    label: 'Already subscribed, but not found',
    statuses: [400, 409],
    said: /already/i,
  },
  'tier-unchanged': { class: 'permanent', label: 'Beehiiv did not move them to the other list' },
  'tier-not-subscribed': {
    class: 'permanent',
    label: 'Beehiiv does not know the email',
    statuses: [404],
    asked: ['tier'],
  },

  'key-refused': {
    class: 'configuration',
    label: 'Beehiiv refused the key',
    statuses: [401],
    error: { message: 'Invalid API key', code: 'UNAUTHORIZED' },
    setting: 'BEEHIIV_API_KEY',
  },
  'key-not-allowed': {
    class: 'configuration',
    label: 'The key is not allowed to do this',
    statuses: [403],
    error: { message: 'Your plan does not include this', code: 'FORBIDDEN' },
    setting: 'BEEHIIV_API_KEY',
  },
  'publication-unknown': {
    class: 'configuration',
    label: 'Beehiiv does not know the publication',
    statuses: [404],
    error: { message: 'Not found', code: 'NOT_FOUND' },
    setting: 'BEEHIIV_PUBLICATION_ID',
  },

  'rate-limited': {
    class: 'rate-limited',
    label: 'Too many requests',
    statuses: [429],
    error: { message: 'Rate limit exceeded', code: 'RATE_LIMIT' },
  },

  'server-error': {
    class: 'transient',
    label: 'Beehiiv had an error',
    statuses: [500, 502, 503, 504],
    error: { message: 'Internal server error', code: 'INTERNAL' },
  },
  'timed-out': { class: 'transient', label: 'Beehiiv took too long', statuses: [408] },
  'no-answer': { class: 'transient', label: 'No answer from Beehiiv' },
  unreadable: { class: 'transient', label: 'Beehiiv’s answer could not be read' },
  blocked: { class: 'transient', label: 'Blocked on the way to Beehiiv' },
  // Since the look-up. The next look-up shows it.
  'subscriber-gone': {
    class: 'transient',
    label: 'Deleted at Beehiiv during the request',
    statuses: [404],
    asked: ['update'],
  },
  'this-request-only': { class: 'transient', label: 'Refused for this request only' },
  unexpected: { class: 'transient', label: 'Unexpected answer from Beehiiv' },

  'not-recorded': { class: 'unknown', label: 'The answer was not recorded' },
} as const satisfies Record<string, BeehiivAnswer>;

/** The reason for an answer, as attempts and leads store it. */
export type BeehiivReason = keyof typeof BEEHIIV_ANSWERS;

/**
 * The reasons that an answer gives. `not-recorded` belongs to attempts without a recorded answer.
 */
export type AnswerReason = Exclude<BeehiivReason, 'not-recorded'>;

/** Returns the answer with a status to a request, with a text. */
export function findReason(
  status: number,
  asked: Asked = 'list',
  text = '',
): AnswerReason | undefined {
  const candidates = Object.entries<BeehiivAnswer>(BEEHIIV_ANSWERS).filter(
    ([, answer]) =>
      answer.statuses?.includes(status) === true &&
      answer.asked?.includes(asked) !== false &&
      answer.said?.test(text) !== false,
  );
  const special = candidates.find(([, answer]) => answer.asked ?? answer.said);
  return (special ?? candidates[0])?.[0] as AnswerReason | undefined;
}

export const toJudged = <Reason extends BeehiivReason>(reason: Reason) => ({
  reason,
  class: BEEHIIV_ANSWERS[reason].class as (typeof BEEHIIV_ANSWERS)[Reason]['class'],
});

/** The reasons for which a lead's email must be corrected. */
export const EMAIL_REASONS = Object.entries<BeehiivAnswer>(BEEHIIV_ANSWERS).flatMap(
  ([reason, { isAboutEmail }]) => (isAboutEmail ? [reason] : []),
);

/** Returns the words for a reason. An unknown word is returned unchanged. */
export const toAnswerText = (word: string): string =>
  (BEEHIIV_ANSWERS as Record<string, BeehiivAnswer | undefined>)[word]?.label ?? word;

/**
 * A subscriber's status at Beehiiv in our words: as a fact, and as the result of an accepted
 * attempt.
 */
export const SUBSCRIBER_STATUSES: Record<string, { label: string; accepted: string } | undefined> =
  {
    active: { label: 'Confirmed', accepted: 'Beehiiv accepted it and confirmed the email' },
    pending: {
      label: 'Awaiting confirmation',
      accepted: 'Beehiiv accepted it and asked for confirmation',
    },
    validating: {
      label: 'Beehiiv is checking',
      accepted: 'Beehiiv accepted it and began to check the email',
    },
    invalid: {
      label: 'Rejected by Beehiiv',
      accepted: 'Beehiiv stored it but rejected the email',
    },
    inactive: { label: 'Unsubscribed', accepted: 'Beehiiv stored it as unsubscribed' },
    needs_attention: {
      label: 'Needs attention at Beehiiv',
      accepted: 'Beehiiv accepted it, and it needed attention there',
    },
    paused: { label: 'Paused at Beehiiv', accepted: 'Beehiiv accepted it but paused it' },
  };
