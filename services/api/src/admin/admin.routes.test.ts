import type { Call } from '@site/schema/calls/call';
import { CALLS } from '@site/schema/calls/calls';
import { storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { OPERATOR, test } from '../testing/api.fixture.ts';
import { removeOperator, storeOperator } from './operators/operators.ts';

/** The viewer's calls that are no reading, beside their own account. */
const SEARCHES = ['POST /api/admin/people/search', 'POST /api/admin/people/lookup'];
const OWN = /^(?:POST|DELETE) \/api\/admin\/(?:account\/|confirm$)/;

describe('a viewer', () => {
  test('a viewer may look and change their own account, and every other call is refused', async ({
    api,
    operator,
    db,
  }) => {
    const { headers } = operator;
    await db('users').update({ role: 'viewer' });
    const calls = Object.entries<Call>(CALLS).filter(
      ([name, { isPublic }]) => name.includes(' /api/admin/') && !isPublic,
    );
    const isRefused = async (name: string) => {
      const [method = '', path = ''] = name.split(' ');
      const url = path.replaceAll(/:\w+/g, '0190a000-0000-7000-8000-000000000001');
      const answer = await api.call(method, url, {
        headers,
        ...(method === 'POST' && { body: {} }),
      });
      return answer.json?.type === 'urn:problem:viewer-refused';
    };

    for (const [name, { isForViewer = false }] of calls) {
      if (name === 'GET /api/admin/events') expect(isForViewer).toBe(true);
      else if (OWN.test(name)) expect([name, isForViewer]).toEqual([name, true]);
      else expect([name, await isRefused(name)]).toEqual([name, !isForViewer]);
    }
    const allowed = calls.filter(([name, call]) => call.isForViewer && !OWN.test(name));
    expect(allowed.map(([name]) => name).filter((name) => !name.startsWith('GET '))).toEqual(
      SEARCHES,
    );
    expect(allowed.filter(([, { answers }]) => answers[200]?.contentType === 'text/csv')).toEqual(
      [],
    );
    expect((await operator.get('me')).json).toMatchObject({
      isViewer: true,
    });
  });

  test('the last owner stays while there are viewers', async ({ api, db }) => {
    await api.logIn();
    await storeOperator(db, 'Ana', 'hash', {
      operator: OPERATOR.username,
      role: 'viewer',
      passwordEndsAt: new Date(),
    });

    expect(await removeOperator(db, OPERATOR.username)).toBe('last');
    expect(await removeOperator(db, 'Ana')).toBe('removed');
  });
});

describe('the console’s sign-in', () => {
  test.for([
    ['GET', '/api/admin/me'],
    ['GET', '/api/admin/leads'],
    ['GET', '/api/admin/leads/export/csv'],
    ['POST', '/api/admin/leads/retry'],
    ['GET', '/api/admin/leads/0f2c1d3e-0000-4000-8000-000000000001'],
    ['GET', '/api/admin/sync'],
    ['GET', '/api/admin/anything'],
  ] as const)('%s %s needs an operator', async ([method, path], { sharedApi: api }) => {
    expect(await api.call(method, path)).toMatchObject({
      status: 401,
      json: { type: 'urn:problem:login-required' },
    });
  });

  test('login accepts the right password, with a cookie that scripts cannot read', async ({
    api,
    operator,
  }) => {
    expect(await operator.get('me')).toMatchObject({
      status: 200,
      json: { username: OPERATOR.username },
    });
    const login = await api.call('POST', '/api/admin/login', {
      body: { ...OPERATOR, username: 'J.HOLT' },
    });
    expect(login.headers.get('set-cookie')).toMatch(
      /^operator=.*Path=\/api\/admin;.*HttpOnly; SameSite=Lax$/,
    );
  });

  test('signing out ends the session', async ({ operator }) => {
    expect((await operator.post('logout')).status).toBe(204);

    expect((await operator.get('me')).status).toBe(401);
  });

  test('a wrong password and an unknown name get the same answer, and both are limited', async ({
    api,
  }) => {
    await api.logIn();
    const attempt = (username: string, password: string) =>
      api.call('POST', '/api/admin/login', { body: { username, password } });
    const wrong = await attempt(OPERATOR.username, 'guess');
    const unknown = await attempt('nobody', 'guess');
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect({ ...wrong.json, requestId: 0 }).toEqual({ ...unknown.json, requestId: 0 });

    for (let n = 0; n < 3; n++) await attempt(`nobody${n}`, 'guess');
    expect((await attempt(OPERATOR.username, OPERATOR.password)).status).toBe(429);
  });

  test('a write from another site is refused', async ({ api }) => {
    const headers = await api.logIn();

    expect(
      (
        await api.call('POST', '/api/admin/logout', {
          headers: { ...headers, Origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(403);
    expect(
      (await api.call('POST', '/api/admin/logout', { headers: { ...headers, Origin: api.url } }))
        .status,
    ).toBe(204);
  });

  test('the session’s cookie is marked as secure on an https site', async ({ newApi }) => {
    const api = await newApi({ PUBLIC_URL: 'https://ledger.example' });
    await api.logIn().catch(() => undefined);

    const login = await api.call('POST', '/api/admin/login', {
      body: OPERATOR,
      headers: { 'X-Forwarded-Proto': 'https' },
    });

    expect(login.headers.get('set-cookie')).toContain('; Secure');
    expect(login.headers.get('strict-transport-security')).toContain('max-age');
  });
});

test('a console call refuses a query parameter that it does not have', async ({ operator }) => {
  for (const path of [
    'leads?form_type=pre_buy',
    'leads/export/csv?from=2026-01-01',
    'me?x',
    'events?since=1',
  ]) {
    expect(await operator.get(path)).toMatchObject({
      status: 422,
      json: { errors: [{ message: 'There is no such parameter' }] },
    });
  }
});

test('a console call refuses a parameter that is given twice', async ({ operator }) => {
  for (const query of [
    'search=a&search=b',
    'formType=pre_buy&formType=pre_sample',
    'search[x]=a',
  ]) {
    expect((await operator.get(`leads?${query}`)).status).toBe(422);
  }
});

describe('GET /api/admin/leads', () => {
  const get = async (
    api: { call: (m: string, p: string, o: object) => Promise<any> },
    headers: object,
    query = '',
  ) => api.call('GET', `/api/admin/leads${query}`, { headers });

  test('the states of sent leads’ subscribers make up Beehiiv Sent', async ({ api, db }) => {
    const headers = await api.logIn();
    const sent = { beehiivStatus: 'sent' as const, nextAttemptAt: null };
    for (const subscriberStatus of ['active', 'validating', 'invalid', 'needs_attention', null])
      await storeLead(db, { ...sent, subscriberStatus });
    await storeLead(db, { subscriberStatus: 'active' });
    const parts = {
      confirmed: 1,
      awaiting: 0,
      checking: 1,
      rejected: 1,
      unsubscribed: 0,
      other: 2,
    };
    const expected = { counts: { total: 6, beehiivSent: 5 }, subscribers: parts };

    for (const query of ['', '?status=pending', '?search=example'])
      expect({ query, ...(await get(api, headers, query)).json }).toMatchObject({
        query,
        ...expected,
      });
  });

  test('quarantined leads are counted as failed, and listed apart from the failed ones', async ({
    api,
    operator,
    db,
  }) => {
    const { headers } = operator;
    const failed = { beehiivStatus: 'failed' as const, nextAttemptAt: null };
    const rejected = await storeLead(db, failed);
    const held = await storeLead(db, {
      ...failed,
      quarantineReason: 'the hidden field was filled',
    });
    const early = await storeLead(db, {
      ...failed,
      quarantineReason: 'sent at once',
      submittedAt: new Date('2026-07-01'),
    });
    const idsOf = ({ json }: { json: { leads: { id: string }[] } }) =>
      json.leads.map(({ id }) => id);

    expect(idsOf(await get(api, headers, '?status=failed'))).toEqual([rejected.id]);
    const quarantined = await get(api, headers, '?status=quarantined');
    expect(idsOf(quarantined)).toEqual([held.id, early.id]);
    expect(quarantined.json.counts).toEqual({ total: 3, preSample: 0, preBuy: 3, beehiivSent: 0 });
    expect(quarantined.json.statusCounts).toEqual({
      pending: 0,
      sent: 0,
      failed: 1,
      quarantined: 2,
    });
    const inJuly = await get(api, headers, '?endDate=2026-07-31');
    expect(inJuly.json.statusCounts).toEqual({
      pending: 0,
      sent: 0,
      failed: 0,
      quarantined: 1,
    });
    const searched = await get(api, headers, '?search=reader&status=quarantined');
    expect(searched.json.statusCounts).toEqual({
      pending: 0,
      sent: 0,
      failed: 1,
      quarantined: 2,
    });
    const file = await operator.get('leads/export/csv?status=quarantined');
    expect(file.text).toContain(held.id);
    expect(file.text).not.toContain(rejected.id);
  });

  test('a filter’s days are London days, both inclusive', async ({ api, db }) => {
    const headers = await api.logIn();
    for (const at of [
      '2026-06-30T22:59:59Z',
      '2026-06-30T23:00:00Z',
      '2026-07-01T22:59:59Z',
      '2026-07-01T23:00:00Z',
    ]) {
      await storeLead(db, { submittedAt: new Date(at) });
    }

    const { json } = await get(api, headers, '?startDate=2026-07-01&endDate=2026-07-01');

    expect(json.leads.map((lead: { submittedAt: string }) => lead.submittedAt)).toEqual([
      '2026-07-01T22:59:59.000Z',
      '2026-06-30T23:00:00.000Z',
    ]);
    expect(json.counts.total).toBe(2);
  });

  test('pages neither lose nor repeat a lead while others arrive', async ({ api, db }) => {
    const headers = await api.logIn();
    const at = new Date('2026-07-01T12:00:00Z');
    for (let n = 0; n < 120; n++) await storeLead(db, { submittedAt: at });
    const seen = new Set<string>();
    let cursor = '';
    do {
      const { json } = await get(api, headers, `?cursor=${cursor}`);
      for (const lead of json.leads) seen.add(lead.id);
      await storeLead(db);
      cursor = json.nextCursor;
    } while (cursor);

    expect(seen.size).toBe(120);
  });

  test.for([
    '?startDate=2026-07-02&endDate=2026-07-01',
    '?startDate=yesterday',
    '?startDate=2026-02-30',
    '?formType=x',
    '?cursor=x',
    '?status=lost',
    '?formType=pre_buy&formType=pre_sample',
  ])('the list of leads refuses %s with 422', async (query, { sharedApi: api }) => {
    const headers = await api.logIn();

    expect(await get(api, headers, query)).toMatchObject({
      status: 422,
      json: { type: 'urn:problem:fields-invalid' },
    });
  });
});

test('a retry sends a failed lead again and skips a sent one', async ({ operator, db }) => {
  const failed = await storeLead(db, {
    beehiivStatus: 'failed',
    nextAttemptAt: null,
    budgetSpent: 9,
  });
  const sent = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });

  const answer = await operator.post('leads/retry', { ids: [failed.id, sent.id] });

  expect(answer).toMatchObject({ status: 200, json: { retried: 1, skipped: 1 } });
  expect(await db('leads').where({ id: failed.id }).first()).toMatchObject({
    beehiivStatus: 'pending',
    syncRound: 2,
    budgetSpent: 0,
  });
});
