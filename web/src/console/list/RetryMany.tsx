import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { formatCount } from '../elements/format-count.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { needsCorrection } from '../lead/lead-labels.ts';
import { useUnavailable } from '../live/LiveUpdates.tsx';
import { useCorrection } from '../navigation/open-lead.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import { toWholeRequest } from './SelectionBar.tsx';
import type { LiveLeads } from './use-live-leads.ts';

type RetryManyProps = {
  filter: ListFilter;
  list: Pick<LiveLeads, 'leads' | 'statusCounts' | 'isCapped'>;
};

/** Retries all failed leads of the filter, corrects them if all have an invalid address, or in the tab of quarantined leads sends those. */
export function RetryMany({ filter, list }: RetryManyProps) {
  const [request, setRequest] = useState<RetryRequest>();
  const unavailable = useUnavailable();
  const { openCorrection } = useCorrection();
  const { sort: _, status, ...wanted } = filter;
  const isQuarantine = status === 'quarantined';
  const count = list.statusCounts?.[isQuarantine ? 'quarantined' : 'failed'] ?? 0;
  // Of many, only the dialog knows how many there are.
  const number = list.isCapped ? '' : `${formatCount(count)} `;
  // Beside a list that has none of them.
  if (status && status !== 'failed' && !isQuarantine) return null;
  const wrong = isQuarantine ? [] : list.leads.filter(needsCorrection);
  const [first] = wrong;
  if (first && wrong.length === count && !list.isCapped)
    return (
      <Button look="line" size="small" onClick={() => openCorrection(first.id)}>
        Correct {number}failed…
      </Button>
    );
  const label = isQuarantine ? `Send ${number}to Beehiiv…` : `Retry ${number}failed…`;
  const ask = () => setRequest(toWholeRequest(isQuarantine ? { ...wanted, status } : wanted));
  return (
    <>
      {count > 0 && (
        <Button look="line" size="small" unavailable={unavailable} onClick={ask}>
          {label}
        </Button>
      )}
      {request && <RetryDialog request={request} onClose={() => setRequest(undefined)} />}
    </>
  );
}
