import { DIFFERENCE_KINDS } from '@site/schema/differences';
import type { Difference, DifferencesAnswer } from '@site/schema/differences';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { describeSubscriberStatus } from '../lead/lead-labels.ts';
import { formatMoment } from '../time/london-time.ts';
import { DIFFERENCE_LABELS, REMEDY_LABELS } from './difference-labels.ts';
import { MoneyItem, MoneyKind, StripeId } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { SetFreeDialog } from './SetFreeDialog.tsx';
import { SubscriptionMenu } from './SubscriptionMenu.tsx';
import { useDifferences } from './use-differences.ts';

/** Where Stripe, Beehiiv and our leads disagree, each with its remedy or the reason why only a person can decide. */
export function Differences({ dashboardUrl, now }: { dashboardUrl: string; now: Date }) {
  const { found, fault, reload, asking, putRight, compare } = useDifferences();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed disappears.
  const thenFocusHeading = async (asked: Promise<void>) => {
    await asked;
    heading.current?.focus();
  };
  const total = Object.values(found?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <section aria-label="Differences">
      <SectionHead title="Differences" aside={total > 0 && formatCount(total)} headingRef={heading}>
        {found?.subscribersRead === null && (
          <LinkButton onClick={() => void thenFocusHeading(compare())}>Compare now</LinkButton>
        )}
      </SectionHead>
      {(found === undefined || fault !== undefined) && <LoadState of="differences" fault={fault} onTryAgain={reload} />}
      {found && <p>{describeComparison(found, now)}</p>}
      {DIFFERENCE_KINDS.map((kind) => {
        const shown = (found?.differences ?? []).filter((difference) => difference.kind === kind);
        const { title, advice } = DIFFERENCE_LABELS[kind];
        const count = Math.max(shown.length, found?.counts[kind] ?? 0);
        return (
          <MoneyKind
            key={kind}
            title={title}
            count={shown.length}
            advice={
              count > shown.length ? `${advice} ${formatCount(shown.length)} of ${formatCount(count)} shown.` : advice
            }
          >
            {shown.map((difference) => (
              <DifferenceItem
                key={difference.id}
                difference={difference}
                dashboardUrl={dashboardUrl}
                isAsking={asking === difference.id}
                onPutRight={() => thenFocusHeading(putRight(difference))}
                onChange={() => void reload()}
              />
            ))}
          </MoneyKind>
        );
      })}
    </section>
  );
}

function describeComparison({ comparedAt, subscribersRead, fault, counts }: DifferencesAnswer, now: Date): string {
  if (subscribersRead !== null) return `Comparing: ${formatCount(subscribersRead)} subscribers read so far.`;
  const failed = fault === null ? '' : ` The last comparison failed: ${fault}.`;
  if (comparedAt === null) return `Stripe, Beehiiv and the leads are compared each night after 03:00 GMT.${failed}`;
  const agree = Object.keys(counts).length === 0 ? ' They agree.' : '';
  return `Stripe, Beehiiv and the leads, compared ${formatMoment(new Date(comparedAt), now)}.${agree}${failed}`;
}

type DifferenceItemProps = {
  difference: Difference;
  dashboardUrl: string;
  isAsking: boolean;
  onPutRight: () => Promise<void>;
  onChange: () => void;
};

function DifferenceItem({ difference, dashboardUrl, isAsking, onPutRight, onChange }: DifferenceItemProps) {
  const [isConfirming, setConfirming] = useState(false);
  const { kind, email, leadId, stripeSubscriptionId, subscriberStatus, remedy, isRequested } = difference;
  const isAbsent = kind === 'missing-there' || (kind === 'pays-not-active' && subscriberStatus === undefined);
  const status = isAbsent ? 'Not at Beehiiv' : subscriberStatus && describeSubscriberStatus(subscriberStatus);
  return (
    <MoneyItem
      what={<MoneyLeadLink leadId={leadId ?? null} email={email} />}
      more={
        <>
          {status}{' '}
          {stripeSubscriptionId && (
            <StripeId to={`${dashboardUrl}/subscriptions/${stripeSubscriptionId}`}>{stripeSubscriptionId}</StripeId>
          )}
        </>
      }
      acts={
        isRequested
          ? 'Requested'
          : remedy && (
              <Button
                look="line"
                size="small"
                pending={isAsking}
                pendingLabel="Asking..."
                aria-label={`${REMEDY_LABELS[remedy]}: ${email}`}
                onClick={() => (remedy === 'set-free' ? setConfirming(true) : void onPutRight())}
              >
                {REMEDY_LABELS[remedy]}
                {remedy === 'set-free' && '…'}
              </Button>
            )
      }
    >
      {stripeSubscriptionId && <SubscriptionMenu id={stripeSubscriptionId} onDone={onChange} />}
      <SetFreeDialog
        email={email}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void onPutRight();
        }}
      />
    </MoneyItem>
  );
}
