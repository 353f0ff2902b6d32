import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { beehiivClient, startSandbox, stripeClient } from '../testing/fixtures.ts';
import { runContract } from './run-contract.ts';

const EMAIL = 'throw-away@example.com';
const REAL = { stripeSecretKey: 'sk_test_real', beehiivApiKey: 'real', beehiivPublicationId: 'pub_1' };

/** A second sandbox in the place of the real services. */
async function startReal(): Promise<Sandbox> {
  const startMs = Date.now();
  const clock = { now: () => new Date(startMs + (Date.now() - startMs) * 20) };
  return startSandbox({ requestsPerMinute: 0, clock, credentials: { ...SANDBOX_CREDENTIALS, ...REAL } });
}

const envOf = (url: string) => ({
  STRIPE_API_URL: url,
  STRIPE_SECRET_KEY: REAL.stripeSecretKey,
  STRIPE_RESTRICTED_KEY: `${REAL.stripeSecretKey.replace(/^sk/, 'rk')}_without_dispute_read`,
  BEEHIIV_API_URL: `${url}/v2`,
  BEEHIIV_API_KEY: REAL.beehiivApiKey,
  BEEHIIV_PUBLICATION_ID: REAL.beehiivPublicationId,
});

async function run(env: Record<string, string | undefined> = {}, ...args: string[]) {
  const lines: string[] = [];
  const code = await runContract(args, env, { tag: 't1', pollMs: 20, print: (line) => lines.push(line) });
  return { code, lines, text: lines.join('\n') };
}

/** Forwards to a sandbox and changes what it answers. */
async function startProxy(target: string, change: (method: string, path: string, body: string) => string) {
  const server = createServer((req, res) => {
    const forward = async () => {
      const body = await buffer(req);
      const { host: _, connection: __, ...headers } = req.headers;
      const answer = await fetch(target + req.url, {
        method: String(req.method),
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      const replayed = answer.headers.get('idempotent-replayed');
      res.writeHead(answer.status, {
        'content-type': 'application/json',
        ...(replayed !== null && { 'idempotent-replayed': replayed }),
      });
      res.end(change(String(req.method), String(req.url), text));
    };
    void forward();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('npm run contract', () => {
  test('runs every case on a sandbox of its own, and ignores the sandbox’s own keys', async () => {
    const { code, lines, text } = await run({
      STRIPE_SECRET_KEY: SANDBOX_CREDENTIALS.stripeSecretKey,
      BEEHIIV_API_KEY: SANDBOX_CREDENTIALS.beehiivApiKey,
      BEEHIIV_PUBLICATION_ID: SANDBOX_CREDENTIALS.beehiivPublicationId,
    });

    expect(code).toBe(0);
    expect(lines.filter((line) => / ok +not asked$/.test(line))).toHaveLength(20);
    expect(text).toContain('Only the sandbox was asked');
  });

  test('finds no difference between two sandboxes, and leaves nothing behind', async () => {
    const real = await startReal();

    const { code, lines, text } = await run(envOf(real.url), '--email', EMAIL);

    expect(text).toMatch(/The same\.$/);
    expect(code).toBe(0);
    expect(lines.filter((line) => / ok +ok$/.test(line))).toHaveLength(20);
    expect(real.beehiiv.subscriptions()).toEqual([]);
    expect(real.stripe.customers.snapshot()).toEqual([]);
    expect(real.stripe.subscriptions.snapshot().filter(({ status }) => status !== 'canceled')).toEqual([]);
    expect(real.stripe.checkouts.snapshot().filter(({ session }) => session.status === 'open')).toEqual([]);
    expect(real.stripe.coupons.snapshot()).toEqual([]);
    const stripe = stripeClient(real, { key: REAL.stripeSecretKey });
    expect((await stripe.prices.list({ active: true })).data).toEqual([]);
    expect((await stripe.billingPortal.configurations.list({ active: true })).data).toEqual([]);
  });

  test('names the case, the step and the field that differ', async () => {
    const real = await startReal();
    const url = await startProxy(real.url, (method, path, body) => {
      if (path.endsWith('/expire')) return body.replace('"status":"expired"', '"status":7');
      if (method === 'POST' && path === '/v1/refunds') return body.replace('"payment_intent":', '"intent":');
      if (method === 'PUT' && path.includes('by_email')) return body.replace('"subscription_tier"', '"tier"');
      return body;
    });

    const { code, text } = await run(envOf(url), '--email', EMAIL, '--verbose');

    expect(code).toBe(1);
    expect(text).toContain('expire: body.status is number, in the sandbox string');
    expect(text).toContain('refund a part: without body.payment_intent');
    expect(text).toContain('also refund a part: body.intent');
    expect(text).toMatch(/Beehiiv: tier +ok +differs/);
    expect(text).toContain("must have required property 'subscription_tier'");
    expect(text).toMatch(/Beehiiv: delete +ok +ok/);
    expect(text).toMatch(/Something differs\.$/);
  });

  test('says if Beehiiv lets nobody confirm who had unsubscribed', async () => {
    const real = await startReal();
    const body = JSON.stringify({ confirmsReactivation: false });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${real.url}/_control/beehiiv`, { method: 'POST', headers, body });

    const { code, text } = await run({ ...envOf(real.url), STRIPE_SECRET_KEY: '' }, '--email', EMAIL);

    expect(code).toBe(1);
    expect(text).toMatch(/Beehiiv: reactivate with a double opt-in +ok +differs/);
    expect(text).toContain('must confirm before they are active again');
  });

  test('asks only the service whose keys are given', async () => {
    const real = await startReal();

    const { code, lines } = await run({ ...envOf(real.url), BEEHIIV_API_KEY: '' });

    expect(lines.filter((line) => / ok +ok$/.test(line))).toHaveLength(12);
    expect(lines.filter((line) => / ok +not asked$/.test(line))).toHaveLength(8);
    expect(code).toBe(0);
    expect(real.beehiiv.requests()).toEqual([]);
  });

  test('refuses an address that is a subscriber, and leaves it alone', async () => {
    const real = await startReal();
    const beehiiv = beehiivClient(real, REAL.beehiivApiKey);
    await beehiiv.post('/subscriptions', { email: EMAIL });

    const { code, text } = await run(envOf(real.url), '--email', EMAIL);

    expect([code, text]).toEqual([2, expect.stringContaining('is a subscriber')]);
    expect(real.beehiiv.subscriptions()).toMatchObject([{ email: EMAIL }]);
  });

  test.each([
    [{ STRIPE_SECRET_KEY: 'sk_live_1' }, [], 'not a test key'],
    [{ STRIPE_SECRET_KEY: ' rk_live_1' }, [], 'not a test key'],
    [{ STRIPE_SECRET_KEY: 'whsec_1' }, [], 'not a test key'],
    [{}, ['--email', EMAIL], '--email needs BEEHIIV_API_KEY'],
    [{ BEEHIIV_API_KEY: 'k' }, ['--email', EMAIL], 'BEEHIIV_PUBLICATION_ID is missing'],
    [{}, ['--mail', EMAIL], "Unknown option '--mail'"],
    [{ ...envOf('http://127.0.0.1:1'), STRIPE_SECRET_KEY: '' }, ['--email', EMAIL], 'cannot be reached'],
  ])('with %o and %o it stops with exit code 2', async (env, args, sentence) => {
    const { code, text } = await run(env, ...args);

    expect([code, text]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test('explains itself', async () => {
    expect(await run({}, '--help')).toMatchObject({ code: 0, text: expect.stringContaining('sk_test_') });
  });
});
