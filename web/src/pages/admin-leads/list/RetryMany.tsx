import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { useNarrow } from '../elements/use-media.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import styles from './ListTools.module.css';
import type { LiveLeads } from './use-live-leads.ts';

type RetryManyProps = { filter: ListFilter; list: Pick<LiveLeads, 'statusCounts'> };

/**
 * Retries all failed leads of the filter, or in the tab of quarantined leads sends those. Names no number: a lead whose
 * address was corrected is failed too, and is not retried. The dialog counts.
 */
export function RetryMany({ filter, list }: RetryManyProps) {
  const [request, setRequest] = useState<RetryRequest>();
  const isNarrow = useNarrow();
  const { sort: _, status, ...wanted } = filter;
  const choice =
    status === 'quarantined'
      ? {
          count: list.statusCounts?.quarantined,
          label: 'Send all to Beehiiv…',
          request: { title: 'Send quarantined leads to Beehiiv', filter: { ...wanted, status }, withQuarantined: true },
        }
      : {
          count: list.statusCounts?.failed,
          label: 'Retry failed…',
          request: { title: 'Retry all failed leads of this filter', filter: wanted },
        };
  return (
    <>
      {/* On a phone the list comes first, so the button waits in its tab. */}
      {choice.count !== undefined && choice.count > 0 && (!isNarrow || status !== undefined) && (
        <Button look="line" size="small" className={styles.many} onClick={() => setRequest(choice.request)}>
          {choice.label}
        </Button>
      )}
      <RetryDialog request={request} onClose={() => setRequest(undefined)} />
    </>
  );
}
