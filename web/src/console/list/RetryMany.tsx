import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { formatCount } from '../elements/format-count.ts';
import { lineButton } from '../elements/LinkButton.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { needsCorrection } from '../lead/lead-labels.ts';
import { useUnavailable } from '../api/freshness.ts';
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
  const unavailable = useUnavailable();
  const { sort: _, status, ...wanted } = filter;
  const isQuarantine = status === 'quarantined';
  const count = list.statusCounts?.[isQuarantine ? 'quarantined' : 'failed'] ?? 0;
  // Of many, only the dialog knows how many there are.
  const number = list.isCapped ? '' : `${formatCount(count)} `;
  const loaded = isQuarantine ? [] : list.leads.filter(needsCorrection);
  const query = { ...wanted, status: 'failed' as const };
  // The page that is shown may not have all of them.
  const isPart = status === undefined && loaded.length < count;
  const { data, fault } = useApiData('GET /api/admin/leads', isPart ? { query } : null, { refreshInterval: AGAIN_MS });
  const wrong = isPart && data ? data.leads.filter(needsCorrection) : loaded;
  const [first] = wrong;
  // Beside a list that has none of them.
  if (status && status !== 'failed' && !isQuarantine) return null;
  if (first && wrong.length === count && !list.isCapped)
    return unavailable ? (
      <Button look="line" size="small" unavailable={unavailable}>
        Correct {number}failed…
      </Button>
    ) : (
      <Link
        className={lineButton}
        to={{ search: `${toQuery({ ...filter, status: 'failed' })}&lead=${first.id}` }}
        state={{ correcting: first.id }}
      >
        Correct {number}failed…
      </Link>
    );
  // Whether failed leads can be retried is not known at first.
  const look = isPart && !data && fault === undefined ? { visibility: 'hidden' as const } : undefined;
  const label = isQuarantine ? `Send all ${number}`.trimEnd() + '…' : `Retry ${number}failed…`;
  const ask = () => setRequest(toWholeRequest(isQuarantine ? { ...wanted, status } : wanted));
  return (
    <>
      {count > 0 && (
        <Button look="line" size="small" style={look} unavailable={unavailable} onClick={ask}>
          {label}
        </Button>
      )}
      {count > 0 && isQuarantine && (
        <Button look="line" size="small" style={look} unavailable={unavailable} onClick={() => setDeleting(true)}>
          Delete all {number.trim()}…
        </Button>
      )}
      {isDeleting && <DeleteQuarantined choice={{ filter }} count={count} onClose={() => setDeleting(false)} />}
      {request && <RetryDialog request={request} onClose={() => setRequest(undefined)} />}
    </>
  );
}
