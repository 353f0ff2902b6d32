/** A start that cannot succeed until a person changes something: the message is the one sentence that person reads. */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** The message of whatever was thrown. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error (`EADDRINUSE`, `ENOENT` …), if it has one. */
export function toErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
