import type { Tier } from '@site/platform/database/tables';
import {
  BEEHIIV_ANSWERS,
  toAnswerText,
  findReason,
  SUBSCRIBER_STATUSES,
  toJudged,
} from '@site/schema/beehiiv-answers';
import type { AnswerReason, Asked, BeehiivAnswer } from '@site/schema/beehiiv-answers';
import { z } from 'zod';
import type { NewsletterAnswer, NewsletterPage, Verdict } from '../newsletter.port.ts';
import type { WireAnswer } from './beehiiv.client.ts';

type Answered = Extract<WireAnswer, { kind: 'answer' }>;

/**
 * Accepts a text that we can store. Other texts did not come from the API, and must not block a
 * lead.
 */
export const storable = z
  .string()
  .min(1)
  .max(320)
  .refine((text) => !text.includes('\0'));

export const subscriberRecord = z
  .object({ id: storable, status: storable, subscription_tier: storable.optional() })
  .transform(({ id, status, subscription_tier: tier }) => ({ id, status, tier }));
const subscription = z.object({ data: subscriberRecord });
const errorBody = z.object({
  errors: z.array(z.object({ message: z.string(), code: z.string().optional() })).min(1),
});

const ABSENT_RESET_MS = 60_000;
const MAX_RESET_MS = 300_000;
/** A smaller reset is a number of seconds, not a point in time. */
const EARLIEST_EPOCH_SECONDS = 1e9;

/**
 * Classes one answer about a subscriber by `BEEHIIV_ANSWERS`. Pure.
 * Before: `beehiiv.client.ts`. Next: `sync.policy.ts` decides.
 */
export function classAnswer(asked: Asked, wire: WireAnswer): NewsletterAnswer {
  const verdict = judge(wire, asked);
  const answer: NewsletterAnswer = { ...verdict, subscriber: null, hasAdded: asked === 'add' };
  if (verdict.reason !== 'accepted' || wire.kind === 'no-answer') return answer;
  if (asked === 'remove') return { ...answer, message: 'Beehiiv has deleted the subscriber' };
  const parsed = subscription.safeParse(toJson(wire.body));
  if (!parsed.success) return { ...answer, ...unreadable(verdict) };
  const subscriber = parsed.data.data;
  const { status } = subscriber;
  const rejected = 'email-rejected';
  if (status === 'invalid')
    return { ...answer, ...toJudged(rejected), message: toAnswerText(rejected), subscriber };
  const message = SUBSCRIBER_STATUSES[status]?.accepted ?? `Beehiiv accepted it (${status})`;
  return { ...answer, message, subscriber };
}

const LISTS: Record<Tier, string> = { premium: 'paid', free: 'free' };

/**
 * Classes the answer to a change of tier. Beehiiv may answer 2xx and ignore the change, so only the
 * tier in its answer counts.
 */
export function classTierAnswer(wanted: Tier, wire: WireAnswer): NewsletterAnswer {
  const answer = classAnswer('tier', wire);
  if (answer.class !== 'accepted') return answer;
  if (answer.subscriber?.tier === wanted)
    return { ...answer, message: `Beehiiv confirmed the ${LISTS[wanted]} list` };
  const message =
    `Beehiiv answered ${answer.httpStatus}, but the tier is ` +
    (answer.subscriber?.tier ?? 'not in its answer');
  return { ...answer, ...toJudged('tier-unchanged'), message };
}

/** Classes one page of a list. Pure. `page` is null unless the answer was accepted. */
export function classPage<T>(wire: WireAnswer, toPage: z.ZodType<T>): NewsletterPage<T> {
  const verdict = judge(wire, 'list');
  if (verdict.reason !== 'accepted' || wire.kind === 'no-answer') return { ...verdict, page: null };
  const parsed = toPage.safeParse(toJson(wire.body));
  return parsed.success
    ? { ...verdict, page: parsed.data }
    : { ...verdict, ...unreadable(verdict), page: null };
}

function judge(wire: WireAnswer, asked: Asked): Verdict {
  if (wire.kind === 'no-answer') {
    const given = { httpStatus: null, response: `no answer: ${wire.code}`, requestId: null };
    return {
      ...toJudged('no-answer'),
      ...given,
      message: 'Beehiiv did not answer',
      isOutcomeKnown: !wire.mayHaveArrived,
    };
  }
  const { status, headers, body } = wire;
  const error = errorBody.safeParse(toJson(body));
  const said = error.data?.errors[0]?.message;
  const judged = toJudged(readReason(asked, wire, error.success));
  const { setting }: BeehiivAnswer = BEEHIIV_ANSWERS[judged.reason];
  return {
    ...judged,
    ...(setting !== undefined && { setting }),
    httpStatus: status,
    response: `${status} ${body}`,
    requestId: headers['x-request-id'] ?? headers['cf-ray'] ?? null,
    message: isAbsence(judged.reason)
      ? toAnswerText(judged.reason)
      : `Beehiiv answered ${status}${said === undefined ? '' : `: ${said}`}`,
    // A 5xx may follow a request that took effect. Others of this class, such as a redirect, are
    // undocumented.
    isOutcomeKnown: judged.class !== 'transient',
    ...(judged.class === 'rate-limited' && { retryAfterMs: readRetryAfterMs(headers) }),
  };
}

const isAbsence = (reason: AnswerReason) =>
  reason === 'not-subscribed' || reason === 'tier-not-subscribed';

/** A firewall's page, whatever its status, is no answer of the API, which sends JSON. */
const isPage = (body: string) => body.trimStart().startsWith('<');

function readReason(asked: Asked, { status, body }: Answered, isApiError: boolean): AnswerReason {
  if (status >= 200 && status < 300) return 'accepted';
  const reason = findReason(status, asked, body);
  // A firewall refuses a single request with a 403 too, without the API's error body.
  if (isPage(body) || (reason === 'key-not-allowed' && !isApiError)) return 'blocked';
  return reason ?? (status >= 500 ? 'server-error' : 'unexpected');
}

/**
 * Classes a 2xx with an unreadable body, such as a proxy's page. The request may have taken effect.
 */
const unreadable = ({ httpStatus }: Verdict) => ({
  ...toJudged('unreadable'),
  message: `Beehiiv answered ${httpStatus} with an unreadable body`,
  isOutcomeKnown: false,
});

function toJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns the milliseconds until Beehiiv accepts requests again. Subtracts the answer's own date
 * from the reset, so that our clock does not matter. Between one second and five minutes. One
 * minute without a reset.
 */
export function readRetryAfterMs(headers: Record<string, string>): number {
  const reset = Number(headers['ratelimit-reset'] || Number.NaN);
  if (!Number.isFinite(reset) || reset < 0) return ABSENT_RESET_MS;
  const date = Date.parse(headers.date ?? '');
  const delayMs =
    reset < EARLIEST_EPOCH_SECONDS
      ? reset * 1_000
      : reset * 1_000 - (Number.isNaN(date) ? Date.now() : date);
  return Math.min(MAX_RESET_MS, Math.max(1_000, delayMs));
}
