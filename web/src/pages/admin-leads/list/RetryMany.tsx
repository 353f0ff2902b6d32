import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { formatCount } from '../elements/format-count.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import styles from './ListTools.module.css';
import type { LiveLeads } from './use-live-leads.ts';
import type { Selection } from './use-selection.ts';

type RetryManyProps = { filter: ListFilter; list: Pick<LiveLeads, 'statusCounts' | 'isCapped'>; selection: Selection };

/** Retries the failed leads among those selected, or without a selection all failed leads of the filter. */
export function RetryMany({ selection, ...of }: RetryManyProps) {
  const [request, setRequest] = useState<RetryRequest>();
  const choice = selection.selected.length > 0 ? chooseSelected(selection) : chooseFailed(of);
  return (
    <>
      {choice && (
        <Button look="line" size="small" className={styles.many} onClick={() => setRequest(choice)}>
          {choice.label}
        </Button>
      )}
      <RetryDialog request={request} onClose={() => setRequest(undefined)} onStarted={selection.clear} />
    </>
  );
}

function chooseSelected({ selected }: Selection) {
  const ids = selected.filter(({ beehiivStatus }) => beehiivStatus === 'failed').map(({ id }) => id);
  if (ids.length === 0) return undefined;
  return { label: `Retry ${ids.length} selected…`, title: 'Retry the selected leads', filter: { ids } };
}

function chooseFailed({ filter, list }: Omit<RetryManyProps, 'selection'>) {
  const count = list.statusCounts?.failed ?? 0;
  if (count === 0) return undefined;
  const { sort: _, status: __, ...wanted } = filter;
  return {
    label: `Retry ${formatCount(count, list.isCapped)} failed…`,
    title: 'Retry all failed leads of this filter',
    filter: wanted,
  };
}
