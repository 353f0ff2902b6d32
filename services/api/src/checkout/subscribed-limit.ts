import type { RedisConnection } from '@site/platform/redis/connect';
import { normaliseEmail } from '@site/schema/email';
import { createHash } from 'node:crypto';
import { isPrivateAddress } from '../http/client.ts';
import { createClientLimiter, createLimiter, takeEach } from '../http/rate-limit.ts';
import type { Point } from '../http/rate-limit.ts';

export type SubscribedLimit = ReturnType<typeof createSubscribedLimit>;

const HOURLY = { points: 5, perSeconds: 3_600 };

const UNLIMITED: Point = { keep: () => undefined, giveBack: async () => undefined };

/**
 * Limits how often an email's subscription is disclosed: to a client, to its network, and about one
 * email (decision 0046). A point is taken before any email is looked up, because refusing only
 * subscribers would disclose the same. It is given back if nothing was disclosed.
 */
export function createSubscribedLimit(
  redis: RedisConnection,
  isLimited: boolean,
  keyPrefix?: string,
) {
  const clients = createClientLimiter(redis, { ...HOURLY, name: 'subscribed' }, keyPrefix);
  const emails = createLimiter(redis, { ...HOURLY, name: 'subscribed-email' }, keyPrefix);
  return async ({
    ip,
    email,
  }: {
    ip: string | undefined;
    email: string | undefined;
  }): Promise<Point> => {
    if (!isLimited || email === undefined) return UNLIMITED;
    const emailKey = createHash('sha256').update(normaliseEmail(email)).digest('base64url');
    return takeEach([
      // An unnamed proxy would count as one client for all visitors.
      ...(isPrivateAddress(ip) ? [] : [() => clients(ip)]),
      () => emails.take(emailKey),
    ]);
  };
}
