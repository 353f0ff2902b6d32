import type { AbandonedCheckoutsAnswer } from '@site/schema/calls/money-troubles';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { copyText } from '../shared/copy-text.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { formatCount } from '../shared/format-count.ts';
import { CallLink, LinkButton } from '../shared/LinkButton.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { Moment } from '../shared/Moment.tsx';
import { ABANDONED } from '../navigation/console-views.ts';
import { showSection } from '../shared/focus.ts';
import { useCall } from '../session/use-call.ts';
import { formatDay } from '../shared/london-time.ts';
import { NOT_TO_OPEN, toEmailText, writeCheckoutEmail } from '../person/checkout-email.ts';
import styles from './AbandonedCheckouts.module.css';
import { describeRecovery } from '../person/money-labels.ts';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { useMoneyPeriod } from './money-period.ts';
import { describePrice } from './PayersNow.tsx';
import { StripeLink } from '../person/StripeLink.tsx';
import { useMoneyReload } from '../api/use-money-reload.ts';

const HEADS = ['Person', 'Opened', 'Offer', 'Consent', 'What you can do'];
/** More are shown when asked for, and on paper. */
const SHOWN_FIRST = 5;

/** Who opened a checkout and did not finish, this month or ever before, or in other days that were chosen, with the link that opens it again. */
export function AbandonedCheckouts({ dashboardUrl, now }: { dashboardUrl: string; now: Date }) {
  const { period, within, isCurrent } = useMoneyPeriod();
  const options = { keepPreviousData: true };
  const { data, fault, reload } = useApiData(
    'GET /api/admin/checkouts/abandoned',
    { query: isCurrent ? {} : period },
    options,
  );
  useMoneyReload(reload);
  const [isWhole, setWhole] = useState(false);
  const people = data?.people ?? [];
  const count = formatCount(people.length, data?.isCapped);
  const { hash } = useLocation();
  const isAimedAt = hash === `#${ABANDONED}` && data !== undefined;
  useEffect(() => {
    if (isAimedAt) showSection(ABANDONED);
  }, [isAimedAt]);
  return (
    <section id={ABANDONED} tabIndex={-1} aria-label="Abandoned checkouts">
      <SectionHead
        title="Abandoned checkouts"
        aside={
          people.length > 0 && (
            <>
              {people.length === 1 ? '1 person' : `${count} people`}
              {isCurrent ? ', all dates' : ` ${within}`}. No email is sent automatically
              <span className={styles.hint}>
                . Do not open a copied link yourself: that uses it up.
              </span>
            </>
          )
        }
      >
        {people.length > SHOWN_FIRST && (
          <LinkButton onClick={() => setWhole(!isWhole)}>
            {isWhole ? `First ${SHOWN_FIRST}` : `All ${count}`}
          </LinkButton>
        )}
        {people.length > 0 && <Link to={{ search: 'checkout=abandoned' }}>Their leads</Link>}
      </SectionHead>
      <LoadState of="abandoned checkouts" data={data} fault={fault} reload={reload} />
      {data && people.length === 0 && (
        <p>{isCurrent ? 'No abandoned checkouts.' : `No abandoned checkouts ${within}.`}</p>
      )}
      {people.length > 0 && (
        <DataTable
          name="Abandoned checkouts"
          heads={HEADS}
          widths={['22%', '20%', '16%', '9%', 'auto']}
        >
          {people.map((person, index) => (
            <AbandonedCheckout
              key={person.id}
              className={isWhole || index < SHOWN_FIRST ? undefined : styles.onPaper}
              person={person}
              dashboardUrl={dashboardUrl}
              now={now}
              onContacted={reload}
            />
          ))}
        </DataTable>
      )}
    </section>
  );
}

type AbandonedCheckoutProps = {
  className: string | undefined;
  person: AbandonedCheckoutsAnswer['people'][number];
  dashboardUrl: string;
  now: Date;
  onContacted: () => Promise<unknown>;
};

function AbandonedCheckout({
  className,
  person,
  dashboardUrl,
  now,
  onContacted,
}: AbandonedCheckoutProps) {
  const {
    id,
    leadId,
    email,
    name,
    startedAt,
    before,
    plan,
    pence,
    channel,
    agreedAt,
    contactedAt,
  } = person;
  const [isOpen, setOpen] = useState(false);
  const { url, validity } = describeRecovery(person, now);
  const whom = name ?? email ?? id;
  const textLabel = isOpen ? 'Close email text' : 'Email text';
  const days = [...new Set(before.map((at) => formatDay(new Date(at), now)))];
  const end = { failure: 'Could not be noted', onDone: onContacted };
  const marking = useCall('POST /api/admin/checkouts/:id/contacted', end);
  const undoing = useCall('DELETE /api/admin/checkouts/:id/contacted', end);
  const { send, isPending } = contactedAt === null ? marking : undoing;
  const contactLabel = contactedAt === null ? 'Mark as contacted' : 'Undo contacted';
  return (
    <>
      <tr tabIndex={-1} className={className}>
        <th scope="row">
          <MoneyLeadLink leadId={leadId} email={email} name={name} />
        </th>
        <td data-own data-label="Opened">
          <Moment at={startedAt} now={now} />
          {days.length > 0 && ` and ${days.join(', ')}`}{' '}
          <small className={styles.more}>
            {url === undefined ? validity : `The link ${validity}`}
            {contactedAt !== null && `; contacted ${formatDay(new Date(contactedAt), now)}`}
          </small>
        </td>
        <td>
          <span className="nowrap">
            {plan === null || pence === null ? 'Not known' : describePrice(plan, pence)}
          </span>{' '}
          <small className={styles.more}>from {channel ?? 'an unknown source'}</small>
        </td>
        <td data-label="Agreed to email:">{agreedAt === null ? 'No' : 'Yes'}</td>
        <td data-own data-acts>
          <div className={styles.acts}>
            {url !== undefined && (
              <LinkButton
                className={styles.main}
                aria-label={`Copy link of ${whom}`}
                title="Opening it yourself uses it up"
                onClick={() => void copyText(url, NOT_TO_OPEN)}
              >
                Copy link
              </LinkButton>
            )}
            {agreedAt === null ? (
              <span className={styles.none}>No consent</span>
            ) : (
              url !== undefined && (
                <LinkButton
                  className={styles.main}
                  aria-expanded={isOpen}
                  aria-label={`${textLabel} for ${whom}`}
                  onClick={() => setOpen(!isOpen)}
                >
                  {textLabel}
                </LinkButton>
              )
            )}
            <StripeLink to={`${dashboardUrl}/checkout/sessions/${id}`} name={id} />
            <CallLink
              aria-label={`${contactLabel}: ${whom}`}
              aria-disabled={isPending || undefined}
              onClick={() => void send({ params: { id } })}
            >
              {contactLabel}
            </CallLink>
          </div>
        </td>
      </tr>
      {isOpen && url !== undefined && agreedAt !== null && (
        <tr className={styles.email}>
          <td colSpan={HEADS.length}>
            <EmailText person={{ name, startedAt, agreedAt, url, endsAt: person.recoveryEndsAt }} />
          </td>
        </tr>
      )}
    </>
  );
}

function EmailText({ person }: { person: Parameters<typeof writeCheckoutEmail>[0] }) {
  const { subject, paragraphs } = writeCheckoutEmail(person);
  return (
    <div>
      <p className={styles.emailHead}>
        <strong>Email text</strong>
        <LinkButton
          onClick={() => void copyText(toEmailText(person), 'The subject is its first line.')}
        >
          Copy text
        </LinkButton>
      </p>
      <p>Subject: {subject}</p>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  );
}
