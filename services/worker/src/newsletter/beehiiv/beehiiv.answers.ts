import { z } from 'zod';
import type { NewsletterAnswer, NewsletterPage, Verdict } from '../newsletter.port.ts';
import type { WireAnswer } from './beehiiv.client.ts';

/** What was asked: a 404 means another thing on each. */
export type Asked = 'add' | 'find' | 'update' | 'tier' | 'remove';

/** A text of theirs that we keep. What no column takes comes from no API, and must not hold up a lead. */
export const storable = z
  .string()
  .min(1)
  .max(320)
  .refine((text) => !text.includes('\0'));

const subscription = z.object({ data: z.object({ id: storable, status: storable }) });
const errorBody = z.object({ errors: z.array(z.object({ message: z.string(), code: z.string().optional() })).min(1) });

const ABSENT_RESET_MS = 60_000;
const MAX_RESET_MS = 300_000;
/** A reset below this is no date but a number of seconds. */
const EARLIEST_EPOCH_SECONDS = 1e9;

/**
 * Classes one answer about a subscriber. Pure. 2xx with a usable record accepted, or permanent when the record is
 * "invalid"; 400, 409, 422 permanent, unless they say the address is there already; 401, 403, and 404 on the
 * publication our configuration; 429 rate-limited; everything else transient, an unusable 2xx included.
 */
export function classAnswer(asked: Asked, wire: WireAnswer): NewsletterAnswer {
  const { verdict, body } = judge(wire, asked);
  const answer: NewsletterAnswer = { ...verdict, subscriber: null, hasAdded: asked === 'add' };
  if (verdict.class !== 'accepted' || body === undefined) return answer;
  const parsed = subscription.safeParse(toJson(body));
  if (!parsed.success) return { ...answer, ...unusable(verdict) };
  const { id, status } = parsed.data.data;
  if (status === 'invalid') {
    const message = 'Beehiiv took the address and calls it invalid';
    return { ...answer, class: 'permanent', message, subscriber: { id, status } };
  }
  return { ...answer, message: `Beehiiv accepted it (${status})`, subscriber: { id, status } };
}

/** Classes one page of a list. Pure. `page` is null unless the answer was accepted. */
export function classPage<T>(wire: WireAnswer, toPage: z.ZodType<T>): NewsletterPage<T> {
  const { verdict, body } = judge(wire, 'list');
  if (verdict.class !== 'accepted' || body === undefined) return { ...verdict, page: null };
  const parsed = toPage.safeParse(toJson(body));
  return parsed.success ? { ...verdict, page: parsed.data } : { ...verdict, ...unusable(verdict), page: null };
}

/** The only place that reads status codes. `body` is absent where an accepted answer has none to be read. */
function judge(wire: WireAnswer, asked: Asked | 'list'): { verdict: Verdict; body?: string } {
  if (wire.kind === 'no-answer') {
    const message = `Beehiiv did not answer (${wire.code})`;
    const isOutcomeKnown = !wire.mayHaveArrived;
    return { verdict: { ...toVerdict(null, `no answer: ${wire.code}`), class: 'transient', message, isOutcomeKnown } };
  }
  const { status, headers, body } = wire;
  const said = errorBody.safeParse(toJson(body)).data?.errors[0]?.message;
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
  if (status === 401 || status === 403) {
    return { verdict: { ...answered, class: 'configuration', setting: 'BEEHIIV_API_KEY' } };
  }
  // On an update it is the subscriber that is gone since the look-up, and the next look-up will say so.
  if (status === 404 && asked !== 'update') {
    return { verdict: { ...answered, class: 'configuration', setting: 'BEEHIIV_PUBLICATION_ID' } };
  }
  if (status === 400 || status === 409 || status === 422) {
    const saysAlreadyThere = status !== 422 && /already/i.test(body);
    return { verdict: { ...answered, class: 'permanent', saysAlreadyThere } };
  }
  // A 5xx may come after the work was done; anything else, a redirect say, is nothing the API documents.
  return { verdict: { ...answered, class: 'transient', isOutcomeKnown: false } };
}

const toVerdict = (httpStatus: number | null, response: string) => ({
  httpStatus,
  response,
  requestId: null,
  isOutcomeKnown: true,
  saysAlreadyThere: false,
});

/** A 2xx whose body cannot be read: a proxy's page, a cut answer. The work may have been done. */
function unusable({ httpStatus }: Verdict) {
  const message = `Beehiiv answered ${httpStatus} with a body that is not the API's`;
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
 * Milliseconds until Beehiiv takes requests again: its reset minus the answer's own date, so that a wrong
 * clock of ours does not matter; at least one second, at most five minutes, and one minute where it does not say.
 */
export function readRetryAfterMs(headers: Record<string, string>): number {
  const reset = Number(headers['ratelimit-reset'] || Number.NaN);
  if (!Number.isFinite(reset) || reset < 0) return ABSENT_RESET_MS;
  const date = Date.parse(headers.date ?? '');
  const delayMs =
    reset < EARLIEST_EPOCH_SECONDS ? reset * 1_000 : reset * 1_000 - (Number.isNaN(date) ? Date.now() : date);
  return Math.min(MAX_RESET_MS, Math.max(1_000, delayMs));
}
