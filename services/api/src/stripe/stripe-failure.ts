import Stripe from 'stripe';

export function isStripeError(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError;
}

/**
 * True if Stripe was unreachable, failed, or refused the key: the same call may succeed later. False if Stripe read
 * the call and refused it, as it would again.
 */
export function isStripeAway(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  const { statusCode } = error;
  return statusCode === undefined || statusCode >= 500 || [401, 403, 409, 429].includes(statusCode);
}

/** True if Stripe read the call and refused it: the same call would be refused again. */
export function isStripeRefusal(error: unknown): boolean {
  return isStripeError(error) && !isStripeAway(error);
}

/** True if Stripe does not have the object, named in the path or in a parameter. */
export function isMissingAtStripe(error: unknown): boolean {
  return isStripeError(error) && error.code === 'resource_missing';
}

/** Waits for a call, and returns null if Stripe does not have the object. Throws any other error. */
export async function orMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isMissingAtStripe(error)) return null;
    throw error;
  }
}

/** The parts of a failed call that may be logged. Never the message: it quotes the request, addresses included. */
export function toLoggedStripeError(error: unknown): Record<string, unknown> {
  if (!isStripeError(error)) return { type: error instanceof Error ? error.name : typeof error };
  const { type, code, param, statusCode, requestId } = error;
  return { type, code, param, statusCode, requestId };
}
