// @module-tag long
import { expect, test } from 'vitest';
import { beehiivClient, standingClock, startSandbox } from '../testing/fixtures.ts';

test('every answer has the limit, and its reset in seconds since 1970', async () => {
  const clock = standingClock(new Date('2026-11-20T09:00:00Z'));
  const beehiiv = beehiivClient(await startSandbox({ clock, requestsPerMinute: 3 }));

  const answers = [await beehiiv.get('/subscriptions'), await beehiiv.get('/subscriptions/sub_00')];

  const reset = String(Date.parse('2026-11-20T09:01:00Z') / 1_000);
  expect(
    answers.map(({ status, headers }) => [
      status,
      headers['ratelimit-limit'],
      headers['ratelimit-remaining'],
      headers['ratelimit-reset'],
    ]),
  ).toEqual([
    [200, '3', '2', reset],
    [404, '3', '1', reset],
  ]);
});

test('all requests share the limit, which starts again in the next minute', async () => {
  const clock = standingClock();
  const sandbox = await startSandbox({ clock, requestsPerMinute: 3 });
  const beehiiv = beehiivClient(sandbox);
  await beehiiv.get('/subscriptions');
  await beehiivClient(sandbox, 'wrong key').get('/subscriptions');
  await beehiiv.get('/custom_fields');

  const refused = await beehiiv.post('/subscriptions', { email: 'ada@example.com' });
  clock.advance(60_000);
  const accepted = await beehiiv.post('/subscriptions', { email: 'ada@example.com' });

  expect(refused.data).toMatchObject({ status: 429, statusText: 'too_many_requests' });
  expect(accepted.status).toBe(201);
});
