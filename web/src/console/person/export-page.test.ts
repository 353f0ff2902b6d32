import { EXPORTED_TABLES } from '@site/schema/calls/privacy';
import type { CallAnswer } from '@site/schema/calls/calls';
import { expect, test } from 'vitest';
import { toExportPage } from './export-page.ts';

type Export = CallAnswer<'POST /api/admin/people/export'>;

const AT = '2025-12-03T09:30:00.000Z';
const EMPTY = Object.fromEntries(EXPORTED_TABLES.map((table) => [table, []])) as unknown;

test('an export is a page with the known values in words, and all data as JSON', () => {
  const tables = {
    ...(EMPTY as Export['tables']),
    stripe_invoices: [
      {
        id: 'in_1',
        number: 'LL-1',
        status: 'paid',
        totalPence: 23_900,
        refundedPence: 0,
        currency: 'usd',
      },
    ],
    people: [
      { status: 'active', statusSince: AT, freeGrantedAt: AT, freeUntil: AT },
      { status: null, statusSince: null, freeGrantedAt: null, freeUntil: null },
    ],
    leads: [{ id: '1', fullName: 'Ada <Byron>', formType: 'pre_buy', phone: null, traceId: 't1' }],
    lead_sync_attempts: [
      { id: 'a1', startedAt: AT, tookMs: 93, worker: 'vm-1', message: 'Accepted' },
    ],
  };
  const elsewhere = ['Beehiiv holds more.'];
  const data = { email: 'ada@x.example', exportedAt: AT, consent: [], tables, elsewhere };

  const html = toExportPage(data, 'Ada Byron');

  const page = new DOMParser().parseFromString(html, 'text/html');
  expect(page.querySelector('h1')?.textContent).toBe('Everything stored about Ada Byron');
  expect([...page.querySelectorAll('section')].map(({ textContent }) => textContent)).toEqual([
    'InvoicesNumberLL-1StatusPaidTotalUS$239.00RefundedUS$0.00',
    'The list at Beehiiv and free accessStatusConfirmedStatus since3 Dec 2025, 09:30Free access given3 Dec 2025, 09:30Free access until3 Dec 2025, 09:30',
    'Forms filled inNameAda <Byron>Form typePre-Buy',
    'Sent to BeehiivStarted3 Dec 2025, 09:30MessageAccepted',
  ]);
  expect(JSON.parse(page.querySelector('#data')?.textContent ?? '')).toEqual(data);
});
