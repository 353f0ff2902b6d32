import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import type { Clock } from '@site/platform/process/clock';
import { dayBefore, londonDate } from '@site/schema/calendar';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMissingPermission, toLoggedFailure } from '../../stripe/stripe-failure.ts';
import { applyMissedEvents } from '../inbox/missed-events.ts';
import type { WebhookDeps } from '../inbox/inbox.service.ts';
import {
  countOnList,
  countPastPayers,
  endOf,
  listDueNights,
  readPastMrr,
  storeNight,
} from './money-night.repository.ts';
import { readLiveSubscriptions, readMissingInvoices } from './nightly-reading.ts';

/*
 * Keeps our rows in agreement with Stripe without relying on deliveries alone. Fetches undelivered
 * events every five minutes, and all live subscriptions every night. One process does each. Next:
 * `inbox.service.ts`, `store-reading.ts`.
 */

const TURN_MS = 60_000;

/** Runs until `signal` is aborted. */
export async function watchStripe(deps: WebhookDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(TURN_MS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await takeTurn(deps);
  }
}

const STEPS: ((deps: WebhookDeps) => Promise<void>)[] = [
  recordNights,
  async (deps) => {
    if (await claimEvents(deps.db)) await lookForEvents(deps);
  },
  async (deps) => {
    if (await claimNight(deps.db)) await readNight(deps);
  },
];

/**
 * Takes each due step, if no other process has taken it. Logs a failed step, which delays no other,
 * and tries it again at the next turn.
 */
export async function takeTurn(deps: WebhookDeps): Promise<void> {
  for (const step of STEPS) {
    await step(deps).catch((err: unknown) =>
      deps.log.warn(toLoggedFailure(err), 'stripe could not be watched'),
    );
  }
}

/**
 * Applies undelivered events, and stores whether the key may list events, because nothing else
 * shows it.
 */
async function lookForEvents(deps: WebhookDeps): Promise<void> {
  const events = task(deps.db, 'stripe-events');
  try {
    await applyMissedEvents(deps);
    await events.update({ failure: null, coversUntil: deps.db.fn.now() });
  } catch (error) {
    const failure = readMissingPermission(error);
    if (failure !== null) await events.update({ failure });
    throw error;
  }
}

/**
 * Reads the live subscriptions. Only a whole reading counts. If this process ends meanwhile,
 * another begins again.
 */
async function readNight(deps: WebhookDeps): Promise<void> {
  const { db, log } = deps;
  try {
    log.info(await readLiveSubscriptions(deps), 'live subscriptions read from stripe');
    await task(db, 'stripe-reading').update({ coversUntil: db.fn.now() });
    await readMissingInvoices(deps);
  } finally {
    await task(db, 'stripe-reading').update({ leasedBy: null, leasedUntil: null });
  }
}

async function claimEvents(db: Database): Promise<boolean> {
  const claimed = await task(db, 'stripe-events')
    .whereRaw(`seen_at <= now() - interval '5 minutes'`)
    .update({ seenAt: db.fn.now() });
  return claimed > 0;
}

/**
 * Returns true in one process if the nightly reading is due: after 02:00 UTC, an hour before the
 * comparison. The lease is long enough for many thousand subscriptions. Two readings at once would
 * do no harm.
 */
async function claimNight(db: Database): Promise<boolean> {
  const claimed = await task(db, 'stripe-reading')
    .whereRaw(
      `covers_until < date_trunc('day', now() - interval '2 hours', 'UTC') + interval '2 hours'`,
    )
    .whereRaw('(leased_until is null or leased_until <= now())')
    .update({
      leasedBy: db.fn.uuid(),
      leasedUntil: db.raw(`now() + interval '30 minutes'`),
    });
  return claimed > 0;
}

/**
 * Stores the subscriptions and the list at the end of the last London day. The first time, after a
 * gap, and when older payments become known, also stores the ends of earlier months. All are
 * counted backwards from the dates of today's rows, because even the last day may have ended hours
 * ago. Any process may do it.
 */
export async function recordNights({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const yesterday = dayBefore(londonDate(clock.now()));
  const due = await listDueNights(db, yesterday);
  // More of the past may be on its way.
  const isReceiving = db('stripe_events')
    .whereRaw(`received_at > now() - interval '1 minute'`)
    .first('id');
  if (due.length > 1 && (await isReceiving)) return;
  for (const { after, day } of due) {
    const isYesterday = day === yesterday;
    await storeNight(db, {
      day,
      after,
      payers: await countPastPayers(db, endOf(day)),
      mrrPence: await readPastMrr(db, endOf(day), { isYesterday }),
      onList: isYesterday ? await countOnList(db) : null,
    });
  }
}
