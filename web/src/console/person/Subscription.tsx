import type { PersonAnswer } from '@site/schema/calls/people';
import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { isSameEmail } from '@site/schema/email';
import { Link } from 'react-router-dom';
import { toSubscriberStatusName } from '@site/schema/labels';
import { toPerson } from '../navigation.ts';
import { useIsViewer } from '../session/session.ts';
import { LinkButton } from '../shared/fields.tsx';
import { formatDate, formatMoment } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import type { Open } from './Actions.tsx';
import { Facts } from './Facts.tsx';
import { toCouponText, toPriceText, toReasonText } from './labels.ts';
import { StripeLink } from './StripeLink.tsx';
import { canResume, toEndText, isCancelled, mainOf, paidBy } from './verdict.ts';

type SubscriptionProps = { person: PersonAnswer; now: Date; onOpen: (open: Open) => void };

const on = (at: string | null) => (at === null ? 'not known' : formatDate(new Date(at)));

/** Shows the person's access and subscription, and when it began and ends. */
export function Subscription({ person, now, onOpen }: SubscriptionProps) {
  const { lead, subscriptions, freeAccess, notReceiving, subscriber } = person;
  const paid = paidBy(lead.email, subscriptions);
  const main = mainOf(person);
  const isViewer = useIsViewer();
  const isRunning =
    main !== undefined && ['trial', 'paying', 'ending', 'dunning'].includes(main.stage);
  const hasAccess = isRunning || (freeAccess !== null && !freeAccess.isOver);
  const status = subscriber?.status ?? lead.subscriberStatus;
  const isSettled = status !== null && !['pending', 'validating'].includes(status);
  const receives = status === 'active' ? 'Yes' : isSettled ? 'No' : 'Not yet';
  const unknown = lead.beehiivStatus === 'failed' ? 'Not on the list' : 'Not known yet';
  return (
    <section aria-label="Subscription">
      <SectionHead title="Subscription" aside={subscriptions.length > 1 && subscriptions.length} />
      <Facts
        of={[
          ['Paid issue', hasAccess ? (notReceiving ? 'Not received' : receives) : 'No'],
          [
            'At Beehiiv',
            (status === null ? unknown : toSubscriberStatusName(status)) +
              (subscriber ? `, as of ${formatMoment(new Date(subscriber.learnedAt), now)}` : ''),
          ],
          [
            'Free access',
            freeAccess && (
              <>
                {freeAccess.isOver
                  ? 'Ended ' +
                    (freeAccess.until
                      ? formatDate(new Date(freeAccess.until))
                      : 'with its subscription')
                  : toEndText(freeAccess)}
                , given by <bdi>{freeAccess.grantedBy}</bdi>
                {freeAccess.reason && (
                  <>
                    : <bdi>{freeAccess.reason}</bdi>
                  </>
                )}
              </>
            ),
          ],
        ]}
      />
      {subscriptions.map((of) => (
        <Facts
          key={of.stripeSubscriptionId}
          of={[
            ['Offer', `${toPriceText(of.plan, of.amountPence)}${toCouponText(of)}`],
            [
              'Began',
              on(of.startedAt) +
                (of.trialEndsAt === null ? '' : ' with a trial') +
                (of.firstPaidAt === null ? '; nothing paid' : `; first paid ${on(of.firstPaidAt)}`),
            ],
            toNext(of),
            ['Charging', of.isCollectionPaused && 'paused'],
            ['Reason given', of.cancellationFeedback && toReasonText(of.cancellationFeedback)],
            [
              'Subscribed by',
              !isSameEmail(of.email, lead.email) && (
                <OtherPerson email={of.email} person={person} />
              ),
            ],
            [
              'Also read by',
              of.readers.length > 0 &&
                of.readers.map((reader) => (
                  <OtherPerson key={reader} email={reader} person={person} />
                )),
            ],
            [
              'Not read',
              of.unreadParts.length > 0 &&
                `Could not be read from Stripe: ${of.unreadParts.join(', ')}. It may be older.`,
            ],
            [
              'Actions',
              // The panel's actions are about the main subscription.
              !isViewer && of !== main && paid.includes(of) && of.stage !== 'ended' && (
                <>
                  <LinkButton
                    onClick={() => onOpen({ what: 'cancel', of: of.stripeSubscriptionId })}
                  >
                    {isCancelled(of) ? 'End now…' : 'Cancel…'}
                  </LinkButton>{' '}
                  {canResume(of, now) && (
                    <LinkButton
                      onClick={() => onOpen({ what: 'resume', of: of.stripeSubscriptionId })}
                    >
                      Undo cancellation…
                    </LinkButton>
                  )}
                </>
              ),
            ],
            [
              'At Stripe',
              <StripeLink key="stripe" to={of.dashboardUrl} name={of.stripeSubscriptionId} />,
            ],
          ]}
        />
      ))}
    </section>
  );
}

function toNext(of: LeadSubscription): readonly [string, string] {
  if (of.stage === 'ended') return ['Ended', on(of.endedAt)];
  if (of.stage === 'ending') return ['Ends', on(of.cancelAt)];
  if (of.nextPaymentAttemptAt) return ['Next try', on(of.nextPaymentAttemptAt)];
  return ['Next charge', on(of.periodEndsAt)];
}

/** Links another email of a subscription to its person. */
function OtherPerson({ email, person: { others } }: { email: string; person: PersonAnswer }) {
  const other = others.find((each) => isSameEmail(each.email, email));
  if (!other) return <bdi>{email}</bdi>;
  return (
    <Link to={{ search: toPerson(other.leadId) }}>
      <bdi>{email}</bdi>
    </Link>
  );
}
