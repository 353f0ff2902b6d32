import type { RequestHandler, Response } from 'express';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import { BeehiivFault, sendBeehiivFault } from './beehiiv-fault.ts';

const PERIOD_SECONDS = 60;

export type RateLimit = {
  middleware: RequestHandler;
  /** Answers 429 at any count, with a reset in `seconds`. */
  refuse(res: Response, seconds: number): void;
  clear(): void;
};

/**
 * Limits all requests together to a number in each minute. Every answer has the state of the
 * current period in its headers, with the reset in seconds since 1970. A limit of 0 refuses
 * nothing.
 */
export function createRateLimit(clock: Clock, requestsPerMinute: number): RateLimit {
  const limit = requestsPerMinute === 0 ? 1_000_000 : requestsPerMinute;
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
    setHeaders(res, { limit, remaining: Math.max(0, limit - used), endsAt });
    // Clients compare the reset with this header, so both must come from the same clock.
    res.setHeader('Date', clock.now().toUTCString());
    if (isAllowed) next();
    else sendBeehiivFault(res, new BeehiivFault(429));
  };

  return {
    middleware,
    refuse(res, seconds) {
      setHeaders(res, { limit, remaining: 0, endsAt: epochSeconds(clock) + seconds });
      sendBeehiivFault(res, new BeehiivFault(429));
    },
    clear() {
      endsAt = 0;
    },
  };
}

function setHeaders(
  res: Response,
  period: { limit: number; remaining: number; endsAt: number },
): void {
  res.setHeader('RateLimit-Limit', period.limit);
  res.setHeader('RateLimit-Remaining', period.remaining);
  res.setHeader('RateLimit-Reset', period.endsAt);
}
