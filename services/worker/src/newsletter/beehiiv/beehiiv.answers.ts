import { z } from 'zod';
import type { NewsletterAnswer, NewsletterPage, Verdict } from '../newsletter.port.ts';
import type { WireAnswer } from './beehiiv.client.ts';

/** The operation: a 404 has a different meaning for each. */
export type Asked = 'add' | 'find' | 'update' | 'tier' | 'remove';

/** A text that we store. One that no column accepts did not come from the API, and must not block a lead. */
export const storable = z
  .string()
  .min(1)
  .max(320)
  .refine((text) => !text.includes('\0'));

/** A subscriber as Beehiiv shows it, in an answer or in a list. */
export const subscriberRecord = z
  .object({ id: storable, status: storable, subscription_tier: storable.optional() })
  .transform(({ id, status, subscription_tier: tier }) => ({ id, status, tier }));
const subscription = z.object({ data: subscriberRecord });
const errorBody = z.object({ errors: z.array(z.object({ message: z.string(), code: z.string().optional() })).min(1) });

const ABSENT_RESET_MS = 60_000;
const MAX_RESET_MS = 300_000;
/** A smaller reset is a number of seconds, not a point in time. */
const EARLIEST_EPOCH_SECONDS = 1e9;

/**
 * Classes one answer about a subscriber. Pure.
 * - accepted: 2xx with a usable record
 * - permanent: 400, 409, 422, or a record with status "invalid"; `saysAlreadyThere` marks "already subscribed"
 * - configuration: 401, 403 from the API itself, or 404 for the publication
 * - rate-limited: 429
 * - transient: everything else, including a 2xx without a usable record
 * Before: `beehiiv.client.ts`. Next: `sync.policy.ts` decides.
 */
export function classAnswer(asked: Asked, wire: WireAnswer): NewsletterAnswer {
  const { verdict, body } = judge(wire, asked);
  const answer: NewsletterAnswer = { ...verdict, subscriber: null, hasAdded: asked === 'add' };
  if (verdict.class !== 'accepted' || body === undefined) return answer;
  const parsed = subscription.safeParse(toJson(body));
  if (!parsed.success) return { ...answer, ...unusable(verdict) };
  const subscriber = parsed.data.data;
  const { status } = subscriber;
  if (status === 'invalid') {
    const message = 'Beehiiv rejected the address';
    return { ...answer, class: 'permanent', message, subscriber };
  }
  return { ...answer, message: `Beehiiv accepted it (${status})`, subscriber };
}

/** Classes the answer to a change of tier. Beehiiv may answer 2xx and ignore the change; only the tier it shows counts. */
export function classTierAnswer(wanted: string, wire: WireAnswer): NewsletterAnswer {
  const answer = classAnswer('tier', wire);
  if (answer.class !== 'accepted' || answer.subscriber?.tier === wanted) return answer;
  const message = `Beehiiv answered ${answer.httpStatus}, but the tier is ${answer.subscriber?.tier ?? 'not in its answer'}`;
  return { ...answer, class: 'permanent', message };
}

/** Classes one page of a list. Pure. `page` is null unless the answer was accepted. */
export function classPage<T>(wire: WireAnswer, toPage: z.ZodType<T>): NewsletterPage<T> {
  const { verdict, body } = judge(wire, 'list');
  if (verdict.class !== 'accepted' || body === undefined) return { ...verdict, page: null };
  const parsed = toPage.safeParse(toJson(body));
  return parsed.success ? { ...verdict, page: parsed.data } : { ...verdict, ...unusable(verdict), page: null };
}

/** Reads the status code; nothing else does. `body` is absent if an accepted answer needs none. */
function judge(wire: WireAnswer, asked: Asked | 'list'): { verdict: Verdict; body?: string } {
  if (wire.kind === 'no-answer') {
    const message = `Beehiiv did not answer (${wire.code})`;
    const isOutcomeKnown = !wire.mayHaveArrived;
    return { verdict: { ...toVerdict(null, `no answer: ${wire.code}`), class: 'transient', message, isOutcomeKnown } };
  }
  const { status, headers, body } = wire;
  const error = errorBody.safeParse(toJson(body));
  const said = error.data?.errors[0]?.message;
  const message = `Beehiiv answered ${status}${said === undefined ? '' : `: ${said}`}`;
  const answered = {
    ...toVerdict(status, `${status} ${body}`),
    requestId: headers['x-request-id'] ?? headers['cf-ray'] ?? null,
    message,
  };
  if (asked === 'remove' && ((status >= 200 && status < 300) || status === 404)) {
    return { verdict: { ...answered, class: 'accepted', message: 'Beehiiv has deleted the subscriber' } };
  }
  if (status >= 200 && status < 300) return { verdict: { ...answered, class: 'accepted' }, body };
  if (status === 404 && asked === 'find') {
    return { verdict: { ...answered, class: 'accepted', message: 'Beehiiv does not know the address' } };
  }
  if (status === 404 && asked === 'tier') {
    return { verdict: { ...answered, class: 'permanent', message: 'Beehiiv does not know the address' } };
  }
  if (status === 429) {
    return { verdict: { ...answered, class: 'rate-limited', retryAfterMs: readRetryAfterMs(headers) } };
  }
  // A 403 without the API's error body comes from a firewall in front of it, which may dislike a single request.
  if (status === 401 || (status === 403 && error.success)) {
    return { verdict: { ...answered, class: 'configuration', setting: 'BEEHIIV_API_KEY' } };
  }
  // For an update, the subscriber was deleted after the look-up. The next look-up will show it.
  if (status === 404 && asked !== 'update') {
    return { verdict: { ...answered, class: 'configuration', setting: 'BEEHIIV_PUBLICATION_ID' } };
  }
  if (status === 400 || status === 409 || status === 422) {
    const saysAlreadyThere = status !== 422 && /already/i.test(body);
    return { verdict: { ...answered, class: 'permanent', saysAlreadyThere } };
  }
  // A 5xx may come after the request took effect. Anything else, such as a redirect, is undocumented.
  return { verdict: { ...answered, class: 'transient', isOutcomeKnown: false } };
}

const toVerdict = (httpStatus: number | null, response: string) => ({
  httpStatus,
  response,
  requestId: null,
  isOutcomeKnown: true,
  saysAlreadyThere: false,
});

/** Classes a 2xx with an unreadable body, such as a proxy's page. The request may have taken effect. */
function unusable({ httpStatus }: Verdict) {
  const message = `Beehiiv answered ${httpStatus} with an unreadable body`;
  return { class: 'transient' as const, message, isOutcomeKnown: false };
}

function toJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Milliseconds until Beehiiv accepts requests again: the reset minus the answer's own date, so that our clock does not
 * matter. Between one second and five minutes, and one minute if the reset is absent.
 */
export function readRetryAfterMs(headers: Record<string, string>): number {
  const reset = Number(headers['ratelimit-reset'] || Number.NaN);
  if (!Number.isFinite(reset) || reset < 0) return ABSENT_RESET_MS;
  const date = Date.parse(headers.date ?? '');
  const delayMs =
    reset < EARLIEST_EPOCH_SECONDS ? reset * 1_000 : reset * 1_000 - (Number.isNaN(date) ? Date.now() : date);
  return Math.min(MAX_RESET_MS, Math.max(1_000, delayMs));
}
