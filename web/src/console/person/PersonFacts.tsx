import type { PersonAnswer } from '@site/schema/calls/people';
import type { LeadCheckout, LeadSubscription } from '@site/schema/calls/subscriptions';
import { describeAnswer } from '@site/schema/beehiiv-answers';
import { formatMoney } from '@site/schema/currency';
import { isSameAddress } from '@site/schema/email';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { Fact } from './Fact.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import { copyText } from '../shared/copy-text.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import {
  describeButton,
  describePlace,
  describeSource,
  describeSubscriberStatus,
  FORM_TYPE_NAMES,
  needsCorrection,
} from '../lead/lead-labels.ts';
import { LeadStatus } from '../lead/LeadStatus.tsx';
import {
  describeCancellation,
  describeCheckout,
  describeCoupon,
  describeRecovery,
} from './money-labels.ts';
import { NOT_TO_OPEN, toEmailText } from './checkout-email.ts';
import { describeEnd, mainOf } from './judge-money.ts';
import { newestCharge } from './Payments.tsx';
import { StripeLink } from './StripeLink.tsx';
import { SubscriptionMenu } from './SubscriptionMenu.tsx';
import { useOpenLead } from '../navigation/open-lead.ts';
import { toPerson } from '../navigation/person.ts';
import { useHalt } from '../lead/use-halt.ts';
import { formatDate, formatDated, formatMoment } from '../shared/london-time.ts';
import styles from './PersonView.module.css';
import { judge } from './verdict.ts';

const isEnding = ({ stage }: LeadSubscription) => stage === 'ended' || stage === 'ending';

/** What Stripe tries again to charge: `, £203.15`. */
function dueOf(of: LeadSubscription): string | undefined {
  const open =
    of.stage === 'dunning' && of.nextPaymentAttemptAt !== null && newestCharge([of])?.invoice;
  return open ? `, ${formatMoney(open.totalPence - open.paidPence, open.currency)}` : undefined;
}

type PersonProps = { person: PersonAnswer; now: Date };
type SubscriptionsProps = PersonProps & { onDone: () => void };

/** Returns the subscriptions that the person pays for, without those that they ordered and somebody else pays. */
export const paidSubscriptions = ({ lead, subscriptions }: PersonAnswer) =>
  subscriptions.filter(({ email }) => isSameAddress(email, lead.email));

/** Another address of a subscription, which leads to its person. */
function OtherPerson({ email, person: { lead, others } }: { email: string; person: PersonAnswer }) {
  const other = others.find((each) => isSameAddress(each.email, email));
  if (!other || isSameAddress(email, lead.email)) return <bdi>{email}</bdi>;
  return (
    <Link to={{ search: toPerson(other.leadId) }}>
      <bdi>{email}</bdi>
    </Link>
  );
}

/** Without anything to pay or to receive, only where they came from is known. */
export const hasOffer = ({ subscriptions, checkouts, complimentary }: PersonAnswer) =>
  subscriptions.length + checkouts.length > 0 || complimentary !== null;

/** What was subscribed to, when it began and ends, and where the person came from. */
export function Subscriptions({ person, now, onDone }: SubscriptionsProps) {
  const { lead, subscriptions, checkouts, complimentary } = person;
  const paid = paidSubscriptions(person);
  const main = mainOf(paid);
  const areSeveral = subscriptions.length > 1;
  const listed = main ? [main, ...subscriptions.filter((of) => of !== main)] : subscriptions;
  const title = areSeveral ? 'Subscriptions' : hasOffer(person) ? 'Subscription' : 'Source';
  const source = lead.visitUtmSource && describeSource(lead.visitUtmSource);
  const came = [source, lead.visitUtmCampaign && `campaign “${lead.visitUtmCampaign}”`].filter(
    Boolean,
  );
  const on = (at: string | null) => (at === null ? 'not known' : formatDate(new Date(at)));
  // Two that were begun by mistake are of one day.
  const began = ({ startedAt }: LeadSubscription) =>
    areSeveral && startedAt !== null ? formatDated(new Date(startedAt)) : on(startedAt);
  // The verdict above has the buttons of the newest.
  const above =
    judge(person, now, undefined).action === 'recover' &&
    checkouts.find(({ isAbandoned }) => isAbandoned);
  return (
    <section aria-label={title}>
      <SectionHead title={title} aside={areSeveral && subscriptions.length} />
      {listed.map((of) => (
        <dl key={of.stripeSubscriptionId} className={styles.facts}>
          <Fact name="Offer">
            {of.plan === 'annual' ? 'Yearly' : 'Monthly'}, {formatPence(of.amountPence, true)}
            {describeCoupon(of)}
          </Fact>
          <Fact name="Began">
            {began(of)}
            {of.trialEndsAt !== null && ' with a trial'}
            {of.firstPaidAt === null ? '; nothing paid' : `; first paid ${on(of.firstPaidAt)}`}
          </Fact>
          <Fact
            name={
              of.stage === 'ended'
                ? 'Ended'
                : isEnding(of)
                  ? 'Ends'
                  : dueOf(of)
                    ? 'Next try'
                    : 'Next charge'
            }
          >
            {on(
              isEnding(of)
                ? (of.endedAt ?? of.cancelAt)
                : (of.nextPaymentAttemptAt ?? of.periodEndsAt),
            )}
            {dueOf(of)}
            {of.cancellationFeedback !== null &&
              `. Reason given: ${describeCancellation(of.cancellationFeedback)}`}
            {of.isCollectionPaused && '; charging is paused'}
          </Fact>
          {of.stage === 'dunning' && of.cancelAt !== null && (
            <Fact name="Ends">{on(of.cancelAt)}</Fact>
          )}
          {!isSameAddress(of.email, lead.email) && (
            <Fact name="Subscribed by">
              <OtherPerson email={of.email} person={person} />
            </Fact>
          )}
          {of.readers.length > 0 && (
            <Fact name="Also read by">
              {of.readers.map((reader) => (
                <OtherPerson key={reader} email={reader} person={person} />
              ))}
            </Fact>
          )}
          {of.unreadParts.length > 0 && (
            <Fact name="Not read">
              Could not be read from Stripe: {of.unreadParts.join(', ')}. It may be older.
            </Fact>
          )}
          {/* The actions beside are about the main one. */}
          {areSeveral && of === main && (
            <Fact name="Actions">Those of this page are about this one</Fact>
          )}
          {paid.includes(of) && of !== main && of.stage !== 'ended' && (
            <Fact name="Actions">
              <SubscriptionMenu
                id={of.stripeSubscriptionId}
                of={`begun on ${began(of)}`}
                isSecond
                onDone={onDone}
              />
            </Fact>
          )}
        </dl>
      ))}
      <dl className={styles.facts}>
        {complimentary && (
          <Fact name="Free access">
            {complimentary.isOver ? 'Ended; it was given ' : ''}
            {describeEnd(complimentary)}, given by <bdi>{complimentary.grantedBy}</bdi>
          </Fact>
        )}
        {checkouts
          .filter(({ state }) => state !== 'complete')
          .map((checkout) => (
            <Fact key={checkout.id} name="Checkout">
              {describeCheckout(checkout, now)}.{' '}
              {checkout.isAbandoned && checkout !== above && (
                <RecoveryLink lead={lead} checkout={checkout} now={now} />
              )}{' '}
              <StripeLink to={checkout.dashboardUrl} name={checkout.id} />
            </Fact>
          ))}
        <Fact name="Came from">
          {lead.utmSource === OPERATOR_SOURCE
            ? describeButton(lead.utmSource)
            : `${came.join(', ') || 'Direct'}${lead.utmSource === null ? '' : `; button: ${describeButton(lead.utmSource)}`}`}
        </Fact>
      </dl>
    </section>
  );
}

/** What the person receives now or pays for, what Beehiiv says of the address it goes to, and what follows. */
export function Receives({ person, now }: PersonProps) {
  const { lead, subscriptions, complimentary, notReceiving, subscriber } = person;
  const running = subscriptions.filter(
    ({ stage }) =>
      stage === 'trial' || stage === 'paying' || stage === 'ending' || stage === 'dunning',
  );
  const main = mainOf(running.filter(({ email }) => isSameAddress(email, lead.email)));
  const ends =
    main?.cancelAt ??
    (main ? null : complimentary && !complimentary.isOver ? complimentary.until : null);
  const hasAccess = main !== undefined || (complimentary !== null && !complimentary.isOver);
  const status = subscriber?.status ?? lead.subscriberStatus;
  return (
    <section aria-label="What this person receives">
      <SectionHead title="What this person receives" />
      <dl className={styles.facts}>
        <Fact name="Paid issue">
          {!hasAccess ? (
            'No'
          ) : notReceiving ? (
            <strong className={styles.bad}>Should, but does not</strong>
          ) : (
            <strong>Yes</strong>
          )}
          {ends !== null &&
            ` until ${formatDate(new Date(ends))}${main?.stage === 'dunning' ? ' at the latest' : ''}`}
        </Fact>
        {main && complimentary && !complimentary.isOver && (
          <Fact name="Free access">{describeEnd(complimentary)}</Fact>
        )}
        <Fact name="At Beehiiv">
          {status !== null
            ? describeSubscriberStatus(status)
            : needsCorrection(lead)
              ? describeAnswer(lead.beehiivReason ?? '')
              : 'Not known yet'}
          {subscriber && `, as of ${formatMoment(new Date(subscriber.learnedAt), now)}`}
        </Fact>
        {ends !== null && <Fact name="After that">The free list, until they unsubscribe</Fact>}
      </dl>
    </section>
  );
}

/** Returns what copies Stripe's link that reopens an abandoned checkout, while it is valid, and an email with it if they agreed to email. */
export function recoveryOf(lead: PersonAnswer['lead'], checkout: LeadCheckout, now: Date) {
  const { url, validity } = describeRecovery(checkout, now);
  const { fullName: name, consentMarketing, consentTimestamp: agreedAt } = lead;
  const copying = (text: string) => () => void copyText(text, NOT_TO_OPEN);
  const toText = url &&
    agreedAt && { ...checkout, name, agreedAt, url, endsAt: checkout.recoveryEndsAt };
  const copyEmail = consentMarketing && toText && copying(toEmailText(toText));
  return { validity, copyLink: url && copying(url), copyEmail };
}

function RecoveryLink({
  lead,
  checkout,
  now,
}: {
  lead: PersonAnswer['lead'];
  checkout: LeadCheckout;
  now: Date;
}) {
  const { validity, copyLink, copyEmail } = recoveryOf(lead, checkout, now);
  if (!copyLink) return validity;
  return (
    <>
      Recovery link {validity}: <LinkButton onClick={copyLink}>Copy link</LinkButton>
      {copyEmail && ', '}
      {copyEmail && <LinkButton onClick={copyEmail}>Copy email text</LinkButton>},
    </>
  );
}

/** The forms that the person filled in. Each opens its lead. */
export function Leads({ person: { leads, correctedFrom }, now }: PersonProps) {
  const { linkTo } = useOpenLead();
  const halt = useHalt();
  return (
    <section aria-label="Leads">
      <SectionHead title="Leads" aside={leads.length > 1 && leads.length} />
      <DataTable
        name="Leads"
        heads={['Date', 'Form Type', 'Source', 'Location', 'Beehiiv']}
        isStacking
      >
        {leads.map((lead) => (
          <tr key={lead.id}>
            <td>
              <Link to={{ search: linkTo(lead.id) }}>
                {formatDated(new Date(lead.submittedAt))}
              </Link>
            </td>
            <td>{FORM_TYPE_NAMES[lead.formType]}</td>
            <td>{describeButton(lead.utmSource ?? '')}</td>
            <td data-none={describePlace(lead) === undefined || undefined}>
              {describePlace(lead) ?? 'Not known'}
            </td>
            <td data-own className={styles.beehiiv}>
              <LeadStatus lead={lead} now={now} halt={halt} />
            </td>
          </tr>
        ))}
      </DataTable>
      {correctedFrom && (
        <p>
          Corrected from{' '}
          <Link to={{ search: linkTo(correctedFrom.id) }}>
            <bdi>{correctedFrom.email}</bdi>
          </Link>
          .
        </p>
      )}
    </section>
  );
}
