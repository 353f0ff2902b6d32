import { storeLead } from '@site/testing/builders';
import { listLeadFields } from '@site/schema/lead-fields';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

const MAX_CHARS_OF_A_CELL = 32_767;

test('the CSV’s first bytes are a byte-order mark and a harmless name', async ({ api }) => {
  const answer = await fetch(`${api.url}/api/admin/leads/export/csv`, {
    headers: await api.logIn(),
  });
  const file = Buffer.from(await answer.arrayBuffer());

  // "ID" would make it a SYLK file to Excel, and "sep=" would be obeyed and not shown.
  expect(file.subarray(0, 12).toString('latin1')).toBe('\u00EF\u00BB\u00BFfullName,');
});

test('text in the CSV is quoted, times and flags are not', async ({ api, db }) => {
  await storeLead(db, { phone: '07700900123', submittedAt: new Date(0), consentMarketing: true });

  const { text } = await api.call('GET', '/api/admin/leads/export/csv', {
    headers: await api.logIn(),
  });

  const cells = text.split('\r\n')[1]?.split(',');
  expect(cells).toEqual(
    expect.arrayContaining(['"07700900123"', '1970-01-01T00:00:00Z', 'true', '"pre_buy"', '']),
  );
});

test('no text of a lead can be longer than a cell of Excel', () => {
  const limits = listLeadFields().flatMap(({ limit }) => limit ?? []);

  expect(limits.length).toBeGreaterThan(30);
  // One less, for the apostrophe in front of a formula. Beehiiv's answer is cut to 4 KB, and the rest are words of ours.
  expect(Math.max(...limits)).toBeLessThan(MAX_CHARS_OF_A_CELL);
});
