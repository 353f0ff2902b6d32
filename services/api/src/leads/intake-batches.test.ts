import { createDatabase, isDatabaseUnavailable } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { countLockWaits, openTransaction } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { leadIntakeBody, toSubmittedFields } from '@site/schema/lead-intake';
import type { FormType } from '@site/schema/lead';
import fc from 'fast-check';
import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { NO_FORM } from './client-facts.ts';
import { createIntakeBatches } from './intake-batches.ts';
import { toRepeatKeys } from './lead.repository.ts';
import { storeSubmission } from './submission.repository.ts';
import { insertNewLeads } from './lead.repository.ts';
import type { Submission } from './lead.repository.ts';

type Given = {
  person?: string;
  formType?: FormType;
  visitor?: string;
  key?: string | undefined;
  isBot?: boolean;
  fullName?: string | undefined;
  company?: string | undefined;
  consentMarketing?: boolean;
};

function toSubmission(given: Given, domain = 'reader.example'): Submission {
  const {
    person = 'ada',
    formType = 'pre_buy',
    visitor = '203.0.113.7',
    key,
    isBot = false,
    ...fields
  } = given;
  const body = leadIntakeBody.parse({ email: `${person}@${domain}`, formType, ...fields });
  const lead = {
    ...toSubmittedFields(body),
    ...NO_FORM,
    ipAddress: visitor,
    id: newId(),
    submittedAt: new Date(),
    consentTimestamp: body.consentMarketing ? new Date() : null,
    quarantineReason: isBot ? 'looks automated' : null,
    beehiivStatus: isBot ? ('failed' as const) : ('pending' as const),
    beehiivResponse: isBot ? 'quarantined: looks automated' : null,
  };
  return {
    lead,
    repeatKeys: toRepeatKeys(lead, key),
    sampleRequestId: formType === 'pre_sample' ? newId() : null,
  };
}

/** Reads all rows that submissions left, without ids and times. */
async function readTraces(db: Database, domain: string): Promise<unknown> {
  const leads = await db('leads')
    .whereLike('email', `%@${domain}`)
    .select(
      db.raw(`split_part(email, '@', 1) as person, form_type, ip_address, full_name, company, consent_marketing,
        consent_timestamp is not null as has_consent_time, quarantine_reason, beehiiv_status, beehiiv_response,
        next_attempt_at is not null as has_time, sync_round,
        (select count(*) from submission_keys where lead_id = leads.id) as keys,
        (select string_agg(coalesce(name, '-') || coalesce(company, '-'), '; ') from sample_requests where lead_id = leads.id) as samples`),
    )
    .orderBy('id');
  return leads.map((lead: object) => JSON.stringify(lead)).toSorted();
}

test('a batch stores the same rows as its submissions one by one', async ({ db }) => {
  const submission = fc.record({
    person: fc.constantFrom('ada', 'Ada', 'bob', 'eve'),
    formType: fc.constantFrom('pre_buy' as const, 'pre_sample' as const),
    visitor: fc.constantFrom('203.0.113.7', '203.0.113.8'),
    key: fc.constantFrom(undefined, 'one', 'two'),
    isBot: fc.boolean(),
    fullName: fc.constantFrom(undefined, 'Ada Raman'),
    company: fc.constantFrom(undefined, 'Northgate', 'Kestrel'),
    consentMarketing: fc.boolean(),
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(submission, { minLength: 1, maxLength: 16 }), async (given) => {
      runs += 1;
      const run = async (domain: string, storeAll: (all: Submission[]) => Promise<unknown[]>) => {
        const all = given.map((one) => toSubmission(one, domain));
        const ids = all.map(({ lead }) => lead.id);
        const stored = (await storeAll(all)) as { id: string }[];
        const answers = stored.map((answer) => ({ ...answer, id: ids.indexOf(answer.id) }));
        return { answers, traces: await readTraces(db, domain) };
      };

      const together = await run(`together${runs}.example`, (all) =>
        Promise.all(all.map(createIntakeBatches(db))),
      );
      const alone = await run(`alone${runs}.example`, async (all) => {
        const stored = [];
        for (const one of all) stored.push(await storeSubmission(db, one));
        return stored;
      });

      expect(together).toEqual(alone);
    }),
    { numRuns: 15 },
  );
});

test('a row that the database refuses does not make its neighbours fail', async ({ db }) => {
  const store = createIntakeBatches(db);
  const refused = toSubmission({ person: 'refused' });
  refused.lead.formType = 'pre_nothing' as FormType;
  const others = Array.from({ length: 9 }, (_, n) => toSubmission({ person: `reader${n}` }));

  const ends = await Promise.allSettled(
    [...others.slice(0, 5), refused, ...others.slice(5)].map(store),
  );

  expect(ends.map(({ status }) => status)).toEqual(
    Array.from({ length: 10 }, (_, n) => (n === 5 ? 'rejected' : 'fulfilled')),
  );
  expect(await db('leads')).toHaveLength(9);
});

test('batches continue when a column is added to leads', async ({ databaseUrl, db }) => {
  const connection = createDatabase({ url: databaseUrl, maxConnections: 1 });
  const store = createIntakeBatches(connection);
  const before = await store(toSubmission({ person: 'before' }));

  await db.raw('alter table leads add mood text');
  const after = await store(toSubmission({ person: 'after' }));
  await connection.destroy();

  expect([before.kind, after.kind]).toEqual(['created', 'created']);
});

test('a batch refuses a submission that has waited too long', async ({ db }) => {
  const lock = await openTransaction(db);
  await lock.raw('lock table submission_keys');
  const store = createIntakeBatches(db, { mostWaitMs: 50 });
  const underWay = ['first', 'second'].map((person) => store(toSubmission({ person })));

  const failure = await store(toSubmission({ person: 'third' })).catch((error: unknown) => error);
  await lock.rollback();
  await Promise.all(underWay);
  const next = await store(toSubmission({ person: 'third' }));

  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect(next.kind).toBe('created');
  expect(await db('leads')).toHaveLength(3);
});

test('two processes that store the same people do not deadlock', async ({ db }) => {
  const insert = (people: string[]) =>
    insertNewLeads(
      db,
      people.map((person) => toSubmission({ person, key: 'one' })),
    );
  const blocker = await openTransaction(db);
  await insertNewLeads(blocker, [toSubmission({ person: 'bob', key: 'one' })]);

  const ends = [insert(['ada', 'bob', 'eve'])];
  await expect.poll(() => countLockWaits(db)).toBe(1);
  ends.push(insert(['eve', 'bob', 'ada']));
  await expect.poll(() => countLockWaits(db)).toBe(2);
  await blocker.rollback();

  expect((await Promise.all(ends)).map(({ size }) => size)).toEqual([3, 0]);
});

test('a submission that repeats one under way keeps none of its own keys', async ({ db }) => {
  const first = await openTransaction(db);
  const { id } = await storeSubmission(first, toSubmission({ key: 'one' }));

  const repeat = storeSubmission(db, toSubmission({ key: 'two' }));
  await expect.poll(() => countLockWaits(db)).toBe(1);
  await first.commit();

  expect(await repeat).toMatchObject({ kind: 'repeated', id });
  expect(new Set(await db('submission_keys').pluck('lead_id'))).toEqual(new Set([id]));
});
