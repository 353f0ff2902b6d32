import { storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

describe('POST /api/admin/leads/:id/correct', () => {
  test('creates a lead with everything but the address, linked both ways, and does not retry the first', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    const first = await storeLead(db, {
      email: 'oliver@gmial.example',
      phone: '+44 1',
      utmSource: 'top_sub',
      consentPage: '/',
    });

    const answer = await api.call('POST', `/api/admin/leads/${first.id}/correct`, {
      headers,
      body: { email: 'oliver@gmail.example' },
    });

    expect(answer.status).toBe(201);
    const detail = await api.call('GET', `/api/admin/leads/${answer.json.id}`, { headers });
    expect(detail.json).toMatchObject({
      lead: {
        email: 'oliver@gmail.example',
        phone: '+44 1',
        utmSource: 'top_sub',
        consentTextVersion: first.consentTextVersion,
        consentTimestamp: first.consentTimestamp?.toISOString(),
        beehiivStatus: 'pending',
        correctedFrom: first.id,
      },
      correctedFrom: { id: first.id },
    });
    const before = await api.call('GET', `/api/admin/leads/${first.id}`, { headers });
    expect(before.json).toMatchObject({ lead: { beehiivStatus: 'failed' }, correctedTo: { id: answer.json.id } });
    const dry = await api.call('POST', '/api/admin/leads/retry', { headers, body: { filter: {}, dryRun: true } });
    expect(dry.json.count).toBe(0);
  });

  test('works once, and not with the same address', async ({ api, db }) => {
    const headers = await api.logIn();
    const { id, email } = await storeLead(db);
    const correct = (to: string) =>
      api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body: { email: to } });

    expect((await correct(email.toUpperCase())).status).toBe(422);
    expect((await correct('a b@x.example')).status).toBe(422);
    expect((await correct('right@reader.example')).status).toBe(201);
    expect((await correct('other@reader.example')).status).toBe(409);
  });
});
