import Stripe from 'stripe';

export function isStripeError(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError;
}

/**
 * True when Stripe could not be reached, could not serve, or would not let us in: the same call may
 * succeed later. False when it has looked at the call and refused it, which it would do again.
 */
export function isStripeAway(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  const { statusCode } = error;
  return statusCode === undefined || statusCode >= 500 || [401, 403, 409, 429].includes(statusCode);
}

/** True for an object that Stripe does not have, be it named in the path or in a parameter. */
export function isMissingAtStripe(error: unknown): boolean {
  return isStripeError(error) && error.code === 'resource_missing';
}

/** What of a failed call may be logged. Never the message: it quotes what was sent, addresses included. */
export function toLoggedStripeError(error: unknown): Record<string, unknown> {
  if (!isStripeError(error)) return { type: error instanceof Error ? error.name : typeof error };
  const { type, code, param, statusCode, requestId } = error;
  return { type, code, param, statusCode, requestId };
}
