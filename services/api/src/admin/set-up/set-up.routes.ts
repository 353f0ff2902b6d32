import { readLastEventAt } from '@site/platform/health/money-health';
import { readSyncHealth, requestCheck } from '@site/platform/health/sync-health';
import type { CallSent } from '@site/schema/calls/calls';
import type { OfferPhase } from '@site/schema/offer';
import type Stripe from 'stripe';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { planSetUp } from '../../stripe/set-up.ts';
import { toStripeErrorText, isStripeError } from '../../stripe/stripe-failure.ts';
import { isLiveKey } from '../../stripe/stripe.client.ts';
import { errorMessage } from '@site/platform/process/logged-error';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import { createMailer } from '../../mail/mailer.ts';
import { operatorOf, signedIn } from '../operators/operator-session.ts';
import { readFirstSent, readLastTimes } from '../sync/delivery.repository.ts';

type SetUpDeps = Pick<AppDeps, 'db' | 'stripe' | 'settings' | 'newId'>;

/**
 * Serves the checks before the first visitor comes. The worker answers for Beehiiv, because the API
 * does not have its key.
 */
export function setUpRoutes({ db, stripe, settings, newId }: SetUpDeps): Route[] {
  return [
    route('GET /api/admin/set-up', async ({ req }) => {
      const [failure, lastEventAt, health, firstSentAt, { backup }] = await Promise.all([
        findStripeFailure(stripe, settings.site.offerPhase),
        readLastEventAt(db),
        readSyncHealth(db),
        readFirstSent(db),
        readLastTimes(db),
      ]);
      const { beehiivAnswer: answer, beehiivCheckedAt: checkedAt, missingFields } = health;
      return {
        stripe: { failure, isLive: isLiveKey(settings.stripe.secretKey) },
        lastEventAt,
        beehiiv: { answer, checkedAt },
        missingFields: answer === 'accepted' ? missingFields : null,
        isMailSetUp: settings.mail !== null,
        firstSentAt,
        backup: backup && { isElsewhere: backup.isElsewhere },
        hasTwoStepLogin: signedIn(req).hasTwoStepLogin,
      };
    }),
    route('POST /api/admin/set-up/check', async () => {
      await requestCheck(db);
    }),
    route('POST /api/admin/mail/test', async ({ req }) => {
      await sendTestMail(settings, newId());
      await recordAction(db, { operator: operatorOf(req), action: 'test-mail' });
      return { to: settings.mail?.to ?? [] };
    }),
  ];
}

type StripeFailure = CallSent<'GET /api/admin/set-up'>['stripe']['failure'];

async function findStripeFailure(stripe: Stripe, phase: OfferPhase): Promise<StripeFailure> {
  try {
    const [change] = await planSetUp(stripe, phase);
    return change ? { text: `Not as offered yet: ${change.description}.`, needs: 'prices' } : null;
  } catch (failure) {
    if (!isStripeError(failure)) throw failure;
    const needs = failure.statusCode === 401 || failure.statusCode === 403 ? 'key' : 'time';
    return { text: `Stripe ${toStripeErrorText(failure)}.`, needs };
  }
}

const TEXT = 'Emails about what needs attention arrive at this email.';
const TEST = {
  subject: 'A test email',
  html: `<title>A test email</title><p>${TEXT}</p>`,
  plain: TEXT,
};
const NOT_SET_UP = 'No mail server is set up. Set SMTP_URL, ALERT_EMAIL and MAIL_FROM.';

/** Sends a test email at once. Throws the failure if it fails. */
async function sendTestMail(settings: AppDeps['settings'], id: string): Promise<void> {
  const mailer = createMailer(settings);
  if (!mailer) throw problem('mail-failed', { detail: NOT_SET_UP });
  try {
    await mailer.send({ id, ...TEST });
  } catch (cause) {
    throw problem(
      'mail-failed',
      { detail: `The mail server did not accept it: ${errorMessage(cause)}` },
      { cause },
    );
  }
}
