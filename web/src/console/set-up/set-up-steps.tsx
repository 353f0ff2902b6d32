import { toAnswerText } from '@site/schema/beehiiv-answers';
import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import type { SetUpAnswer } from '@site/schema/calls/set-up';
import { listCustomFields } from '@site/schema/lead-fields';
import {
  formatPence,
  isUrgencyClaimStale,
  monthlyPricePence,
  upsellPricePence,
} from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { siteSettings } from '../../site-settings.ts';
import { formatMoment } from '../shared/format.ts';

export type SetUpStep = {
  name: string;
  /** The words for a step that works. */
  done: string | undefined;
  /** The failure in a few words, and its remedy. */
  failure?: string | null;
  todo: ReactNode;
};

const FIELDS = listCustomFields();
const STRIPE_PAGE = <code>docs/stripe-setup.md</code>;
const STRIPE_TODO = {
  key: (
    <>
      Put a restricted key with the permissions of {STRIPE_PAGE} into <code>STRIPE_SECRET_KEY</code>
      , then start the API again.
    </>
  ),
  prices: <>Ask your engineer: {STRIPE_PAGE}</>,
  time: 'Check again in a minute. If it stays so, look at status.stripe.com.',
};

export function toSteps(setUp: SetUpAnswer, now: Date): SetUpStep[] {
  const {
    stripe,
    lastEventAt,
    beehiiv,
    missingFields,
    isMailSetUp,
    firstSentAt,
    backup,
    hasTwoStepLogin,
  } = setUp;
  const { offerPhase, priceRisesOn, termsUrl, privacyUrl } = siteSettings();
  const [monthly, less, annual] = [
    monthlyPricePence(offerPhase),
    upsellPricePence(offerPhase, 'monthly15'),
    upsellPricePence(offerPhase, 'annual25'),
  ].map((pence) => formatPence(pence, true));
  const at = (instant: string | null) =>
    instant === null ? '' : ` (${formatMoment(new Date(instant), now)})`;
  const isAccepted = beehiiv.answer === 'accepted';
  const pages = [
    ...(termsUrl === null ? ['TERMS_URL'] : []),
    ...(privacyUrl === null ? ['PRIVACY_URL'] : []),
  ];
  const isLate = isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(now));
  const rise = formatCalendarDate(priceRisesOn);
  return [
    {
      name: 'Stripe',
      done:
        stripe.failure === null
          ? `The key works, in ${stripe.isLive ? 'live' : 'test'} mode. The prices ${monthly}, ` +
            `${less} and ${annual} are there.`
          : undefined,
      failure: stripe.failure?.text ?? null,
      todo: stripe.failure && STRIPE_TODO[stripe.failure.needs],
    },
    {
      name: 'Stripe’s events',
      done: lastEventAt === null ? undefined : 'Stripe reaches the webhook.',
      todo: (
        <>
          No event has come yet. Put the secret of the webhook’s endpoint into{' '}
          <code>STRIPE_WEBHOOK_SECRET</code>, and send a test event from Stripe, or finish a test
          checkout.
        </>
      ),
    },
    {
      name: 'Beehiiv',
      done: isAccepted ? 'Beehiiv accepts the key and the publication.' : undefined,
      failure:
        beehiiv.answer && !isAccepted
          ? `${toAnswerText(beehiiv.answer)}${at(beehiiv.checkedAt)}.`
          : null,
      todo: (
        <>
          {beehiiv.answer === null && 'No worker has asked Beehiiv yet. '}
          Copy a key and the publication’s id from Beehiiv, Settings, API. Put them into{' '}
          <code>BEEHIIV_API_KEY</code> and <code>BEEHIIV_PUBLICATION_ID</code>, then start the
          worker again.
        </>
      ),
    },
    {
      name: 'Custom fields',
      done: missingFields?.length === 0 ? `All ${FIELDS.length} are there.` : undefined,
      failure:
        missingFields && missingFields.length > 0 ? `Missing: ${missingFields.join(', ')}.` : null,
      todo: (
        <>
          Beehiiv drops fields it does not know. Add them there as text fields, under Settings,
          Custom fields.
          <details>
            <summary>See the {FIELDS.length} it needs</summary>
            {FIELDS.join(', ')}
          </details>
        </>
      ),
    },
    {
      name: 'Email alerts',
      done: isMailSetUp
        ? 'Set up: an email when something needs attention, and each Monday. Your account has a ' +
          'button for a test.'
        : undefined,
      todo: (
        <>
          Where to write when something needs attention, and each Monday. Not set:{' '}
          <code>SMTP_URL</code>, <code>ALERT_EMAIL</code> and <code>MAIL_FROM</code>
        </>
      ),
    },
    {
      name: 'Test lead',
      done: firstSentAt === null ? undefined : 'A lead has reached Beehiiv.',
      todo: (
        <>
          Put your own email into <a href="/">the form</a> and watch it reach Beehiiv.
        </>
      ),
    },
    {
      name: 'Terms and privacy',
      done: pages.length === 0 ? 'The site links to both pages.' : undefined,
      todo: (
        <>
          The site does not link to your pages. Not set: <code>{pages.join(', ')}</code>
        </>
      ),
    },
    {
      name: 'The offer’s date',
      done: isLate
        ? undefined
        : offerPhase === 'launch'
          ? `The price rises on ${rise}.`
          : 'The standard price is charged.',
      failure: `The day of the price rise, ${rise}, has passed.`,
      todo: (
        <>
          Have <code>OFFER_PRICE_RISES_ON</code> or <code>OFFER_PHASE</code> changed.
        </>
      ),
    },
    {
      name: 'Backups',
      done: backup?.isElsewhere ? 'Kept on another machine.' : undefined,
      failure: backup && 'Kept on the same machine.',
      todo: (
        <>
          {backup === null && 'Not made by this server, but perhaps by your host. '}
          Ask your engineer: <code>docs/backup.md</code>
        </>
      ),
    },
    {
      name: 'Two-step login',
      done: hasTwoStepLogin ? 'On for your login.' : undefined,
      todo: (
        <>
          A stolen password is enough to log in. Set it up in{' '}
          <Link to={{ search: 'view=account' }}>your account</Link>.
        </>
      ),
    },
  ];
}
