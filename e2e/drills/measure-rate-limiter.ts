import type { Drill } from './drill.ts';

export type RateLimiterFigures = {
  /** The most requests that arrived within any one window. */
  most: number;
  /** The share of the allowance that was used. */
  used: number;
  /** The number of requests that Beehiiv answered with 429. */
  refused: number;
};

/** Lets two workers send a backlog to Beehiiv, and measures the requests that arrive there. */
export async function measureRateLimiter(
  drill: Drill,
  { requests, windowMs, leads }: { requests: number; windowMs: number; leads: number },
): Promise<RateLimiterFigures> {
  const env = { BEEHIIV_REQUESTS_PER_MINUTE: String((requests * 60_000) / windowMs) };
  await drill.startApi();
  for (let left = leads; left > 0; left -= 20) {
    await Promise.all(Array.from({ length: Math.min(20, left) }, () => drill.ledger.submit()));
  }
  await Promise.all([drill.startWorker(env), drill.startWorker(env)]);
  await drill.settle((leads / requests) * windowMs * 2 + 30_000);

  const seen = drill.requests();
  const times = seen.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    most: Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length),
    ),
    used: (times.length - 1) / (spanMs * (requests / windowMs)),
    refused: seen.filter(({ status }) => status === 429).length,
  };
}
