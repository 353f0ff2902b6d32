import type { PersonAnswer } from '@site/schema/calls/people';
import { use, useState } from 'react';
import type { ElementType, ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { suggestEmail } from '../../subscribe/email-hint.ts';
import { useApiData } from '../api/data.tsx';
import { toPlaceName } from '@site/schema/labels';
import type { Halt } from '../lead/progress.ts';
import { useHalt } from '../lead/use-halt.ts';
import { CameFrom, toPeopleList, toPerson } from '../navigation.ts';
import { useIsViewer } from '../session/session.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { useNow } from '../shared/use-now.ts';
import { Actions, OpenDialog } from './Actions.tsx';
import type { Open } from './Actions.tsx';
import { Forms } from './Forms.tsx';
import { Notes } from './Notes.tsx';
import { Payments } from './Payments.tsx';
import styles from './Person.module.css';
import { Differences } from './Remedies.tsx';
import { Subscription } from './Subscription.tsx';
import { Timeline } from './Timeline.tsx';
import { paidBy } from './verdict.ts';
import { Verdicts } from './Verdicts.tsx';

/** Renders the panel as a separate page. */
export function PersonPage() {
  const [params] = useSearchParams();
  const id = params.get('id') ?? '';
  const from = use(CameFrom);
  return (
    <>
      <p className={styles.trail}>
        <Link to={{ search: from?.search ?? toPeopleList(undefined) }} state={from?.state}>
          ‹ {from?.name ?? 'People'}
        </Link>
      </p>
      <PersonPanel key={id} id={id} linkTo={toPerson} />
    </>
  );
}

type PersonPanelProps = {
  /** Any lead of the person. */
  id: string;
  /** The query of a link to another lead of the person. */
  linkTo: (leadId: string) => string;
  Title?: ElementType;
  /** Content beside the name. */
  children?: ReactNode;
};

/** Renders everything about one person, and all actions for them. */
export function PersonPanel({ id, linkTo, Title = 'h1', children }: PersonPanelProps) {
  const { data, failure, reload } = useApiData('GET /api/admin/leads/:id/person', {
    params: { id },
  });
  const halt = useHalt();
  const now = useNow(data?.lead.beehiivStatus === 'pending');
  const valueOf = (of: 'company' | 'phone') =>
    data?.leads.map((each) => each[of]).find(Boolean) ?? undefined;
  const name = data?.name ?? data?.lead.fullName ?? data?.lead.email ?? 'Person';
  const phone = valueOf('phone');
  const meant = data && suggestEmail(data.lead.email);
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <Title className={styles.name}>
          <bdi>{name}</bdi>
        </Title>
        {children}
      </div>
      {data && (
        <p className={styles.under}>
          {name !== data.lead.email && (
            <a href={`mailto:${encodeURIComponent(data.lead.email)}`}>
              <bdi>{data.lead.email}</bdi>
            </a>
          )}
          <bdi>{valueOf('company')}</bdi>
          {phone && /\d/u.test(phone) ? (
            <a href={`tel:${phone.replaceAll(/[^+\d]/gu, '')}`}>
              <bdi>{phone}</bdi>
            </a>
          ) : (
            <bdi>{phone}</bdi>
          )}
          <bdi>{toPlaceName(data.lead)}</bdi>
          {meant && <span>Looks mistyped: {meant.slice(meant.lastIndexOf('@') + 1)}?</span>}
        </p>
      )}
      <LoadState of="person" data={data} failure={failure} reload={reload} />
      {data && (
        <Person
          key={data.lead.id}
          person={data}
          name={name}
          now={now}
          halt={halt}
          linkTo={linkTo}
          onDone={() => void reload()}
        />
      )}
    </div>
  );
}

type PersonProps = Pick<PersonPanelProps, 'linkTo'> & {
  person: PersonAnswer;
  name: string;
  now: Date;
  halt: Halt;
  onDone: () => void;
};

function Person({ person, name, now, halt, linkTo, onDone }: PersonProps) {
  const [open, setOpen] = useState<Open>();
  const isViewer = useIsViewer();
  const paid = paidBy(person.lead.email, person.subscriptions);
  return (
    <>
      <Verdicts person={person} now={now} halt={halt} onOpen={setOpen} onDone={onDone} />
      <Differences person={person} onDone={onDone} />
      <div className={styles.columns}>
        {isViewer ? <span hidden /> : <Actions person={person} now={now} onOpen={setOpen} />}
        <div>
          {paid.length > 0 && (
            <Payments
              subscriptions={paid}
              now={now}
              onRefund={
                isViewer ? undefined : ({ invoice }) => setOpen({ what: 'refund', of: invoice.id })
              }
            />
          )}
          <Subscription person={person} now={now} onOpen={setOpen} />
          <Forms person={person} now={now} halt={halt} linkTo={linkTo} />
        </div>
        <div>
          <Notes leadId={person.lead.id} now={now} />
          <Timeline person={person} now={now} />
        </div>
      </div>
      {open && (
        <OpenDialog
          open={open}
          person={person}
          name={name}
          onClose={() => setOpen(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
}
