import type { PersonAnswer } from '@site/schema/calls/people';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { CallButton } from '../shared/CallButton.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { Consent } from './LeadFacts.tsx';
import { Timeline } from './Timeline.tsx';
import { countOf } from '../shared/format-count.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { useWidthBelow } from '../shared/use-media.ts';
import { describePlace } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import { useLiveEvents } from '../api/live.tsx';
import { PayerRemedyButton } from './PayerRemedyButton.tsx';
import { StripeButton } from './StripeLink.tsx';
import { toPeopleList, toPerson, useShownPerson } from '../navigation/person.ts';
import { MoneyReview } from './settle-buttons.tsx';
import { useRetry } from '../retry/use-retry.tsx';
import { useHalt } from '../lead/use-halt.ts';
import { useNow } from '../shared/use-now.ts';
import { Differences } from './Differences.tsx';
import { Folded } from './Folded.tsx';
import { Notes } from './Notes.tsx';
import type { NotesProps } from './Notes.tsx';
import { Payments } from './Payments.tsx';
import { PersonActions, usePersonDialogs } from './PersonActions.tsx';
import {
  hasOffer,
  Leads,
  Receives,
  paidSubscriptions,
  recoveryOf,
  Subscriptions,
} from './PersonFacts.tsx';
import styles from './PersonView.module.css';
import { mainOf } from './judge-money.ts';
import { judge } from './verdict.ts';

/** Everything about one person, and everything that can be done about them. */
export function PersonView() {
  const { id } = useShownPerson();
  const { data, fault, reload } = useApiData('GET /api/admin/leads/:id/person', { params: { id } });
  const noted = useApiData('GET /api/admin/leads/:id/notes', { params: { id } });
  const [goneId, setGoneId] = useState<string>();
  // Before the first answer, too: it may be older than the event.
  const theirs = [
    id,
    ...(data
      ? [...data.leads.map((lead) => lead.id), ...data.others.map(({ leadId }) => leadId)]
      : []),
  ];
  useLiveEvents(({ isReload, hasMoneyChanged, leads, gone }) => {
    const ids = new Set([...leads.map((lead) => lead.id), ...gone]);
    // The operator who erases the person leaves this page at the answer, which may come after the event.
    if (gone.includes(id)) setGoneId(id);
    // What is delivered elsewhere changes there.
    else if (isReload || hasMoneyChanged || theirs.some((leadId) => ids.has(leadId))) void reload();
  });
  return (
    <div>
      <Trail id={id} />
      {(!data || goneId === id) && <h1 className={styles.name}>Person</h1>}
      <LoadState of="person" data={data} fault={fault} reload={reload} />
      {data && (
        <Person
          key={data.lead.email.toLowerCase()}
          person={data}
          noted={noted}
          isGone={goneId === id}
          onDone={() => void reload()}
        />
      )}
    </div>
  );
}

/** The way back to the search, and through what it found. */
function Trail({ id }: { id: string }) {
  const { found } = useShownPerson();
  const at = found?.ids.indexOf(id) ?? -1;
  return (
    <nav className={styles.trail} aria-label="Search results">
      <Link to={{ search: toPeopleList(found?.state) }} state={{ text: found?.text ?? '' }}>
        ‹ People
      </Link>
      {found && at >= 0 && (
        <>
          <span>
            {at + 1} of {found.total}
            {found.text !== '' && (
              <>
                {' '}
                for “<bdi>{found.text}</bdi>”
              </>
            )}
          </span>
          {found.ids.length > 1 &&
            ['Previous', 'Next'].map((name, n) => {
              const id = found.ids[at + 2 * n - 1];
              // The other one would be pressed in its place.
              if (id === undefined) return <s key={name}>{name}</s>;
              return (
                <Link key={name} to={{ search: toPerson(id) }} state={{ found }}>
                  {name}
                </Link>
              );
            })}
        </>
      )}
    </nav>
  );
}

type PersonProps = {
  person: PersonAnswer;
  noted: NotesProps['noted'];
  isGone: boolean;
  onDone: () => void;
};

function Person({ person: all, noted, isGone, onDone }: PersonProps) {
  const person = { ...all, subscriptions: paidSubscriptions(all) };
  const { lead, leads, subscriptions, history, attempts } = person;
  const halt = useHalt();
  const now = useNow(lead.beehiivStatus === 'pending');
  const known = (of: 'fullName' | 'company' | 'phone') =>
    leads.map((each) => each[of]).find(Boolean) ?? undefined;
  const name = known('fullName') ?? lead.email;
  const dialogs = usePersonDialogs(person, name, onDone);
  const phone = known('phone');
  const notes = useRef<HTMLDivElement>(null);
  // What can be done comes before the details.
  const isOneColumn = useWidthBelow('68.6875em');
  // Who erases them here leaves this page at the answer.
  if (isGone) return dialogs.erasing;
  const actions = <PersonActions person={person} dialogs={dialogs} now={now} />;
  return (
    <>
      <h1 className={styles.name} data-address={name === lead.email || undefined}>
        <bdi>{name}</bdi>
      </h1>
      <p className={styles.under}>
        {name !== lead.email && (
          <a href={`mailto:${encodeURIComponent(lead.email)}`}>
            <bdi>{lead.email}</bdi>
          </a>
        )}
        <bdi>{known('company')}</bdi>
        {phone && (
          <a href={`tel:${phone.replaceAll(/[^+\d]/gu, '')}`}>
            <bdi className="nowrap">{phone}</bdi>
          </a>
        )}
        <bdi>{describePlace(lead)}</bdi>
        {noted.data && noted.data.notes.length > 0 && (
          <LinkButton onClick={() => notes.current?.querySelector('summary')?.focus()}>
            {countOf(noted.data.notes.length, 'note')}
          </LinkButton>
        )}
      </p>
      <VerdictLine person={person} dialogs={dialogs} now={now} halt={halt} onDone={onDone} />
      <Differences person={person} onDone={onDone} />
      <div className={styles.columns}>
        <div>
          {subscriptions.length > 0 && (
            <Payments subscriptions={subscriptions} now={now} onRefund={dialogs.refund} />
          )}
          {isOneColumn && actions}
          {hasOffer(all) && <Subscriptions person={all} now={now} onDone={onDone} />}
          <Receives person={all} now={now} />
          <Leads person={person} now={now} />
          {!hasOffer(all) && <Subscriptions person={all} now={now} onDone={onDone} />}
        </div>
        <div>
          {!isOneColumn && actions}
          <div className={styles.consent}>
            <Consent lead={lead} browser={person.browser} />
          </div>
          <div ref={notes}>
            <Notes leadId={lead.id} noted={noted} now={now} onDone={onDone} />
          </div>
          <Folded
            title="Everything recorded"
            aside={countOf(history.length + attempts.length + 1, 'entry', 'entries')}
          >
            <Timeline detail={person} now={now} halt={halt} />
          </Folded>
        </div>
      </div>
      {dialogs.open}
    </>
  );
}

type VerdictLineProps = {
  person: PersonAnswer;
  dialogs: ReturnType<typeof usePersonDialogs>;
  now: Date;
  halt: Halt;
  onDone: () => void;
};

/** What the person is, with the one action that puts it right. */
function VerdictLine({ person, dialogs, now, halt, onDone }: VerdictLineProps) {
  const { lead, notReceiving, subscriptions, checkouts } = person;
  const { tone, name, sentence, action } = judge(person, now, halt);
  const { retry, retrying } = useRetry(async () => onDone(), halt);
  const Icon = STATUS_ICONS[tone];
  const main = mainOf(subscriptions);
  const dispute = main?.openDispute;
  const left = checkouts.find(({ isAbandoned }) => isAbandoned);
  const { copyLink, copyEmail } = action === 'recover' && left ? recoveryOf(lead, left, now) : {};
  return (
    <div className={styles.verdict} data-tone={tone}>
      <p>
        <Icon /> <strong>{name}</strong> {sentence}
      </p>
      <div>
        {action === 'remedy' && notReceiving && (
          <PayerRemedyButton payer={notReceiving} look="solid" onDone={onDone} />
        )}
        {action === 'cancel' && main && (
          <>
            <CallButton onClick={dialogs.cancel}>Cancel subscription…</CallButton>
            <MoneyReview
              kind="subscriptions"
              id={main.stripeSubscriptionId}
              name={main.email}
              onReviewed={async () => onDone()}
            />
          </>
        )}
        {action === 'resume' && (
          <CallButton onClick={dialogs.resume}>Undo cancellation…</CallButton>
        )}
        {action === 'correct' && (
          <CallButton onClick={dialogs.correct}>Correct the address…</CallButton>
        )}
        {action === 'resend' && dialogs.resend && (
          <Button onClick={dialogs.resend}>Resend invoice link…</Button>
        )}
        {action === 'dispute' && dispute && (
          <StripeButton to={dispute.dashboardUrl} look="solid">
            Answer in Stripe
          </StripeButton>
        )}
        {copyEmail && <Button onClick={copyEmail}>Copy email text</Button>}
        {copyLink && (
          <Button look="line" onClick={copyLink}>
            Copy link
          </Button>
        )}
        {action === 'retry' && (
          <CallButton
            pending={retrying.has(lead.id)}
            pendingLabel="Retrying..."
            onClick={() => void retry(lead)}
          >
            Retry now
          </CallButton>
        )}
      </div>
    </div>
  );
}
