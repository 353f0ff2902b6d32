import { z } from 'zod';
import type { NewsletterPort, Reader } from '../newsletter.port.ts';
import { classAnswer, classPage, storable } from './beehiiv.answers.ts';
import type { BeehiivClient } from './beehiiv.client.ts';

/** The most that a page of readers, and of fields, may hold. */
const PER_PAGE = 100;

// The documents disagree on whether a page's cursor stands beside `data` or in `pagination`.
const cursor = z.object({ has_more: z.boolean().optional(), next_cursor: z.string().nullish() });
const readerPage = z
  .object({
    data: z.array(z.object({ id: storable, email: storable, status: storable })),
    pagination: cursor.optional(),
    ...cursor.shape,
  })
  .transform(({ data, pagination, ...flat }, ctx) => {
    const { has_more: hasMore, next_cursor: nextCursor } = pagination ?? flat;
    // A list that ends too soon would make everybody behind its end missing.
    if (!nextCursor && (hasMore ?? data.length >= PER_PAGE)) ctx.addIssue('more is said to come, and not where');
    return { readers: data, nextCursor: hasMore === false ? null : nextCursor || null };
  });

const fieldPage = z
  .object({
    data: z.array(z.object({ display: z.string() })),
    page: z.number().optional(),
    total_pages: z.number().optional(),
  })
  .transform(({ data, page = 1, total_pages: pages = 1 }) => ({
    names: data.map(({ display }) => display),
    hasMore: page < pages,
  }));

/** The newsletter port, spoken to Beehiiv. */
export function createBeehiivAdapter(client: BeehiivClient): NewsletterPort {
  return {
    async add(reader) {
      return classAnswer('add', await client.send({ method: 'POST', path: '/subscriptions', body: toRequest(reader) }));
    },
    async find(email) {
      return classAnswer('find', await client.send({ method: 'GET', path: byEmail(email) }));
    },
    async update(email, fields) {
      const body = { custom_fields: toCustomFields(fields) };
      return classAnswer('update', await client.send({ method: 'PUT', path: byEmail(email), body }));
    },
    async setTier(email, tier) {
      return classAnswer('tier', await client.send({ method: 'PUT', path: byEmail(email), body: { tier } }));
    },
    async remove(subscriberId) {
      const path = `/subscriptions/${encodeURIComponent(subscriberId)}`;
      return classAnswer('remove', await client.send({ method: 'DELETE', path }));
    },
    async listReaders(after) {
      const query = new URLSearchParams({ limit: String(PER_PAGE), order_by: 'created', direction: 'asc' });
      if (after !== null) query.set('cursor', after);
      return classPage(await client.send({ method: 'GET', path: `/subscriptions?${query.toString()}` }), readerPage);
    },
    async listFields(page) {
      const path = `/custom_fields?limit=${PER_PAGE}&page=${page}`;
      return classPage(await client.send({ method: 'GET', path }), fieldPage);
    },
  };
}

const byEmail = (email: string) => `/subscriptions/by_email/${encodeURIComponent(email)}`;

const toCustomFields = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

/** Beehiiv's request for a reader. `reactivate_existing` only ever says true: its absence means no. */
function toRequest(reader: Reader) {
  const utm = Object.fromEntries(Object.entries(reader.utm).map(([part, value]) => [`utm_${part}`, value]));
  return {
    email: reader.email,
    ...utm,
    ...(reader.referringSite === undefined ? {} : { referring_site: reader.referringSite }),
    ...(reader.reactivate ? { reactivate_existing: true } : {}),
    send_welcome_email: reader.sendWelcomeEmail,
    double_opt_override: reader.doubleOptIn,
    ...(reader.automationIds.length > 0 ? { automation_ids: reader.automationIds } : {}),
    custom_fields: toCustomFields(reader.fields),
  };
}
