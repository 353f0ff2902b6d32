import type { Call, ProblemDocument } from '@site/schema/calls/call';
import { CALLS, createPathMatcher } from '@site/schema/calls/calls';
import type { CallAnswer, KnownCall } from '@site/schema/calls/calls';
import { problemDocument } from '@site/schema/calls/call';
import { z } from 'zod';

// Replaces `fetch` in component tests. Requests and answers must match the declared calls, so that
// tests cannot pass against an impossible API.

type Reply = (call: SeenCall) => Promise<Response>;

export type SeenCall = { url: URL; headers: Headers; body: unknown };

export type FakeApi = {
  fetch: typeof fetch;
  /** Answers this call with success. A function may choose the answer. */
  answer<Name extends KnownCall>(
    name: Name,
    answer: CallAnswer<Name> | ((call: SeenCall) => CallAnswer<Name>),
  ): void;
  /** Refuses this call with a problem document, or with an empty body if `problem` is null. */
  refuse(name: KnownCall, status: number, problem?: Partial<ProblemDocument> | null): void;
  /** Makes this call fail as without a network. */
  disconnect(name: KnownCall): void;
  /** Leaves this call unanswered until the test is over. */
  hang(name: KnownCall): void;
  /** Answers hanging loads, and ignores timeouts, so that none ends in a later test. */
  release(): void;
  /** Returns the calls made so far. */
  calls(name: KnownCall): SeenCall[];
  /** Calls without an answer in the test, or that the real API would refuse. */
  strays: string[];
};

export function createFakeApi(): FakeApi {
  const replies = new Map<KnownCall, Reply>();
  const seen: { name: KnownCall; call: SeenCall }[] = [];
  const strays: string[] = [];
  const hanging: (() => void)[] = [];
  let isOver = false;

  return {
    strays,
    async fetch(input, init = {}) {
      const request = new Request(input, { ...init, signal: null });
      const name = findName(request);
      const reply = name && replies.get(name);
      if (!name || !reply) {
        strays.push(`${request.method} ${request.url}`);
        throw new TypeError(`No test answers ${request.method} ${request.url}`);
      }
      const text = await request.text();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const call = { url: new URL(request.url), headers: request.headers, body };
      seen.push({ name, call });
      const { signal } = init;
      const isStopped = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => !isOver && reject(signal.reason as Error));
      });
      return Promise.race([reply(call), isStopped]);
    },
    answer(name, answer) {
      replies.set(name, async (call) => {
        strays.push(...findFailures(name, call));
        const body: unknown =
          typeof answer === 'function' ? (answer as (call: SeenCall) => unknown)(call) : answer;
        return toResponse(CALLS[name], body);
      });
    },
    refuse(name, status, problem = {}) {
      const body =
        problem &&
        problemDocument.parse({ type: 'about:blank', title: 'Refused', status, ...problem });
      replies.set(name, async () => new Response(body && JSON.stringify(body), { status }));
    },
    disconnect(name) {
      replies.set(name, async () => {
        throw new TypeError('Failed to fetch');
      });
    },
    hang(name) {
      const end = (answer: (response: Response) => void) => () =>
        answer(new Response(null, { status: 204 }));
      replies.set(
        name,
        async () => new Promise((answer) => name.startsWith('GET ') && hanging.push(end(answer))),
      );
    },
    release() {
      isOver = true;
      for (const answer of hanging) answer();
    },
    calls: (name) => seen.filter((entry) => entry.name === name).map(({ call }) => call),
  };
}

const pathOf = (name: string) => name.slice(name.indexOf('/'));
const matchPath = createPathMatcher(Object.keys(CALLS).map(pathOf));

function findName({ method, url }: Request): KnownCall | undefined {
  const name = `${method} ${matchPath(new URL(url).pathname)}`;
  return name in CALLS ? (name as KnownCall) : undefined;
}

/**
 * Lists the faults for which the real API would refuse a request, such as unknown query parameters.
 */
function findFailures(name: KnownCall, { url, body }: SeenCall): string[] {
  const call: Call = CALLS[name];
  const query = call.query?.strict() ?? z.strictObject({});
  const checks = [
    ['query', query, Object.fromEntries(url.searchParams)],
    ['body', call.body === undefined || call.body === 'raw' ? z.undefined() : call.body, body],
  ] as const;
  return checks.flatMap(([part, schema, value]) => {
    const { error } = schema.safeParse(value);
    return error ? [`${name} with the ${part} ${JSON.stringify(value)}: ${error.message}`] : [];
  });
}

/** Answers with the first success whose schema the body meets. */
function toResponse({ answers }: Call, body: unknown): Response {
  const successes = Object.entries(answers).filter(([status]) => Number(status) < 300);
  for (const [status, { schema = z.undefined() }] of successes) {
    const parsed = schema.safeParse(body);
    if (parsed.success) {
      const text = parsed.data === undefined ? null : JSON.stringify(parsed.data);
      return new Response(text, {
        status: Number(status),
        headers: { 'Content-Type': 'application/json' },
      });
    }
  }
  throw new Error(`The API never answers ${JSON.stringify(body)}`);
}
