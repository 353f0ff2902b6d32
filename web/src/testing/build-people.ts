// Builds the console's answers about people. A test gives only the fields it is about.
import type { CallAnswer } from '@site/schema/calls/calls';
import type { DifferencesAnswer } from '@site/schema/calls/differences';
import type { FoundPerson, PersonAnswer } from '@site/schema/calls/people';
import type { ErasureReceipt } from '@site/schema/calls/privacy';
import type { RefundAnswer, RefundPreview } from '@site/schema/calls/subscriptions';
import { PEOPLE_LISTS } from '@site/schema/person-state';
import type { PeopleList } from '@site/schema/person-state';
import type { Lead } from '@site/schema/lead';
import { buildDetail, buildId } from './build-console.ts';

const NO_STATE = { state: 'none', since: null, until: null, reason: null } as const;

/** Returns the usual state of people with these subscriptions. The first subscription decides. */
function stateOf({ subscriptions, notReceiving, freeAccess }: Partial<PersonAnswer>) {
  const [main] = subscriptions ?? [];
  const mainSubscription = main?.stripeSubscriptionId ?? null;
  const state = notReceiving
    ? 'not-receiving'
    : main
      ? STATES[main.stage]
      : freeAccess && !freeAccess.isOver
        ? 'free-access'
        : 'none';
  return { ...NO_STATE, state, mainSubscription } as const;
}

const STATES = {
  trial: 'trial',
  paying: 'paying',
  ending: 'paying',
  dunning: 'payment-failed',
  suspended: 'payment-failed',
  incomplete: 'payment-failed',
  ended: 'ended',
} as const;

/** Builds the answer about a person with one lead. */
export function buildPerson(lead: Lead, changes: Partial<PersonAnswer> = {}): PersonAnswer {
  return {
    ...buildDetail(lead),
    leads: [lead],
    name: lead.fullName,
    ...stateOf(changes),
    notReceiving: null,
    differences: [],
    subscriber: null,
    others: [],
    ...changes,
  };
}

/** Builds a search's answer about somebody on the list. */
export function buildFound(lead: Lead, changes: Partial<FoundPerson> = {}): FoundPerson {
  return {
    email: lead.email,
    name: lead.fullName,
    leadIds: [lead.id],
    ...NO_STATE,
    lead: { ...lead, subscriberStatus: 'active' },
    subscription: null,
    freeReason: null,
    moneyIn: [],
    foundIn: null,
    ...changes,
  };
}

export function buildPeople(people: FoundPerson[]): CallAnswer<'POST /api/admin/people/search'> {
  const counts = Object.fromEntries(
    PEOPLE_LISTS.map((each) => [each, people.filter(({ state }) => state === each).length]),
  ) as Record<PeopleList, number>;
  return { people, counts, isCapped: false, nextCursor: null };
}

/** Builds the answer before the first comparison. */
export function buildDifferences(changes: Partial<DifferencesAnswer> = {}): DifferencesAnswer {
  return {
    comparedAt: null,
    subscribersRead: null,
    retryAt: null,
    failure: null,
    differences: [],
    counts: {},
    fixable: {},
    people: 0,
    ...changes,
  };
}

/** Builds what is left to refund of the usual invoice: all of it. */
export function buildRefundPreview(changes: Partial<RefundPreview> = {}): RefundPreview {
  return {
    invoice: 'ABC-0002',
    paidPence: 23_900,
    paidAt: null,
    refundedPence: 0,
    left: 23_900,
    currency: 'gbp',
    dispute: null,
    ...changes,
  };
}

/** Builds a refund of the usual invoice in full. */
export function buildRefund(changes: Partial<RefundAnswer> = {}): RefundAnswer {
  return {
    id: 're_1',
    currency: 'gbp',
    status: 'succeeded',
    amountPence: 23_900,
    invoice: 'ABC-0002',
    ...changes,
  };
}

/** Builds the receipt of an erasure that Beehiiv has not answered yet. */
export function buildReceipt(changes: Partial<ErasureReceipt> = {}): ErasureReceipt {
  return {
    id: buildId(),
    requestedBy: 'admin',
    requestedAt: '2025-12-03T09:30:00Z',
    erased: { leads: 1 },
    attempts: 0,
    lastMessage: null,
    reason: null,
    nextAttemptAt: '2025-12-03T09:30:00Z',
    deletedAt: null,
    doneAt: null,
    kept: 'Invoices at Stripe',
    ...changes,
  };
}
