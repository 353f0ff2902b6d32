import type { Asked } from '@site/schema/beehiiv-answers';
import { z } from 'zod';
import type { NewsletterPort, NewSubscriber } from '../newsletter.port.ts';
import {
  classAnswer,
  classPage,
  classTierAnswer,
  storable,
  subscriberRecord,
} from './beehiiv.answers.ts';
import type { BeehiivClient } from './beehiiv.client.ts';

type Method = Parameters<BeehiivClient['send']>[0]['method'];

/** The largest page size that Beehiiv allows for subscribers and for fields. */
const PER_PAGE = 100;

// Beehiiv's documentation shows a page's cursor both beside `data` and inside `pagination`.
const cursor = z.object({ has_more: z.boolean().optional(), next_cursor: z.string().nullish() });
const listedSubscriber = z.intersection(z.object({ email: storable }), subscriberRecord);
const subscriberPage = z
  .object({
    data: z.array(z.unknown()),
    pagination: cursor.optional(),
    ...cursor.shape,
  })
  .transform(({ data, pagination, ...flat }, ctx) => {
    const { has_more: hasMore, next_cursor: nextCursor } = pagination ?? flat;
    // If the list ended too soon, everybody after its end would count as missing.
    if (!nextCursor && (hasMore ?? data.length >= PER_PAGE))
      ctx.addIssue('has more, but no cursor');
    // One strange subscriber must not hide all others.
    const subscribers = data.flatMap((each) => listedSubscriber.safeParse(each).data ?? []);
    const skipped = data.length - subscribers.length;
    return { subscribers, skipped, nextCursor: hasMore === false ? null : nextCursor || null };
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

/**
 * Implements the newsletter port for Beehiiv. Before: `deliver.ts`. Next: `beehiiv.answers.ts`
 * classes the answer.
 */
export function createBeehiivAdapter(client: BeehiivClient): NewsletterPort {
  const ask = async (asked: Asked, method: Method, path: string, body?: unknown) =>
    classAnswer(asked, await client.send({ method, path, body }));
  return {
    async add(subscriber) {
      const answer = await ask('add', 'POST', '/subscriptions', toRequest(subscriber));
      const areAutomationsRefused =
        answer.class === 'permanent' &&
        subscriber.automationIds.length > 0 &&
        /automation/i.test(answer.message);
      return areAutomationsRefused ? { ...answer, setting: subscriber.automationSetting } : answer;
    },
    find: (email) => ask('find', 'GET', byEmail(email)),
    update: (email, fields) =>
      ask('update', 'PUT', byEmail(email), { custom_fields: toCustomFields(fields) }),
    async activate(subscriberId) {
      const body = { subscription_ids: [subscriberId], new_status: 'active' };
      return classPage(
        await client.send({ method: 'PUT', path: '/subscriptions', body }),
        z.object({ data: z.looseObject({}) }),
      );
    },
    async setTier(email, tier) {
      return classTierAnswer(
        tier,
        await client.send({ method: 'PUT', path: byEmail(email), body: { tier } }),
      );
    },
    unsubscribe(email, fields) {
      const emptied = fields.map((name) => ({ name, value: '', delete: true }));
      const body = { unsubscribe: true, tier: 'free', custom_fields: emptied };
      return ask('update', 'PUT', byEmail(email), body);
    },
    remove: (subscriberId) =>
      ask('remove', 'DELETE', `/subscriptions/${encodeURIComponent(subscriberId)}`),
    async listSubscribers(after) {
      const query = new URLSearchParams({
        limit: String(PER_PAGE),
        order_by: 'created',
        direction: 'asc',
      });
      if (after !== null) query.set('cursor', after);
      return classPage(
        await client.send({ method: 'GET', path: `/subscriptions?${query.toString()}` }),
        subscriberPage,
      );
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

function toRequest(subscriber: NewSubscriber) {
  const utm = Object.fromEntries(
    Object.entries(subscriber.utm).map(([part, value]) => [`utm_${part}`, value]),
  );
  return {
    email: subscriber.email,
    ...utm,
    ...(subscriber.referringSite === undefined ? {} : { referring_site: subscriber.referringSite }),
    ...(subscriber.reactivate ? { reactivate_existing: true } : {}),
    send_welcome_email: subscriber.sendWelcomeEmail,
    double_opt_override: subscriber.doubleOptIn,
    ...(subscriber.automationIds.length > 0 ? { automation_ids: subscriber.automationIds } : {}),
    custom_fields: toCustomFields(subscriber.fields),
  };
}
