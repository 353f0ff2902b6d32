import { query, queryOne } from '@site/platform/database/query';
import { createLogger } from '@site/platform/process/logger';
import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { describe, expect, vi } from 'vitest';
import { test } from '../testing/worker.fixture.ts';

const statusOf = async (db: Database, id: string) =>
  (await db('leads').where({ id }).first()).beehiivStatus;
const attemptsOf = (db: Database, leadId: string) =>
  db('lead_sync_attempts').where({ leadId }).orderBy('number');
const settled = { timeout: 10_000, interval: 20 };

describe('a pending lead', () => {
  test('a payer without a form is sent, though they saw no wording', async ({ db, start }) => {
    const noForm = { consentTextVersion: null, consentTimestamp: null, consentMarketing: false };
    const lead = await storeLead(db, noForm);

    start();

    await expect.poll(() => statusOf(db, lead.id), settled).toBe('sent');
  });

  test('a pending lead is sent with all its fields', async ({ db, sandbox, start }) => {
    const lead = await storeLead(db, {
      email: 'Priya+Inbox@northgate.example',
      company: 'Northgate Capital',
      utmSource: 'nav_sub',
      utmCampaign: 'navigation_subscription',
      visitUtmSource: 'linkedin',
      referrer: 'https://news.example/',
    });

    start();

    await expect.poll(() => statusOf(db, lead.id), settled).toBe('sent');
    await expect
      .poll(async () => (await db('people').whereNotNull('status').first())?.subscriberId, settled)
      .toMatch(/^sub_/);
    const row = await db('leads').first();
    expect(row).toMatchObject({ nextAttemptAt: null, outcomeUnknown: false });
    expect(row.beehiivSentAt).toBeInstanceOf(Date);
    expect(row.beehiivResponse).toMatch(/^201 \{/);
    expect(await attemptsOf(db, lead.id)).toMatchObject([
      {
        kind: 'push',
        round: 1,
        number: 1,
        class: 'accepted',
        httpStatus: 201,
        worker: 'test-worker',
      },
    ]);
    const there = sandbox.beehiiv.find('priya+inbox@northgate.example');
    expect(there).toMatchObject({
      utm_source: 'nav_sub',
      utm_campaign: 'navigation_subscription',
      referring_site: 'https://news.example/',
    });
    const fields = Object.fromEntries(
      (there?.custom_fields ?? []).map(({ name, value }) => [name, value]),
    );
    expect(fields).toMatchObject({
      full_name: 'Priya Raman',
      company: 'Northgate Capital',
      form_type: 'pre_buy',
      lead_id: lead.id,
      visit_source: 'linkedin',
      consent_text_version: '2025-12',
    });
    expect(fields).not.toHaveProperty('phone');
    expect(there?.lastRequest).toMatchObject({
      send_welcome_email: false,
      double_opt_override: 'not_set',
    });
    expect(there?.lastRequest).not.toHaveProperty('reactivate_existing');
  });

  test('a pending lead is logged with the trace id of its form', async ({ db, start }) => {
    const lead = await storeLead(db, { traceId: 'form-7.b_2' });
    const log = createLogger({ service: 'test', level: 'silent' });
    const info = vi.spyOn(log, 'info');

    start({ log });

    await expect.poll(() => statusOf(db, lead.id), settled).toBe('sent');
    await vi.waitUntil(() => info.mock.calls.length > 0);
    expect(info).toHaveBeenCalledWith(
      expect.objectContaining({ leadId: lead.id, traceId: 'form-7.b_2', class: 'accepted' }),
      'lead sent',
    );
  });

  test('a lead without marketing consent gets a double opt-in', async ({ db, sandbox, start }) => {
    const lead = await storeLead(db, {
      formType: 'pre_sample',
      consentMarketing: false,
      email: 'ask@reader.example',
    });

    start();

    await expect.poll(() => statusOf(db, lead.id), settled).toBe('sent');
    expect(sandbox.beehiiv.find('ask@reader.example')?.lastRequest).toMatchObject({
      double_opt_override: 'on',
    });
    expect(sandbox.beehiiv.find('ask@reader.example')?.lastRequest).not.toHaveProperty(
      'reactivate_existing',
    );
  });

  test.for([
    ['x+422@reader.example', 'failed', ['permanent'], /422/],
    ['x+invalid@reader.example', 'failed', ['permanent'], /Rejected by Beehiiv/],
    ['x+exists@reader.example', 'sent', ['accepted'], /accepted/],
    ['x+pending@reader.example', 'sent', ['accepted'], /asked for confirmation/],
  ] as const)(
    'the lead of %s ends %s',
    async ([email, status, classes, message], { db, start }) => {
      const lead = await storeLead(db, { email });

      start();

      await expect.poll(() => statusOf(db, lead.id), settled).toBe(status);
      const attempts = await attemptsOf(db, lead.id);
      expect(attempts.map((attempt) => attempt.class)).toEqual(classes);
      expect(attempts[0].message).toMatch(message);
    },
  );

  test.for(['garbage', 'half-json', 'reset'] as const)(
    'a lead is not added twice if the answer to a request that took effect is "%s"',
    async (mode, { db, sandbox, start }) => {
      sandbox.setFault({ target: 'beehiiv', mode, times: 1 });
      const lead = await storeLead(db, { email: 'once@reader.example' });

      start();

      await expect.poll(() => statusOf(db, lead.id), settled).toBe('sent');
      expect((await attemptsOf(db, lead.id)).map((attempt) => attempt.class)).toEqual([
        'transient',
        'accepted',
      ]);
      expect(
        sandbox.beehiiv.subscriptions().filter(({ email }) => email === 'once@reader.example'),
      ).toHaveLength(1);
    },
  );

  test('a lead updates a subscriber who was added before', async ({ db, sandbox, start }) => {
    const first = await storeLead(db, { email: 'ada@reader.example', formType: 'pre_sample' });
    const worker = start();
    await expect.poll(() => statusOf(db, first.id), settled).toBe('sent');

    const second = await storeLead(db, { email: 'ADA@reader.example', company: 'New Ltd' });
    await worker.syncQueue.wake(1);

    await expect.poll(() => statusOf(db, second.id), settled).toBe('sent');
    expect(sandbox.beehiiv.requests().map((request) => request.method)).toEqual([
      'POST',
      'GET',
      'PUT',
    ]);
    expect(sandbox.beehiiv.find('ada@reader.example')?.custom_fields).toContainEqual(
      expect.objectContaining({ name: 'company', value: 'New Ltd' }),
    );
  });
});

describe('the sync', () => {
  test('a stopping worker releases its waiting leads and loses no slot', async ({
    db,
    sandbox,
    start,
  }) => {
    await Promise.all(Array.from({ length: 20 }, () => storeLead(db)));
    const worker = start({ requestsPerMinute: 60 });
    await expect.poll(() => sandbox.beehiiv.requests().length, settled).toBe(1);

    await worker.close();

    const { waitSeconds } = await queryOne<{ waitSeconds: number }>(
      db,
      'select extract(epoch from next_slot_at - sync_now())::float8 as wait_seconds from rate_limiter',
    );
    expect(waitSeconds).toBeLessThan(1.1);
    expect(await db('lead_sync_attempts').whereNull('class')).toEqual([]);
  });

  test('the sync sends nothing until the reset after a 429, and spends no budget on it', async ({
    db,
    sandbox,
    start,
  }) => {
    sandbox.setFault({ target: 'beehiiv', mode: 'rate-limit', times: 1 });
    const lead = await storeLead(db);

    start({ requestsPerMinute: 6_000 });

    await expect
      .poll(async () => (await attemptsOf(db, lead.id)).map((attempt) => attempt.class), settled)
      .toEqual(['rate-limited']);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'pending', budgetSpent: 0 });
    expect(
      await query(db, 'select resumes_at > sync_now() as is_closed from rate_limiter'),
    ).toEqual([{ isClosed: true }]);
    expect(sandbox.beehiiv.requests()).toHaveLength(1);
  });

  test('the sync sends every lead even if Redis loses its data', async ({
    db,
    redisPrefix,
    ownValkey,
    start,
  }) => {
    const before = await Promise.all(
      Array.from({ length: 5 }, () =>
        storeLead(db, { nextAttemptAt: new Date(Date.now() + 1_500) }),
      ),
    );
    start({ redisUrl: ownValkey.url, redisPrefix });

    await ownValkey.restart();

    await expect
      .poll(async () => (await db('leads').where({ beehiivStatus: 'sent' })).length, {
        timeout: 20_000,
        interval: 50,
      })
      .toBe(before.length);
  });

  test('the sync sends each of many leads once, with two workers', async ({
    db,
    sandbox,
    start,
  }) => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => storeLead(db, { email: `many${n}@reader.example` })),
    );

    start();
    start();

    await expect
      .poll(async () => (await db('leads').where({ beehiivStatus: 'sent' })).length, settled)
      .toBe(60);
    expect(sandbox.beehiiv.requests().filter((request) => request.method === 'POST')).toHaveLength(
      60,
    );
    expect(await db('lead_sync_attempts').where({ class: 'accepted' })).toHaveLength(60);
  });
});
