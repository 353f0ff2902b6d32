import { recordHeartbeat } from '@site/platform/database/task';
import { openTransaction } from '@site/testing/builders';
import { fillDisk } from '@site/testing/refused-rows';
import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';

const body = { email: 'priya@northgate.example', formType: 'pre_buy', consentMarketing: true };

test('leads are accepted without Redis', async ({ db, ownValkey, newApi }) => {
  await ownValkey.stop();
  const api = await newApi({}, { redisUrl: ownValkey.url });

  const without = await api.call('POST', '/api/lead/subscribe', { body });
  const ready = await api.call('GET', '/readyz');

  expect(without.status).toBe(201);
  expect(ready).toMatchObject({
    status: 200,
    json: { status: 'degraded', conditions: expect.arrayContaining(['redis-unavailable']) },
  });
  expect(await db('leads')).toHaveLength(1);
});

test('a lead is stored although the people’s rows are locked or fail', async ({ db, api }) => {
  const send = (email: string) =>
    api.call('POST', '/api/lead/subscribe', { body: { ...body, email } });
  const locked = await openTransaction(db);
  await locked.raw('lock table people in access exclusive mode');
  const meanwhile = await send('first@northgate.example');
  await locked.rollback();
  await db.raw('drop table people cascade');

  expect(meanwhile.status).toBe(201);
  expect((await send('second@northgate.example')).status).toBe(201);
  expect(await db('leads')).toHaveLength(2);
});

test('the API reports a full disk, and its end', async ({ db, api }) => {
  await recordHeartbeat(db);
  const send = (email: string) =>
    api.call('POST', '/api/lead/subscribe', { body: { ...body, email } });
  const ready = async () => (await api.call('GET', '/readyz')).json;
  const refill = await fillDisk(db);

  expect((await send('first@northgate.example')).status).toBe(503);
  expect(await ready()).toEqual({ status: 'unavailable', conditions: ['cannot-write'] });

  await refill();
  expect(await ready()).toEqual({ status: 'ok', conditions: [] });
  expect(await db('leads')).toHaveLength(0);
  expect((await send('second@northgate.example')).status).toBe(201);
});

test('the API refuses a lead while Postgres is unreachable, and accepts it later', async ({
  ownPostgres,
  newApi,
}) => {
  const { migrateDatabase } = await import('@site/platform/database/migrate');
  const { createDatabase } = await import('@site/platform/database/connect');
  const setUp = createDatabase({ url: ownPostgres.url });
  await migrateDatabase(setUp);
  await setUp.destroy();
  const api = await newApi({}, { databaseUrl: ownPostgres.url });
  expect((await api.call('POST', '/api/lead/subscribe', { body })).status).toBe(201);

  await ownPostgres.stop();
  const away = await api.call('POST', '/api/lead/subscribe', {
    body: { ...body, email: 'second@northgate.example' },
  });
  const unready = await api.call('GET', '/readyz');
  await ownPostgres.start();
  const back = await api.call('POST', '/api/lead/subscribe', {
    body: { ...body, email: 'second@northgate.example' },
  });

  expect(away).toMatchObject({ status: 503, json: { type: 'urn:problem:database-unavailable' } });
  expect(away.headers.get('retry-after')).toBe('5');
  expect(unready.status).toBe(503);
  expect(back.status).toBe(201);
  expect(await api.deps.db('leads')).toHaveLength(2);
});
