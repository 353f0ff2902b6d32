import type { NewsletterPort, Reader } from '../newsletter.port.ts';
import { classAnswer } from './beehiiv.answers.ts';
import type { BeehiivClient } from './beehiiv.client.ts';

const toCustomFields = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

const byEmail = (email: string) => `/subscriptions/by_email/${encodeURIComponent(email)}`;

/** Beehiiv's request for a reader. `reactivate_existing` only ever says true: its absence means no. */
function toSubscriptionRequest(reader: Reader) {
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

/** The newsletter port, spoken to Beehiiv. */
export function createBeehiivAdapter(client: BeehiivClient): NewsletterPort {
  return {
    async add(reader) {
      return classAnswer(
        'add',
        await client.send({ method: 'POST', path: '/subscriptions', body: toSubscriptionRequest(reader) }),
      );
    },
    async find(email) {
      return classAnswer('find', await client.send({ method: 'GET', path: byEmail(email) }));
    },
    async update(email, fields) {
      return classAnswer(
        'update',
        await client.send({ method: 'PUT', path: byEmail(email), body: { custom_fields: toCustomFields(fields) } }),
      );
    },
  };
}
