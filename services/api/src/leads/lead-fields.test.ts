import { lead, leadIntakeBody } from '@site/schema/lead';
import { describe, expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';

/** What only the sync and the database write or read. Everything else of a lead is somebody's business. */
const INSIDE = [
  'emailNormalised',
  'subscriberId',
  'subscriberCheckedAt',
  'subscriberCheckDueAt',
  'syncRound',
  'syncAttempts',
  'roundStartedAt',
  'outcomeUnknown',
  'claim',
  'claimedUntil',
];
/** What a form says that is no column: an event, and two signals of robots. */
const NOT_STORED = ['clickedSubscribe', 'website', 'elapsedMs'];

const toCamel = (column: string) => column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

describe('the fields of a lead', () => {
  test('are all in the contract, or known to be inside', async ({ db }) => {
    const { rows } = await db.raw(`select column_name from information_schema.columns where table_name = 'leads'`);
    const columns: string[] = rows.map(({ columnName }: { columnName: string }) => toCamel(columnName));

    expect([...Object.keys(lead.shape), ...INSIDE].sort((a, b) => a.localeCompare(b))).toEqual(
      columns.sort((a, b) => a.localeCompare(b)),
    );
  });

  test('that a form may send are all stored, and all reach the console and the CSV', async ({ api }) => {
    const headers = await api.logIn();
    const campaign = (name: string) => ({
      source: `${name}-source`,
      medium: `${name}-medium`,
      campaign: `${name}-campaign`,
      term: `${name}-term`,
      content: `${name}-content`,
    });
    const sent: Record<string, unknown> = Object.fromEntries(
      Object.keys(leadIntakeBody.shape).map((field) => [field, `a ${field}`]),
    );
    Object.assign(sent, {
      email: 'all@reader.example',
      formType: 'pre_buy',
      consentMarketing: true,
      visitUtm: campaign('visit'),
      firstUtm: campaign('first'),
      website: '',
      elapsedMs: 9_000,
    });

    await api.call('POST', '/api/lead/subscribe', { body: sent });

    const { json } = await api.call('GET', '/api/admin/leads', { headers });
    const [stored] = json.leads;
    const { visitUtm, firstUtm, ...plain } = Object.fromEntries(
      Object.entries(sent).filter(([field]) => !NOT_STORED.includes(field)),
    );
    expect(stored).toMatchObject(plain);
    for (const [visit, parts] of [
      ['visitUtm', visitUtm],
      ['firstUtm', firstUtm],
    ] as const) {
      for (const [part, value] of Object.entries(parts as Record<string, string>)) {
        expect(stored[`${visit}${part.charAt(0).toUpperCase()}${part.slice(1)}`]).toBe(value);
      }
    }
    const csv = await api.call('GET', '/api/admin/leads/export/csv', { headers });
    for (const field of Object.keys(lead.shape)) expect(csv.text.split('\r\n')[0]).toContain(field);
  });
});
