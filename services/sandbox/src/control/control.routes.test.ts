// @module-tag long
import axios, { isAxiosError } from 'axios';
import { describe, expect, test, vi } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { beehiivClient, startSandbox, stripeClient } from '../testing/fixtures.ts';

function control(sandbox: Sandbox) {
  return axios.create({
    baseURL: `${sandbox.url}/_control`,
    validateStatus: () => true,
    maxRedirects: 0,
  });
}

const subscriber = { email: 'ada@example.com' };

async function failureCode(request: Promise<unknown>): Promise<string | undefined> {
  const failure: unknown = await request.catch((error: unknown) => error);
  return isAxiosError(failure) ? failure.code : undefined;
}

describe('faults', () => {
  test('the fault status is answered in the service’s own shape, without effect', async () => {
    const sandbox = await startSandbox();
    const beehiiv = beehiivClient(sandbox);
    await control(sandbox).post('/faults', {
      target: 'beehiiv',
      mode: 'status',
      status: 503,
      times: 2,
    });

    const answers = [
      await beehiiv.post('/subscriptions', subscriber),
      await beehiiv.get('/subscriptions'),
      await beehiiv.get('/subscriptions'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(answers[0]?.data).toEqual({
      status: 503,
      statusText: 'service_unavailable',
      errors: [expect.anything()],
    });
    expect(answers[2]?.data.data).toEqual([]);
  });

  test('the fault rate-limit has its reset', async () => {
    const sandbox = await startSandbox();
    await control(sandbox).post('/faults', {
      target: 'beehiiv',
      mode: 'rate-limit',
      times: 1,
      delayMs: 7_000,
    });

    const { status, headers } = await beehiivClient(sandbox).get('/subscriptions');

    expect([status, headers['ratelimit-remaining']]).toEqual([429, '0']);
    expect(Number(headers['ratelimit-reset']) - Date.parse(headers['date']) / 1_000).toBe(7);
  });

  test('the fault reset cuts the connection after the request, before-reset before', async () => {
    const sandbox = await startSandbox();
    const beehiiv = beehiivClient(sandbox);

    sandbox.setFault({ target: 'beehiiv', mode: 'before-reset', times: 1 });
    const before = await failureCode(
      beehiiv.post('/subscriptions', { email: 'before@example.com' }),
    );
    sandbox.setFault({ target: 'beehiiv', mode: 'reset', times: 1 });
    const after = await failureCode(beehiiv.post('/subscriptions', { email: 'after@example.com' }));

    expect([before, after]).toEqual(['ECONNRESET', 'ECONNRESET']);
    expect(sandbox.beehiiv.subscriptions().map(({ email }) => email)).toEqual([
      'after@example.com',
    ]);
    await vi.waitFor(() => {
      expect(sandbox.beehiiv.requests().map(({ outcome }) => outcome)).toEqual([
        'cut off',
        'cut off',
      ]);
    }, 15_000);
  });

  test('the fault slow answers late and correctly, hang never answers', async () => {
    const sandbox = await startSandbox();
    const beehiiv = beehiivClient(sandbox);

    sandbox.setFault({ target: 'beehiiv', mode: 'slow', delayMs: 120, times: 1 });
    const slow = await beehiiv.post('/subscriptions', subscriber);
    sandbox.setFault({ target: 'beehiiv', mode: 'hang' });
    const hang = await failureCode(beehiiv.get('/subscriptions', { timeout: 100 }));

    expect(slow.status).toBe(201);
    expect(sandbox.beehiiv.requests()[0]?.tookMs).toBeGreaterThanOrEqual(119);
    expect(hang).toBe('ECONNABORTED');
  });

  test('the faults garbage and half-json are 2xx answers without a usable body', async () => {
    const sandbox = await startSandbox();
    const beehiiv = beehiivClient(sandbox);

    sandbox.setFault({ target: 'beehiiv', mode: 'garbage', times: 1 });
    const garbage = await beehiiv.post('/subscriptions', subscriber);
    sandbox.setFault({ target: 'beehiiv', mode: 'half-json', times: 1 });
    const half = await beehiiv.post('/subscriptions', subscriber);

    expect([garbage.status, garbage.data]).toEqual([200, expect.stringContaining('<html>')]);
    expect([half.status, half.data]).toEqual([200, expect.stringMatching(/^\{"data"/)]);
    expect(sandbox.beehiiv.subscriptions()).toEqual([]);
  });

  test('a fault affects one service only and is switched off with ok', async () => {
    const sandbox = await startSandbox();
    await control(sandbox).post('/faults', { target: 'stripe', mode: 'status', status: 500 });

    await expect(stripeClient(sandbox).prices.list()).rejects.toMatchObject({ statusCode: 500 });
    expect((await beehiivClient(sandbox).get('/subscriptions')).status).toBe(200);
    await control(sandbox).post('/faults', { target: 'stripe', mode: 'ok' });

    expect((await stripeClient(sandbox).prices.list()).data).toEqual([]);
  });
});
