import type { FoundPerson, PersonAnswer } from '@site/schema/calls/people';
import type {
  AbandonedCheckoutsAnswer,
  AttentionItem,
  MoneyPeopleAnswer,
} from '@site/schema/calls/money';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import { PERSON_STATES } from '@site/schema/person-state';
import type { PeopleList, PersonState } from '@site/schema/person-state';
import type { LeadInList } from '@site/schema/stored-lead';

import type { Answer, Product } from './product.ts';

/** Every view's facts about one email. */
export type Views = {
  email: string;
  found: FoundPerson | undefined;
  rows: LeadInList[];
  panel: PersonAnswer | undefined;
  attention: AttentionItem[];
  /** The checkout that did not open, in Money's list. */
  unopened: AbandonedCheckoutsAnswer['people'][number] | undefined;
};

const isOf = (email: string) => (each: { email: string | null }) =>
  each.email?.toLowerCase() === email;

export async function readViews(
  product: Product,
  email: string,
  items: AttentionItem[],
): Promise<Views> {
  const [search, list, abandoned] = await Promise.all([
    product.call('POST /api/admin/people/search', { body: { text: email } }),
    product.call('GET /api/admin/leads', { query: { search: email } }),
    product.call('GET /api/admin/checkouts/abandoned', { query: {} }),
  ]);
  const found = search.body.people.find(isOf(email));
  const id = found?.leadIds[0];
  const panel =
    id === undefined
      ? undefined
      : (await product.call('GET /api/admin/leads/:id/person', { params: { id } })).body;
  return {
    email,
    found,
    rows: list.body.leads.filter(isOf(email)),
    panel,
    attention: items.filter(isOf(email)),
    unopened: abandoned.body.people.filter(({ hindrance }) => hindrance !== null).find(isOf(email)),
  };
}

export async function listAttention(product: Product): Promise<AttentionItem[]> {
  const { mailRows } = product;
  const { items } = (await product.call('GET /api/admin/attention')).body;
  for (const { id, title, name, email } of items)
    mailRows.set(id, (mailRows.get(id) ?? new Set()).add(`${title}.</b> ${name ?? email ?? ''}`));
  return items;
}

/** Lists the emails of a tab of People, or of everybody. */
async function listPeople(product: Product, state?: PeopleList): Promise<string[]> {
  const emails: string[] = [];
  for (let cursor: number | null = 0; cursor !== null;) {
    const answer: Answer<'POST /api/admin/people/search'> = await product.call(
      'POST /api/admin/people/search',
      { body: { state, cursor } },
    );
    emails.push(...answer.body.people.map(({ email }) => email.toLowerCase()));
    cursor = answer.body.nextCursor;
  }
  return emails;
}

type MoneyRow = MoneyPeopleAnswer['people'][number];

/** Lists all rows of a figure or a stage, with the sum on the view. */
export async function listMoney(
  product: Product,
  query: Record<string, string>,
): Promise<{ rows: MoneyRow[]; total: MoneyPeopleAnswer['total'] }> {
  const rows: MoneyRow[] = [];
  for (let cursor: string | null = ''; ;) {
    const { body }: { body: MoneyPeopleAnswer } = await product.call(
      'GET /api/admin/money/people',
      {
        query: { ...query, cursor },
      },
    );
    rows.push(...body.people);
    cursor = body.nextCursor;
    if (cursor === null) return { rows, total: body.total };
  }
}

/** The views of everybody. */
export type Whole = {
  tabs: Record<PersonState, string[]>;
  everybody: string[];
  counts: Record<string, number>;
  stages: { stage: string; counted: number; rows: MoneyRow[] }[];
};

export async function readWhole(product: Product): Promise<Whole> {
  const first = await product.call('POST /api/admin/people/search', { body: {} });
  const tabs = await Promise.all(
    PERSON_STATES.map(async (state) => [state, await listPeople(product, state)] as const),
  );
  const money = await product.call('GET /api/admin/money');
  const stages = await Promise.all(
    SUBSCRIPTION_STAGES.map(async (stage) => ({
      stage,
      counted: money.body.stages[stage],
      rows: (await listMoney(product, { of: stage })).rows,
    })),
  );
  return {
    tabs: Object.fromEntries(tabs) as Whole['tabs'],
    everybody: await listPeople(product),
    counts: first.body.counts,
    stages,
  };
}
