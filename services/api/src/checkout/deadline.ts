/** What took longer than its caller may be kept waiting. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

export type LeftMs = () => number;

/**
 * Runs `work` for at most `ms` milliseconds in all, however many calls it makes; `work` is told how much
 * is left. Throws a `DeadlineError` when the time is over; what runs still is left to end by itself.
 */
export async function withTimeout<T>(ms: number, work: (leftMs: LeftMs) => Promise<T>): Promise<T> {
  const endsAt = performance.now() + ms;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(() => Math.max(0, Math.round(endsAt - performance.now()))), end]);
  } finally {
    clearTimeout(timer);
  }
}
