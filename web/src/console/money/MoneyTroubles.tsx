import { useState } from 'react';
import type { MoneyAnswer } from '@site/schema/calls/money';
import type { MoneyTrouble, MoneyTroublesAnswer } from '@site/schema/calls/money-troubles';
import { formatMoney } from '@site/schema/currency';
import { UNSETTLED_REASONS } from '@site/schema/money';
import { Button } from '../../ui/Button.tsx';
import { PendingIcon } from '../../ui/icons.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { copyText } from '../shared/copy-text.ts';
import { countOf } from '../shared/format-count.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { showSection } from '../shared/focus.ts';
import { formatDay } from '../shared/london-time.ts';
import { CancelButton, Cancelling } from '../person/dialogs/CancelButton.tsx';
import styles from './MoneyTroubles.module.css';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { describeReason } from '../person/money-labels.ts';
import { useMoneyPeriod } from './money-period.ts';
import { MoneyReview } from '../person/settle-buttons.tsx';
import { StripeButton } from '../person/StripeLink.tsx';
import { useMoney } from './use-money.ts';
import { useMoneyReload } from '../api/use-money-reload.ts';

const ID = 'troubles';

type TroublesProps = { money: MoneyAnswer; now: Date };

function useTroubles() {
  const { period } = useMoneyPeriod();
  return useApiData('GET /api/admin/money/troubles', { query: period }, { keepPreviousData: true });
}

/** Says below the months what is open, and leads to it. Absent without any. */
export function TroublesLink({ money: { unsettled }, now }: TroublesProps) {
  const people = useTroubles().data?.people ?? [];
  const toAnswer = listToAnswer(people.flatMap(({ troubles }) => troubles));
  const [next] = toAnswer;
  const others = people.filter(
    ({ stripeSubscriptionId: id, troubles }) =>
      listToAnswer(troubles).length === 0 &&
      (troubles.some(({ isOpen }) => isOpen) ||
        unsettled.some((of) => of.stripeSubscriptionId === id)),
  ).length;
  if (!next && others === 0) return null;
  const by = next?.dueAt ? `, the first by ${formatDay(new Date(next.dueAt), now)}` : '';
  return (
    <LinkButton onClick={() => showSection(ID)}>
      {next && `${countOf(toAnswer.length, 'dispute')} to answer${by}`}
      {next && others > 0 && '; '}
      {others > 0 && `${countOf(others, 'person', 'people')} with an open failed payment or refund`}
    </LinkButton>
  );
}

/** Disputes, failed payments and refunds of the period by person, with what can be done about each. */
export function MoneyTroubles({ money: { dashboardUrl, unsettled }, now }: TroublesProps) {
  const { within, isPast } = useMoneyPeriod();
  const { data, fault, reload } = useTroubles();
  useMoneyReload(reload);
  const { reload: reloadMoney } = useMoney();
  const reasons = new Map(
    unsettled.map((of) => [of.stripeSubscriptionId, UNSETTLED_REASONS[of.reason]]),
  );
  return (
    <section id={ID} tabIndex={-1} aria-label="Disputes, failed payments and refunds">
      <SectionHead
        title="Disputes, failed payments and refunds"
        aside={`by person, ${within}${isPast ? '' : ' or open now'}`}
      />
      <LoadState
        of="disputes, failed payments and refunds"
        data={data}
        fault={fault}
        reload={reload}
      />
      {data?.people.length === 0 && (
        <p>{isPast ? `None ${within}.` : `None ${within}, and no earlier one is open.`}</p>
      )}
      {data && data.people.length > 0 && (
        <ul className={styles.people}>
          {data.people.map((person, index) => (
            <TroubledPerson
              key={person.stripeSubscriptionId}
              {...person}
              isFirst={index === 0}
              unpaidReason={reasons.get(person.stripeSubscriptionId)}
              dashboardUrl={dashboardUrl}
              now={now}
              onDone={async () => void (await Promise.all([reload(), reloadMoney()]))}
            />
          ))}
        </ul>
      )}
      {data?.isCapped && <p>There are more: only the newest are listed. Choose fewer days.</p>}
    </section>
  );
}

type TroubledPersonProps = MoneyTroublesAnswer['people'][number] & {
  /** Only the one with the nearest deadline is solid. */
  isFirst: boolean;
  unpaidReason: string | undefined;
  dashboardUrl: string;
  now: Date;
  onDone: () => Promise<void>;
};

function TroubledPerson(props: TroubledPersonProps) {
  const {
    stripeSubscriptionId,
    email,
    name,
    leadId,
    troubles,
    isFirst,
    unpaidReason,
    dashboardUrl,
    now,
    onDone,
  } = props;
  const [isCancelling, setCancelling] = useState(false);
  const [next] = listToAnswer(troubles);
  const dispute = next ?? troubles.find(({ kind, isOpen }) => kind === 'dispute' && isOpen);
  const paymentUrl = troubles.find((trouble) => trouble.paymentUrl !== null)?.paymentUrl;
  const canCancel = email !== null && (dispute ?? unpaidReason) !== undefined;
  const isOpen = unpaidReason !== undefined || troubles.some((trouble) => trouble.isOpen);
  return (
    // The focus stays here when its button goes.
    <li className={styles.person} tabIndex={-1}>
      <div className={styles.who} data-open={isOpen || undefined}>
        {isOpen ? <PendingIcon /> : <span className={styles.ring} />}
        <div>
          {email === null ? (
            'An erased person'
          ) : (
            <MoneyLeadLink leadId={leadId} email={email} name={name} />
          )}
          <p>{sumUpTroubles(troubles, now, unpaidReason)}</p>
        </div>
      </div>
      <ul className={styles.troubles}>
        {troubles.map((trouble) => (
          <li key={trouble.id}>
            <time dateTime={trouble.at}>{formatDay(new Date(trouble.at), now)}</time>
            <span>{describeTrouble(trouble, now, troubles.length === 1)}</span>
            <span>{formatAmount(trouble)}</span>
          </li>
        ))}
      </ul>
      <div className={styles.acts}>
        {dispute && (
          <StripeButton
            to={`${dashboardUrl}/disputes/${dispute.id}`}
            look={isFirst && next ? 'solid' : 'line'}
          >
            {next ? 'Answer in Stripe' : 'Open in Stripe'}
          </StripeButton>
        )}
        {paymentUrl && (
          <Button
            look="line"
            size="small"
            onClick={() => void copyText(paymentUrl, 'The link to pay. Send it to the customer.')}
          >
            Copy invoice link
          </Button>
        )}
        {canCancel && <CancelButton payer={name ?? email} onOpen={() => setCancelling(true)} />}
        {isCancelling && (
          <Cancelling
            id={stripeSubscriptionId}
            onClose={() => setCancelling(false)}
            onDone={() => void onDone()}
          />
        )}
        {unpaidReason && email !== null && (
          <MoneyReview
            kind="subscriptions"
            id={stripeSubscriptionId}
            name={name ?? email}
            onReviewed={onDone}
          />
        )}
      </div>
    </li>
  );
}

/** `−£239.00`, in the currency of the payment. */
function formatAmount({
  kind,
  pence,
  currency,
}: Pick<MoneyTrouble, 'kind' | 'pence' | 'currency'>): string {
  const amount = formatMoney(pence, currency);
  return kind === 'refund' ? `−${amount}` : amount;
}

/** `3 disputes, £717.00. Answer by 22 Dec`. A single one says itself what it is. */
function sumUpTroubles(
  troubles: readonly MoneyTrouble[],
  now: Date,
  unpaidReason: string | undefined,
): string {
  const counts = (['dispute', 'failed', 'refund'] as const).flatMap((kind) => {
    const found = troubles.filter((trouble) => trouble.kind === kind);
    const unit = kind === 'failed' ? 'failed payment' : kind;
    if (found.length === 0) return [];
    const pence = found.reduce((sum, trouble) => sum + trouble.pence, 0);
    const isOneCurrency = new Set(found.map(({ currency }) => currency)).size === 1;
    const [first] = found;
    const sum =
      found.length > 1 && isOneCurrency && first
        ? `, ${formatAmount({ ...first, kind, pence })}`
        : '';
    return [`${countOf(found.length, unit)}${sum}`];
  });
  const open = troubles.filter(({ isOpen }) => isOpen);
  const due = listToAnswer(troubles)[0]?.dueAt;
  const next =
    due !== undefined && due !== null
      ? ` Answer by ${formatDay(new Date(due), now)}.`
      : unpaidReason
        ? ` ${unpaidReason}; the subscription continues.`
        : open.length > 0 && open.every(({ kind, dueAt }) => kind === 'failed' && dueAt !== null)
          ? ' Nothing to do yet.'
          : '';
  return troubles.length === 1 ? next.trim() : `${counts.join(', ')}.${next}`;
}

const isToAnswer = (status: string) => !status.endsWith('under_review');
/** The disputes to answer, the nearest deadline first. */
const listToAnswer = (troubles: readonly MoneyTrouble[]) =>
  troubles
    .filter(({ kind, isOpen, status }) => kind === 'dispute' && isOpen && isToAnswer(status))
    .toSorted((one, other) => ((one.dueAt ?? '9999') < (other.dueAt ?? '9999') ? -1 : 1));
/** The commonest of Stripe's reasons in plain words. */
const DISPUTED_AS: Record<string, string> = { fraudulent: 'not made by me' };

/** What happened, and what happens next. The deadline of the only one stands below the name. */
function describeTrouble(trouble: MoneyTrouble, now: Date, isOnly: boolean): string {
  const { kind, status, reason, dueAt, endsAt, paidAt, operator, invoice, isOpen } = trouble;
  const due = dueAt === null ? undefined : formatDay(new Date(dueAt), now);
  if (kind === 'failed') {
    const next = due === undefined ? 'Stripe will not retry' : `Stripe will retry on ${due}`;
    const until = endsAt
      ? ` until ${formatDay(new Date(endsAt), now)} at the latest: cancelled`
      : '';
    return `Payment failed. ${next}; ${status === 'unpaid' ? 'no access' : 'access continues'}${until}`;
  }
  if (kind === 'refund') {
    if (status === 'failed') return `Refund failed, invoice ${invoice}: the bank rejected it`;
    return `${status === 'pending' ? 'Being refunded' : 'Refunded'} ${operator === null ? 'in Stripe' : `by ${operator}`}, invoice ${invoice}`;
  }
  const words = DISPUTED_AS[reason ?? ''] ?? describeReason(reason ?? 'general').toLowerCase();
  const payment = `Payment of ${paidAt === null ? invoice : formatDay(new Date(paidAt), now)}, “${words}”`;
  if (status === 'lost') return `${payment}. Lost: the customer has the money back`;
  if (!isOpen) return `${payment}. ${status === 'won' ? 'Won' : 'Closed'}: the payment stays`;
  if (!isToAnswer(status)) return `${payment}. Answered; the bank is reviewing it`;
  return due === undefined || isOnly ? payment : `${payment}. Answer by ${due}`;
}
