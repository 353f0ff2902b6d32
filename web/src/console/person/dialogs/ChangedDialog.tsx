import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import { formatDated } from '../../shared/london-time.ts';
import { isCancelled } from '../judge-money.ts';
import { describeOther } from './SubscriptionLine.tsx';

/**
 * Instead of a question that another window has overtaken: what the subscription is by now, and nothing to press. Called as a
 * function, so that it is the same dialog, which knows where the focus was. `said` of the other subscription when it was asked.
 */
export function changedDialog(subscription: LeadSubscription, onClose: () => void, said?: string) {
  const { email, stage, cancelAt } = subscription;
  const beside = describeOther(subscription);
  return (
    <ConfirmDialog title="It has changed" person={email} onClose={onClose}>
      <p>
        {stage === 'ended'
          ? 'The subscription has ended.'
          : isCancelled(subscription)
            ? `The subscription is cancelled already${describeAccess(cancelAt)}.`
            : said !== undefined && said !== beside
              ? beside || 'There is no other subscription any more.'
              : 'The cancellation was undone: the subscription continues.'}
      </p>
    </ConfirmDialog>
  );
}

export const describeAccess = (until: string | null) =>
  until === null ? '' : `, with access until ${formatDated(new Date(until))}`;
