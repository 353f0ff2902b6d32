import { FILTER_NAMES, LEAD_FILTERS } from '@site/schema/calls/lead-filter';
import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { useLive } from '../api/live.tsx';
import { toFilterText } from '../lead/filter-labels.ts';
import { useOpenLead } from '../navigation.ts';
import { PersonDrawer } from '../person/PersonDrawer.tsx';
import { BulkRetryStrip } from '../retry/BulkRetryStrip.tsx';
import { useIsViewer } from '../session/session.ts';
import { DatePresets, FilterForm } from '../shared/FilterForm.tsx';
import { ExportCsv } from '../shared/ExportCsv.tsx';
import { isNarrowed, toQuery, useFilter, withoutSort } from '../shared/filter.ts';
import { moveToRow, useListKeys } from '../shared/focus.ts';
import { ViewHead } from '../shared/heads.tsx';
import { Counters } from './Counters.tsx';
import { LeadCharts } from './LeadCharts.tsx';
import styles from './Leads.module.css';
import { LeadTable } from './LeadTable.tsx';
import { ListTools } from './ListTools.tsx';
import { useLeadList } from './use-lead-list.ts';
import { useSelection } from './use-selection.ts';

const SelectionBar = lazy(async () => ({
  default: (await import('./SelectionBar.tsx')).SelectionBar,
}));
const SetUp = lazy(async () => ({ default: (await import('../set-up/SetUp.tsx')).SetUp }));

const CHOICES = FILTER_NAMES.flatMap((name) => {
  const { control, values, toWords } = LEAD_FILTERS[name];
  const options = values?.map((value) => [value, toWords(value)] as const);
  return control ? [{ name, ...control, options }] : [];
});

/**
 * Renders the console's first view: filters, counters, charts, and the list of leads with its
 * actions.
 */
export function LeadsView() {
  const { filter, showFilter } = useFilter();
  const isViewer = useIsViewer();
  const { refresh } = useLive();
  const list = useLeadList(filter);
  const { leads, counts, isCapped } = list;
  const selection = useSelection(leads, filter);
  const { openId, openLead } = useOpenLead();
  useListKeys((step) => {
    const at = leads.findIndex(({ id }) => id === openId);
    const next = leads[at + step];
    if (openId === undefined) moveToRow(step);
    else if (next) openLead(next.id, { replace: true });
  });
  const isFirstRun = !isViewer && !isNarrowed(filter) && counts && counts.total <= MAX_FIRST_LEADS;
  return (
    <>
      <ViewHead
        title="Leads"
        range={
          <>
            {toFilterText({ ...filter, status: undefined })}{' '}
            {isNarrowed(filter) && (
              <Link to={{ search: toQuery({ sort: filter.sort }) }}>Clear</Link>
            )}
          </>
        }
        presets={<DatePresets filter={filter} />}
        filters={
          <FilterForm
            filter={filter}
            choices={CHOICES.map((choice) => ({ ...choice, chosen: filter[choice.name] }))}
            onApply={(wanted) => {
              const isSame = toQuery(wanted) === toQuery(filter);
              showFilter(wanted, { replace: isSame });
              if (isSame) void refresh();
            }}
          />
        }
        actions={!isViewer && <ExportCsv query={withoutSort(filter)} />}
      />
      <div className={styles.figures}>
        <Counters
          filter={filter}
          counts={counts}
          subscribers={list.subscribers}
          isCapped={isCapped}
        />
        <LeadCharts filter={filter} />
      </div>
      {isFirstRun && (
        <Suspense fallback={null}>
          <SetUp />
        </Suspense>
      )}
      <ListTools filter={filter} showFilter={showFilter} list={list} />
      <LeadTable list={list} filter={filter} selection={isViewer ? undefined : selection} />
      <div className={styles.dock}>
        <BulkRetryStrip />
        <Suspense fallback={null}>
          {selection.selected.length > 0 && (
            <SelectionBar leads={selection.selected} onDone={selection.clear} />
          )}
        </Suspense>
      </div>
      <PersonDrawer ids={leads.map(({ id }) => id)} />
    </>
  );
}
