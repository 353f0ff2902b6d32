import type { CallSent } from '@site/schema/calls/calls';
import { MAX_FOUND, MAX_PEOPLE } from '@site/schema/calls/people';
import type { PeopleList } from '@site/schema/calls/people';
import { toPlain, toWords } from '@site/schema/search-words';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { askStripe } from '../subscriptions/refund.service.ts';
import type { StripeDeps } from '../../payers/payer-lead.service.ts';
import {
  findByStripeId,
  listGiven,
  listMatches,
  listNewest,
  PER_PAGE,
} from './people-search.repository.ts';
import { findPeople } from './person-row.repository.ts';
import type { PersonRow } from './person-row.repository.ts';

type Found = CallSent<'POST /api/admin/people/search'>;
export type SearchDeps = Pick<StripeDeps, 'db' | 'stripe' | 'log'>;

const STRIPE_ID = /^(?:sub|cus|in|ch|py|pi|re|pyr|dp|du|cs)_\w+$/;
const IS_PAYMENT = /^(?:pi|ch|py)_/;

type Search = {
  text?: string | undefined;
  state?: PeopleList | undefined;
  cursor?: number | undefined;
};

/** Finds a page of people. Throws 503 for the id of a payment that only Stripe knows, while Stripe is unreachable. */
export async function searchPeople(
  deps: SearchDeps,
  { text = '', state, cursor = 0 }: Search,
): Promise<Found> {
  const { db } = deps;
  const wanted = { state, offset: cursor };
  const isId = STRIPE_ID.test(text);
  const { addresses, counts, isCapped } = isId
    ? await listGiven(db, await findById(deps, text), wanted)
    : await (text === '' ? listNewest(db, wanted) : listMatches(db, text, wanted));
  const rows = await findPeople(db, addresses.slice(0, PER_PAGE), text);
  const next = wanted.offset + PER_PAGE;
  return {
    people: rows.map((row) => toFound(row, text, isId)),
    counts,
    isCapped,
    nextCursor:
      addresses.length > PER_PAGE && next < (text === '' ? MAX_PEOPLE : MAX_FOUND) ? next : null,
  };
}

async function findById(deps: SearchDeps, id: string): Promise<string[]> {
  const known = await findByStripeId(deps.db, id);
  return known.length > 0 || !IS_PAYMENT.test(id) ? known : findByPayment(deps, id);
}

/** Says where the text was found: in what names the person if that says it all, or else in what is not shown of them. */
function toFound(row: PersonRow, text: string, isId: boolean): Found['people'][number] {
  const {
    state,
    inName,
    inCompany,
    inPhone,
    inNote,
    inInvoice,
    lead,
    subscription,
    last,
    ...person
  } = row;
  const words = toWords(toPlain(text));
  const isIn = (shown: string) => (word: string) => toPlain(shown).includes(word);
  const names = [
    { kind: 'name', text: inName === person.name ? null : inName, isThere: inName !== null },
    { kind: 'address', text: null, isThere: words.some(isIn(person.email)) },
  ] as const;
  // A note has all words, and the company perhaps one.
  const others = [
    {
      kind: 'note',
      text: inNote && excerpt(inNote, toWords(text.toLowerCase())),
      isThere: inNote !== null,
    },
    { kind: 'company', text: inCompany, isThere: inCompany !== null },
    { kind: 'phone', text: inPhone, isThere: inPhone !== null },
    { kind: 'invoice', text: inInvoice, isThere: inInvoice !== null },
    { kind: 'stripe', text: null, isThere: isId },
  ] as const;
  const places = words.every(isIn(`${person.name ?? ''} ${person.email}`))
    ? [...names, ...others]
    : [...others, ...names];
  const found = text === '' ? undefined : places.find(({ isThere }) => isThere);
  return {
    ...person,
    state,
    // The database writes a time in JSON with its offset.
    lead: lead && { ...lead, submittedAt: new Date(lead.submittedAt) },
    subscription: subscription && {
      ...subscription,
      firstPaidAt: subscription.firstPaidAt && new Date(subscription.firstPaidAt),
      trialEndsAt: subscription.trialEndsAt && new Date(subscription.trialEndsAt),
      cancelAt: subscription.cancelAt && new Date(subscription.cancelAt),
      endedAt: subscription.endedAt && new Date(subscription.endedAt),
    },
    last: last && { ...last, at: new Date(last.at) },
    foundIn: found ? { kind: found.kind, text: found.text } : null,
  };
}

/** How many words of a note are shown on each side of one that was searched for. */
const BESIDE = 5;

/** The words of a note around the first of each that was searched for, and `…` for what is left out. */
function excerpt(note: string, words: string[]): string {
  const all = note.trim().split(/\s+/u);
  const hits = words.map((word) => all.findIndex((each) => each.toLowerCase().includes(word)));
  const isNear = (_: string, at: number) => hits.some((hit) => Math.abs(at - hit) <= BESIDE);
  return all
    .map((each, at) => (isNear(each, at) ? each : '…'))
    .join(' ')
    .replaceAll(/…(?: …)+/gu, '…');
}

/** Payments are not stored, and charges only once something was refunded or disputed: Stripe names their invoice. */
async function findByPayment({ db, stripe, log }: SearchDeps, id: string): Promise<string[]> {
  return askStripe(log, async () => {
    const intent = id.startsWith('pi_')
      ? id
      : (await orMissing(stripe.charges.retrieve(id)))?.payment_intent;
    if (typeof intent !== 'string') return [];
    const payment = { type: 'payment_intent', payment_intent: intent } as const;
    const invoice = (await orMissing(stripe.invoicePayments.list({ payment })))?.data[0]?.invoice;
    return invoice === undefined
      ? []
      : findByStripeId(db, typeof invoice === 'string' ? invoice : invoice.id);
  });
}
