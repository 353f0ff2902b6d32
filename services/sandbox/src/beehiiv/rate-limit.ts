import type { RequestHandler, Response } from 'express';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import { BeehiivFault, sendBeehiivFault } from './beehiiv-fault.ts';

const PERIOD_SECONDS = 60;

export type RateLimit = {
  middleware: RequestHandler;
  /** A 429 out of turn, with an end of its own. */
  refuse(res: Response, seconds: number): void;
  clear(): void;
};

/**
 * So many requests in each minute, of every kind together. The state of the period stands in the headers of
 * each answer, its end as absolute seconds since 1970. A limit of 0 refuses nobody.
 */
export function createRateLimit(clock: Clock, requestsPerMinute: number): RateLimit {
  let endsAt = 0;
  let used = 0;

  function count(): boolean {
    const now = epochSeconds(clock);
    if (now >= endsAt) {
      endsAt = now + PERIOD_SECONDS;
      used = 0;
    }
    used += 1;
    return requestsPerMinute === 0 || used <= requestsPerMinute;
  }

  const middleware: RequestHandler = (_req, res, next) => {
    const isAllowed = count();
    const limit = requestsPerMinute === 0 ? 1_000_000 : requestsPerMinute;
    setHeaders(res, { limit, remaining: Math.max(0, limit - used), endsAt });
    // The reset is read against this header, so both must come from the same clock.
    res.setHeader('Date', clock.now().toUTCString());
    if (isAllowed) next();
    else sendBeehiivFault(res, new BeehiivFault(429));
  };

  return {
    middleware,
    refuse(res, seconds) {
      const limit = requestsPerMinute === 0 ? 1_000_000 : requestsPerMinute;
      setHeaders(res, { limit, remaining: 0, endsAt: epochSeconds(clock) + seconds });
      sendBeehiivFault(res, new BeehiivFault(429));
    },
    clear() {
      endsAt = 0;
    },
  };
}

function setHeaders(res: Response, period: { limit: number; remaining: number; endsAt: number }): void {
  res.setHeader('RateLimit-Limit', period.limit);
  res.setHeader('RateLimit-Remaining', period.remaining);
  res.setHeader('RateLimit-Reset', period.endsAt);
}
