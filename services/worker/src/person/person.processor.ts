import { renewEmail } from '@site/platform/outbox/email-lease';
import { toJudged } from '@site/schema/beehiiv-answers';
import { confirmFailure } from '../newsletter/confirm-failure.ts';
import type { NewsletterAnswer, Subscriber } from '../newsletter/newsletter.port.ts';
import { createPrepareNext, withLeaseRenewal } from '../newsletter/rate-limiter.ts';
import type { PrepareNext, Urgency } from '../newsletter/rate-limiter.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { decideDelay, isRequest, nextStep } from './next-step.ts';
import type { Step } from './next-step.ts';
import { claimWish, findWish, readWish, recordRun } from './person.repository.ts';
import type { Run } from './person.repository.ts';
import { carryOut } from './steps.ts';

/*
 * One run of a person: slot, claim of a wish, its steps, record. A wish is a tier, an erasure or an
 * unsubscription, which take a lead's slot, or a check, a later consent or a remedy, which are
 * background work. None fails for good: each is postponed until it is done. Before: the view
 * `wishes`. Next: `next-step.ts` decides each step, `steps.ts` sends it.
 */

/**
 * Serves the due wishes of one urgency, until none is due or Beehiiv fails, because the next
 * request would usually fail too. Returns the number of runs.
 */
export async function servePeople(
  deps: SyncDeps,
  urgency: Urgency,
  signal: AbortSignal,
): Promise<number> {
  const { db, log } = deps;
  const isDue = async () => (await findWish(db, urgency)) !== null;
  let runs = 0;
  while (!signal.aborted && (await deps.rateLimiter.waitForSlot(signal, urgency, isDue))) {
    const claimed = await claimWish(db, urgency, { runId: deps.newId(), worker: deps.worker });
    if (!claimed) break;
    runs += 1;
    const startedAt = performance.now();
    const prepareNext = createPrepareNext(deps, claimed.runId, signal, urgency);
    const served = await serve(deps, claimed, prepareNext);
    // Another run took over the email.
    if (!served) continue;
    const { run, step } = served;
    const answer = await withLeaseRenewal(
      () => renewEmail(db, run.runId),
      confirmFailure(served.answer, deps, signal),
    );
    const tookMs = Math.round(performance.now() - startedAt);
    const delayMs = step && isRequest(step) ? decideDelay(run, answer, deps) : null;
    await recordRun(db, run, { step, delayMs }, { ...answer, tookMs });
    const { kind, id, sender } = run;
    const { class: given, httpStatus } = answer;
    const traceId = sender?.lead.traceId;
    log.info({ kind, id, traceId, class: given, httpStatus, tookMs }, 'wish served');
    if (answer.class !== 'accepted' && answer.class !== 'permanent') break;
  }
  return runs;
}

type Served = { run: Run; step: Step | null; answer: NewsletterAnswer };

/**
 * Carries out a wish step by step, and reads it again before each further request. Returns the last
 * step and the deciding answer, or null if the lease was lost.
 */
async function serve(
  deps: SyncDeps,
  claimed: Run,
  prepareNext: PrepareNext,
): Promise<Served | null> {
  let run = claimed;
  let found: Subscriber | null | undefined;
  let answer: NewsletterAnswer = NOTHING_ASKED;
  let step = nextStep(run);
  while (isRequest(step)) {
    const given = await carryOut(deps, run, step, prepareNext, found);
    if (!given) return null;
    answer = given;
    // A look-up may be refused with the subscriber, whom Beehiiv rejected.
    const isKnown = answer.class === 'accepted' || (step === 'look up' && answer.subscriber);
    if (!isKnown || !LEADS_ON.has(step)) break;
    found = step === 'look up' || !found ? answer.subscriber : { ...found, status: 'active' };
    step = nextStep(run, found);
    if (!isRequest(step)) break;
    if (!(await prepareNext())) return null;
    const again = await readWish(deps.db, run);
    if (!again) return { run, step: null, answer };
    run = again;
    step = nextStep(run, found);
  }
  return { run, step, answer };
}

const LEADS_ON: ReadonlySet<Step> = new Set<Step>(['look up', 'activate', 'reactivate']);

const NOTHING_ASKED: NewsletterAnswer = {
  ...toJudged('accepted'),
  httpStatus: null,
  message: '',
  response: '',
  requestId: null,
  isOutcomeKnown: true,
  subscriber: null,
};
