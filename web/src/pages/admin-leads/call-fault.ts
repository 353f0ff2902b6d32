import { problemDocument } from '@site/schema/problem';
import { HttpError } from '../../http.ts';

/**
 * What a failed call comes to, in a sentence: the server's status, and its own words where they are about what
 * was asked; or that nothing answered.
 */
export function describeFault(error: unknown): string {
  if (!(error instanceof HttpError)) return 'The server could not be reached.';
  const words = error.status < 500 ? readProblemWords(error.body) : undefined;
  return words ? `The server answered ${error.status}: ${withFullStop(words)}` : `The server answered ${error.status}.`;
}

/** The most particular words of a problem document: its field errors, else its detail, else its title. */
export function readProblemWords(body: string): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return undefined;
  }
  const problem = problemDocument.safeParse(json).data;
  const fieldWords = problem?.errors?.map((error) => error.message).join('; ');
  return fieldWords || problem?.detail || problem?.title;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof HttpError && error.status === 401;
}

function withFullStop(words: string): string {
  return /[.!?]$/u.test(words) ? words : `${words}.`;
}
