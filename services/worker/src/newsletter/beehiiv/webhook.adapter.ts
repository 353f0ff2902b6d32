import { BEEHIIV_EVENT_TYPES } from '@site/schema/beehiiv-events';
import { z } from 'zod';
import type { NewsletterPage, Verdict } from '../newsletter.port.ts';
import { classAnswer, classPage } from './beehiiv.answers.ts';
import type { BeehiivClient } from './beehiiv.client.ts';

const webhook = z
  .object({ id: z.string(), url: z.string(), event_types: z.array(z.string()) })
  .transform(({ event_types: types, ...rest }) => ({
    ...rest,
    hasAllTypes: BEEHIIV_EVENT_TYPES.every((type) => types.includes(type)),
  }));
const toData = <T extends z.ZodType>(data: T) => z.object({ data });

/** The publication's webhooks. Ours asks for every event about a subscription or a tier. */
export type WebhookPort = {
  list(): Promise<NewsletterPage<{ data: z.output<typeof webhook>[] }>>;
  create(url: string): Promise<Verdict>;
  /** Adds the event types that a webhook lacks. Its URL can never change. */
  complete(id: string): Promise<Verdict>;
  remove(id: string): Promise<Verdict>;
};

/** Implements the webhooks' port for Beehiiv. */
export function createWebhookAdapter(client: BeehiivClient): WebhookPort {
  const asked = { event_types: BEEHIIV_EVENT_TYPES };
  const path = '/webhooks';
  return {
    list: async () =>
      classPage(
        await client.send({ method: 'GET', path: `${path}?limit=100` }),
        toData(z.array(webhook)),
      ),
    create: async (url) =>
      classPage(
        await client.send({ method: 'POST', path, body: { url, ...asked } }),
        toData(webhook),
      ),
    complete: async (id) =>
      classPage(
        await client.send({ method: 'PATCH', path: `${path}/${id}`, body: asked }),
        toData(webhook),
      ),
    remove: async (id) =>
      classAnswer('remove', await client.send({ method: 'DELETE', path: `${path}/${id}` })),
  };
}
