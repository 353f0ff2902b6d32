/**
 * Every kind of refused request, with its status and title. The key is the last part of the type.
 */
export const PROBLEMS = {
  'malformed-json': { status: 400, title: 'The body is not valid JSON' },
  'bad-request': { status: 400, title: 'The request cannot be read' },
  'signature-invalid': { status: 400, title: 'The signature does not match' },
  'login-required': { status: 401, title: 'Log in first' },
  'login-wrong': { status: 401, title: 'Wrong user name or password' },
  'two-step-login-needed': { status: 401, title: 'Enter the code from your authenticator app' },
  'two-step-login-wrong': { status: 401, title: 'Wrong code' },
  'scheme-unknown': {
    status: 400,
    title: 'The proxy did not mark the request as https',
  },
  'viewer-refused': { status: 403, title: 'Your login can look, not change' },
  'password-one-time': { status: 403, title: 'Choose a password of your own first' },
  'two-step-login-missing': { status: 403, title: 'Set up two-step login first' },
  'confirmation-required': { status: 403, title: 'Enter your password or a code again' },
  'password-wrong': { status: 403, title: 'Wrong password' },
  'origin-refused': { status: 403, title: 'Requests from this site are not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'This URL does not support that method' },
  'already-subscribed': { status: 409, title: 'This email already has a subscription' },
  'already-corrected': { status: 409, title: 'This email has already been corrected' },
  'own-login': { status: 409, title: 'This is your own login' },
  'subscription-live': { status: 409, title: 'The person has a live subscription' },
  'two-step-login-stays': { status: 409, title: 'Every operator needs two-step login here' },
  'subscription-over': { status: 409, title: 'This subscription has ended' },
  'nothing-to-refund': { status: 409, title: 'There is nothing to refund' },
  'payment-disputed': { status: 409, title: 'This payment is disputed' },
  'stripe-refused': { status: 409, title: 'Stripe refused' },
  'key-reused': { status: 409, title: 'This key was used for another request' },
  'nothing-to-retry': { status: 409, title: 'There is nothing to retry' },
  'bulk-retry-running': { status: 409, title: 'Another bulk retry is in progress' },
  'bulk-retry-over': { status: 409, title: 'This bulk retry has already ended or been stopped' },
  'lead-erased': { status: 410, title: 'This form was erased' },
  'precondition-failed': { status: 412, title: 'The file is not the one you asked for' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'media-type-unsupported': { status: 415, title: 'The body must be JSON' },
  'range-not-satisfiable': { status: 416, title: 'The file has no such part' },
  'fields-invalid': { status: 422, title: 'Some fields are not valid' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'internal-error': { status: 500, title: 'Something went wrong on our side' },
  'mail-failed': { status: 409, title: 'The email could not be sent' },
  'stripe-unavailable': { status: 503, title: 'The payment page cannot be reached right now' },
  'database-unavailable': { status: 503, title: 'We cannot store anything right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemKind = keyof typeof PROBLEMS;

/** Returns a problem's `type`, which is a name and not a URL. */
export function problemType(kind: ProblemKind): string {
  return `urn:problem:${kind}`;
}
