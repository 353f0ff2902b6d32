import { releaseEmail } from '@site/platform/outbox/email-lease';
import { ADDRESS_IS_USED } from '@site/platform/outbox/correction';
import { listCustomFields } from '@site/schema/lead-fields';
import { toJudged } from '@site/schema/beehiiv-answers';
import { confirmAbsence } from '../newsletter/confirm-failure.ts';
import { createPrepareNext } from '../newsletter/rate-limiter.ts';
import type { PrepareNext } from '../newsletter/rate-limiter.ts';
import type { Subscriber, Verdict } from '../newsletter/newsletter.port.ts';
import { backoffMs } from '../sync/sync.policy.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import {
  claimDueRequest,
  finishRequest,
  isEmailUsed,
  postponeRequest,
} from './removal-request.repository.ts';
import type { DueRequest, RequestKind } from './removal-request.repository.ts';

/*
 * Deletes or unsubscribes emails at Beehiiv. A failed attempt is repeated with backoff without end,
 * because the removal was promised. Before: the API, when an operator erases somebody or corrects
 * an email. Next: `removal-request.repository.ts`.
 */

type RemovalRequestDeps = Pick<
  SyncDeps,
  | 'db'
  | 'rateLimiter'
  | 'newsletter'
  | 'fieldCatalog'
  | 'newId'
  | 'backoffBaseMs'
  | 'random'
  | 'log'
>;

/** An answer, and whether Beehiiv has fulfilled the request. */
type Outcome = Pick<Verdict, 'class' | 'reason' | 'message' | 'retryAfterMs'> & {
  isDone: boolean;
  /** The subscriber was so before our request. */
  wasDone?: true;
  /** Somebody uses the email again. */
  isUsed?: true;
  subscriber?: Subscriber | null;
};

type Task = {
  kind: RequestKind;
  /** The record if somebody uses the email again. */
  used: Parameters<typeof finishRequest>[3];
  isDone: (found: Subscriber) => boolean;
  carryOut: (deps: RemovalRequestDeps, email: string, found: Subscriber) => Promise<Outcome>;
  done: string;
  retried: string;
};

const ERASURE: Task = {
  kind: 'erasure',
  used: { reason: 'subscribed-again', message: 'They have subscribed again' },
  isDone: () => false,
  async carryOut({ newsletter }, _email, { id }) {
    const answer = await newsletter.remove(id);
    return { ...answer, isDone: answer.class === 'accepted' };
  },
  done: 'subscriber erased',
  retried: 'erasure will be retried',
};

const UNSUBSCRIBE: Task = {
  kind: 'unsubscribe',
  used: ADDRESS_IS_USED,
  isDone: ({ status }) => status === 'inactive',
  async carryOut({ db, newsletter, fieldCatalog }, email, found) {
    // Somebody may have submitted a form with the email since the request was claimed.
    if (await isEmailUsed(db, email))
      return { ...toJudged('accepted'), message: '', isDone: true, isUsed: true };
    const fields = Object.fromEntries(listCustomFields().map((name) => [name, '']));
    const answer = await newsletter.unsubscribe(email, Object.keys(fieldCatalog.keepKnown(fields)));
    return {
      ...answer,
      subscriber: answer.subscriber ?? found,
      isDone: answer.class === 'accepted' && answer.subscriber?.status === 'inactive',
    };
  },
  done: 'mistyped email unsubscribed',
  retried: 'unsubscribing will be retried',
};

/** Beehiiv may still fulfil a request that timed out, so an erasure looks again after this time. */
const LOOK_AGAIN_MS = 3_600_000;

export const eraseDue = (deps: RemovalRequestDeps, signal: AbortSignal) =>
  carryOutDue(deps, ERASURE, signal);

/** Unsubscribes every due mistyped email, unless somebody uses it by now. */
export const unsubscribeDue = (deps: RemovalRequestDeps, signal: AbortSignal) =>
  carryOutDue(deps, UNSUBSCRIBE, signal);

async function carryOutDue(
  deps: RemovalRequestDeps,
  task: Task,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps;
  while (!signal.aborted) {
    const leasedBy = deps.newId();
    const request = await claimDueRequest(db, task.kind, leasedBy);
    if (!request) return;
    try {
      if (request.isUsed) await finishRequest(db, task.kind, request, task.used);
      else {
        const prepareNext = createPrepareNext(deps, leasedBy, signal);
        const outcome = await ask(deps, task, request.emailNormalised, prepareNext);
        if (outcome) await record(deps, task, request, outcome);
      }
    } finally {
      await releaseEmail(db, leasedBy);
    }
  }
}

/**
 * Returns the deciding answer. Returns null if the lease was lost, because the subscriber may have
 * been added again.
 */
async function ask(
  deps: RemovalRequestDeps,
  task: Task,
  email: string,
  prepareNext: PrepareNext,
): Promise<Outcome | null> {
  const { newsletter } = deps;
  if (!(await prepareNext())) return null;
  const { subscriber, ...found } = await newsletter.find(email);
  if (found.class !== 'accepted' && !subscriber) return { ...found, isDone: false };
  if (subscriber && task.isDone(subscriber))
    return { ...found, subscriber, isDone: true, wasDone: true };
  if (!(await prepareNext())) return null;
  if (subscriber) return task.carryOut(deps, email, subscriber);
  const absence = await confirmAbsence(newsletter, found);
  return { ...absence, isDone: absence === found };
}

async function record(
  deps: RemovalRequestDeps,
  task: Task,
  request: DueRequest,
  outcome: Outcome,
): Promise<void> {
  const { db, log } = deps;
  const { id, isDeleted } = request;
  const attempts = request.attempts + 1;
  if (!outcome.isDone) {
    const delayMs = outcome.retryAfterMs ?? backoffMs(attempts, deps.backoffBaseMs, deps.random());
    await postponeRequest(db, id, outcome, { delayMs });
    log.warn({ requestId: id, attempts, class: outcome.class }, task.retried);
    return;
  }
  if (task === ERASURE && !isDeleted) {
    await postponeRequest(db, id, outcome, { delayMs: LOOK_AGAIN_MS, isDeleted: true });
  } else {
    const isOurs = task === UNSUBSCRIBE && !outcome.wasDone;
    const told =
      task === UNSUBSCRIBE && outcome.subscriber ? { ...outcome.subscriber, isOurs } : null;
    await finishRequest(db, task.kind, request, outcome.isUsed ? task.used : outcome, told);
  }
  log.info({ requestId: id, attempts }, task.done);
}
