import type { Lead } from '@site/schema/lead';
import { lazy, Suspense } from 'react';
import type { RefObject } from 'react';
import chartStyles from './charts/Charts.module.css';
import styles from './Console.module.css';
import { LIST_ID } from './content-place.ts';
import { Counters } from './Counters.tsx';
import { isNarrowed, toQuery } from './filters/filter-params.ts';
import type { ListFilter } from './filters/filter-params.ts';
import { countDays, describeDates } from './filters/filter-labels.ts';
import { Filters } from './filters/Filters.tsx';
import { FORM_TYPE_NAMES } from './list/lead-labels.ts';
import { LeadList } from './list/LeadList.tsx';
import { ListFoot } from './list/ListFoot.tsx';
import { ListTools } from './list/ListTools.tsx';
import { NewLeads } from './live/NewLeads.tsx';
import type { RetryWish } from './retry/RetryDialog.tsx';
import { RunStrip } from './retry/RunStrip.tsx';
import type { useCurrentRow } from './keyboard/use-current-row.ts';
import type { useLiveLeads } from './live/use-live-leads.ts';
import { useNarrow } from './use-narrow.ts';
import type { useRetryRuns } from './retry/use-retry-runs.ts';
import type { useSelection } from './list/use-selection.ts';

const ChartStrip = lazy(async () => ({ default: (await import('./charts/ChartStrip.tsx')).ChartStrip }));

type LeadsViewProps = {
  filter: ListFilter;
  list: ReturnType<typeof useLiveLeads>;
  now: Date;
  isPaused: boolean;
  row: ReturnType<typeof useCurrentRow>;
  selection: ReturnType<typeof useSelection>;
  retrying: ReadonlySet<string>;
  searchInput: RefObject<HTMLInputElement | null>;
  openId: string | undefined;
  runs: ReturnType<typeof useRetryRuns>;
  onShow: (filter: ListFilter, how?: { replace: boolean }) => void;
  onRefresh: () => Promise<unknown>;
  onRetry: (lead: Lead) => Promise<void>;
  onRetryMany: (wish: RetryWish) => void;
  areKeysOn: boolean;
  onShowKeys: () => void;
  onSignedOut: () => void;
  toDrawer: (lead: Lead) => string;
};

/** The page as it opens: filters, counters, charts, and the list with what can be done to it. */
export function LeadsView(props: LeadsViewProps) {
  const { filter, list, row, runs, selection, onShow, onRefresh, onRetry } = props;
  const isNarrow = useNarrow();
  const openRuns = runs.runs?.filter(({ finishedAt }) => finishedAt === null) ?? [];
  const startOver = async () => {
    window.scrollTo({ top: 0 });
    // The button that asked for it goes; who pressed it wants to read the list.
    document.getElementById(LIST_ID)?.focus({ preventScroll: true });
    await list.startOver();
  };
  return (
    <>
      <div className={styles.head}>
        <div className={styles.heading}>
          <h1 className={styles.title}>Leads</h1>
          <p className={styles.range}>{describeRange(filter)}</p>
        </div>
        <Filters
          filter={filter}
          exported={list.isCapped ? undefined : list.statusCounts?.[filter.status ?? 'all']}
          onApply={(wanted) => {
            if (toQuery(wanted) === toQuery(filter)) void onRefresh();
            else onShow(wanted);
          }}
        />
      </div>
      <div className={styles.figures}>
        <Counters filter={filter} counts={list.counts} isCapped={list.isCapped} />
        {!isNarrow && (
          <Suspense fallback={<div className={chartStyles.held} />}>
            <ChartStrip
              filter={filter}
              figuresLink={`view=figures${toQuery(filter) === '' ? '' : `&${toQuery(filter)}`}`}
              onSignedOut={props.onSignedOut}
            />
          </Suspense>
        )}
      </div>
      <ListTools
        filter={filter}
        counts={list.statusCounts}
        isCapped={list.isCapped}
        onSignedOut={props.onSignedOut}
        retryMany={toRetryMany(props)}
        searchInput={props.searchInput}
        onShow={onShow}
      />
      {openRuns.map((run) => (
        <RunStrip key={run.id} run={run} isStopping={runs.stopping === run.id} onStop={runs.stop} />
      ))}
      <NewLeads count={list.newer} onShow={() => void startOver()} />
      <LeadList
        filter={filter}
        list={list}
        now={props.now}
        isPaused={props.isPaused}
        currentId={row.current?.id}
        openId={props.openId}
        retrying={props.retrying}
        selection={selection}
        toDrawer={props.toDrawer}
        onRetry={(lead) => {
          // The button goes when the lead is on its way again; the focus must not go with it.
          row.goTo(lead);
          void onRetry(lead);
        }}
        onTryAgain={onRefresh}
      />
      <ListFoot filter={filter} list={list} areKeysOn={props.areKeysOn} onShowKeys={props.onShowKeys} />
    </>
  );
}

/** The failed ones of what is ticked, or else all failed ones of the filter. */
function toRetryMany({ filter, list, selection, onRetryMany }: LeadsViewProps) {
  const failed = selection.selected.filter(({ beehiivStatus }) => beehiivStatus === 'failed');
  if (selection.selected.length > 0) {
    if (failed.length === 0) return undefined;
    const label = `Retry ${failed.length} selected…`;
    return {
      label,
      onPress: () => onRetryMany({ title: 'Retry what is selected', filter: { ids: failed.map(({ id }) => id) } }),
    };
  }
  const count = list.statusCounts?.failed ?? 0;
  if (count === 0) return undefined;
  const { sort: _, status: __, ...wanted } = filter;
  const label = `Retry ${count.toLocaleString('en-GB')}${list.isCapped ? '+' : ''} failed…`;
  return { label, onPress: () => onRetryMany({ title: 'Retry all failed of this filter', filter: wanted }) };
}

/** `14 days, 20 November to 3 December 2025`, after the form type where one is chosen. */
function describeRange(filter: ListFilter): string {
  const days = countDays(filter);
  const parts = [
    filter.formType ? FORM_TYPE_NAMES[filter.formType] : isNarrowed(filter) ? undefined : 'All Forms',
    days === undefined ? undefined : `${days} ${days === 1 ? 'day' : 'days'}`,
    describeDates(filter),
  ];
  return parts.filter(Boolean).join(', ');
}
