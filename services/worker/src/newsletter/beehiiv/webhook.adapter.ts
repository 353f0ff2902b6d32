import { BEEHIIV_EVENT_TYPES } from '@site/schema/beehiiv-events';
import { z } from 'zod';
import type { NewsletterPage, Verdict } from '../newsletter.port.ts';
import { classAnswer, classPage } from './beehiiv.answers.ts';
import type { BeehiivClient } from './beehiiv.client.ts';

const webhook = z.object({ id: z.string(), url: z.string(), event_types: z.array(z.string()) });
export type Webhook = { id: string; url: string; hasAllTypes: boolean };

/** The publication's webhooks. Ours asks for every event about a subscription or a tier. */
export type WebhookPort = {
  list(): Promise<NewsletterPage<Webhook[]>>;
  create(url: string): Promise<Verdict>;
  /** Adds the event types that a webhook lacks. Its URL can never change. */
  complete(id: string): Promise<Verdict>;
  remove(id: string): Promise<Verdict>;
};

/** Implements the webhooks' port for Beehiiv. */
export function createWebhookAdapter(client: BeehiivClient): WebhookPort {
  const asked = { event_types: [...BEEHIIV_EVENT_TYPES] };
  const one = z.object({ data: webhook });
  const pathOf = (id: string) => `/webhooks/${encodeURIComponent(id)}`;
  return {
    list: async () =>
      classPage(
        await client.send({ method: 'GET', path: '/webhooks?limit=100' }),
        z.object({ data: z.array(webhook) }).transform(({ data }) =>
          data.map(({ event_types: types, ...each }) => ({
            ...each,
            hasAllTypes: BEEHIIV_EVENT_TYPES.every((type) => types.includes(type)),
          })),
        ),
      ),
    create: async (url) =>
      classPage(
        await client.send({
          method: 'POST',
          path: '/webhooks',
          body: { url, ...asked, description: 'Readers who leave, at once' },
        }),
        one,
      ),
    complete: async (id) =>
      classPage(await client.send({ method: 'PATCH', path: pathOf(id), body: asked }), one),
    remove: async (id) =>
      classAnswer('remove', await client.send({ method: 'DELETE', path: pathOf(id) })),
  };
}
