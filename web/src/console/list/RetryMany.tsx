import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CallButton } from '../elements/CallButton.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { formatCount } from '../elements/format-count.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { needsCorrection } from '../lead/lead-labels.ts';
import { DeleteQuarantined } from '../retry/DeleteQuarantined.tsx';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import { toWholeRequest } from './SelectionBar.tsx';
import type { LiveLeads } from './use-live-leads.ts';

const AGAIN_MS = 30_000;

type RetryManyProps = {
  filter: ListFilter;
  list: Pick<LiveLeads, 'leads' | 'statusCounts' | 'isCapped'>;
};

/** Retries all failed leads of the filter, corrects them if all have an invalid address, or in the tab of quarantined leads sends or deletes those. */
export function RetryMany({ filter, list }: RetryManyProps) {
  const [request, setRequest] = useState<RetryRequest>();
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const { sort: _, status, ...wanted } = filter;
  const isQuarantine = status === 'quarantined';
  const count = list.statusCounts?.[isQuarantine ? 'quarantined' : 'failed'] ?? 0;
  // Of many, only the dialog knows how many there are.
  const number = list.isCapped ? '' : ` ${formatCount(count)}`;
  const all = count === 1 ? '' : ` all${number}`;
  const loaded = isQuarantine ? [] : list.leads.filter(needsCorrection);
  const query = { ...wanted, status: 'failed' as const };
  // The page that is shown may not have all of them.
  const isPart = status === undefined && loaded.length < count;
  const { data, fault } = useApiData('GET /api/admin/leads', isPart ? { query } : null, { refreshInterval: AGAIN_MS });
  const wrong = isPart && data ? data.leads.filter(needsCorrection) : loaded;
  const [first] = wrong;
  // Beside a list that has none of them.
  if (status && status !== 'failed' && !isQuarantine) return null;
  const toCorrect = wrong.length === count && !list.isCapped ? first : undefined;
  // Whether failed leads can be retried is not known at first.
  const look = isPart && !data && fault === undefined ? { visibility: 'hidden' as const } : undefined;
  const ask = () => {
    if (toCorrect === undefined) return setRequest(toWholeRequest(isQuarantine ? { ...wanted, status } : wanted));
    const search = `${toQuery({ ...filter, status: 'failed' })}&lead=${toCorrect.id}`;
    return void navigate({ search }, { state: { correcting: toCorrect.id } });
  };
  return (
    <>
      {count > 0 && (
        <CallButton look="line" size="small" style={look} onClick={ask}>
          {isQuarantine ? `Send${all}…` : `${toCorrect ? 'Correct' : 'Retry'}${number} failed…`}
        </CallButton>
      )}
      {count > 0 && isQuarantine && (
        <CallButton look="line" size="small" style={look} onClick={() => setDeleting(true)}>
          Delete{all}…
        </CallButton>
      )}
      {isDeleting && <DeleteQuarantined choice={{ filter }} count={count} onClose={() => setDeleting(false)} />}
      {request && <RetryDialog request={request} onClose={() => setRequest(undefined)} />}
    </>
  );
}
