import { findReason } from '@site/schema/beehiiv-answers';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import type { WorkerSettings } from '../settings.ts';
import { createBeehiivAdapter } from './beehiiv/beehiiv.adapter.ts';
import { createBeehiivClient } from './beehiiv/beehiiv.client.ts';
import type { BeehiivClient } from './beehiiv/beehiiv.client.ts';
import { createWebhookAdapter } from './beehiiv/webhook.adapter.ts';
import type { WebhookPort } from './beehiiv/webhook.adapter.ts';
import { readRetryAfterMs } from './beehiiv/beehiiv.answers.ts';
import { pauseSlots, createRateLimiter } from './rate-limiter.ts';
import { createFieldCatalog } from './field-catalog.ts';
import type { FieldCatalog } from './field-catalog.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { NewsletterPort } from './newsletter.port.ts';

export type Newsletter = {
  newsletter: NewsletterPort;
  webhooks: WebhookPort;
  rateLimiter: RateLimiter;
  fieldCatalog: FieldCatalog;
};

/** Creates the port to Beehiiv, its rate limiter and its field catalog. */
export function connectNewsletter(
  settings: Pick<WorkerSettings, 'beehiiv' | 'requestsPerMinute'> & { timeoutMs?: number },
  { db, log }: { db: Database; log: Logger },
): Newsletter {
  const { timeoutMs } = settings;
  const client = createBeehiivClient({
    ...settings.beehiiv,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const limited: BeehiivClient = {
    // A 429 applies to every request.
    async send(request) {
      const answer = await client.send(request);
      const isLimited = answer.kind === 'answer' && findReason(answer.status) === 'rate-limited';
      if (isLimited) await pauseSlots(db, readRetryAfterMs(answer.headers));
      return answer;
    },
  };
  const newsletter = createBeehiivAdapter(limited);
  const rateLimiter = createRateLimiter(db, settings.requestsPerMinute);
  return {
    newsletter,
    webhooks: createWebhookAdapter(limited),
    rateLimiter,
    fieldCatalog: createFieldCatalog({ db, rateLimiter, newsletter, log }),
  };
}
