// @module-tag long
import { isAxiosError } from 'axios';
import { describe, expect, test, vi } from 'vitest';
import { beehiivClient, startSandbox } from '../testing/fixtures.ts';

const subscriber = { email: 'ada@example.com' };

async function failureCode(request: Promise<unknown>): Promise<string | undefined> {
  const failure: unknown = await request.catch((error: unknown) => error);
  return isAxiosError(failure) ? failure.code : undefined;
}

describe('faults', () => {
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
});
