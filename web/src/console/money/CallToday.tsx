import type { CallsAnswer } from '@site/schema/calls/money';
import { Link } from 'react-router-dom';
import { toPerson } from '../navigation.ts';
import { PaymentLinkButton } from '../person/dialogs/PaymentLink.tsx';
import { toPriceText } from '../person/labels.ts';
import { PersonLink } from '../person/PersonLink.tsx';
import { useInvoiceLink } from '../person/use-invoice-link.ts';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { LinkButton, Moment } from '../shared/fields.tsx';
import { formatCount } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import styles from './AbandonedCheckouts.module.css';
import { Contacted } from './Contacted.tsx';

type Person = CallsAnswer['people'][number];
type CallTodayProps = {
  data: CallsAnswer | undefined;
  failure: unknown;
  reload: () => Promise<unknown>;
};

/** Lists whom to call today and why, with the ways to reach them. */
export function CallToday({ data, failure, reload }: CallTodayProps) {
  const { people = [], isCapped } = data ?? {};
  return (
    <section aria-label="Call today">
      <SectionHead
        title="Call today"
        aside={people.length > 0 && formatCount(people.length, isCapped)}
      />
      <LoadState of="whom to call" data={data} failure={failure} reload={reload} />
      {data && people.length === 0 && <p>Nobody to call today.</p>}
      {people.length > 0 && (
        <DataTable
          name="Call today"
          rows={people}
          keyOf={({ id }) => id}
          columns={toColumns(reload)}
        />
      )}
    </section>
  );
}

const toColumns = (onDone: CallTodayProps['reload']): Column<Person>[] => [
  {
    head: 'Person',
    width: '16%',
    cell: ({ leadId, name, email }) => (
      <PersonLink leadId={leadId} name={name ?? email} email={null} />
    ),
  },
  {
    head: 'Reach',
    width: '21%',
    place: 'line',
    cell: ({ phone, email }) => (
      <div className={styles.acts}>
        {phone !== null && (
          <a className="in-text" href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
            {phone}
          </a>
        )}
        {email !== null && (
          <a className="in-text" href={`mailto:${encodeURIComponent(email)}`}>
            {email}
          </a>
        )}
      </div>
    ),
  },
  {
    head: 'Why',
    width: '30%',
    place: 'line',
    cell: ({ text, since }) => (
      <>
        {text}{' '}
        <small className={styles.more}>
          Since <Moment at={since} />
        </small>
      </>
    ),
  },
  {
    head: 'Worth',
    width: '14%',
    isNone: ({ pence }) => pence === null,
    cell: ({ plan, pence }) => (plan === null || pence === null ? '–' : toPriceText(plan, pence)),
  },
  { head: '', place: 'line', cell: (person) => <Acts person={person} onDone={onDone} /> },
];

function Acts({ person, onDone }: { person: Person; onDone: () => Promise<unknown> }) {
  const { id, kind, leadId, name, email, phone, invoiceId } = person;
  const copyLink = useInvoiceLink();
  const whom = name ?? email ?? phone ?? id;
  return (
    <div className={styles.acts}>
      {kind === 'not-receiving' && leadId !== null && (
        <Link className="in-text" to={{ search: toPerson(leadId) }}>
          What to do
        </Link>
      )}
      {invoiceId !== null && (
        <LinkButton
          aria-label={`Copy invoice link of ${whom}`}
          onClick={() => void copyLink(invoiceId)}
        >
          Copy invoice link
        </LinkButton>
      )}
      {(kind === 'unpaid' || kind === 'hindered') && (
        <PaymentLinkButton email={email} name={name} onDone={onDone} />
      )}
      <Contacted id={id} whom={whom} onDone={onDone} />
    </div>
  );
}
