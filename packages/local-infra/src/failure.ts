/**
 * A failure that needs a change by a person. Its message names the change and is shown without a
 * stack.
 */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** Returns the message of anything thrown. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the `code` of a system error, such as `EADDRINUSE`. */
export function toErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
