import type { CallSent } from '@site/schema/calls/calls';
import { MAX_FOUND, MAX_LISTED, MAX_PEOPLE } from '@site/schema/calls/people';
import type { PeopleSearch } from '@site/schema/calls/people';
import { PEOPLE_LISTS } from '@site/schema/person-state';
import { toPlain, toWords } from '@site/schema/text';
import type { Response } from 'express';
import type { Pool } from 'pg';
import { sendCsv } from '../../http/send-csv.ts';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { findPaidInvoiceId } from '../../billing/reading/invoice-reading.ts';
import { askStripeForOperator } from '../subscriptions/refund.service.ts';
import type { StripeDeps } from '../../billing/storing/payer-lead.service.ts';
import {
  countLists,
  findByStripeId,
  findByText,
  listPeople,
  findPeople,
  readStates,
  toPeopleCsv,
} from './people-search.repository.ts';
import type { ListCounts, Match, PeopleFilter, PersonRow } from './people-search.repository.ts';

const PER_PAGE = 50;

type Found = CallSent<'POST /api/admin/people/search'>;
export type SearchDeps = Pick<StripeDeps, 'db' | 'stripe' | 'log'>;

const STRIPE_ID = /^(?:sub|cus|in|ch|py|pi|re|pyr|dp|du|cs)_\w+$/;
const IS_PAYMENT = /^(?:pi|ch|py)_/;

/**
 * Finds a page of people. Throws 503 for a payment id that only Stripe knows, while Stripe is
 * unreachable.
 */
export async function searchPeople(
  deps: SearchDeps,
  { text = '', cursor = 0, ...filter }: PeopleSearch,
): Promise<Found> {
  const { db } = deps;
  const { matches, counts, isCapped, max } =
    text === '' ? await listAll(db, filter, cursor) : await match(deps, text, filter, cursor);
  const rows = await findPeople(db, matches.slice(0, PER_PAGE));
  const next = cursor + PER_PAGE;
  return {
    people: rows.map((row) => toFound(row, text)),
    counts: Object.fromEntries(
      PEOPLE_LISTS.map((list) => [list, counts[list] ?? 0]),
    ) as Found['counts'],
    isCapped,
    nextCursor: matches.length > PER_PAGE && next < max ? next : null,
  };
}

type Page = { matches: Match[]; counts: ListCounts; isCapped: boolean; max: number };

async function listAll(db: SearchDeps['db'], filter: PeopleFilter, offset: number): Promise<Page> {
  const [matches, counts] = await Promise.all([
    listPeople(db, filter, { offset, limit: PER_PAGE + 1 }),
    countLists(db),
  ]);
  const isCapped = (counts.none ?? 0) > MAX_LISTED || (counts['on-list'] ?? 0) > MAX_LISTED;
  for (const list of ['none', 'on-list'] as const)
    counts[list] = Math.min(counts[list] ?? 0, MAX_LISTED);
  return { matches, counts, isCapped, max: MAX_PEOPLE };
}

async function match(
  deps: SearchDeps,
  text: string,
  filter: PeopleFilter,
  offset = 0,
): Promise<Page> {
  const { db } = deps;
  const { state } = filter;
  const hits = STRIPE_ID.test(text) ? await findById(deps, text) : await findByText(db, text);
  const people = await readStates(db, hits, filter);
  const counts: ListCounts = { 'on-list': people.filter(({ isOnList }) => isOnList).length };
  for (const each of people) counts[each.state] = (counts[each.state] ?? 0) + 1;
  const isIn = (each: Match) =>
    state === undefined || (state === 'on-list' ? each.isOnList : each.state === state);
  return {
    matches: people.filter(isIn).slice(offset),
    counts,
    isCapped: people.length > MAX_FOUND,
    max: MAX_FOUND,
  };
}

/** An export of more people than this is announced as one of all. */
const MANY = 1_000;

/** Streams all people of a search as CSV. `record` is called before its first row. */
export async function exportPeople(
  deps: SearchDeps & { exportPool: Pool },
  { text = '', ...filter }: PeopleSearch,
  res: Response,
  record: (isLarge: boolean) => Promise<void>,
): Promise<void> {
  const { db } = deps;
  const people = text === '' ? null : (await match(deps, text, filter)).matches;
  const beyond = people ?? (await listPeople(db, filter, { offset: MANY, limit: 1 }));
  await record(people === null && (beyond.length > 0 || Object.values(filter).every((v) => !v)));
  await sendCsv(deps, toPeopleCsv(db, filter, people), res);
}

async function findById(deps: SearchDeps, id: string): ReturnType<typeof findByStripeId> {
  const payers = await findByStripeId(deps.db, id);
  return payers.length > 0 || !IS_PAYMENT.test(id) ? payers : findByPayment(deps, id);
}

/** Adds the place where the text was found: name or email if they have every word of it. */
function toFound(
  { via, company, names, ...person }: PersonRow,
  text: string,
): Found['people'][number] {
  const words = toWords(toPlain(text));
  const isIn = (shown: string | null) => (word: string) => toPlain(shown ?? '').includes(word);
  const isShown = words.every(isIn(`${person.name ?? ''} ${person.email}`));
  const other = isShown ? undefined : names.split('\n').find((name) => words.every(isIn(name)));
  const kind =
    via !== 'words' && !(isShown && via !== 'stripe' && via !== 'former-email')
      ? via
      : !isShown && words.every(isIn(company))
        ? 'company'
        : other !== undefined || words.some(isIn(person.name))
          ? 'name'
          : words.some(isIn(company)) && !isShown
            ? 'company'
            : 'email';
  return {
    ...person,
    foundIn:
      kind === null || text === ''
        ? null
        : { kind, text: kind === 'company' ? company : kind === 'name' ? (other ?? null) : null },
  };
}

/**
 * Finds emails by a payment's id. Payments are not stored, and charges only once refunded or
 * disputed, so Stripe names their invoice.
 */
async function findByPayment(
  { db, stripe, log }: SearchDeps,
  id: string,
): ReturnType<typeof findByStripeId> {
  return askStripeForOperator(log, async () => {
    const intent = id.startsWith('pi_')
      ? id
      : (await orMissing(stripe.charges.retrieve(id)))?.payment_intent;
    if (typeof intent !== 'string') return [];
    const invoice = await orMissing(findPaidInvoiceId(stripe, intent));
    return invoice === null ? [] : findByStripeId(db, invoice);
  });
}
