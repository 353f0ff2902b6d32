import { describe, expect, test } from 'vitest';
import { createBeehiivAdapter } from './beehiiv.adapter.ts';

const subscriber = (n: number) => ({
  id: `sub_${n}`,
  email: `subscriber${n}@reader.example`,
  status: 'active',
});

async function listOf(body: object) {
  const answer = { kind: 'answer', status: 200, headers: {}, body: JSON.stringify(body) } as const;
  return createBeehiivAdapter({ send: () => Promise.resolve(answer) }).listSubscribers(null);
}

describe('a change of tier', () => {
  const setTier = (data: object) => {
    const answer = {
      kind: 'answer',
      status: 200,
      headers: {},
      body: JSON.stringify({ data }),
    } as const;
    return createBeehiivAdapter({ send: () => Promise.resolve(answer) }).setTier(
      'priya@reader.example',
      'premium',
    );
  };

  test.each([
    ['premium', 'accepted'],
    ['free', 'permanent'],
    [undefined, 'permanent'],
  ])('a change of tier whose answer shows the tier %s is %s', async (tier, expected) => {
    expect(await setTier({ id: 'sub_1', status: 'active', subscription_tier: tier })).toMatchObject(
      {
        class: expected,
      },
    );
  });
});

describe('an addition', () => {
  const add = (message: string, automationIds: string[]) => {
    const body = JSON.stringify({ status: 400, errors: [{ message, code: 'INVALID' }] });
    const answer = { kind: 'answer', status: 400, headers: {}, body } as const;
    return createBeehiivAdapter({ send: () => Promise.resolve(answer) }).add({
      email: 'priya@reader.example',
      fields: {},
      utm: {},
      reactivate: true,
      sendWelcomeEmail: false,
      doubleOptIn: 'not_set',
      automationIds,
      automationSetting: 'BEEHIIV_AUTOMATIONS_PRE_BUY',
    });
  };

  test.each([
    ['Automation aut_1 was not found', ['aut_1'], 'BEEHIIV_AUTOMATIONS_PRE_BUY'],
    ['Automation aut_1 was not found', [], undefined],
    ['Email is invalid', ['aut_1'], undefined],
  ])(
    'an addition refused with "%s" for the automations %j names the setting %s',
    async (message, ids, setting) => {
      expect((await add(message, ids)).setting).toBe(setting);
    },
  );
});

describe('a page of subscribers', () => {
  test.each([
    ['beside the data', { has_more: true, next_cursor: 'next' }],
    ['in an envelope', { pagination: { has_more: true, next_cursor: 'next' } }],
  ])('a page of subscribers continues by a cursor that is %s', async (_place, more) => {
    expect((await listOf({ data: [subscriber(1)], ...more })).page).toMatchObject({
      nextCursor: 'next',
    });
  });

  test.each([
    ['more is said to come', { data: [subscriber(1)], has_more: true, next_cursor: null }],
    [
      'it is full',
      { data: Array.from({ length: 100 }, (_, n) => subscriber(n)), page: 1, total_pages: 7 },
    ],
  ])('a page without a cursor is not the end of the list if %s', async (_why, page) => {
    expect(await listOf(page)).toMatchObject({ class: 'transient', page: null });
  });

  test('a page of subscribers skips and counts unreadable ones', async () => {
    const strange = [
      { ...subscriber(2), email: `${'x'.repeat(320)}@reader.example` },
      { id: 'sub_3' },
      null,
    ];

    const { page } = await listOf({
      data: [subscriber(1), ...strange],
      has_more: true,
      next_cursor: 'next',
    });

    expect(page).toMatchObject({ subscribers: [{ id: 'sub_1' }], skipped: 3, nextCursor: 'next' });
  });

  test('a page of subscribers ends the list if there are no more', async () => {
    const full = Array.from({ length: 100 }, (_, n) => subscriber(n));

    expect((await listOf({ data: full, has_more: false, next_cursor: null })).page).toMatchObject({
      nextCursor: null,
    });
    expect((await listOf({ data: [subscriber(1)] })).page).toMatchObject({ nextCursor: null });
  });
});
