import { listLeadFields } from '@site/schema/lead-fields';
import type { LeadField } from '@site/schema/lead-fields';
import { storeLead } from '@site/testing/builders';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';
import { test as shopTest } from '../testing/shop.fixture.ts';

/*
 * Follows every declared field of a lead, so that a forgotten place fails here.
 * `e2e/lead-fields.spec.ts` follows the fields through the dialog, Beehiiv and the panel.
 */

const FIELDS = listLeadFields();
const SUBMITTED = FIELDS.filter(({ from }) => from === 'form' || from === 'browser');
const FORM = FIELDS.filter(({ from }) => from === 'form');
const EMAIL = 'all@reader.example';

/** Returns a value for each submitted field, of the greatest stored length. */
function valueOf({ name, kind, limit = 0 }: (typeof FIELDS)[number]): unknown {
  if (name === 'email') return EMAIL;
  // Another text would not be stored.
  if (name === 'consentTextVersion') return '2026-11-privacy';
  if (kind === 'flag') return true;
  return kind === 'text' ? `${name} `.repeat(limit).slice(0, limit).replace(/ $/, 'x') : 'pre_buy';
}

const EXPECTED = Object.fromEntries(SUBMITTED.map((field) => [field.name, valueOf(field)]));

/** The same values as a browser sends them. */
function toBody(fields: typeof FIELDS): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, path } of fields) {
    if (path) body[path[0]] = { ...(body[path[0]] as object), [path[1]]: EXPECTED[name] };
    else body[name] = EXPECTED[name];
  }
  return body;
}

/** Columns of the sync and the database. Every other column is a declared field. */
const INTERNAL_COLUMNS = [
  'emailNormalised',
  'failedAt',
  'searched',
  'syncRound',
  'budgetSpent',
  'roundStartedAt',
  'outcomeUnknown',
  'consentDueAt',
  'urgency',
];

test('a lead’s fields are the columns of the table, except the sync’s own', async ({ db }) => {
  const columns = Object.keys(await db('leads').columnInfo());

  // The field is read from the replaced lead.
  const names: string[] = [...FIELDS.map(({ name }) => name), ...INTERNAL_COLUMNS];
  expect(columns.toSorted()).toEqual(names.toSorted());
});

test('a lead’s fields reach the row, the console, the CSV and the export', async ({
  api,
  operator,
  db,
}) => {
  await api.call('POST', '/api/lead/subscribe', { body: toBody(SUBMITTED) });

  expect(await db('leads').first()).toMatchObject(EXPECTED);
  const { json: list } = await operator.get('leads');
  const { json: detail } = await operator.get(`leads/${list.leads[0].id}`);
  // The list has fewer fields, and the person's name and state: see admin/leads/lead-list.routes.test.ts.
  const { name: _name, state: _state, ...listed } = list.leads[0];
  expect(detail.lead).toMatchObject(listed);
  expect(detail.lead).toMatchObject(EXPECTED);
  expect(Object.keys(detail.lead)).toEqual([...FIELDS.map(({ name }) => name), 'failedAt']);
  const csv = await operator.get('leads/export/csv');
  const [row] = parse<Record<string, string>>(csv.text, { bom: true, columns: true });
  expect(row).toMatchObject(
    Object.fromEntries(Object.entries(EXPECTED).map(([name, value]) => [name, String(value)])),
  );
  expect(Object.keys(row!).toSorted()).toEqual(FIELDS.map(({ name }) => name).toSorted());
  const { json: exported } = await operator.post('people/export', { email: EMAIL });
  expect(exported.tables.leads).toMatchObject([EXPECTED]);
});

test('a lead’s fields are cut to their limits, never refused', async ({ api, db }) => {
  const tooLong = Object.fromEntries(
    SUBMITTED.filter(
      ({ name, limit, path }) => limit && !path && name !== 'consentTextVersion',
    ).map(({ name }) => [name, `${String(EXPECTED[name])}${'y'.repeat(50)}`]),
  );
  const answer = await api.call('POST', '/api/lead/subscribe', {
    body: { ...toBody(SUBMITTED), ...tooLong },
  });

  expect(answer.status).toBe(201);
  expect(await db('leads').first()).toMatchObject(EXPECTED);
});

test('a lead’s fields are announced to open consoles when a repeat fills them', async ({ db }) => {
  const { id } = await storeLead(db, { fullName: null });
  const clearedByRetention = ['ipAddress', 'userAgent'];
  const filled = FIELDS.filter(
    ({ name, isFillable }) => isFillable && !clearedByRetention.includes(name),
  );

  await db('live_changes').delete();
  for (const { name } of filled)
    await db('leads')
      .where({ id })
      .update({ [name]: 'new' });

  const changes = await db('live_changes').select('what');
  expect(changes).toEqual(filled.map(() => ({ what: 'leads' })));
});

test('the fields that are declared fillable are filled by a repeat, and no others', async ({
  api,
  db,
}) => {
  const bare = {
    email: EMAIL,
    formType: 'pre_buy',
    consentMarketing: true,
    consentTextVersion: '2026-11',
  };
  const headers = { 'User-Agent': 'the same browser' };
  await api.call('POST', '/api/lead/subscribe', { body: bare, headers });
  const before = await db('leads').first();
  await api.call('POST', '/api/lead/subscribe', { body: toBody(SUBMITTED), headers });

  const after = await db('leads').first();
  const changed = FIELDS.map(({ name }) => name).filter(
    (name) => name !== 'updatedAt' && name !== 'nextAttemptAt',
  );
  const filled: LeadField[] = changed.filter(
    (name) => String(before[name]) !== String(after[name]),
  );
  const fillable = SUBMITTED.filter(({ isFillable }) => isFillable).map(({ name }) => name);
  expect(filled).toEqual(fillable);
  expect(after).toMatchObject(Object.fromEntries(fillable.map((name) => [name, EXPECTED[name]])));
});

shopTest(
  'the fields that a visitor types go from the form without script to the row',
  async ({ shop, db }) => {
    const typed = Object.fromEntries(FORM.map(({ name }) => [name, String(EXPECTED[name])]));

    await fetch(`${shop.url}/subscribe`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...typed, from: 'top_sub' }),
    });

    expect(await db('leads').first()).toMatchObject(typed);
  },
);
