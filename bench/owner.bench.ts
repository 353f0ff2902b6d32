import type { Database } from '@site/platform/database/connect';
import { measure } from './measure.ts';
import type { Timing } from './measure.ts';
import { isKept, judge, say } from './report.ts';
import type { Report } from './report.ts';
import type { RunningApi } from './running-api.ts';

/** The longest an operator should wait for a call. */
const MAX_WAIT_MS = 300;
const ROUNDS = 10;

type Call = { name: string; make: (round: number) => Promise<unknown> };

/** Times each call of the owner's views: overview, money, people, a person. */
export async function benchOwner(api: RunningApi, db: Database, leads: number): Promise<Report> {
  const payments = Number(
    (await db('stripe_invoices').where('paid_pence', '>', 0).count())[0]?.['count'],
  );
  const timings = new Map<string, Timing>();
  for (const { name, make } of await ownersCalls(api, db)) {
    const timing = await measure(make, ROUNDS).catch((error: unknown) => {
      console.log(`  ${name} failed: ${String(error)}`);
      return { p50: Infinity, p95: Infinity, max: Infinity };
    });
    console.log(`  ${name}: ${say(timing.p50)} ms`);
    timings.set(name, timing);
  }
  const promised = { atMost: MAX_WAIT_MS };
  return {
    name: 'owner-ten-million',
    title: `The owner’s views, ${leads.toLocaleString('en-GB')} leads and ${payments.toLocaleString('en-GB')} payments (ms)`,
    heads: ['call', 'median', 'p95', 'promise', ''],
    lines: [...timings].map(([name, { p50, p95 }]) => [
      name,
      say(p50),
      say(p95),
      ...judge(p95, promised),
    ]),
    isGood: [...timings.values()].every(({ p95 }) => isKept(p95, promised)),
  };
}

async function ownersCalls(api: RunningApi, db: Database): Promise<Call[]> {
  const [today = '', month = ''] = [0, 1].map((n) =>
    new Date().toISOString().slice(0, n === 0 ? 10 : 7),
  );
  const get = (name: string, address: string): Call => ({
    name,
    make: () => api.get(`/api/admin/${address}`),
  });
  const days = `startDate=${month}-01&endDate=${today}`;
  const people = (of: string) => get(`people of ${of}`, `money/people?of=${of}&${days}`);
  const payers: {
    email: string;
    name: string;
    company: string;
    phone: string;
    leadId: string;
    id: string;
  }[] = await db('subscriptions')
    .orderBy('id')
    .limit(500)
    .select('email', 'name', 'company', 'phone', 'leadId', db.raw('stripe_subscription_id as id'));
  const others: string[] = await db('leads')
    .where('id', '>', '80000000-0000-0000-0000-000000000000')
    .limit(100)
    .pluck('email');
  const search = (name: string, text: (round: number) => string): Call => ({
    name: `People, ${name}`,
    make: (round) => api.post('/api/admin/people/search', { text: text(round) }),
  });
  const of = (round: number) => payers[round % payers.length];
  const erase = (name: string, email: (round: number) => string | undefined): Call => ({
    name: `erasure of ${name}`,
    make: (round) => api.post('/api/admin/people/erase', { email: email(round) }),
  });
  const gone: string[] = await db('subscriptions')
    .where('status', 'canceled')
    .whereNotNull('email')
    .orderBy('id')
    .limit(100)
    .pluck('email');
  return [
    get('overview', 'overview'),
    get('badge', 'money/attention'),
    get('history of a year', 'money/history?months=12'),
    get('money', 'money'),
    get('figures of the month', `money/figures?${days}`),
    get('outcomes of the month', `money/outcomes?${days}`),
    get('troubles of the month', `money/troubles?${days}`),
    get('abandoned checkouts of the month', `checkouts/abandoned?${days}`),
    ...['payments', 'refunded', 'new-payers', 'cancelled', 'mrr', 'paying', 'ended'].map(people),
    {
      name: 'people on the list',
      make: () => api.post('/api/admin/people/search', { state: 'on-list' }),
    },
    get('leads of payers, of the funnel', `leads?funnel=paying&${days}`),
    get('leads of payers', 'leads?stage=paid'),
    get('leads with an abandoned checkout', 'leads?checkout=abandoned'),
    get('abandoned checkouts, counted', 'money/abandoned-checkouts'),
    get('differences', 'differences'),
    get('sync', 'sync'),
    get('deliveries', 'sync/delivery'),
    search('the newest', () => ''),
    search('an address', (round) => of(round)?.email ?? ''),
    search('a name', (round) => ['amelia', 'raman', 'oliver', 'webb', 'marta'][round % 5] ?? ''),
    search('a whole name', (round) => of(round)?.name ?? ''),
    search('a company', (round) => of(round)?.company ?? ''),
    search('a telephone number of all', () => '+44 20 7946 0000'),
    search('an invoice', (round) => `LL${(of(round)?.id ?? '').slice(4)}-1000`),
    search('an id of Stripe', (round) => of(round)?.id ?? ''),
    search('nothing', (round) => `zzyzx${round}`),
    { name: 'a person', make: (round) => api.get(`/api/admin/leads/${of(round)?.leadId}/person`) },
    {
      name: 'export of a person',
      make: (round) => api.post('/api/admin/people/export', { email: of(round)?.email }),
    },
    erase('a lead', (round) => others[round]),
    erase('a former payer', (round) => gone[round]),
  ];
}
