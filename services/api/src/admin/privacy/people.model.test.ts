import type { Database } from '@site/platform/database/connect';
import type { LeadRow, Row, SubscriptionRow } from '@site/platform/database/tables';
import { settleMissing, settlePerson } from '@site/platform/outbox/people';
import { recordSubscribers } from '@site/platform/outbox/subscribers';
import { createLogger } from '@site/platform/process/logger';
import { systemClock } from '@site/platform/process/clock';
import { leadIntakeBody } from '@site/schema/lead-intake';
import { test } from '@site/testing/fixtures';
import fc from 'fast-check';
import type Stripe from 'stripe';
import { v7 as newId } from 'uuid';
import { expect, inject } from 'vitest';
import { correctLead } from '../../addresses/correction.service.ts';
import { storeComplimentary } from '../../complimentary/complimentary.repository.ts';
import { ProblemError } from '../../http/problem.ts';
import { NO_FORM } from '../../leads/client-facts.ts';
import { captureLead } from '../../leads/lead.service.ts';
import { settleOwners } from '../../subscriptions/settle-owners.ts';
import { lockAddresses } from '../../subscriptions/subscription.repository.ts';
import type { SubscriptionSnapshot } from '../../stripe/subscription-reading.ts';
import { applyReading } from '../../webhook/store-reading.ts';
import { deleteQuarantined } from '../leads/delete-quarantined.ts';
import { erase } from './privacy.service.ts';

const runs = Math.max(25, inject('modelRuns'));
const EMAILS = ['ada@x.example', 'bob@x.example', 'cyd@x.example'];
const NAMES = ['Ada Byron', 'Bob Webb', null];
const never = new AbortController().signal;

const email = fc.constantFrom(...EMAILS);
const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('form' as const),
      email,
      name,
      isBot: fc.boolean(),
      isSwept: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('reading' as const),
      email,
      name,
      subscription: fc.constantFrom('sub_1', 'sub_2'),
      status: fc.constantFrom('trialing', 'active', 'past_due', 'canceled'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('correction' as const), email, lead: fc.nat(20) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('erasure' as const), email }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('access' as const),
      email,
      days: fc.constantFrom(-1, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deletion' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      email,
      status: fc.constantFrom('active', 'inactive', 'validating'),
      isListed: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

test(
  'after any events, each person’s row follows from leads, money and access',
  { timeout: 60_000 + runs * 4_000 },
  async ({ db }) => {
    const deps = {
      db,
      clock: systemClock,
      newId,
      captureLead,
      log: createLogger({ service: 'api', level: 'silent' }),
      syncQueue: { wake: () => Promise.resolve() },
      stripe: { customers: { update: () => Promise.resolve({}) } } as unknown as Stripe,
    };
    let readings = 0;
    const play = async (event: Step): Promise<unknown> => {
      switch (event.do) {
        case 'form': {
          const body = {
            email: event.email,
            formType: 'pre_buy',
            consentMarketing: true,
            fullName: event.name ?? undefined,
            website: event.isBot ? 'filled' : undefined,
          };
          const { kind } = await captureLead(deps, leadIntakeBody.parse(body), NO_FORM, newId());
          // The sweep settles new leads. A repeat settles its person at once.
          return event.isSwept && kind === 'created'
            ? settleMissing(db, never)
            : settlePerson(db, event.email);
        }
        case 'reading':
          readings += 1;
          return applyReading(deps, {
            kind: 'money',
            subscription: {
              ...SNAPSHOT,
              stripeSubscriptionId: event.subscription,
              stripeCustomerId: `cus_${event.subscription}`,
              customerEmail: event.email,
              customerName: event.name,
              status: event.status,
              readAt: new Date(Date.UTC(2026, 0, 1) + readings * 1_000).toISOString(),
            },
          });
        case 'correction': {
          const leads = await db<LeadRow>('leads').orderBy('id').select('id');
          const lead = leads[event.lead % Math.max(1, leads.length)];
          return lead && correctLead(deps, 'ana', lead.id, event.email);
        }
        case 'erasure':
          return erase(deps, 'ana', event.email);
        case 'access':
          return db.transaction(async (trx) => {
            const addresses = await lockAddresses(trx, [event.email]);
            await storeComplimentary(trx, {
              email: event.email,
              until: new Date(Date.now() + event.days * 86_400_000),
              withSubscription: null,
              operator: 'ana',
            });
            await settleOwners(deps, trx, addresses);
          });
        case 'deletion':
          return deleteQuarantined(db, 'ana', { filter: {} });
        case 'answer': {
          const told = { email: event.email, id: 'sub', status: event.status };
          return recordSubscribers(db, [{ ...told, tier: 'free' }], { isPage: event.isListed });
        }
      }
    };

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: runs > 100 ? 60 : 25, size: 'max' }),
        async (steps) => {
          for (const table of [
            'address_requests',
            'erased_ids',
            'people',
            'subscriptions',
            'leads',
          ])
            await db(table).delete();
          for (const event of steps) {
            await play(event).catch((error: unknown) => {
              // A refusal, as of a second live subscription.
              if (!(error instanceof ProblemError)) throw error;
            });
            const stored = await db<Row<'people'>>('people').orderBy('emailNormalised');
            expect(stored.map(toCounted)).toEqual(await recount(db, stored));
          }
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  },
);

const SNAPSHOT = {
  leadReference: null,
  isFromCheckout: false,
  plan: 'monthly',
  coupon: null,
  amountPence: 23_900,
  recurringPence: 23_900,
  startedAt: new Date('2025-12-01'),
  trialEndsAt: null,
  periodEndsAt: new Date(),
  cancelAt: null,
  canceledAt: null,
  endedAt: null,
  cancellationFeedback: null,
  isCollectionPaused: false,
  latestInvoice: null,
  unreadParts: [],
} satisfies Partial<SubscriptionSnapshot>;

const toCounted = (row: Row<'people'>) => ({
  emailNormalised: row.emailNormalised,
  name: row.name,
  seenAt: row.seenAt,
  state: row.state,
  mainSubscription: row.mainSubscription,
  liveSubscriptions: row.liveSubscriptions,
});

const isOver = ({ stage }: SubscriptionRow) => stage === 'ended' || stage === 'incomplete';
/** No reading of these has a further attempt. */
const isInDoubt = ({ status }: SubscriptionRow) => status === 'past_due' || status === 'unpaid';

function stateOf(main: SubscriptionRow): Row<'people'>['state'] {
  if (main.stage === 'ended') return 'ended';
  if (isInDoubt(main)) return 'unsettled';
  if (main.stage === 'suspended' || main.stage === 'incomplete') return 'payment-failed';
  return main.firstPaidAt === null ? 'trial' : 'paying';
}

/** The first of the smallest ranks decides: it runs, needs a decision, continues, and was paid for. */
const rank = (of: SubscriptionRow) => [
  Number(isOver(of)),
  Number(!isInDoubt(of)),
  Number(!of.isLive),
  Number(of.stage !== 'ended' && of.cancelAt !== null),
  Number(of.firstPaidAt === null),
  -(of.startedAt?.getTime() ?? Infinity),
];

function compareRanks(one: number[], other: number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

const latest = (times: (Date | null)[]) =>
  new Date(Math.max(...times.map((at) => at?.getTime() ?? 0)));

/** Counts each person again from the rows that support them. */
async function recount(db: Database, people: Row<'people'>[]) {
  const leads = await db<LeadRow>('leads');
  const paid = await db<SubscriptionRow>('subscriptions').whereNotNull('email');
  const given = people.filter(({ grantedBy }) => grantedBy !== null);
  const emails = new Set(
    [...leads, ...paid, ...given].map(({ emailNormalised }) => emailNormalised ?? ''),
  );
  return [...emails].toSorted().map((emailNormalised) => {
    const isTheirs = (row: { emailNormalised: string | null }) =>
      row.emailNormalised === emailNormalised;
    const trust = (lead: LeadRow) =>
      Number(lead.correctedTo === null) + Number(lead.quarantineReason === null);
    const forms = leads
      .filter(isTheirs)
      .toSorted(
        (a, b) =>
          trust(b) - trust(a) ||
          b.submittedAt.getTime() - a.submittedAt.getTime() ||
          (a.id < b.id ? -1 : 1),
      );
    const own = paid
      .filter(isTheirs)
      .toSorted(
        (a, b) =>
          Number(b.isLive) - Number(a.isLive) ||
          (a.stripeSubscriptionId < b.stripeSubscriptionId ? -1 : 1),
      );
    const access = given.find(isTheirs)?.grantedAt ?? null;
    const counts = forms.some((lead) => trust(lead) === 2) || access !== null;
    const main = own.toSorted(
      (a, b) =>
        compareRanks(rank(a), rank(b)) ||
        (a.stripeSubscriptionId > b.stripeSubscriptionId ? -1 : 1),
    )[0];
    const state = main ? stateOf(main) : counts ? 'listed' : null;
    const names = own.flatMap((row) => row.name ?? []);
    return {
      emailNormalised,
      name: names[0] ?? forms.flatMap(({ fullName }) => fullName ?? [])[0] ?? null,
      seenAt: latest([
        ...forms.map(({ submittedAt }) => submittedAt),
        ...own.map(({ startedAt, createdAt }) => startedAt ?? createdAt),
        access,
      ]),
      state,
      mainSubscription: main?.stripeSubscriptionId ?? null,
      liveSubscriptions: own.filter(({ isLive }) => isLive).length,
    };
  });
}
