import type { RedisConnection } from '@site/platform/redis/connect';
import { createHash } from 'node:crypto';
import { isPrivateAddress } from '../http/client-network.ts';
import { createClientLimiter, createLimiter } from '../http/rate-limit.ts';

type Asked = { ip: string | undefined; email: string | undefined };

/** How often it is told that an address has a subscription (decision 0046). */
export type SubscribedLimit = {
  /** Throws 429 before an address is looked up, whatever it has: a refusal of subscribers alone would tell the same. */
  check(asked: Asked): Promise<void>;
  /** Counts one answer. */
  spend(asked: Asked): Promise<void>;
};

const HOURLY = { points: 5, perSeconds: 3_600 };

/** Limits it by client, by the network around it, and by the address asked for. */
export function createSubscribedLimit(redis: RedisConnection, isLimited: boolean, keyPrefix?: string): SubscribedLimit {
  const clients = createClientLimiter(redis, { ...HOURLY, name: 'subscribed' }, keyPrefix);
  const addresses = createLimiter(redis, { ...HOURLY, name: 'subscribed-address' }, keyPrefix);
  const all =
    (step: 'check' | 'spend') =>
    async ({ ip, email }: Asked) => {
      if (!isLimited || email === undefined) return;
      // A proxy that was not named would count as one client for all visitors.
      if (!isPrivateAddress(ip)) await clients[step](ip);
      await addresses[step](createHash('sha256').update(email.toLowerCase()).digest('base64url'));
    };
  return { check: all('check'), spend: all('spend') };
}
