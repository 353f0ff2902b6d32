import type { MoneyAnswer, Reviewable } from '@site/schema/calls/money';
import { formatLongDate } from '@site/schema/calendar';
import { formatMoney } from '@site/schema/currency';
import { isSameAddress } from '@site/schema/email';
import { NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from '@site/schema/money';
import { formatPence } from '@site/schema/offer';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import type { AttentionItem, AttentionKindProps } from '../shared/AttentionKind.tsx';
import { countOf } from '../shared/format-count.ts';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { describeParked, describeReason, DISPUTED } from '../person/money-labels.ts';
import { PersonLink } from '../money/MoneyLeadLink.tsx';
import { PayerRemedyButton } from '../person/PayerRemedyButton.tsx';
import { StripeButton, StripeId } from '../person/StripeLink.tsx';
import { CancelButton } from '../person/dialogs/CancelButton.tsx';
import { SubscriptionMenu } from '../person/SubscriptionMenu.tsx';
import { formatDay, formatMoment } from '../shared/london-time.ts';
import { MoneyReview, SettleAddress } from '../person/settle-buttons.tsx';

type Matter = { stripeSubscriptionId: string; leadId: string | null; email: string | null };
type Dispute = MoneyAnswer['openDisputes'][number];

type MoneyKindsOptions = {
  money: MoneyAnswer;
  now: Date;
  onDone: () => Promise<void>;
  onCancel: (id: string) => void;
  /** Nothing above it is more urgent. */
  isFirst: boolean;
};

/** What of people's money needs attention, the worst kind first, with what settles each. */
export function toMoneyKinds({
  money,
  now,
  onDone,
  onCancel,
  isFirst,
}: MoneyKindsOptions): AttentionKindProps[] {
  const day = (at: string) => formatDay(new Date(at), now);
  const since = (at: string) => `Since ${formatMoment(new Date(at), now)}.`;
  const inStripe = (path: string) => `${money.dashboardUrl}/${path}`;
  const person = ({ stripeSubscriptionId: id, leadId, email }: Matter) => {
    const payer = money.payers[id];
    // Somebody else may pay for who receives.
    const name =
      payer && (email === null || (payer.email !== null && isSameAddress(payer.email, email)))
        ? payer.name
        : null;
    const words = (
      <bdi>{name ?? email ?? (leadId === null ? 'An erased person' : 'No address given')}</bdi>
    );
    const who = <PersonLink leadId={leadId}>{words}</PersonLink>;
    return { who, detail: name && email !== null && <bdi>{email}</bdi> };
  };
  const price = ({ stripeSubscriptionId: id }: Matter) => {
    const payer = money.payers[id];
    if (!payer || payer.pricePence === null) return {};
    return {
      amount: formatPence(payer.pricePence, true),
      amountIs: payer.plan === 'annual' ? 'a year' : 'a month',
    };
  };
  const menu = ({ stripeSubscriptionId: id, email }: Matter) => (
    <SubscriptionMenu
      id={id}
      of={`of ${money.payers[id]?.name ?? email ?? id}`}
      onDone={() => void onDone()}
    />
  );
  const cancel = ({ stripeSubscriptionId: id, email }: Matter) => (
    <CancelButton payer={money.payers[id]?.name ?? email ?? id} onOpen={() => onCancel(id)} />
  );
  const review = (kind: Reviewable, id: string, name: string | null = null) => (
    <MoneyReview kind={kind} id={id} name={name ?? id} onReviewed={onDone} />
  );
  const toStripe = (label: string, path: string, look?: 'solid' | 'line') => (
    <StripeButton to={inStripe(path)} look={look}>
      {label}
    </StripeButton>
  );
  const item = (matter: Matter, rest: Omit<AttentionItem, 'key'>): AttentionItem => ({
    key: matter.stripeSubscriptionId,
    ...person(matter),
    ...rest,
  });
  const dispute = (disputes: Dispute[], index: number): AttentionItem[] => {
    const [first] = disputes;
    if (!first) return [];
    const [next = first] = disputes.filter(canAnswer);
    // Only payers who get nothing are more urgent.
    const look =
      isFirst && index === 0 && canAnswer(next) && money.notReceiving.length === 0
        ? 'solid'
        : 'line';
    const sum = (of: 'amountPence' | 'refundedPence') =>
      disputes.reduce((total, each) => total + each[of], 0);
    const reasons = [
      ...new Set(
        disputes.map(
          ({ reason }) => DISPUTED[reason] ?? `(${describeReason(reason).toLowerCase()})`,
        ),
      ),
    ];
    const byOpening = disputes.toSorted((one, other) => (one.openedAt < other.openedAt ? -1 : 1));
    const dates = byOpening.map(({ id, openedAt }) => (
      <a key={id} href={inStripe(`disputes/${id}`)} target="_blank" rel="noreferrer">
        {day(openedAt)}
      </a>
    ));
    return [
      {
        ...item(first, {
          why: `${countOf(disputes.length, 'payment')} disputed ${reasons.join(' or ')}.`,
          more: (
            <>
              {listOf(dates)}.
              {sum('refundedPence') > 0 &&
                ` ${formatMoney(sum('refundedPence'), first.currency)} refunded already.`}
              {canAnswer(next) &&
                next.evidenceDueAt !== null &&
                ` Answer by ${day(next.evidenceDueAt)}.`}
            </>
          ),
          amount: formatMoney(sum('amountPence'), first.currency),
          amountIs: 'held by Stripe',
          act: toStripe(
            canAnswer(next) ? 'Answer in Stripe' : 'Open in Stripe',
            `disputes/${next.id}`,
            look,
          ),
          children: first.email !== null && first.leadId === null && cancel(first),
        }),
        key: first.id,
      },
    ];
  };
  return [
    {
      tone: 'failed',
      title: 'Pay, but do not receive',
      items: money.notReceiving.map((payer, index) =>
        item(payer, {
          why: `${NOT_RECEIVING_REASONS[payer.reason].label}.`,
          more: since(payer.since),
          ...price(payer),
          act:
            payer.remedy === 'add-address' ? (
              toStripe('Open in Stripe', `subscriptions/${payer.stripeSubscriptionId}`)
            ) : (
              <PayerRemedyButton
                payer={payer}
                look={isFirst && index === 0 ? 'solid' : 'line'}
                onDone={onDone}
              />
            ),
          children: (
            <>
              {payer.email === money.payers[payer.stripeSubscriptionId]?.email &&
                review('not-receiving', payer.stripeSubscriptionId, payer.email)}
              {payer.leadId === null && menu(payer)}
            </>
          ),
        }),
      ),
    },
    {
      tone: 'pending',
      title: 'Disputes',
      note: describeDue(money.openDisputes),
      items: groupByPerson(money.openDisputes).flatMap(dispute),
    },
    {
      tone: 'failed',
      title: 'Failed refunds',
      note: 'Refund them another way',
      items: money.failedRefunds.map((refund) => ({
        ...item(refund, {
          why: 'The bank rejected the refund, so the customer has not been paid.',
          more: (
            <>
              <a href={inStripe(`refunds/${refund.id}`)} target="_blank" rel="noreferrer">
                {day(refund.refundedAt)}
              </a>
              .{refund.reason !== null && ` ${describeReason(refund.reason)}.`}
            </>
          ),
          amount: formatMoney(refund.amountPence, refund.currency),
          act: review('refunds', refund.id, `refund ${refund.id}`),
        }),
        key: refund.id,
      })),
    },
    {
      tone: 'pending',
      title: STAGE_NAMES.unsettled,
      note: 'Cancel, or let it continue',
      items: money.unsettled.map((unsettled) =>
        item(unsettled, {
          why: `${UNSETTLED_REASONS[unsettled.reason]}.`,
          more: since(unsettled.since),
          amount: formatMoney(unsettled.amountPence, unsettled.currency),
          act: (
            <>
              {unsettled.email !== null && cancel(unsettled)}
              {review('subscriptions', unsettled.stripeSubscriptionId, unsettled.email)}
            </>
          ),
        }),
      ),
    },
    {
      tone: 'pending',
      title: 'Addresses changed in Stripe',
      note: 'The newsletter still goes to the old one',
      items: money.changedAddresses.map((changed) =>
        item(changed, {
          why: (
            <>
              <bdi>{changed.customerEmail}</bdi> in Stripe.
            </>
          ),
          more: 'Using it unsubscribes the old one; keeping the old one changes Stripe back.',
          ...price(changed),
          act: <SettleAddress changed={changed} onDone={onDone} />,
        }),
      ),
    },
    {
      tone: 'pending',
      title: 'Paid from another address',
      note: 'Is it one person?',
      items: money.payerMismatches.map((mismatch) =>
        item(
          { ...mismatch, email: mismatch.leadEmail },
          {
            why: (
              <>
                Paid for by <bdi>{mismatch.payerEmail}</bdi>, which gets the paid newsletter.
              </>
            ),
            more: since(mismatch.foundAt),
            ...price({ ...mismatch, email: null }),
            act: review('mismatches', mismatch.stripeSubscriptionId, mismatch.payerEmail),
            children: menu({ ...mismatch, email: null }),
          },
        ),
      ),
    },
    {
      tone: 'pending',
      title: 'Second subscriptions',
      note: 'These addresses have two',
      items: money.secondLive.map((second) =>
        item(second, {
          why: 'Ask which one to keep. This is the newer one; the older is on their page.',
          more: since(second.since),
          ...price(second),
          act: (
            <>
              {cancel(second)}
              {review(
                'second-subscriptions',
                second.stripeSubscriptionId,
                `Second subscription of ${second.email}`,
              )}
            </>
          ),
        }),
      ),
    },
    {
      tone: 'pending',
      title: 'Stripe events that could not be applied',
      note: (
        <>
          Correct the cause, then run <code>npm run stripe:replay</code>
        </>
      ),
      items: money.parkedEvents.map((event) => ({
        key: event.id,
        who: event.type === 'unreadable' ? 'Unreadable' : event.type,
        detail: (
          <StripeId {...(event.type !== 'unreadable' && { to: inStripe(`events/${event.id}`) })}>
            {event.id}
          </StripeId>
        ),
        why: describeParked(event),
        more: since(event.receivedAt),
        act: review('parked', event.id),
      })),
    },
  ];
}

const canAnswer = ({ status }: Pick<Dispute, 'status'>) => status.endsWith('needs_response');

/** `Answer by Monday 22 Dec`: for the one that is due first. */
function describeDue(disputes: readonly Dispute[]): string {
  const answerable = disputes.filter(canAnswer);
  if (answerable.length === 0) return 'The bank decides';
  const [due] = answerable.flatMap(({ evidenceDueAt }) => evidenceDueAt ?? []).toSorted();
  return due === undefined
    ? 'Answer in Stripe'
    : `Answer by ${formatLongDate(new Date(due), true)}`;
}

function groupByPerson(disputes: readonly Dispute[]): Dispute[][] {
  const groups = new Map<string, Dispute[]>();
  for (const dispute of disputes) {
    const payer = dispute.email?.toLowerCase() ?? dispute.stripeSubscriptionId;
    groups.set(payer, [...(groups.get(payer) ?? []), dispute]);
  }
  return [...groups.values()];
}

/** `9 Oct, 9 Nov and 9 Dec`, of elements. */
const listOf = (parts: readonly ReactNode[]) =>
  parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the list is as long as it is
    <Fragment key={index}>
      {index > 0 && (index === parts.length - 1 ? ' and ' : ', ')}
      {part}
    </Fragment>
  ));
