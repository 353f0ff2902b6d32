import { storeLead, storeSubscriber, wantTier } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { describe, expect } from 'vitest';
import { EMAIL, leave, SENT, serveBackground, serveUrgent } from '../testing/person.fixture.ts';
import { statusOf, subscribe, test, tierOf, withNewsletter } from '../testing/person.fixture.ts';

const consented = { ...SENT, email: EMAIL, consentDueAt: new Date(0) };

/** Requests that a sent lead's subscriber is added again. */
const requestAddition = (db: Database, { id, emailNormalised }: LeadRow) =>
  db('differences').insert({
    kind: 'missing-there',
    emailNormalised,
    leadId: id,
    remedy: 'add-again',
    requestedAt: new Date(0),
  });

describe('a consent that a repeat gave after the lead was sent', () => {
  test('a repeat’s consent reaches Beehiiv once', async ({ deps, db, sandbox }) => {
    await subscribe(sandbox);
    await storeLead(db, consented);

    expect([await serveBackground(deps), await serveBackground(deps)]).toEqual([1, 0]);

    expect(sandbox.beehiiv.find(EMAIL)?.custom_fields).toContainEqual(
      expect.objectContaining({ name: 'consent_text_version', value: '2025-12' }),
    );
    expect(await db('lead_sync_attempts')).toMatchObject([{ kind: 'repair', class: 'accepted' }]);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent', consentDueAt: null });
  });

  test('a repeat’s consent resubscribes somebody who left before, to be confirmed', async ({
    deps,
    db,
    sandbox,
  }) => {
    await subscribe(sandbox);
    await leave(sandbox);
    await storeSubscriber(db, await storeLead(db, consented), { status: 'inactive' });

    await serveBackground(deps);

    expect(statusOf(sandbox)).toBe('pending');
    expect(await db('leads').first()).toMatchObject({ subscriberStatus: 'pending' });
  });
});

describe('a remedy', () => {
  test('a payer who is added again becomes premium, and need not confirm', async ({
    deps,
    db,
    sandbox,
  }) => {
    const reader = 'reading@reader.example';
    await wantTier(db, EMAIL, 'premium');
    for (const email of [EMAIL, reader]) {
      const lead = await storeLead(db, { ...SENT, email, consentMarketing: false });
      await requestAddition(db, lead);
    }
    await db('people').where({ emailNormalised: EMAIL }).update({ tierConfirmedVersion: 1 });

    await serveBackground(deps);
    await serveUrgent(deps);

    expect([EMAIL, reader].map((email) => statusOf(sandbox, email))).toEqual([
      'validating',
      'pending',
    ]);
    expect(tierOf(sandbox)).toBe('premium');
    expect(await db('differences')).toEqual([]);
    expect(await db('leads').where({ email: EMAIL }).first()).toMatchObject({
      beehiivStatus: 'sent',
      budgetSpent: 0,
    });
  });

  test('a remedy resubscribes nobody who has left since the list was read', async ({
    deps,
    db,
    sandbox,
  }) => {
    await subscribe(sandbox);
    await leave(sandbox);
    await requestAddition(db, await storeLead(db, { ...SENT, email: EMAIL }));

    await serveBackground(deps);

    expect(statusOf(sandbox)).toBe('inactive');
    expect(await db('differences')).toEqual([]);
  });

  test('a remedy whose difference has gone meanwhile does nothing', async ({ deps, db }) => {
    await wantTier(db, EMAIL, 'premium');
    await db('people').update({ tierConfirmedVersion: 1 });
    const difference = { kind: 'pays-not-active', emailNormalised: EMAIL, remedy: 'set-premium' };
    await db('differences').insert({ ...difference, requestedAt: new Date(0) });
    const waitForSlot = async () => {
      await db('differences').delete();
      return true;
    };

    expect(await serveBackground({ ...deps, rateLimiter: { waitForSlot } })).toBe(0);
    expect(await db('people').first()).toMatchObject({ tierVersion: 1 });
  });

  test('a wish that is postponed holds back no other of its person', async ({
    deps,
    db,
    sandbox,
  }) => {
    await subscribe(sandbox);
    const lead = await storeLead(db, { ...SENT, email: EMAIL });
    await storeSubscriber(db, lead, { checkDueAt: new Date(0) });
    await requestAddition(db, lead);
    const update = async () => ({
      ...(await deps.newsletter.find('nobody@reader.example')),
      class: 'transient' as const,
    });

    await serveBackground(withNewsletter(deps, { update }));
    await serveBackground(deps);

    expect(await db('people').first()).toMatchObject({ status: statusOf(sandbox) });
    expect(await db('differences')).toMatchObject([{ remedy: 'add-again' }]);
  });
});
