import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { stringify } from 'qs';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { checkBeehiivAnswer } from '../contract/beehiiv-schema.ts';
import { createSandbox } from '../sandbox.ts';
import type { Sandbox } from '../sandbox.ts';
import { API_VERSION } from '../stripe/events.ts';
import { compareSteps } from './compare-steps.ts';
import type { Step } from './compare-steps.ts';

/*
 * The contract suite: the same cases against a sandbox, the reference, and against the real
 * services whose test keys are given, or else a second sandbox.
 */

declare module 'vitest' {
  interface ProvidedContext {
    env: Record<string, string | undefined>;
  }
}

export type Service = 'stripe' | 'beehiiv';

export type Answer = { status: number; headers: Headers; body: unknown };
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/** `restrictedKey` may not read disputes. */
type Connection = {
  url: string;
  key: string;
  restrictedKey?: string;
  publicationId: string;
  email: string;
};
export type Target = {
  name: string;
  service: Service;
  connect: () => Promise<Connection>;
  close: () => Promise<void>;
};

export type Calls = Pick<Connection, 'email' | 'restrictedKey'> & {
  /** Distinguishes this run's objects from any other's. */
  tag: string;
  /**
   * Makes a call and records the answer. `show` chooses the part that is compared, if not the whole
   * body.
   */
  call(step: string, call: Call, show?: (body: unknown) => unknown): Promise<Answer>;
  /**
   * Repeats a call until its answer is as wanted, for a service's background work. Records the last
   * answer.
   */
  until(
    step: string,
    call: Call,
    isWanted: (answer: Answer) => boolean,
    show?: (body: unknown) => unknown,
  ): Promise<Answer>;
  expect(holds: boolean, sentence: string): void;
  /** Runs a call after the case, the newest first, even after a failure. It is not compared. */
  cleanUp(call: Call): void;
};

/** A real service takes seconds for its background work. */
export const CASE_OPTIONS = { timeout: 180_000 };
const CALL_TIMEOUT_MS = 30_000;
const MAX_POLLS = 30;
/** Beehiiv's check of an email takes the sandbox a moment, too. */
const SANDBOX_SPEED = 20;
const POLL_MS = { sandbox: 20, real: 1_000 };

const tag = randomBytes(5).toString('hex');

/**
 * Lists the targets for a service's cases. Throws for a live key, and for an email without
 * Beehiiv's keys.
 */
export function targetsOf(
  service: Service,
  env: Record<string, string | undefined> = inject('env'),
): Target[] {
  const real = readReal(service, env);
  return [
    sandboxTarget(service, 'in the sandbox'),
    real === null
      ? sandboxTarget(service, 'in a second sandbox, which the cases leave as it was')
      : {
          name: `at ${real.url}`,
          service,
          connect: () => Promise.resolve(real),
          close: () => Promise.resolve(),
        },
  ];
}

function sandboxTarget(service: Service, name: string): Target {
  let sandbox: Sandbox | undefined;
  return {
    name,
    service,
    async connect() {
      const startMs = Date.now();
      const clock = { now: () => new Date(startMs + (Date.now() - startMs) * SANDBOX_SPEED) };
      sandbox = await createSandbox({ requestsPerMinute: 0, clock });
      const {
        beehiivApiKey,
        beehiivPublicationId: publicationId,
        stripeSecretKey,
      } = sandbox.credentials;
      const email = 'contract@example.com';
      return service === 'beehiiv'
        ? { url: `${sandbox.url}/v2`, key: beehiivApiKey, publicationId, email }
        : {
            url: sandbox.url,
            key: stripeSecretKey,
            restrictedKey: `${stripeSecretKey.replace(/^sk/, 'rk')}_without_dispute_read`,
            publicationId,
            email,
          };
    },
    async close() {
      const { stripe, beehiiv } = sandbox ?? {};
      expect(beehiiv?.subscriptions() ?? []).toEqual([]);
      expect(stripe?.customers.snapshot() ?? []).toEqual([]);
      expect(stripe?.coupons.snapshot() ?? []).toEqual([]);
      expect(stripe?.prices.snapshot().filter(({ active }) => active) ?? []).toEqual([]);
      expect(
        stripe?.subscriptions.snapshot().filter(({ status }) => status !== 'canceled') ?? [],
      ).toEqual([]);
      expect(
        stripe?.checkouts.snapshot().filter(({ session }) => session.status === 'open') ?? [],
      ).toEqual([]);
      await sandbox?.close();
    },
  };
}

const given = (value: string | undefined, sandboxValue = '') =>
  value === undefined || value.trim() === sandboxValue ? '' : value.trim();

function readReal(service: Service, env: Record<string, string | undefined>): Connection | null {
  const publicationId = given(
    env['BEEHIIV_PUBLICATION_ID'],
    SANDBOX_CREDENTIALS.beehiivPublicationId,
  );
  const email = given(env['CONTRACT_EMAIL']);
  if (service === 'stripe') {
    const key = given(env['STRIPE_SECRET_KEY'], SANDBOX_CREDENTIALS.stripeSecretKey);
    const restrictedKey = given(env['STRIPE_RESTRICTED_KEY']);
    if ([key, restrictedKey].some((each) => each !== '' && !/^(sk|rk)_test_/.test(each))) {
      throw new Error(
        'STRIPE_SECRET_KEY is not a test key. The suite takes sk_test_… or rk_test_… only.',
      );
    }
    const url = env['STRIPE_API_URL'] || 'https://api.stripe.com';
    return key === ''
      ? null
      : { url, key, ...(restrictedKey && { restrictedKey }), publicationId, email };
  }
  const key = given(env['BEEHIIV_API_KEY'], SANDBOX_CREDENTIALS.beehiivApiKey);
  if (email !== '' && (key === '' || publicationId === '')) {
    throw new Error('An email needs BEEHIIV_API_KEY and BEEHIIV_PUBLICATION_ID.');
  }
  const url = env['BEEHIIV_API_URL'] || 'https://api.beehiiv.com/v2';
  return email === '' ? null : { url, key, publicationId, email };
}

/** The steps of each case in the first sandbox. */
const expected = new Map<string, Step[]>();

/**
 * Connects to a target for the tests of a `describe`. Returns a function that turns a case into a
 * test. The test runs the case, cleans up, and compares each step with the sandbox's.
 */
export function openTarget(
  target: Target,
): (
  run: (calls: Calls) => Promise<void>,
) => (context: { task: { name: string } }) => Promise<void> {
  const isReal = target.name.startsWith('at ');
  let connection: Connection | undefined;
  beforeAll(async () => {
    connection = await target.connect();
    if (isReal && target.service === 'beehiiv') await refuseSubscriber(connection);
  }, CASE_OPTIONS.timeout);
  afterAll(() => target.close());
  return (run) =>
    async ({ task }) => {
      if (!connection) throw new Error('The target is not connected');
      const steps = await runCase(
        target.service,
        connection,
        run,
        isReal ? POLL_MS.real : POLL_MS.sandbox,
      );
      const reference = expected.get(`${target.service} ${task.name}`);
      expected.set(`${target.service} ${task.name}`, reference ?? steps);
      // A case without a step lacks the key that it needs.
      if (reference && steps.length > 0) expect(compareSteps(reference, steps)).toEqual([]);
    };
}

/** The look-up of an email, whose answer decides whether it may be used. */
export const lookUp = (email: string, query = ''): Call => ({
  method: 'GET',
  path: `/subscriptions/by_email/${encodeURIComponent(email)}${query}`,
});

/** The suite deletes the email, so it may not be anybody's. */
export async function refuseSubscriber(beehiiv: Connection): Promise<void> {
  const { status } = await toBeehiiv(beehiiv)(lookUp(beehiiv.email));
  if (status === 404) return;
  throw new Error(
    status === 200
      ? `${beehiiv.email} is a subscriber. Use a throw-away email: the suite deletes it.`
      : `Beehiiv answered ${status} to the look-up of the email: check key and publication.`,
  );
}

async function runCase(
  service: Service,
  connection: Connection,
  run: (calls: Calls) => Promise<void>,
  pollMs: number,
): Promise<Step[]> {
  const call = service === 'stripe' ? toStripe(connection) : toBeehiiv(connection);
  const steps: Step[] = [];
  const leftovers: Call[] = [];
  const record = (
    name: string,
    { method, path }: Call,
    answer: Answer,
    show = (body: unknown) => body,
  ) => {
    const { status, body } = answer;
    steps.push({ name, status, body: show(body) });
    if (service === 'beehiiv')
      expect.soft(checkBeehiivAnswer({ method, path, status, body }), name).toEqual([]);
    return answer;
  };
  const { email, restrictedKey } = connection;
  try {
    await run({
      tag,
      email,
      ...(restrictedKey !== undefined && { restrictedKey }),
      call: async (step, asked, show) => record(step, asked, await call(asked), show),
      async until(step, asked, isWanted, show) {
        let answer = await call(asked);
        for (let polls = 0; polls < MAX_POLLS && !isWanted(answer); polls += 1) {
          await sleep(pollMs);
          answer = await call(asked);
        }
        expect.soft(isWanted(answer), step).toBe(true);
        return record(step, asked, answer, show);
      },
      expect: (holds, sentence) => expect.soft(holds, sentence).toBe(true),
      cleanUp: (asked) => void leftovers.push(asked),
    });
  } finally {
    for (const asked of leftovers.toReversed()) {
      const { status } = await call(asked);
      expect
        .soft(status < 400 || status === 404, `clean-up: ${asked.method} ${asked.path}`)
        .toBe(true);
    }
  }
  return steps;
}

type Send = (call: Call) => Promise<Answer>;

/**
 * Makes calls as Stripe's SDK does: form-encoded, in the version that the product is written for.
 */
function toStripe({ url, key }: { url: string; key: string }): Send {
  return ({ method, path, params, headers }) => {
    const encoded = stringify(params ?? {});
    const isGet = method === 'GET' && encoded !== '';
    return send(`${url}${path}${isGet ? `?${encoded}` : ''}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'stripe-version': API_VERSION,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      ...(method === 'POST' && { body: encoded }),
    });
  };
}

/** Makes calls to a publication. */
function toBeehiiv({ url, key, publicationId }: Connection): Send {
  return ({ method, path, params, headers }) =>
    send(`${url}/publications/${publicationId}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(params && { body: JSON.stringify(params) }),
    });
}

async function send(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 200);
  }
}
