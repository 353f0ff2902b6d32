import type { RedisConnection } from '@site/platform/redis/connect';
import { createHash } from 'node:crypto';
import { isPrivateAddress } from '../http/client.ts';
import { createClientLimiter, createLimiter } from '../http/rate-limit.ts';
import type { Limiter } from '../http/rate-limit.ts';

export type SubscribedLimit = ReturnType<typeof createSubscribedLimit>;

const HOURLY = { points: 5, perSeconds: 3_600 };

/**
 * Limits how often a client, the network around it, and anybody asking about one email learns that
 * an email has a subscription (decision 0046). Checked before any email is looked up: refusing
 * subscribers alone would disclose the same.
 */
export function createSubscribedLimit(
  redis: RedisConnection,
  isLimited: boolean,
  keyPrefix?: string,
) {
  const clients = createClientLimiter(redis, { ...HOURLY, name: 'subscribed' }, keyPrefix);
  const emails = createLimiter(redis, { ...HOURLY, name: 'subscribed-email' }, keyPrefix);
  return async (
    step: keyof Limiter,
    { ip, email }: { ip: string | undefined; email: string | undefined },
  ) => {
    if (!isLimited || email === undefined) return;
    // A proxy that was not named would count as one client for all visitors.
    if (!isPrivateAddress(ip)) await clients(step, ip);
    await emails[step](createHash('sha256').update(email.toLowerCase()).digest('base64url'));
  };
}
