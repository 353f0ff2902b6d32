import type { RedisConnection } from '@site/platform/redis/connect';
import { normaliseEmail } from '@site/schema/email';
import { createHash } from 'node:crypto';
import { isPrivateAddress } from '../http/client.ts';
import { createClientLimiter, createLimiter } from '../http/rate-limit.ts';
import type { Limiter } from '../http/rate-limit.ts';

export type SubscribedLimit = ReturnType<typeof createSubscribedLimit>;

const HOURLY = { points: 5, perSeconds: 3_600 };

/**
 * Limits how often an email's subscription is disclosed: to a client, to its network, and about one
 * email (decision 0046). Checked before any email is looked up, because refusing only subscribers
 * would disclose the same.
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
    // An unnamed proxy would count as one client for all visitors.
    if (!isPrivateAddress(ip)) await clients(step, ip);
    await emails[step](createHash('sha256').update(normaliseEmail(email)).digest('base64url'));
  };
}
