import { storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

/** What a row of the list shows, and what its actions need. */
const ROW =
  'id email fullName company formType submittedAt updatedAt utmSource utmCampaign country region city beehiivStatus beehiivReason beehiivResponse beehiivSentAt subscriberStatus nextAttemptAt quarantineReason isCorrected'.split(
    ' ',
  );
/** The other fields that the specification gives a lead. */
const SPECIFIED =
  'phone message consentMarketing consentTimestamp utmMedium utmTerm utmContent gclid fbclid ttclid landingPage firstPage referrer sessionId gaClientId userAgent ipAddress deviceType createdAt'.split(
    ' ',
  );

test('the list sends the specified fields and those of its columns, and nothing else', async ({ api, db }) => {
  const { id } = await storeLead(db, { ipAddress: '203.0.113.9', visitUtmSource: 'newsletter', traceId: 't' });
  const headers = await api.logIn();

  const { json } = await api.call('GET', '/api/admin/leads', { headers });

  expect(Object.keys(json.leads[0]).toSorted()).toEqual([...ROW, ...SPECIFIED].toSorted());
  expect(json.leads[0]).toMatchObject({ id, ipAddress: '203.0.113.9' });
  const { json: detail } = await api.call('GET', `/api/admin/leads/${id}`, { headers });
  expect(detail.lead).toMatchObject({ ...json.leads[0], visitUtmSource: 'newsletter', traceId: 't' });
});

test('a live event sends what a row shows, and nothing else', async ({ api, db }) => {
  await storeLead(db);
  const ending = new AbortController();
  const stream = await fetch(`${api.url}/api/admin/events`, { headers: await api.logIn(), signal: ending.signal });

  let text = '';
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/event: change\n.*\n\n/.test(text)) break;
  }
  ending.abort();

  const [lead] = JSON.parse(/event: change\ndata: (.*)\n/.exec(text)![1]!).leads;
  expect(Object.keys(lead).toSorted()).toEqual(ROW.toSorted());
});
