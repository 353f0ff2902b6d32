import type { Database } from '@site/platform/database/connect';
import { dayAfter, londonDate } from '@site/schema/calendar';
import { measure } from './load.ts';
import type { RunningApi } from './processes.ts';
import { say } from './report.ts';
import type { Figure, Report } from './report.ts';

/** The longest an operator should wait for a call. */
const MAX_WAIT_MS = 300;
const ROUNDS = 10;

type Payer = { email: string; name: string; company: string; leadId: string; id: string };

const daysAgo = (days: number) => dayAfter(londonDate(new Date()), -days);

/** Times the calls of the owner's views: overview, money, people, a person. */
export async function benchOwner(api: RunningApi, db: Database, leads: number): Promise<Report> {
  const payers: Payer[] = await db('subscriptions')
    .orderBy('id')
    .limit(500)
    .select('email', 'name', 'company', 'leadId', db.raw('stripe_subscription_id as id'));
  const get = (address: string) => () => api.get(`/api/admin/${address}`);
  const ofPayer = (address: (payer: Payer) => string) => (round: number) => {
    const payer = payers[round % payers.length];
    return payer && api.get(`/api/admin/${address(payer)}`);
  };
  const search = (text: (payer: Payer, round: number) => string) => (round: number) => {
    const payer = payers[round % payers.length];
    return api.post('/api/admin/people/search', { text: payer ? text(payer, round) : '' });
  };
  const calls: Record<string, (round: number) => Promise<unknown> | undefined> = {
    overview: get('overview'),
    'overview of a year': get(`overview?startDate=${daysAgo(364)}&endDate=${daysAgo(0)}`),
    'overview of an old month': get(`overview?startDate=${daysAgo(360)}&endDate=${daysAgo(330)}`),
    'what needs attention': get('attention'),
    money: get('money'),
    'history of a year': get('money/history?months=12'),
    'abandoned checkouts': get('checkouts/abandoned'),
    'People, the newest': search(() => ''),
    'People, an email': search(({ email }) => email),
    'People, a whole name': search(({ name }) => name),
    'People, a company': search(({ company }) => company),
    'People, an invoice': search(({ id }) => `LL${id.slice(4)}-1000`),
    'People, nothing': search((_, round) => `zzyzx${round}`),
    'a person': ofPayer(({ leadId }) => `leads/${leadId}/person`),
    'a subscription with 100 readers changes': await giveReaders(db, payers[0]?.id ?? ''),
  };
  const figures: Figure[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const { p50, p95 } = await measure(async (round) => call(round), ROUNDS).catch(
      (error: unknown) => {
        console.log(`  ${name} failed: ${String(error)}`);
        return { p50: Infinity, p95: Infinity };
      },
    );
    const promised = { atMost: MAX_WAIT_MS };
    figures.push({ name, value: p95, cells: [p50, p95].map(say), promised });
  }
  return {
    name: 'owner-ten-million',
    title: `The owner’s views, ${leads.toLocaleString('en-GB')} leads and their payments (ms)`,
    heads: ['median', 'p95'],
    figures,
  };
}

/**
 * Gives 100 people free access with a subscription. Returns a change of it that judges all of them,
 * as Stripe's event makes it.
 */
async function giveReaders(db: Database, subscription: string) {
  const readers = await db('people').whereNull('tier').limit(100).pluck('email_normalised');
  await db('people').whereIn('emailNormalised', readers).update({
    freeWithSubscription: subscription,
    freeGrantedBy: 'bench',
    freeGrantedAt: new Date(),
  });
  return async (round: number) =>
    db.transaction(async (trx) => {
      await trx.raw('select lock_person(?)', [readers]);
      await trx('subscriptions')
        .where({ stripeSubscriptionId: subscription })
        .update({ status: round % 2 === 0 ? 'canceled' : 'active' });
    });
}
