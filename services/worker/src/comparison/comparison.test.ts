import { storeSubscription } from '@site/testing/money-builders';
import { task } from '@site/platform/database/task';
import {
  advanceSyncClock,
  correctLead,
  requestRemoval,
  storeLead,
  storePerson,
  wantTier,
} from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { recordSubscribers } from '@site/platform/people/subscribers';
import type { Sandbox } from '@site/sandbox/sandbox';
import { describe, expect } from 'vitest';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { reconcileNow } from './comparison.ts';
import { buildSyncDeps } from '../testing/sync-deps.ts';

const never = new AbortController().signal;
const anHourAgo = () => new Date(Date.now() - 3_600_000);
const sent = (email: string) => ({
  email,
  beehiivStatus: 'sent' as const,
  nextAttemptAt: null,
  beehiivSentAt: anHourAgo(),
  subscriberStatus: 'active',
});

const depsFor = (db: Database, sandbox: Sandbox) =>
  buildSyncDeps(db, { ...connectTestNewsletter({ sandbox }, db), backoffBaseMs: 20 });

const add = (deps: ReturnType<typeof depsFor>, email: string) =>
  deps.newsletter.add({
    email,
    fields: {},
    utm: {},
    sendWelcomeEmail: false,
    doubleOptIn: 'not_set',
    automationIds: [],
    automationSetting: 'BEEHIIV_AUTOMATIONS_PRE_BUY',
  });

/** Reads the last comparison's differences: kind and lead. */
const readDifferences = (db: Database) =>
  db('differences').orderBy('id').select('kind', 'leadId', 'emailNormalised');

/** Lets a test act between the pages that a comparison reads. */
function betweenPages(deps: ReturnType<typeof depsFor>, act: (page: number) => unknown) {
  const { newsletter } = deps;
  let page = 0;
  const listSubscribers = async (cursor: string | null) => {
    const answer = await newsletter.listSubscribers(cursor);
    await act(++page);
    return answer;
  };
  return { ...deps, newsletter: { ...newsletter, listSubscribers } };
}

async function addMany(deps: ReturnType<typeof depsFor>, many: number): Promise<void> {
  for (let n = 0; n < many; n++) await add(deps, `many${n}@reader.example`);
}

describe('reconcileNow', () => {
  test('somebody on the list who has no row yet is not missing', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    await storeLead(db, sent('Well@reader.example'));
    await db('people').delete();
    await add(deps, 'well@reader.example');

    await reconcileNow(deps, never);

    expect(await readDifferences(db)).toEqual([]);
    expect(await db('people')).toMatchObject([
      { email: 'Well@reader.example', listedAt: expect.any(Date) },
    ]);
  });

  test('a comparison finds subscribers who are missing, invalid, unsubscribed or unknown', async ({
    db,
    sandbox,
  }) => {
    const deps = depsFor(db, sandbox);
    await storeLead(db, sent('Well@reader.example'));
    const missing = await storeLead(db, sent('missing@reader.example'));
    const invalid = await storeLead(db, sent('a+invalid@reader.example'));
    const left = await storeLead(db, sent('a+inactive@reader.example'));
    await storeLead(db, { email: 'waiting@reader.example' });
    for (const email of ['well@', 'a+invalid@', 'a+inactive@', 'stranger@'])
      await add(deps, `${email}reader.example`);

    const result = await reconcileNow(deps, never);

    expect(result).toMatchObject({
      checked: 4,
      unknown: 1,
      failure: null,
      leasedUntil: null,
    });
    const { seenAt, coversUntil } = (await task(db, 'comparison').first())!;
    expect(coversUntil).toEqual(seenAt);
    expect(await readDifferences(db)).toEqual(
      expect.arrayContaining([
        { kind: 'missing-there', leadId: missing.id, emailNormalised: 'missing@reader.example' },
        { kind: 'invalid', leadId: invalid.id, emailNormalised: 'a+invalid@reader.example' },
        { kind: 'unsubscribed', leadId: left.id, emailNormalised: 'a+inactive@reader.example' },
        { kind: 'unknown-here', leadId: null, emailNormalised: 'stranger@reader.example' },
      ]),
    );
    expect(await db('differences')).toHaveLength(4);
    expect(await db('leads').where({ id: left.id }).first()).toMatchObject({
      subscriberStatus: 'inactive',
      beehiivStatus: 'sent',
    });
  });

  test('a mistyped email that is being unsubscribed is in no comparison', async ({
    db,
    sandbox,
  }) => {
    const deps = depsFor(db, sandbox);
    const lead = await storeLead(db, sent('typo@reader.example'));
    await add(deps, 'typo@reader.example');
    await deps.newsletter.setTier('typo@reader.example', 'premium');
    await requestRemoval(db, 'unsubscribe', lead.emailNormalised, { leadId: lead.id });
    await correctLead(db, lead, 'right@reader.example');

    await reconcileNow(deps, never);

    expect(await readDifferences(db)).toEqual([]);
  });

  test('somebody whom only an earlier comparison listed is missing', async ({ db, sandbox }) => {
    const { emailNormalised } = await storeLead(db, sent('gone@reader.example'));
    await storePerson(db, { emailNormalised, status: 'active', listedAt: anHourAgo() });
    await storePerson(db, { emailNormalised, learnedAt: anHourAgo(), statusSince: anHourAgo() });

    await reconcileNow(depsFor(db, sandbox), never);

    expect(await db('differences')).toMatchObject([{ kind: 'missing-there', emailNormalised }]);
  });

  test('a comparison retries a transient failure, and a refused key fails it', async ({
    db,
    sandbox,
  }) => {
    sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 502, times: 2 });
    expect(await reconcileNow(depsFor(db, sandbox), never)).toMatchObject({ failure: null });

    sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 401 });
    expect(await reconcileNow(depsFor(db, sandbox), never)).toMatchObject({
      failure: expect.stringContaining('401'),
      leasedUntil: null,
    });
    expect(await db('sync_health').first()).toMatchObject({
      pausedSince: expect.any(Date),
      pauseSetting: 'BEEHIIV_API_KEY',
    });
  });

  test('a comparison accepts a repeated email and counts unreadable subscribers', async ({
    db,
    sandbox,
  }) => {
    const deps = depsFor(db, sandbox);
    const { newsletter } = deps;
    const listSubscribers = async () => {
      const subscribers = ['Ada', 'ada'].map((name) => ({
        email: `${name}@reader.example`,
        id: name,
        status: 'active',
      }));
      return {
        ...(await newsletter.listSubscribers(null)),
        page: { subscribers, skipped: 2, nextCursor: null },
      };
    };

    expect(
      await reconcileNow({ ...deps, newsletter: { ...newsletter, listSubscribers } }, never),
    ).toMatchObject({
      unknown: 1,
      skipped: 2,
    });
  });

  test('a comparison could not check if the list repeats a page', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    const { newsletter } = deps;
    const listSubscribers = async () => {
      const answer = await newsletter.listSubscribers(null);
      return { ...answer, page: { subscribers: [], skipped: 0, nextCursor: 'the same' } };
    };

    expect(
      await reconcileNow({ ...deps, newsletter: { ...newsletter, listSubscribers } }, never),
    ).toMatchObject({
      failure: expect.stringContaining('twice'),
    });
  });

  test('a comparison ignores a corrected lead until it is sent', async ({ db, sandbox }) => {
    const mistyped = await storeLead(db, sent('mistyped@reader.example'));
    await correctLead(db, mistyped, 'right@reader.example');

    expect(await reconcileNow(depsFor(db, sandbox), never)).toMatchObject({ checked: 0 });
    expect(await readDifferences(db)).toEqual([]);
  });

  test('a comparison ignores a lead that was sent while the list was read', async ({
    db,
    sandbox,
  }) => {
    await storeLead(db, {
      ...sent('new@reader.example'),
      beehiivSentAt: new Date(Date.now() + 60_000),
    });

    expect(await reconcileNow(depsFor(db, sandbox), never)).toMatchObject({ checked: 0 });
    expect(await readDifferences(db)).toEqual([]);
  });

  test('a comparison never overwrites a status that is newer than the page', async ({
    db,
    sandbox,
  }) => {
    const deps = depsFor(db, sandbox);
    const lead = await storeLead(db, sent('a+inactive@reader.example'));
    await add(deps, lead.email);
    const asked = betweenPages(deps, () =>
      recordSubscribers(db, [{ email: lead.email, id: 'sub_1', status: 'active' }]),
    );

    await reconcileNow(asked, never);

    expect(await db('leads').first()).toMatchObject({ subscriberStatus: 'active' });
    expect(await readDifferences(db)).toEqual([]);
  });

  test('a comparison misses nobody who was added again while the list was read', async ({
    db,
    sandbox,
  }) => {
    await storeLead(db, sent('back@reader.example'));
    const asked = betweenPages(depsFor(db, sandbox), async () => {
      const again = await storeLead(db, {
        ...sent('back@reader.example'),
        beehiivSentAt: new Date(Date.now() + 1_000),
      });
      await recordSubscribers(db, [{ email: again.email, id: 'sub_1', status: 'active' }]);
    });

    await reconcileNow(asked, never);

    expect(await readDifferences(db)).toEqual([]);
  });

  test('a second comparison joins the one in progress, and returns its result', async ({
    db,
    sandbox,
  }) => {
    const deps = depsFor(db, sandbox);
    await addMany(deps, 101);
    const heard: number[] = [];
    let joined: ReturnType<typeof reconcileNow> | undefined;
    const first = await reconcileNow(
      betweenPages(deps, async (page) => {
        if (page !== 2) return;
        await new Promise<void>((resolve) => {
          joined = reconcileNow(deps, never, (read) => {
            heard.push(read);
            resolve();
          });
        });
      }),
      never,
    );

    expect(await joined).toEqual(first);
    expect(heard[0]).toBe(100);
    expect(sandbox.beehiiv.requests().filter(({ method }) => method === 'GET')).toHaveLength(2);
  });

  test('a comparison continues where a killed process stopped', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    await addMany(deps, 101);
    const killed = betweenPages(deps, (page) =>
      page === 2 ? Promise.reject(new Error('killed')) : undefined,
    );
    await expect(reconcileNow(killed, never)).rejects.toThrow('killed');

    expect(await reconcileNow(deps, never)).toMatchObject({ failure: null, unknown: 101 });
    expect(sandbox.beehiiv.requests().filter(({ method }) => method === 'GET')).toHaveLength(3);
  });

  test('a process frozen for longer than its lease changes nothing', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    await addMany(deps, 1);
    let byOther: Awaited<ReturnType<typeof reconcileNow>> | undefined;
    const frozen = betweenPages(deps, async () => {
      await advanceSyncClock(db, 46);
      byOther = await reconcileNow(deps, never);
      await add(deps, 'late@reader.example');
    });

    expect(await reconcileNow(frozen, never)).toEqual(byOther);
    expect(byOther).toMatchObject({ unknown: 1 });
  });
});

describe('the comparison of payments', () => {
  const storePaid = (db: Database, email: string, given: Record<string, unknown> = {}) =>
    storeSubscription(db, { email, startedAt: anHourAgo(), snapshotAt: anHourAgo(), ...given });
  /** Stores a tier that was set and confirmed an hour ago. */
  const storeTier = (db: Database, emailNormalised: string, tier: 'premium' | 'free') =>
    storePerson(db, {
      emailNormalised,
      tier,
      tierConfirmedVersion: 1,
      tierConfirmedAt: anHourAgo(),
      tierSince: anHourAgo(),
    });
  const subscribe = async (deps: ReturnType<typeof depsFor>, email: string) => {
    await storeLead(deps.db, sent(email));
    await add(deps, email);
  };
  /** Lists subscribers as Beehiiv does after checking their emails. */
  const checked = (deps: ReturnType<typeof depsFor>) => {
    const listSubscribers = async (cursor: string | null) => {
      const answer = await deps.newsletter.listSubscribers(cursor);
      for (const each of answer.page?.subscribers ?? [])
        if (each.status === 'validating') each.status = 'active';
      return answer;
    };
    return { ...deps, newsletter: { ...deps.newsletter, listSubscribers } };
  };
  const pay = async (db: Database, email: string) => {
    await storeTier(db, email, 'premium');
    return storePaid(db, email);
  };
  const isPayment = ({ kind }: { kind: string }) =>
    ['pays-not-active', 'pays-twice', 'premium-not-paying'].includes(kind);
  const readPayments = async (db: Database) =>
    (await db('differences').orderBy('emailNormalised')).filter(isPayment).map((row) => ({
      kind: row.kind,
      email: row.emailNormalised.split('@')[0],
      status: row.subscriberStatus,
      id: row.stripeSubscriptionId,
      remedy: row.remedy,
    }));

  test('a comparison finds payers without premium, and premium without payment', async ({
    db,
    sandbox,
  }) => {
    const deps = checked(depsFor(db, sandbox));
    for (const name of ['well', 'lowered', 'gift', 'ended'])
      await subscribe(deps, `${name}@reader.example`);
    for (const tag of ['pending', 'inactive']) await subscribe(deps, `a+${tag}@reader.example`);
    await storeLead(db, sent('absent@reader.example'));
    await storeLead(db, { email: 'unsent@reader.example' });
    for (const name of ['well', 'gift', 'ended'])
      await deps.newsletter.setTier(`${name}@reader.example`, 'premium');
    await pay(db, 'well@reader.example');
    const lowered = await pay(db, 'lowered@reader.example');
    const pending = await pay(db, 'a+pending@reader.example');
    const inactive = await pay(db, 'a+inactive@reader.example');
    const absent = await pay(db, 'absent@reader.example');
    const unsent = await pay(db, 'unsent@reader.example');
    await storeTier(db, 'ended@reader.example', 'free');
    const ended = await storePaid(db, 'ended@reader.example', { status: 'canceled' });

    expect(await reconcileNow(deps, never)).toMatchObject({ paymentsChecked: 6 });

    const not = 'pays-not-active';
    expect(await readPayments(db)).toEqual([
      { kind: not, email: 'a+inactive', status: 'inactive', id: inactive, remedy: null },
      { kind: not, email: 'a+pending', status: 'pending', id: pending, remedy: null },
      { kind: not, email: 'absent', status: null, id: absent, remedy: 'add-again' },
      {
        kind: 'premium-not-paying',
        email: 'ended',
        status: 'active',
        id: ended,
        remedy: 'set-free',
      },
      { kind: 'premium-not-paying', email: 'gift', status: 'active', id: null, remedy: 'set-free' },
      { kind: not, email: 'lowered', status: 'active', id: lowered, remedy: 'set-premium' },
      { kind: not, email: 'unsent', status: null, id: unsent, remedy: null },
    ]);
  });

  test('a comparison of payments finds a person who pays twice', async ({ db, sandbox }) => {
    await storePaid(db, 'twice@reader.example', { startedAt: new Date(0) });
    const second = await storePaid(db, 'twice@reader.example', { startedAt: new Date() });
    await storePaid(db, 'once@reader.example');
    await storePaid(db, 'once@reader.example', { status: 'canceled' });

    await reconcileNow(depsFor(db, sandbox), never);

    // Both also have no lead yet.
    expect(await readPayments(db)).toContainEqual(
      expect.objectContaining({ kind: 'pays-twice', id: second, remedy: null }),
    );
  });

  test('a comparison ignores a tier that changes while the list is read', async ({
    db,
    sandbox,
  }) => {
    const deps = checked(depsFor(db, sandbox));
    const email = 'new@reader.example';
    await subscribe(deps, email);
    const asked = betweenPages(deps, () => wantTier(db, email, 'premium'));

    await reconcileNow(asked, never);

    expect(await readPayments(db)).toEqual([]);
  });
});
