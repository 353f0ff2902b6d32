import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'qs';
import { API_VERSION } from '../stripe/events/event.store.ts';
import { BEEHIIV_CASES } from './beehiiv-cases.ts';
import { checkBeehiivAnswer } from './beehiiv-schema.ts';
import type { Answer, Call, Calls, Case, CaseResult, Service, Step, Target } from './case.ts';
import { STRIPE_CASES } from './stripe-cases.ts';

const CALL_TIMEOUT_MS = 30_000;
const POLL_MS = 1_000;
const MAX_POLLS = 30;

export type SuiteOptions = { tag: string; pollMs?: number; onCase?: (result: CaseResult) => void };

type Send = (call: Call) => Promise<Answer>;

/** Runs every case whose service the target has, one after the other. `onCase` is told of each when it is over. */
export async function runSuite(
  target: Target,
  { tag, pollMs = POLL_MS, onCase = () => undefined }: SuiteOptions,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const runAll = async (service: Service, cases: Case[], send: Send) => {
    for (const each of cases) {
      const result = await runCase(service, each, { target, tag, pollMs, send });
      results.push(result);
      onCase(result);
    }
  };
  if (target.stripe) await runAll('stripe', STRIPE_CASES, toStripe(target.stripe));
  if (target.beehiiv) await runAll('beehiiv', BEEHIIV_CASES, toBeehiiv(target.beehiiv));
  return results;
}

async function runCase(
  service: Service,
  { name, run }: Case,
  { target, tag, pollMs, send }: { target: Target; tag: string; pollMs: number; send: Send },
): Promise<CaseResult> {
  const steps: Step[] = [];
  const faults: string[] = [];
  const leftovers: Call[] = [];
  const record = (
    step: string,
    { method, path }: Call,
    { status, body }: Answer,
    show?: (body: unknown) => unknown,
  ) => {
    steps.push({ name: step, status, body: show ? show(body) : body });
    if (service === 'beehiiv') {
      faults.push(...checkBeehiivAnswer({ method, path, status, body }).map((fault) => `${step}: ${fault}`));
    }
  };
  const calls: Calls = {
    tag,
    async call(step, call, show) {
      const answer = await send(call);
      record(step, call, answer, show);
      return answer;
    },
    async until(step, call, isWanted, show) {
      let answer = await send(call);
      for (let polls = 0; polls < MAX_POLLS && !isWanted(answer); polls += 1) {
        await sleep(pollMs);
        answer = await send(call);
      }
      record(step, call, answer, show);
      if (!isWanted(answer)) faults.push(`${step}: not after ${MAX_POLLS} looks`);
      return answer;
    },
    expect(holds, sentence) {
      if (!holds) faults.push(sentence);
    },
    cleanUp: (call) => void leftovers.push(call),
  };
  try {
    await run(calls, target);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  for (const call of leftovers.toReversed()) {
    const { status } = await send(call).catch(() => ({ status: 0 }));
    if (status >= 400 && status !== 404) faults.push(`clean-up: ${call.method} ${call.path} answered ${status}`);
  }
  return { service, name, steps, faults };
}

/** Makes calls as Stripe's SDK does: form-encoded, in the version that the product is written for. */
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
export function toBeehiiv({ url, key, publicationId }: NonNullable<Target['beehiiv']>): Send {
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
