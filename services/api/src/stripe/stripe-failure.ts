import Stripe from 'stripe';

export function isStripeError(
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError;
}

/**
 * The meaning of a failed call.
 * - unreachable: Stripe did not answer, failed, or refused the key: the same call may succeed
 * later.
 * - forbidden: the key lacks a permission: the same call succeeds once it has been added.
 * - refused: Stripe read the call and refused it, and would again.
 */
export type StripeFailure = 'unreachable' | 'forbidden' | 'refused';

/** Returns the meaning of a failed call, or null for an error that is not Stripe's. */
export function failureOf(error: unknown): StripeFailure | null {
  if (!isStripeError(error)) return null;
  const { statusCode } = error;
  if (statusCode === 403) return 'forbidden';
  if (statusCode === undefined || statusCode >= 500 || [401, 409, 429].includes(statusCode))
    return 'unreachable';
  return 'refused';
}

export const isStripeUnreachable = (error: unknown): boolean => failureOf(error) === 'unreachable';
export const isStripeRefusal = (error: unknown): boolean => failureOf(error) === 'refused';

/**
 * Returns the permissions that the key lacks, named in Stripe's message. Returns null for any other
 * failure.
 */
export function readMissingPermission(error: unknown): string | null {
  if (!isStripeError(error) || failureOf(error) !== 'forbidden') return null;
  return (
    [...error.message.matchAll(/'((?:rak_)?[a-z_]+_(?:read|write))'/g)]
      .map(([, name]) => name)
      .join(', ') || 'unknown'
  );
}

/** Returns a failed call's text, to complete a sentence that begins with "Stripe". */
export function toStripeErrorText(error: InstanceType<typeof Stripe.errors.StripeError>): string {
  const { statusCode } = error;
  if (statusCode === undefined) return 'cannot be reached';
  if (statusCode === 401) return 'refuses the key';
  const because = statusCode === 403 ? ', because the key lacks a permission' : '';
  return `answered ${statusCode}${because}`;
}

/**
 * Waits for a call. Returns null if Stripe lacks an object that its path or a parameter names.
 * Throws any other error.
 */
export async function orMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isStripeError(error) && error.code === 'resource_missing') return null;
    throw error;
  }
}

/**
 * Waits for a call that may show too much to ask for. Returns null if Stripe refuses or forbids it.
 * Throws any other error.
 */
export async function orRefused<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === 'refused' || failure === 'forbidden') return null;
    throw error;
  }
}

/**
 * Returns the loggable parts of a failed call. Never the message, because it quotes the request,
 * emails included.
 */
export function toLoggedStripeError(error: unknown): Record<string, unknown> {
  if (!isStripeError(error)) return { type: error instanceof Error ? error.name : typeof error };
  const { type, code, param, statusCode, requestId } = error;
  return {
    type,
    code,
    param,
    statusCode,
    requestId,
    permission: readMissingPermission(error) ?? undefined,
  };
}

/** Returns the loggable parts of an error that is not always Stripe's. */
export const toLoggedFailure = (error: unknown): Record<string, unknown> =>
  isStripeError(error) ? toLoggedStripeError(error) : { err: error };
