import { z } from 'zod';
import type { NewsletterAnswer } from '../newsletter.port.ts';
import type { WireAnswer } from './beehiiv.client.ts';

/** What was asked: a 404 means another thing on each. */
export type Asked = 'add' | 'find' | 'update';

const subscription = z.object({ data: z.object({ id: z.string().min(1), status: z.string().min(1) }) });
const errorBody = z.object({ errors: z.array(z.object({ message: z.string(), code: z.string().optional() })).min(1) });

const ABSENT_RESET_MS = 60_000;
const MAX_RESET_MS = 300_000;
/** A reset below this is no date but a number of seconds. */
const EARLIEST_EPOCH_SECONDS = 1e9;

/**
 * Classes one answer of Beehiiv's. Pure, and the only place that reads its status codes:
 * 2xx with a usable record accepted, or permanent when the record is "invalid"; 400, 409, 422 permanent,
 * unless they say the address is there already; 401, 403, 404 our configuration; 429 rate-limited;
 * everything else transient, an unusable 2xx included.
 */
export function classAnswer(asked: Asked, answer: WireAnswer): NewsletterAnswer {
  if (answer.kind === 'no-answer') {
    return {
      ...base(null, `no answer: ${answer.code}`),
      class: 'transient',
      message: `Beehiiv did not answer (${answer.code})`,
      isOutcomeKnown: !answer.mayHaveArrived,
    };
  }
  const { status, headers, body } = answer;
  const json = toJson(body);
  const recorded = {
    ...base(status, `${status} ${body}`),
    requestId: headers['x-request-id'] ?? headers['cf-ray'] ?? null,
  };
  const said = errorBody.safeParse(json).data?.errors[0]?.message;
  const message = `Beehiiv answered ${status}${said === undefined ? '' : `: ${said}`}`;

  if (status >= 200 && status < 300) return classSuccess(recorded, json);
  if (status === 429) return { ...recorded, class: 'rate-limited', message, retryAfterMs: readRetryAfterMs(headers) };
  if (status === 404 && asked === 'find')
    return { ...recorded, class: 'accepted', message: 'Beehiiv does not know the address' };
  if (status === 401 || status === 403)
    return { ...recorded, class: 'configuration', message, setting: 'BEEHIIV_API_KEY' };
  if (status === 404) return { ...recorded, class: 'configuration', message, setting: 'BEEHIIV_PUBLICATION_ID' };
  if (status === 400 || status === 409 || status === 422) {
    const saysAlreadyThere = status !== 422 && /already/i.test(body);
    return { ...recorded, class: 'permanent', message, saysAlreadyThere };
  }
  // A 5xx may come after the work was done; anything else, a redirect say, is nothing the API documents.
  return { ...recorded, class: 'transient', message, isOutcomeKnown: false };
}

type Recorded = Pick<
  NewsletterAnswer,
  'httpStatus' | 'response' | 'requestId' | 'isOutcomeKnown' | 'saysAlreadyThere' | 'subscriber'
>;

const base = (httpStatus: number | null, response: string): Recorded => ({
  httpStatus,
  response,
  requestId: null,
  isOutcomeKnown: true,
  saysAlreadyThere: false,
  subscriber: null,
});

function classSuccess(recorded: Recorded, json: unknown): NewsletterAnswer {
  const parsed = subscription.safeParse(json);
  if (!parsed.success) {
    const message = `Beehiiv answered ${recorded.httpStatus} with a body that is no subscription`;
    return { ...recorded, class: 'transient', message, isOutcomeKnown: false };
  }
  const { id, status } = parsed.data.data;
  if (status === 'invalid') {
    return {
      ...recorded,
      class: 'permanent',
      message: 'Beehiiv took the address and calls it invalid',
      subscriber: { id, status },
    };
  }
  return { ...recorded, class: 'accepted', message: `Beehiiv accepted it (${status})`, subscriber: { id, status } };
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
  const reset = Number(headers['ratelimit-reset'] ?? Number.NaN);
  if (!Number.isFinite(reset) || reset < 0) return ABSENT_RESET_MS;
  const date = Date.parse(headers.date ?? '');
  const delayMs =
    reset < EARLIEST_EPOCH_SECONDS ? reset * 1_000 : reset * 1_000 - (Number.isNaN(date) ? Date.now() : date);
  return Math.min(MAX_RESET_MS, Math.max(1_000, delayMs));
}
