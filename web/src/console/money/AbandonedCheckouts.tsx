import type { AbandonedCheckoutsAnswer } from '@site/schema/calls/money';
import { CHECKOUT_HINDRANCES } from '@site/schema/money';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { writeCheckoutEmail } from '../person/checkout-email.ts';
import { PaymentLinkButton } from '../person/dialogs/PaymentLink.tsx';
import { NOT_TO_OPEN, toPriceText, toRecoveryLink } from '../person/labels.ts';
import { PersonLink } from '../person/PersonLink.tsx';
import { StripeLink } from '../person/StripeLink.tsx';
import { copyText, LinkButton, Moment } from '../shared/fields.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { formatCount, formatDay } from '../shared/format.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/heads.tsx';
import styles from './AbandonedCheckouts.module.css';
import { Contacted } from './Contacted.tsx';
import { useMoneyPeriod } from './period.ts';

type Person = AbandonedCheckoutsAnswer['people'][number];

type AbandonedProps = {
  dashboardUrl: string;
  now: Date;
  /** The checkouts that Call today lists. */
  called: ReadonlySet<string>;
};

/**
 * Lists the other people with a checkout that was abandoned, did not open, or is still open, of all
 * dates unless some are chosen, with the link that reopens it.
 */
export function AbandonedCheckouts({ dashboardUrl, now, called }: AbandonedProps) {
  const { period, isChosen, name } = useMoneyPeriod();
  const { data, failure, reload } = useApiData(
    'GET /api/admin/checkouts/abandoned',
    { query: isChosen ? period : {} },
    { keepPreviousData: true },
  );
  const { isCapped } = data ?? {};
  const people = data?.people.filter(({ id }) => !called.has(id)) ?? [];
  const dates = isChosen ? name : 'all dates';
  // An open checkout is not abandoned yet.
  const abandoned = people.filter(({ isOpen }) => !isOpen).length;
  const many = abandoned === 1 ? 'person' : 'people';
  return (
    <section aria-label="Abandoned checkouts">
      <details className={styles.earlier} open={isChosen}>
        <summary>Earlier</summary>
        <SectionHead
          title="Abandoned checkouts"
          aside={
            abandoned > 0 &&
            `${formatCount(abandoned, isCapped)} ${many}, ${dates}. No email is sent ` +
              'automatically. Do not open a copied link yourself: that uses it up.'
          }
        >
          {abandoned > 0 && <Link to={{ search: 'checkout=abandoned' }}>Their leads</Link>}
        </SectionHead>
        <LoadState of="abandoned checkouts" data={data} failure={failure} reload={reload} />
        {data && people.length === 0 && <p>No abandoned checkouts{isChosen && `, ${name}`}.</p>}
        {people.length > 0 && (
          <DataTable
            name="Abandoned checkouts"
            rows={people}
            keyOf={({ id }) => id}
            columns={toColumns({ now, dashboardUrl, onDone: reload })}
          />
        )}
      </details>
    </section>
  );
}

type ActsProps = {
  person: Person;
  now: Date;
  dashboardUrl: string;
  onDone: () => Promise<unknown>;
};

const toColumns = (shared: Omit<ActsProps, 'person'>): Column<Person>[] => [
  {
    head: 'Person',
    width: '22%',
    cell: (person) => <PersonLink {...person} />,
  },
  {
    head: 'Opened',
    width: '20%',
    place: 'line',
    cell: (person) => <Opened person={person} now={shared.now} />,
  },
  {
    head: 'Offer',
    width: '16%',
    cell: ({ plan, pence, channel }) => (
      <>
        <span className="nowrap">
          {plan === null || pence === null ? 'Not known' : toPriceText(plan, pence)}
        </span>{' '}
        <small className={styles.more}>from {channel ?? 'an unknown source'}</small>
      </>
    ),
  },
  {
    head: 'Consent',
    width: '9%',
    label: 'Agreed to email:',
    cell: ({ agreedAt }) => (agreedAt === null ? 'No' : 'Yes'),
  },
  {
    head: '',
    place: 'line',
    cell: (person) => <Acts person={person} {...shared} />,
  },
];

function Opened({ person, now }: { person: Person; now: Date }) {
  const { startedAt, before, isOpen, hindrance, contactedAt } = person;
  const { url, validity } = toRecoveryLink(person, now);
  const left = url === undefined ? validity : `The link ${validity}`;
  const days = [...new Set(before.map((at) => formatDay(new Date(at), now)))];
  return (
    <>
      <Moment at={startedAt} />
      {days.length > 0 && ` and ${days.join(', ')}`}{' '}
      <small className={styles.more}>
        {isOpen
          ? 'Still open'
          : hindrance
            ? `Could not pay: ${CHECKOUT_HINDRANCES[hindrance]}`
            : left}
        {contactedAt !== null && `; contacted ${formatDay(new Date(contactedAt), now)}`}
      </small>
    </>
  );
}

/**
 * Copies the link, or with consent a text for an email, or makes a payment link if none works, and
 * records the contact. An open checkout has only its page at Stripe, because its person may be
 * paying.
 */
function Acts({ person, now, dashboardUrl, onDone }: ActsProps) {
  const { id, name, email, startedAt, agreedAt, contactedAt, recoveryEndsAt: endsAt } = person;
  const { stripeCheckoutSessionId: session, isOpen } = person;
  const { url } = toRecoveryLink(person, now);
  const whom = name ?? email ?? session ?? id;
  return (
    <div className={styles.acts}>
      {url !== undefined && (
        <LinkButton
          className={styles.main}
          aria-label={`Copy link of ${whom}`}
          onClick={() => void copyText(url, NOT_TO_OPEN)}
        >
          Copy link
        </LinkButton>
      )}
      {url === undefined && !isOpen && (
        <PaymentLinkButton className={styles.main} email={email} name={name} onDone={onDone} />
      )}
      {url !== undefined && agreedAt !== null && (
        <LinkButton
          className={styles.main}
          aria-label={`Copy email text for ${whom}`}
          onClick={() =>
            void copyText(
              writeCheckoutEmail({ name, startedAt, agreedAt, url, endsAt }),
              'The subject is its first line.',
            )
          }
        >
          Copy email text
        </LinkButton>
      )}
      {session !== null && (
        <StripeLink to={`${dashboardUrl}/checkout/sessions/${session}`} name={session} />
      )}
      {!isOpen && (
        <Contacted id={id} whom={whom} isContacted={contactedAt !== null} onDone={onDone} />
      )}
    </div>
  );
}
