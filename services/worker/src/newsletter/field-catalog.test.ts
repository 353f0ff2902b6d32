import { createLogger } from '@site/platform/process/logger';
import { expect } from 'vitest';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { createFieldCatalog } from './field-catalog.ts';

const never = new AbortController().signal;

test('the field catalog keeps the publication’s fields and records missing ones', async ({
  db,
  sandbox,
}) => {
  sandbox.beehiiv.removeCustomField('gclid');
  const { fieldCatalog } = connectTestNewsletter({ sandbox }, db);
  expect(fieldCatalog.keepKnown({ gclid: 'g', company: 'c' })).toEqual({
    gclid: 'g',
    company: 'c',
  });

  await fieldCatalog.refresh(never);

  expect(fieldCatalog.keepKnown({ gclid: 'g', company: 'c' })).toEqual({ company: 'c' });
  const health = await db('sync_health').first();
  expect(health.missingFields).toEqual(['gclid']);
  expect(health).toMatchObject({ beehiivAnswer: 'accepted', beehiivCheckedAt: expect.any(Date) });
});

test('the field catalog sends all fields while the list cannot be read', async ({
  db,
  sandbox,
}) => {
  const { fieldCatalog } = connectTestNewsletter({ sandbox, apiKey: 'wrong' }, db);

  await db('sync_health').update({ beehiivCheckAskedAt: new Date() });

  await fieldCatalog.refresh(never);

  expect(fieldCatalog.keepKnown({ gclid: 'g' })).toEqual({ gclid: 'g' });
  const answered = { beehiivAnswer: 'key-refused', beehiivCheckAskedAt: null };
  expect(await db('sync_health').first()).toMatchObject(answered);
});

test('the field catalog reads every page', async ({ db, sandbox }) => {
  const { rateLimiter, newsletter } = connectTestNewsletter({ sandbox }, db);
  const asked: number[] = [];
  const paged = {
    ...newsletter,
    listFields: async (page: number) => {
      asked.push(page);
      const answer = await newsletter.listFields(1);
      const names = answer.page?.names.slice((page - 1) * 6, page * 6) ?? [];
      return { ...answer, page: { names, hasMore: page === 1 } };
    },
  };
  const catalog = createFieldCatalog({
    db,
    rateLimiter,
    newsletter: paged,
    log: createLogger({ service: 'test', level: 'silent' }),
  });

  await catalog.refresh(never);

  expect(asked).toEqual([1, 2]);
  expect((await db('sync_health').first()).missingFields).toEqual([]);
});
