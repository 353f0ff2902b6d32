// Replaces `fetch` in component tests. Requests and answers must match the real API's schemas, so that tests cannot
// pass against an API that does not exist.
import {
  accountAnswer,
  passwordBody,
  passwordChangeBody,
  recoveryCodesAnswer,
  secondFactorAnswer,
  secondFactorCodeBody,
} from '@site/schema/account';
import {
  leadCorrectionAnswer,
  leadCorrectionBody,
  leadCountsAnswer,
  leadDetailAnswer,
  leadListAnswer,
  leadRetryAnswer,
  leadRetryBody,
  loginBody,
  operatorAnswer,
  syncHealthAnswer,
} from '@site/schema/admin';
import { checkoutSessionBody, checkoutStateAnswer, checkoutUpsellBody, checkoutUrlAnswer } from '@site/schema/checkout';
import {
  auditAnswer,
  chartsAnswer,
  erasureReceipt,
  erasuresAnswer,
  personBody,
  personExportAnswer,
  retryEstimate,
  retryRun,
  retryRunsAnswer,
} from '@site/schema/console';
import { differencesAnswer, remediesAnswer, remediesBody } from '@site/schema/differences';
import { leadIntakeAnswer } from '@site/schema/lead';
import { leadIntakeBody } from '@site/schema/lead-intake';
import {
  abandonedCheckoutsAnswer,
  cancelAnswer,
  cancelBody,
  deliveryAddressAnswer,
  complimentaryAnswer,
  complimentaryBody,
  complimentaryList,
  deliveryAddressBody,
  leadSubscription,
  moneyAnswer,
  moneyAttentionAnswer,
  parkedEventAnswer,
  refundAnswer,
  refundBody,
  refundPreview,
} from '@site/schema/money';
import { moneyFiguresAnswer, moneyPeopleAnswer } from '@site/schema/money-figures';
import { problemDocument } from '@site/schema/problem';
import { trackBody } from '@site/schema/tracking';
import { z } from 'zod';

const NOTHING = z.undefined();

/** Each call by method and path, with its body and its answer. `*` is one path segment. */
const CALLS = {
  'GET /livez': { body: NOTHING, answer: NOTHING },
  'POST /api/lead/subscribe': { body: leadIntakeBody, answer: leadIntakeAnswer },
  'POST /api/checkout/session': { body: checkoutSessionBody, answer: checkoutUrlAnswer },
  'POST /api/checkout/upsell': { body: checkoutUpsellBody, answer: checkoutUrlAnswer },
  'GET /api/checkout/session/*': { body: NOTHING, answer: checkoutStateAnswer },
  'POST /api/track': { body: trackBody, answer: NOTHING },
  'GET /api/admin/me': { body: NOTHING, answer: operatorAnswer },
  'POST /api/admin/login': { body: loginBody, answer: operatorAnswer },
  'POST /api/admin/logout': { body: NOTHING, answer: NOTHING },
  'GET /api/admin/leads': { body: NOTHING, answer: leadListAnswer },
  'GET /api/admin/leads/counts': { body: NOTHING, answer: leadCountsAnswer },
  'POST /api/admin/leads/retry': { body: leadRetryBody, answer: z.union([leadRetryAnswer, retryEstimate, retryRun]) },
  'POST /api/admin/leads/*/correct': { body: leadCorrectionBody, answer: leadCorrectionAnswer },
  'GET /api/admin/leads/*': { body: NOTHING, answer: leadDetailAnswer },
  'POST /api/admin/sync/probe': { body: NOTHING, answer: NOTHING },
  'GET /api/admin/sync': { body: NOTHING, answer: syncHealthAnswer },
  'GET /api/admin/charts': { body: NOTHING, answer: chartsAnswer },
  'GET /api/admin/retry-runs': { body: NOTHING, answer: retryRunsAnswer },
  'POST /api/admin/retry-runs/*/stop': { body: NOTHING, answer: retryRun },
  'GET /api/admin/money': { body: NOTHING, answer: moneyAnswer },
  'GET /api/admin/money/figures': { body: NOTHING, answer: moneyFiguresAnswer },
  'GET /api/admin/money/people': { body: NOTHING, answer: moneyPeopleAnswer },
  'GET /api/admin/money/attention': { body: NOTHING, answer: moneyAttentionAnswer },
  'GET /api/admin/money/abandoned-checkouts': { body: NOTHING, answer: abandonedCheckoutsAnswer },
  'GET /api/admin/money/parked/*': { body: NOTHING, answer: parkedEventAnswer },
  'POST /api/admin/money/*/*/review': { body: NOTHING, answer: NOTHING },
  'GET /api/admin/subscriptions/*': { body: NOTHING, answer: leadSubscription },
  'GET /api/admin/subscriptions/*/refund': { body: NOTHING, answer: refundPreview },
  'POST /api/admin/subscriptions/*/refund': { body: refundBody, answer: refundAnswer },
  'POST /api/admin/subscriptions/*/delivery-address': { body: deliveryAddressBody, answer: deliveryAddressAnswer },
  'POST /api/admin/subscriptions/*/cancel': { body: cancelBody, answer: cancelAnswer },
  'GET /api/admin/differences': { body: NOTHING, answer: differencesAnswer },
  'POST /api/admin/differences/compare': { body: NOTHING, answer: NOTHING },
  'POST /api/admin/differences/remedies': { body: remediesBody, answer: remediesAnswer },
  'POST /api/admin/differences/*/remedy': { body: NOTHING, answer: NOTHING },
  'GET /api/admin/audit': { body: NOTHING, answer: auditAnswer },
  'GET /api/admin/account': { body: NOTHING, answer: accountAnswer },
  'POST /api/admin/account/password': { body: passwordChangeBody, answer: NOTHING },
  'POST /api/admin/account/second-factor/start': { body: passwordBody, answer: secondFactorAnswer },
  'POST /api/admin/account/second-factor/confirm': { body: secondFactorCodeBody, answer: recoveryCodesAnswer },
  'POST /api/admin/account/second-factor/recovery-codes': { body: passwordBody, answer: recoveryCodesAnswer },
  'POST /api/admin/account/second-factor/remove': { body: passwordBody, answer: NOTHING },
  'POST /api/admin/account/sign-out-everywhere': { body: NOTHING, answer: NOTHING },
  'GET /api/admin/people/complimentary': { body: NOTHING, answer: complimentaryList },
  'POST /api/admin/people/complimentary': { body: complimentaryBody, answer: complimentaryAnswer },
  'GET /api/admin/people/erasures': { body: NOTHING, answer: erasuresAnswer },
  'POST /api/admin/people/export': { body: personBody, answer: personExportAnswer },
  'POST /api/admin/people/erase': { body: personBody, answer: erasureReceipt },
} as const;

type Calls = typeof CALLS;
type CallName = keyof Calls;
type Answer<Name extends CallName> = z.input<Calls[Name]['answer']>;

type Reply = (call: SeenCall) => Promise<Response>;

export type SeenCall = { url: URL; headers: Headers; body: unknown };

export type FakeApi = {
  fetch: typeof fetch;
  /** Answers this call with success. A function chooses the answer by the call. */
  answer<Name extends CallName>(name: Name, answer: Answer<Name> | ((call: SeenCall) => Answer<Name>)): void;
  /** Refuses this call with a problem document, or with an empty body if `problem` is null. */
  refuse(name: CallName, status: number, problem?: Partial<z.input<typeof problemDocument>> | null): void;
  /** Makes this call fail as without a network. */
  disconnect(name: CallName): void;
  /** Leaves this call unanswered. */
  hang(name: CallName): void;
  /** Returns the calls made so far. */
  calls(name: CallName): SeenCall[];
  /** Calls for which the test has no answer, or which the real API would refuse. */
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
      const call = { url: new URL(request.url), headers: request.headers, body };
      seen.push({ name, call });
      return reply(call);
    },
    answer(name, answer) {
      replies.set(name, async (call) => {
        const { error } = CALLS[name].body.safeParse(call.body);
        if (error) strays.push(`${name} with ${JSON.stringify(call.body)}: ${error.message}`);
        const body: unknown = CALLS[name].answer.parse(typeof answer === 'function' ? answer(call) : answer);
        return body === undefined ? new Response(null, { status: 204 }) : Response.json(body);
      });
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
