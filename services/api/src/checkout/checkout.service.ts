import type { Clock } from '@site/platform/process/clock';
import { isDatabaseUnavailable } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import { intervalOf, orderPricePence, priceLookupKey } from '@site/schema/offer';
import type { OrderedPlan } from '@site/schema/offer';
import type Stripe from 'stripe';
import { fieldProblem, problem, ProblemError } from '../http/problem.ts';
import type { ApiSettings } from '../settings.ts';
import {
  isStripeError,
  isStripeRefusal,
  isStripeUnreachable,
  toLoggedStripeError,
} from '../stripe/stripe-failure.ts';
import { findPayer } from '../billing/storing/payer-lead.repository.ts';
import { countErasures, readStanding } from '../billing/storing/subscription.repository.ts';
import type { Standing } from '../billing/storing/subscription.repository.ts';
import { TimeoutError, withTimeout } from '@site/platform/process/with-timeout';
import type { Deadline } from '@site/platform/process/with-timeout';
import { storeNotOpened, storeOpenCheckout } from '../billing/storing/checkout.repository.ts';
import type { Before } from '../billing/storing/checkout.repository.ts';
import { asksForTerms, isTermsRefusal, storeTermsRefused } from '../stripe/terms.ts';
import { expireSession } from '../stripe/expire-session.ts';
import { callOptions, openSession, toSessionParameters } from './open-session.ts';
import type { OpenedSession, Order } from './open-session.ts';
import type { PriceBook } from '../stripe/catalog.ts';
import type { SubscribedLimit } from './subscribed-limit.ts';

/*
 * Opens a checkout for a visitor. Before: `checkout.routes.ts`. Next: Stripe's page, then
 * `inbox.service.ts` or `checkout-state.service.ts`, whichever comes first.
 */

export type CheckoutDeps = {
  db: Database;
  clock: Clock;
  stripe: Stripe;
  log: Logger;
  settings: Pick<ApiSettings, 'publicUrl' | 'site' | 'checkout' | 'sessionSecrets'>;
  subscribedLimit: SubscribedLimit;
  /** The longest a visitor waits for Stripe, over all calls. */
  checkoutDeadlineMs?: number;
};
/** The dependencies for opening a checkout. */
export type OpeningDeps = Omit<CheckoutDeps, 'subscribedLimit'> & { prices: PriceBook };

export type CheckoutRequest = {
  email: string | undefined;
  leadId: string | undefined;
  plan: OrderedPlan;
  returnTo: Order['returnTo'];
  ip: string | undefined;
  /** Distinguishes one visitor's double click from two visitors. */
  caller: string;
  /** Identifies the browser session, given the new checkout's id. */
  visitOf: (sessionId: string) => string;
};

const CHECKOUT_DEADLINE_MS = 8_000;
const LOOK_UP_DEADLINE_MS = 2_000;

/**
 * Opens a checkout and returns its id and the URL of Stripe's page. Throws 409 for an email with a
 * live subscription, or 429 after too many answers about emails with a subscription, live or past.
 * Throws 422 for an email that Stripe refuses, and 503 if Stripe returns no page in time. Then the
 * email is kept with the reason, for the owner (rule 3.11a). An email with a past subscription gets
 * no second trial.
 */
export async function startCheckout(
  deps: CheckoutDeps & { prices: PriceBook },
  request: CheckoutRequest,
): Promise<OpenedSession> {
  const { site } = deps.settings;
  let before: Before = UNKNOWN;
  const opening = askStripeForVisitor(deps, async (deadline) => {
    const point = await deps.subscribedLimit(request);
    const payer = (await unlessUnreachable(
      deps.log,
      'database is unreachable, checkout continues without it',
      () => readKnown(deps.db, deps.clock, request),
    )) ?? {
      ...UNKNOWN,
      standing: 'none' as const,
      leadId: request.leadId ?? null,
      asksForTerms: false,
    };
    before = payer;
    if (payer.standing === 'live') {
      point.keep();
      throw alreadySubscribed(site);
    }
    if (payer.standing === 'none') await point.giveBack();
    const order = {
      phase: site.offerPhase,
      plan: request.plan,
      operatorRequest: null,
      returnTo: request.returnTo,
      email: request.email ?? null,
      leadId: payer.leadId,
      hasTrial: payer.standing === 'none',
      asksForTerms: site.termsUrl !== null && payer.asksForTerms,
    };
    const session = await openAcceptedOrder(deps, order, request.caller, deadline).catch(
      async (error: unknown) => {
        if (payer.standing === 'past') await point.giveBack();
        throw error;
      },
    );
    // The payment page shows that the email has had its trial.
    if (payer.standing === 'past') point.keep();
    if (order.email === null) return session;
    const checkout = {
      id: session.id,
      email: order.email,
      visits: [request.visitOf(session.id)],
      isPaymentLink: false,
      offer: {
        plan: intervalOf(order.plan),
        amountPence: orderPricePence(order.phase, order.plan),
      },
    };
    const outcome = await rememberOpen(deps, checkout, payer);
    if (outcome === 'paid') throw alreadySubscribed(site);
    if (outcome === 'erased') throw stripeUnavailable('erased meanwhile');
    return session;
  });
  return opening.catch(async (error: unknown) => {
    if (error instanceof ProblemError && error.kind === 'stripe-unavailable')
      await rememberNotOpened(deps, request, before, error.cause);
    throw error;
  });
}

function alreadySubscribed({ portalLoginUrl, supportEmail }: CheckoutDeps['settings']['site']) {
  const place = portalLoginUrl ? `log in at ${portalLoginUrl}` : `write to ${supportEmail}`;
  return problem('already-subscribed', { detail: `To see, change or cancel it, ${place}.` });
}

/** Keeps who could not pay, and why. */
async function rememberNotOpened(
  { db, log, settings }: CheckoutDeps,
  { email, plan }: CheckoutRequest,
  before: Before,
  cause: unknown,
): Promise<void> {
  if (email === undefined) return;
  const { offerPhase } = settings.site;
  const isAway =
    cause === undefined ||
    cause instanceof TimeoutError ||
    // A wrong key must be corrected, so waiting does not help.
    (isStripeUnreachable(cause) && !(isStripeError(cause) && cause.statusCode === 401));
  const words = 'database is unreachable, a checkout that did not open is not stored';
  await unlessUnreachable(log, words, () =>
    storeNotOpened(
      db,
      {
        email,
        hindrance: isAway ? 'stripe-away' : 'wrong-setting',
        plan: intervalOf(plan),
        amountPence: orderPricePence(offerPhase, plan),
      },
      before,
    ),
  );
}

/**
 * Opens an order. Throws 422 if Stripe refuses its email, and 503 if no checkout can be opened. The
 * upsell continues without the email.
 */
export async function openAcceptedOrder(
  deps: OpeningDeps,
  order: Order,
  caller: string,
  deadline: Deadline,
): Promise<OpenedSession> {
  try {
    const session = await openOrder(deps, order, caller, deadline);
    if (session === null) throw stripeUnavailable();
    return session;
  } catch (error) {
    if (order.asksForTerms && isTermsRefusal(error)) {
      // Checkouts must continue without the terms. The alert asks the owner to correct the setting.
      deps.log.error(
        { param: 'consent_collection' },
        'stripe refuses to ask for the terms, checkout goes on without',
      );
      await storeTermsRefused(deps.db);
      return openAcceptedOrder(deps, { ...order, asksForTerms: false }, caller, deadline);
    }
    if (!isStripeError(error) || error.param !== 'customer_email' || !isStripeRefusal(error))
      throw error;
    // The visitor did not type the email: it comes from the browser's storage.
    if (order.returnTo === '/sample-sent')
      return openAcceptedOrder(deps, { ...order, email: null }, caller, deadline);
    throw fieldProblem('email', 'The payment page does not accept this address');
  }
}

async function openOrder(
  { stripe, clock, prices, settings, log }: OpeningDeps,
  order: Order,
  caller: string,
  deadline: Deadline,
): Promise<OpenedSession | null> {
  const lookupKey = priceLookupKey(order.phase, intervalOf(order.plan));
  const open = async () => {
    const priceId = await prices.find(lookupKey, callOptions(deadline));
    if (priceId === null) {
      log.error({ lookupKey }, 'price missing at stripe: run stripe:setup');
      throw stripeUnavailable('price missing');
    }
    const params = toSessionParameters(order, priceId, settings);
    return openSession({ stripe, clock }, { params, caller }, deadline);
  };
  try {
    return await open();
  } catch (error) {
    // `stripe:setup` has replaced the cached price.
    if (!isStripeError(error) || !error.param?.startsWith('line_items')) throw error;
    prices.forget(lookupKey);
    return open();
  }
}

/** Our knowledge of somebody who wants to pay. */
export type Known = Before & { standing: Standing; asksForTerms: boolean };

/** Without Postgres, nobody can learn of an erasure either. */
const UNKNOWN: Before = { leadId: null, erasures: Infinity };

export async function readKnown(
  db: Database,
  clock: Clock,
  { email, leadId }: Pick<CheckoutRequest, 'email' | 'leadId'>,
): Promise<Known> {
  const given = email ?? null;
  const named = {
    leadReference: leadId ?? null,
    email: given,
    startedAt: clock.now(),
    isNew: true,
  };
  // Before the lead, so that a later erasure shows.
  const erasures = given === null ? 0 : await countErasures(db, given);
  const payer = await findPayer(db, named);
  // An operator may have corrected the named lead's email. Without it, anybody may type an email.
  const own = payer.leadId !== null && payer.leadId === leadId ? payer.email : given;
  return {
    erasures,
    standing: own === null ? 'none' : await readStanding(db, own),
    leadId: payer.leadId,
    asksForTerms: await asksForTerms(db),
  };
}

/**
 * Stores an open checkout, so that the console shows it, and it can be expired if its email pays
 * through another. Ends it at Stripe if the person was erased or paid meanwhile.
 */
async function rememberOpen(
  { db, log, stripe }: CheckoutDeps,
  checkout: Parameters<typeof storeOpenCheckout>[1],
  before: Before,
): Promise<Awaited<ReturnType<typeof storeOpenCheckout>> | null> {
  const words = 'database is unreachable, an open checkout is not stored';
  return unlessUnreachable(log, words, async () => {
    const outcome = await storeOpenCheckout(db, checkout, before);
    if (outcome !== 'stored') await endSession({ stripe, log }, checkout.id);
    return outcome;
  });
}

/** Ends the checkout of somebody who was erased or paid. If Stripe fails, it ends within a day. */
export async function endSession(
  { stripe, log }: Pick<CheckoutDeps, 'stripe' | 'log'>,
  id: string,
): Promise<void> {
  await expireSession(stripe, id).catch((error: unknown) =>
    log.warn(
      toLoggedStripeError(error),
      'checkout of somebody who was erased or paid is still open',
    ),
  );
}

/**
 * Works with the database. Logs the failure and returns null if the database does not answer in
 * time.
 */
async function unlessUnreachable<T>(
  log: Logger,
  words: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await withTimeout(LOOK_UP_DEADLINE_MS, work);
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !(error instanceof TimeoutError)) throw error;
    log.warn({ err: error }, words);
    return null;
  }
}

/** Runs Stripe calls under one deadline. Any failure is the same 503, without Stripe's message. */
export async function askStripeForVisitor<T>(
  deps: Pick<CheckoutDeps, 'log' | 'checkoutDeadlineMs'>,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(deps.checkoutDeadlineMs ?? CHECKOUT_DEADLINE_MS, work);
  } catch (error) {
    if (!isStripeError(error) && !(error instanceof TimeoutError)) throw error;
    const isTheirs = isStripeUnreachable(error) || error instanceof TimeoutError;
    deps.log[isTheirs ? 'warn' : 'error'](
      toLoggedStripeError(error),
      'stripe did not serve a checkout',
    );
    throw stripeUnavailable(error);
  }
}

function stripeUnavailable(cause?: unknown) {
  const detail = 'Nothing was charged. Please try again in a moment, or contact support.';
  return problem('stripe-unavailable', { detail, retryAfterSeconds: 5 }, { cause });
}
