import { query } from '@site/platform/database/query';
import { toWords } from '@site/schema/text';
import { storeLead } from '@site/testing/builders';
import fc from 'fast-check';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { whereLeads } from './lead-filter.ts';

test.for(['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'ÉLAN', 'STRASSE', 'İSTANBUL', 'ЖУКОВ'])(
  'a search finds %s in list, counters and CSV',
  async (name, { api, db }) => {
    const headers = await api.logIn();
    await storeLead(db, { fullName: name });
    const query = `search=${encodeURIComponent(name)}`;

    const list = await api.call('GET', `/api/admin/leads?${query}`, { headers });
    const csv = await api.call('GET', `/api/admin/leads/export/csv?${query}`, { headers });

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

test('a lead’s trace id is the id of the request, and finds the lead', async ({ api }) => {
  const headers = await api.logIn();
  const body = { email: 'ada@reader.example', formType: 'pre_buy' };
  const given = await api.call('POST', '/api/lead/subscribe', {
    body,
    headers: { 'X-Request-Id': 'form-7.b_2' },
  });
  const other = { ...body, email: 'ben@reader.example' };
  const made = await api.call('POST', '/api/lead/subscribe', { body: other });

  for (const { json, headers: answered } of [given, made]) {
    const traceId = answered.get('x-request-id')!;
    const { json: list } = await api.call('GET', `/api/admin/leads?search=${traceId}`, { headers });
    expect(list.leads).toMatchObject([{ id: json.id }]);
    const { json: detail } = await api.call('GET', `/api/admin/leads/${json.id}`, { headers });
    expect(detail.lead.traceId).toBe(traceId);
  }
});

test('a trace id and the words of a search are found through their indexes', async ({ db }) => {
  const { sql, bindings } = whereLeads(db('leads').select('id'), {
    search: 'form-7.b_2',
  }).toSQL();
  const plan = await db.transaction(async (trx) => {
    await query(trx, 'set local enable_seqscan = off');
    return query(trx, `explain ${sql}`, bindings);
  });

  const text = JSON.stringify(plan);
  expect(text).toContain('leads_by_words');
  expect(text).toContain('leads_by_trace');
});

const YEAR_0 = Buffer.from(
  '["0000-01-01T00:00:00Z","0f2c1d3e-0000-4000-8000-000000000001"]',
).toString('base64url');

test.for(['startDate=0000-01-01', 'endDate=0000-12-31', `cursor=${YEAR_0}`, `upTo=${YEAR_0}`])(
  'a date in year 0 is refused with 422, or finds nothing: %s',
  async (query, { api }) => {
    const headers = await api.logIn();

    for (const call of ['leads', 'charts']) {
      const { status } = await api.call('GET', `/api/admin/${call}?${query}`, { headers });
      expect([200, 422]).toContain(status);
    }
  },
);
