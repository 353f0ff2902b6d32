import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { FORM_TYPES } from '@site/schema/lead';
import { lazy, Suspense, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useLive } from '../api/live.tsx';
import { describeFilter } from '../lead/filter-labels.ts';
import { FORM_TYPE_NAMES } from '../lead/lead-labels.ts';
import { useHalt } from '../lead/use-halt.ts';
import { ABANDONED } from '../navigation/console-views.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { PersonDrawer } from '../person/PersonDrawer.tsx';
import { RunStrip } from '../retry/RunStrip.tsx';
import { useRetry } from '../retry/use-retry.tsx';
import { DatePresets, FilterForm, useDateFault } from '../shared/FilterForm.tsx';
import { ExportCsv } from '../shared/ExportCsv.tsx';
import { isNarrowed, toQuery, toSearch, useFilter, withoutSort } from '../shared/filter.ts';
import { LIST_ID, moveToRow, useKeys } from '../shared/focus.ts';
import { countOf } from '../shared/format.ts';
import { lineButton } from '../shared/fields.tsx';
import { SearchBox } from '../shared/SearchBox.tsx';
import { useNow } from '../shared/use-now.ts';
import { ViewHead } from '../shared/heads.tsx';
import { Counters } from './Counters.tsx';
import { LeadCharts } from './LeadCharts.tsx';
import styles from './Leads.module.css';
import { LeadTable } from './LeadTable.tsx';
import { Instead, ListFoot } from './ListState.tsx';
import { ListActions, SelectionBar } from './SelectionBar.tsx';
import { StatusTabs } from './StatusTabs.tsx';
import { useLeadList } from './use-lead-list.ts';
import { useSelection } from './use-selection.ts';

const SetUp = lazy(async () => ({ default: (await import('../set-up/SetUp.tsx')).SetUp }));

/** The first view of the console: filters, counters, charts, and the list of leads with its actions. */
export function LeadsView() {
  const { filter, showFilter } = useFilter();
  const { refresh } = useLive();
  const list = useLeadList(filter);
  const { leads, counts, isCapped } = list;
  const selection = useSelection(leads, filter);
  const { openId, openLead } = useOpenLead();
  const halt = useHalt();
  const { retry, retrying, question } = useRetry(list.reload, halt);
  const now = useNow(leads.some(({ beehiivStatus }) => beehiivStatus === 'pending'));
  const search = useRef<HTMLInputElement>(null);
  const dateFault = useDateFault();
  const move = (step: 1 | -1) => {
    const at = leads.findIndex(({ id }) => id === openId);
    const next = leads[at + step];
    if (openId === undefined) moveToRow(document.getElementById(LIST_ID), step);
    else if (next) openLead(next.id, { replace: true });
  };
  useKeys({
    '/': () => search.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    Enter: () => document.activeElement?.querySelector<HTMLElement>('th a')?.click(),
  });
  const isFirstRun = !isNarrowed(filter) && !dateFault && counts && counts.total <= MAX_FIRST_LEADS;
  return (
    <>
      <ViewHead
        title="Leads"
        range={
          <>
            {describeFilter({ ...filter, status: undefined })}{' '}
            {isNarrowed(filter) && (
              <Link to={{ search: toQuery({ sort: filter.sort }) }}>Clear</Link>
            )}
          </>
        }
        presets={<DatePresets filter={filter} />}
        filters={
          <FilterForm
            filter={filter}
            choices={[
              {
                name: 'formType',
                label: 'Form Type',
                all: 'All Forms',
                chosen: filter.formType,
                options: FORM_TYPES.map((formType) => [formType, FORM_TYPE_NAMES[formType]]),
              },
            ]}
            onApply={(wanted) => {
              const isSame = toQuery(wanted) === toQuery(filter);
              showFilter(wanted, { replace: isSame });
              if (isSame) void refresh();
            }}
          />
        }
        actions={
          <ExportCsv
            query={withoutSort(filter)}
            exported={isCapped ? undefined : list.statusCounts?.[filter.status ?? 'all']}
          />
        }
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
          <SetUp room={null} />
        </Suspense>
      )}
      <div className={styles.tools}>
        <StatusTabs filter={filter} statusCounts={list.statusCounts} isCapped={isCapped} />
        {filter.checkout ? (
          <Link className={lineButton} to={{ search: toSearch({}, 'money'), hash: ABANDONED }}>
            Links and emails
          </Link>
        ) : (
          filter.status && <ListActions filter={filter} list={list} />
        )}
        <SearchBox
          ref={search}
          label="Search name, email, company"
          words={filter.search ?? ''}
          onDown={() => moveToRow(document.getElementById(LIST_ID), 1)}
          onSearch={(words) => {
            // Refining a search replaces the history entry, so that one step back leaves it.
            showFilter({ ...filter, search: words }, { replace: filter.search !== undefined });
          }}
        />
      </div>
      <div className={styles.new}>
        <output className="visually-hidden">{list.newer > 0 && 'New leads have arrived.'}</output>
        {list.newer > 0 && (
          <button
            type="button"
            onClick={() => {
              // The button disappears.
              document.getElementById(LIST_ID)?.focus();
              void list.showNew();
            }}
          >
            {countOf(list.newer, 'new lead')}
          </button>
        )}
      </div>
      <LeadTable
        leads={leads}
        stages={list.stages}
        endings={list.endings}
        filter={filter}
        selection={selection}
        now={now}
        halt={halt}
        retrying={retrying}
        onRetry={(lead) => void retry(lead)}
        isLoading={list.isLoading}
        instead={leads.length === 0 && <Instead filter={filter} list={list} />}
      />
      <ListFoot filter={filter} list={list} />
      <div className={styles.dock}>
        <RunStrip />
        <SelectionBar selection={selection} filter={filter} list={list} />
      </div>
      {question}
      <PersonDrawer ids={leads.map(({ id }) => id)} />
    </>
  );
}
