import { FILTER_NAMES, LEAD_FILTERS } from '@site/schema/calls/lead-filter';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import { toWords } from '@site/schema/text';
import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { storeLead } from '@site/testing/builders';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeCheckout, storeSubscription } from '@site/testing/money-builders';
import { whereLeads } from './lead-filter.ts';

const RETRY = randomUUID();
const failed = { beehiivStatus: 'failed', nextAttemptAt: null } as const;

/** For each filter a value, and what a failed lead by `other_sub` needs to match it. */
const CASES: {
  [Name in keyof LeadFilter]-?: [
    value: LeadFilter[Name],
    lead: Partial<LeadRow>,
    more?: (db: Database, leadId: string) => Promise<unknown>,
  ];
} = {
  formType: ['pre_sample', { formType: 'pre_sample' }],
  startDate: ['2100-01-01', { submittedAt: new Date('2100-01-01') }],
  endDate: ['2020-01-01', { submittedAt: new Date('2020-01-01') }],
  status: ['quarantined', { quarantineReason: 'timing' }],
  subscriber: ['rejected', { beehiivStatus: 'sent', subscriberStatus: 'invalid' }],
  source: ['Ada Lovelace', { utmSource: 'Ada Lovelace' }],
  without: ['source', { utmSource: null }],
  checkout: ['abandoned', {}, (db, leadId) => storeCheckout(db, { leadId })],
  stage: ['trial', {}, (db, leadId) => storeSubscription(db, { leadId, status: 'trialing' })],
  bulkRetry: [
    RETRY,
    {},
    async (db, leadId) => {
      const finishedAt = new Date();
      await db('bulk_retries').insert({ id: RETRY, operator: 'x', filter: {}, finishedAt });
      await db('bulk_retry_leads').insert({ bulkRetryId: RETRY, leadId });
    },
  ],
  funnel: ['people:button=nav_sub', { utmSource: 'nav_sub' }],
  search: ['lovelace', { fullName: 'Ada Lovelace' }],
};

test.for(FILTER_NAMES)(
  'the filter %s holds for list, counters, charts, CSV and retries',
  async (name, { operator, db }) => {
    const [value, lead, more] = CASES[name];
    await storeLead(db, { ...failed, utmSource: 'other_sub' });
    const { id } = await storeLead(db, { ...failed, utmSource: 'other_sub', ...lead });
    await more?.(db, id);
    const read = (path: string) =>
      operator.get(`${path}?${new URLSearchParams({ [name]: value! })}`);

    const { leads, statusCounts, counts } = (await read('leads')).json;
    const csv = await read('leads/export/csv');
    const { sources } = (await read('charts')).json;
    const retry = await operator.post('leads/retry', {
      filter: { [name]: value },
      dryRun: true,
      withQuarantined: true,
    });

    expect(leads).toMatchObject([{ id }]);
    if (name !== 'status') {
      expect([counts.total, sources.length]).toEqual([1, 1]);
      expect(retry.json.count).toBe(statusCounts.failed);
    }
    expect(csv.text.trim().split('\r\n')).toHaveLength(2);
    const { personal } = LEAD_FILTERS[name];
    const file = csv.headers.get('content-disposition');
    if (personal) expect(file).toContain(`leads-${name}-`);
    const { detail } = await db('operator_actions').where({ action: 'export-leads' }).first();
    expect(detail).toEqual(personal ? { [personal.recordedAs]: true } : { [name]: value });
  },
);

test.for(['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'ÉLAN', 'STRASSE', 'İSTANBUL', 'ЖУКОВ'])(
  'a search finds %s in list, counters and CSV',
  async (name, { operator, db }) => {
    await storeLead(db, { fullName: name });
    const query = `search=${encodeURIComponent(name)}`;

    const list = await operator.get(`leads?${query}`);
    const csv = await operator.get(`leads/export/csv?${query}`);

    expect(list.json.leads).toHaveLength(1);
    expect(list.json.counts.total).toBe(1);
    expect(csv.text).toContain(name);
  },
);

test.for([
  ['siobhan dhomhnaill', 'Siobhán Ní Dhomhnaill'],
  ['jean baptiste', 'Jean-Baptiste Morel'],
  ['morel jean-baptiste', 'Jean Baptiste Morel'],
  ['schillingsfurst', 'Friedrich von Hohenlohe-Schillingsfürst'],
  ['watanabe kenji', 'Kenji Watanabe'],
  ['ni si', 'Siobhán Ní Dhomhnaill'],
  ['jo mary', 'Mary-Jo Zoë'],
  ['drummond, isla', 'Isla Drummond'],
  ['Isla Drummond <nobody.else@xo-reader.example>', 'Isla Drummond'],
  ['isla nobody.else', 'Isla Drummond'],
  ['xo-reader', 'Isla Drummond'],
] as const)('"%s" finds %s, and nobody else', async ([search, fullName], { db }) => {
  await storeLead(db, { fullName: 'Kenneth Morelle' });
  const { id } = await storeLead(db, { fullName, email: 'nobody.else@xo-reader.example' });

  expect(await whereLeads(db('leads').select('id'), { search })).toEqual([{ id }]);
});

test('words of three or more letters are found with any signs they contain', async ({ db }) => {
  const signs = fc.constantFrom(
    'a',
    'b',
    ' ',
    '-',
    '%',
    '_',
    '\\',
    'Σ',
    'İ',
    'ß',
    'é',
    '😀',
    '.',
    '@',
    '7',
  );
  const text = fc.array(signs, { minLength: 3, maxLength: 20 }).map((letters) => letters.join(''));
  const cut = fc.tuple(fc.nat(20), fc.integer({ min: 3, max: 20 }));
  const lead = await storeLead(db, { fullName: '' });
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      cut,
      fc.boolean(),
      async (fullName, other, [from, letters], isWithin) => {
        const search = isWithin
          ? Array.from(fullName)
              .slice(from, from + letters)
              .join('')
          : other;
        fc.pre(Array.from(search).length >= 3);
        await db('leads').where({ id: lead.id }).update({ fullName });
        const words = toWords(search);
        fc.pre(words.every((word) => Array.from(word).length >= 3));
        const stand = words.map(() => 'position(plain_words(?) in searched) > 0').join(' and ');

        const rows = await whereLeads(db('leads').select('id'), { search });

        expect(rows).toEqual(await db('leads').select('id').whereRaw(stand, words));
        found += rows.length;
      },
    ),
  );
  expect(found).toBeGreaterThan(10);
});

test('a lead’s trace id is the id of the request, and finds the lead', async ({
  api,
  operator,
}) => {
  const body = { email: 'ada@reader.example', formType: 'pre_buy' };
  const given = await api.call('POST', '/api/lead/subscribe', {
    body,
    headers: { 'X-Request-Id': 'form-7.b_2' },
  });
  const other = { ...body, email: 'ben@reader.example' };
  const made = await api.call('POST', '/api/lead/subscribe', { body: other });

  for (const { json, headers: answered } of [given, made]) {
    const traceId = answered.get('x-request-id')!;
    const { json: list } = await operator.get(`leads?search=${traceId}`);
    expect(list.leads).toMatchObject([{ id: json.id }]);
    const { json: detail } = await operator.get(`leads/${json.id}`);
    expect(detail.lead.traceId).toBe(traceId);
  }
});

const YEAR_0 = Buffer.from(
  '["0000-01-01T00:00:00Z","0f2c1d3e-0000-4000-8000-000000000001"]',
).toString('base64url');

test.for(['startDate=0000-01-01', 'endDate=0000-12-31', `cursor=${YEAR_0}`, `upTo=${YEAR_0}`])(
  'a date in year 0 is refused with 422, or finds nothing: %s',
  async (query, { operator }) => {
    for (const call of ['leads', 'charts']) {
      const { status } = await operator.get(`${call}?${query}`);
      expect([200, 422]).toContain(status);
    }
  },
);
