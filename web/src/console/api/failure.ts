import { PROBLEMS, problemType } from '@site/schema/problem';
import type { ProblemKind } from '@site/schema/problem';
import { HttpError } from '../../http.ts';
import { FAILURE_DURATION_MS, toasts } from '../../ui/toast-store.ts';

const KINDS = Object.keys(PROBLEMS) as ProblemKind[];

/** Returns a sentence about a failed call: the server's own for a refusal, or else the status. */
export function toFailureText(error: unknown): string {
  if (!(error instanceof HttpError)) return 'The server could not be reached.';
  const message = readProblemMessage(error);
  return message ? withFullStop(message) : `The server answered ${error.status}.`;
}

export const withFullStop = (sentence: string) =>
  `${sentence}${/[.!?]$/u.test(sentence) ? '' : '.'}`;

/**
 * Reads the most specific message of a refusal, or of a failing Stripe: its field errors, else its
 * detail, else its title.
 */
function readProblemMessage(error: unknown): string | undefined {
  if (!(error instanceof HttpError)) return undefined;
  const { problem, status } = error;
  if (status >= 500 && readProblemKind(error) !== 'stripe-unavailable') return undefined;
  const fieldMessages = problem?.errors?.map((error) => error.message).join('; ');
  return fieldMessages || problem?.detail || problem?.title;
}

export function readProblemKind(error: unknown): ProblemKind | undefined {
  if (!(error instanceof HttpError)) return undefined;
  return KINDS.find((kind) => error.problem?.type === problemType(kind));
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof HttpError && error.status === 401;
}

/** Returns true if a call failed because the API is unreachable, not because of the request. */
export function isAway(error: unknown): boolean {
  return !(error instanceof HttpError) || error.status >= 500;
}

/** Returns true if the operator cancelled the confirmation, and so the call. */
export const isCalledOff = (error: unknown) => readProblemKind(error) === 'confirmation-required';

/**
 * Logs a failed action and shows it in a toast, unless the login appears instead, or the operator
 * has cancelled it.
 */
export function showFailure(title: string, error: unknown): void {
  if (isSignedOut(error) || isCalledOff(error)) return;
  console.error(title, error);
  toasts.add({
    title,
    description: toFailureText(error),
    tone: 'destructive',
    durationMs: FAILURE_DURATION_MS,
  });
}
