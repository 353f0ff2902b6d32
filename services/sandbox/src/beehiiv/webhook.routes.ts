import { BEEHIIV_EVENT_TYPES } from '@site/schema/beehiiv-events';
import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { z } from 'zod';
import { BeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore } from './beehiiv.store.ts';
import { pageQuery, parseRequest } from './subscription.schema.ts';

const eventTypes = z.array(z.enum(BEEHIIV_EVENT_TYPES)).min(1);
const webhookRequest = z.strictObject({
  url: z.url(),
  event_types: eventTypes,
  description: z.string().optional(),
});
/** A webhook's URL cannot change. */
const webhookUpdate = z.strictObject({
  event_types: eventTypes.optional(),
  description: z.string().optional(),
});

/** Serves `/v2/publications/:publicationId/webhooks`. Next: event-sender.ts. */
export function webhookRoutes(store: BeehiivStore): Router {
  const router = Router();
  const webhookOf = (id: string) => {
    const webhook = store.webhooks().find((each) => each.id === id);
    if (!webhook) throw new BeehiivFault(404, 'Webhook not found');
    return webhook;
  };

  router.get('/', (req, res) => {
    parseRequest(pageQuery, 'query', req.query);
    res.json({ data: store.webhooks() });
  });

  router.post('/', (req, res) => {
    const { description = '', ...given } = parseRequest(webhookRequest, 'webhook', req.body);
    const now = Math.floor(store.nowMs() / 1_000);
    const data = { id: `ep_${randomUUID()}`, ...given, description, created: now, updated: now };
    store.setWebhooks([...store.webhooks(), data]);
    res.json({ data });
  });

  router.patch('/:id', (req, res) => {
    const webhook = webhookOf(req.params.id);
    Object.assign(webhook, parseRequest(webhookUpdate, 'webhookupdate', req.body));
    store.touched();
    res.json({ data: webhook });
  });

  router.delete('/:id', (req, res) => {
    const webhook = webhookOf(req.params.id);
    store.setWebhooks(store.webhooks().filter((each) => each !== webhook));
    res.status(204).end();
  });
  return router;
}
