/** Thrown by `withTimeout` when the time is up. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
}

export type Deadline = {
  /** Aborted when the time is up. */
  signal: AbortSignal;
  /** Milliseconds left, never below 0. */
  leftMs: () => number;
};

/**
 * Runs `work` for at most `ms` milliseconds. Throws a `TimeoutError` when the time is up. Work that
 * ignores `deadline.signal` continues, but its result is dropped.
 */
export async function withTimeout<T>(
  ms: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + ms;
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // A timer of our own: on Node 20, AbortSignal.timeout inside AbortSignal.any may be collected
  // before it fires.
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new TimeoutError(`Took longer than ${ms} ms`);
      reject(reason);
      controller.abort(reason);
    }, ms);
  });
  const leftMs = () => Math.max(0, Math.round(endsAt - performance.now()));
  try {
    return await Promise.race([work({ signal: controller.signal, leftMs }), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
