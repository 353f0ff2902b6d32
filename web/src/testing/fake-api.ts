// Replaces `fetch` in component tests. Requests and answers must match the real API's schemas, so that tests cannot
// pass against an API that does not exist.
import { checkoutSessionBody, checkoutStateAnswer, checkoutUpsellBody, checkoutUrlAnswer } from '@site/schema/checkout';
import { leadIntakeAnswer } from '@site/schema/lead';
import { leadIntakeBody } from '@site/schema/lead-intake';
import { problemDocument } from '@site/schema/problem';
import { trackBody } from '@site/schema/tracking';
import { z } from 'zod';

const NOTHING = z.undefined();

/** Each call by method and path, with its body and its answer. `*` is one path segment. */
const CALLS = {
  'POST /api/lead/subscribe': { body: leadIntakeBody, answer: leadIntakeAnswer },
  'POST /api/checkout/session': { body: checkoutSessionBody, answer: checkoutUrlAnswer },
  'POST /api/checkout/upsell': { body: checkoutUpsellBody, answer: checkoutUrlAnswer },
  'GET /api/checkout/session/*': { body: NOTHING, answer: checkoutStateAnswer },
  'POST /api/track': { body: trackBody, answer: NOTHING },
} as const;

type Calls = typeof CALLS;
type CallName = keyof Calls;
type Answer<Name extends CallName> = z.input<Calls[Name]['answer']>;

type Reply = () => Promise<Response>;

export type SeenCall = { url: URL; headers: Headers; body: unknown };

export type FakeApi = {
  fetch: typeof fetch;
  /** Answers this call with success. */
  answer<Name extends CallName>(name: Name, answer: Answer<Name>): void;
  /** Refuses this call with a problem document, or with an empty body if `problem` is null. */
  refuse(name: CallName, status: number, problem?: Partial<z.input<typeof problemDocument>> | null): void;
  /** Makes this call fail as without a network. */
  disconnect(name: CallName): void;
  /** Leaves this call unanswered. */
  hang(name: CallName): void;
  /** Returns the calls made so far. */
  calls(name: CallName): SeenCall[];
  /** Calls for which the test has no answer. */
  strays: string[];
};

export function createFakeApi(): FakeApi {
  const replies = new Map<CallName, Reply>();
  const seen: { name: CallName; call: SeenCall }[] = [];
  const strays: string[] = [];

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
      CALLS[name].body.parse(body);
      seen.push({ name, call: { url: new URL(request.url), headers: request.headers, body } });
      return reply();
    },
    answer(name, answer) {
      const body: unknown = CALLS[name].answer.parse(answer);
      replies.set(name, async () => (body === undefined ? new Response(null, { status: 204 }) : Response.json(body)));
    },
    refuse(name, status, problem = {}) {
      const body = problem && problemDocument.parse({ type: 'about:blank', title: 'Refused', status, ...problem });
      replies.set(name, async () => new Response(body && JSON.stringify(body), { status }));
    },
    disconnect(name) {
      replies.set(name, async () => {
        throw new TypeError('Failed to fetch');
      });
    },
    hang(name) {
      replies.set(name, async () => new Promise(() => undefined));
    },
    calls: (name) => seen.filter((entry) => entry.name === name).map(({ call }) => call),
  };
}

const names = Object.keys(CALLS) as CallName[];

function findName({ method, url }: Request): CallName | undefined {
  const asked = `${method} ${new URL(url).pathname}`;
  return names.find((name) => new RegExp(`^${name.replaceAll('*', '[^/]+')}$`).test(asked));
}
