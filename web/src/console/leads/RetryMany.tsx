import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';
import { CallButton } from '../shared/CallButton.tsx';
import type { ListFilter } from '../shared/filter-params.ts';
import { needsCorrection, shownStatus } from '../lead/lead-labels.ts';
import { useCorrection } from '../navigation/open-lead.ts';
import { DeleteQuarantined } from '../retry/DeleteQuarantined.tsx';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import { toWholeRequest } from './SelectionBar.tsx';
import type { LiveLeads } from './use-live-leads.ts';

type RetryManyProps = {
  filter: ListFilter;
  list: Pick<LiveLeads, 'leads' | 'hasMore' | 'statusCounts'>;
};

/** In the tab of failed leads retries all of them, or corrects them if all that are listed have an invalid address. In that of quarantined leads sends or deletes those. */
export function RetryMany({ filter: { sort: _, ...filter }, list }: RetryManyProps) {
  const [request, setRequest] = useState<RetryRequest>();
  const [isDeleting, setDeleting] = useState(false);
  const [isShown, setShown] = useState(true);
  const [action, setAction] = useState('Retry failed…');
  const { openSeries } = useCorrection();
  const { status, search } = filter;
  if (status !== 'failed' && status !== 'quarantined') return null;
  const known = list.statusCounts?.[status];
  const count = known ?? 0;
  // It stays as it is while somebody types, so that the search does not move. It has its place before anything is known.
  if (isShown ? known === 0 && search === undefined : count > 0) setShown(!isShown);
  if (!isShown) return null;
  const unavailable =
    known === undefined
      ? 'Loading...'
      : count === 0
        ? `There are no ${status} leads in this list.`
        : undefined;
  // A retry may include quarantined leads.
  const ask = () =>
    setRequest(toWholeRequest(status === 'failed' ? { ...filter, status: undefined } : filter));
  if (status === 'failed') {
    const wrong = list.leads.filter(needsCorrection);
    const isOther = (lead: ListedLead) => shownStatus(lead) === 'failed' && !wrong.includes(lead);
    const first = list.hasMore || list.leads.some(isOther) ? undefined : wrong[0];
    const fitting = first ? `Correct ${wrong.length === 1 ? 'it' : 'each'}…` : 'Retry failed…';
    if (count > 0 && list.leads.length > 0 && action !== fitting) setAction(fitting);
    return (
      <>
        <CallButton
          look="line"
          size="small"
          unavailable={unavailable}
          onClick={() => (first ? openSeries(first.id) : ask())}
        >
          {action}
        </CallButton>
        {request && <RetryDialog request={request} onClose={() => setRequest(undefined)} />}
      </>
    );
  }
  const all = count === 1 ? '' : ' all';
  return (
    <>
      <CallButton look="line" size="small" unavailable={unavailable} onClick={() => ask()}>
        Send{all}…
      </CallButton>
      <CallButton
        look="line"
        size="small"
        unavailable={unavailable}
        onClick={() => setDeleting(true)}
      >
        Delete{all}…
      </CallButton>
      {isDeleting && (
        <DeleteQuarantined choice={{ filter }} count={count} onClose={() => setDeleting(false)} />
      )}
      {request && <RetryDialog request={request} onClose={() => setRequest(undefined)} />}
    </>
  );
}
