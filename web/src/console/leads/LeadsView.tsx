import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { FORM_TYPES } from '@site/schema/lead';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { useCode } from '../shared/use-code.ts';
import chartStyles from '../shared/Charts.module.css';
import { useCharts } from './use-charts.ts';
import { Counters } from './Counters.tsx';
import { SubscriberStates } from './SubscriberStates.tsx';
import { LeadDrawer } from '../person/LeadDrawer.tsx';
import dialogStyles from '../shared/dialog.module.css';
import { formatCount } from '../shared/format-count.ts';
import { lineButton, LinkButton } from '../shared/LinkButton.tsx';
import { ABANDONED } from '../navigation/console-views.ts';
import { Skeleton } from '../shared/Skeleton.tsx';
import { useNarrow } from '../shared/use-media.ts';
import { ViewHead } from '../shared/ViewHead.tsx';
import { isNarrowed, toQuery, toSearch, withoutSort } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { DatePresets } from '../shared/DatePresets.tsx';
import { countDays, describeDates, describeFilter } from '../lead/filter-labels.ts';
import { ExportCsv } from '../shared/ExportCsv.tsx';
import { FilterForm, useDateFault } from '../shared/FilterForm.tsx';
import { useFilter } from '../shared/use-filter.ts';
import { focusListIfLost, LIST_ID } from '../shared/page-content.ts';
import { useKeyCommands } from '../shared/KeyCommands.tsx';
import { useCurrentRow } from '../shared/use-current-row.ts';
import { FORM_TYPE_NAMES, needsCorrection, STATUS_NAMES } from '../lead/lead-labels.ts';
import { useUpdates } from '../api/LiveUpdates.tsx';
import { useCorrection, useOpenLead } from '../navigation/open-lead.ts';
import { RunStrip } from '../retry/RunStrip.tsx';
import { useRetry } from '../retry/use-retry.tsx';
import { useFirstRun } from '../set-up/use-set-up.ts';
import { useHalt } from '../lead/use-halt.ts';
import { useNow } from '../shared/use-now.ts';
import { LeadList } from './LeadList.tsx';
import styles from './LeadsView.module.css';
import { ListFoot } from './ListFoot.tsx';
import { ListTools } from './ListTools.tsx';
import { NewLeads } from './NewLeads.tsx';
import { RetryMany } from './RetryMany.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useArrivals } from './use-arrivals.ts';
import { useLiveLeads } from './use-live-leads.ts';
import type { LiveLeads } from './use-live-leads.ts';
import { useSelection } from './use-selection.ts';

const fetchSetUp = async () => import('../set-up/SetUp.tsx');
const fetchChart = async () => import('./ChartStrip.tsx');

const FORM_TYPE_OPTIONS = FORM_TYPES.map(
  (formType) => [formType, FORM_TYPE_NAMES[formType]] as const,
);

/** The first view of the console: filters, counters, charts, and the list of leads with its actions. */
export function LeadsView() {
  const { filter, showFilter } = useFilter();
  const { refresh, isLive } = useUpdates();
  const list = useLiveLeads(filter);
  const isNew = useArrivals(list, toQuery(filter));
  const selection = useSelection(list, filter);
  const { openId, openLead } = useOpenLead();
  const { openCorrection } = useCorrection();
  const row = useCurrentRow(list.leads, { openId, openLead });
  const halt = useHalt();
  const { retry, retrying, question } = useRetry(
    async () => (isLive ? undefined : list.reload()),
    halt,
  );
  const now = useNow(list.leads.some((lead) => lead.beehiivStatus === 'pending'));
  const isNarrow = useNarrow();
  const { data: figures, isOwn } = useCharts(filter);
  const states = (
    <SubscriberStates filter={filter} subscribers={list.subscribers} isCapped={list.isCapped} />
  );
  const isUncounted = list.fault !== undefined && list.counts === undefined;
  const { isUnsent } = useFirstRun();
  const dateFault = useDateFault();
  const isFirstRun =
    !isNarrowed(filter) &&
    !dateFault &&
    (list.counts ? list.counts.total <= MAX_FIRST_LEADS : isUnsent);
  const chart = useCode(isNarrow ? null : fetchChart);
  const setUp = useCode(isFirstRun ? fetchSetUp : null);
  const setUpRoom = isUnsent && <div style={{ height: '33rem' }} aria-hidden="true" />;
  const searchInput = useRef<HTMLInputElement>(null);
  useKeyCommands({
    search: () => searchInput.current?.focus(),
    next: () => row.move(1),
    previous: () => row.move(-1),
    open: () => row.current && openLead(row.current.id),
    select: () => row.current && selection.toggle(row.current),
    retry: () =>
      row.current &&
      (needsCorrection(row.current) ? openCorrection(row.current.id) : void retry(row.current)),
  });
  const listed = describeListed(filter, list);
  const startOver = async () => {
    showTop(isNarrow);
    // The button disappears, and an operator who pressed it wants to read the list.
    document.getElementById(LIST_ID)?.focus({ preventScroll: true });
    await list.startOver();
    // Above the row that the browser keeps in its place.
    requestAnimationFrame(() => showTop(isNarrow));
  };
  return (
    <>
      <ViewHead
        title="Leads"
        range={
          <>
            {dateFault && isNarrow ? (
              <strong className={dialogStyles.fault}>{dateFault}</strong>
            ) : (
              <span className={styles.part}>{describeRange(filter, isNarrow)}</span>
            )}{' '}
            {toQuery(withoutHidden(filter)) !== toQuery(filter) && (
              <span className={styles.part}>
                <Link to={{ search: toQuery(withoutHidden(filter)) }}>Clear</Link>
              </span>
            )}{' '}
            {listed && <span className={styles.part}>{listed}</span>}
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
                options: FORM_TYPE_OPTIONS,
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
            exported={list.isCapped ? undefined : list.statusCounts?.[filter.status ?? 'all']}
          />
        }
      />
      <div className={styles.figures}>
        <Counters
          filter={filter}
          counts={list.counts}
          isCapped={list.isCapped}
          days={isOwn ? figures?.days : undefined}
          states={!isNarrow && states}
        />
        {isNarrow && states}
        {!isNarrow &&
          (chart.code && !isUncounted ? (
            <chart.code.ChartStrip filter={filter} />
          ) : (
            // Without the counters they would be beside dashes.
            <div className={chartStyles.held}>
              {isUncounted ? (
                <p className={chartStyles.empty}>
                  The charts appear with the counters, once they can be loaded.
                </p>
              ) : (
                <Skeleton rows={3} />
              )}
            </div>
          ))}
      </div>
      {isFirstRun &&
        (setUp.code ? (
          <setUp.code.SetUp room={setUpRoom} />
        ) : (
          setUp.fault === undefined && setUpRoom
        ))}
      <ListTools
        filter={filter}
        counts={list.statusCounts}
        isCapped={list.isCapped}
        searchInput={searchInput}
        onDown={() => list.leads[0] && row.goTo(list.leads[0])}
        onShow={showFilter}
      >
        {filter.checkout ? (
          <Link
            className={lineButton}
            to={{ search: toSearch(withoutHidden(filter), 'money'), hash: ABANDONED }}
          >
            Links and emails
          </Link>
        ) : (
          <RetryMany filter={filter} list={list} />
        )}
      </ListTools>
      <NewLeads count={list.newer} onShow={() => void startOver()} />
      <LeadList
        filter={filter}
        list={list}
        rows={{
          leads: list.leads,
          stages: list.stages,
          endings: list.endings,
          areAbandoned: filter.checkout === 'abandoned',
          words: filter.search ?? '',
          isNew,
          isLoading: list.isSlow,
          now,
          halt,
          currentId: row.current?.id,
          openId,
          retrying,
          selection,
          // The button disappears while the lead is pending, and the row takes the focus.
          onRetry: (lead) => void retry(lead),
        }}
      />
      {/* With the rows, which would push it down. */}
      {(list.hasLoaded || list.fault !== undefined) && <ListFoot filter={filter} list={list} />}
      <div ref={keepAboveDock} className={styles.dock}>
        {list.moved + list.joined > 0 && filter.status && (
          <p className={styles.moved}>
            {describeMoved(list, STATUS_NAMES[filter.status].toLowerCase())}
            <LinkButton onClick={() => void list.reload().then(() => setTimeout(focusListIfLost))}>
              Update the list
            </LinkButton>
          </p>
        )}
        <RunStrip />
        <SelectionBar
          selection={selection}
          filter={filter}
          total={
            list.hasMore
              ? list.isCapped
                ? undefined
                : list.statusCounts?.[filter.status ?? 'all']
              : list.leads.length
          }
          onRetry={retry}
        />
      </div>
      {question}
      <LeadDrawer
        listed={list.leads.find(({ id }) => id === openId)}
        invalid={{
          ids: list.leads.filter(needsCorrection).map(({ id }) => id),
          hasMore: list.hasMore,
        }}
      />
    </>
  );
}

/** Tells toasts and rows how high the bars at the window's lower edge are, and keeps the row that was pressed above them. */
function keepAboveDock(dock: HTMLElement | null): (() => void) | undefined {
  if (!dock || !('ResizeObserver' in window)) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    style.setProperty('--dock', `${dock.offsetHeight}px`);
    const row = document.activeElement?.closest(`#${LIST_ID} > li, #${LIST_ID} tr`);
    const { top = -1 } = row?.getBoundingClientRect() ?? {};
    if (top >= 0 && top < window.innerHeight) row?.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(dock);
  return () => {
    observer.disconnect();
    style.removeProperty('--dock');
  };
}

/** The filter without what neither the fields nor the tabs show. */
const withoutHidden = ({
  formType,
  startDate,
  endDate,
  status,
  search,
  sort,
}: ListFilter): ListFilter => ({
  formType,
  startDate,
  endDate,
  status,
  search,
  sort,
});

/** What the counters count: the filter without the tab's status, and without the search, whose box is near except on a phone. */
function describeRange({ search, ...filter }: ListFilter, isNarrow: boolean): string {
  const told = describeFilter({ ...filter, status: undefined, ...(isNarrow && { search }) });
  const [dates, days] = [describeDates(filter), countDays(filter)];
  return days === undefined || days === 1 ? told : told.replace(dates, `${days} days, ${dates}`);
}

/** Says why a status makes the list shorter than the counters say. */
function describeListed(
  { status }: ListFilter,
  { counts, statusCounts, isCapped }: LiveLeads,
): string | undefined {
  if (status === undefined || !counts || !statusCounts) return undefined;
  const name = STATUS_NAMES[status].toLowerCase();
  const listed = `${formatCount(statusCounts[status], isCapped)}\u00A0${name}`;
  return `${formatCount(counts.total, isCapped)} ${counts.total === 1 ? 'lead' : 'leads'}, ${listed}`;
}

/** On a phone the bars leave room for new leads only at its top. */
function showTop(isNarrow: boolean): void {
  const list = document.getElementById(LIST_ID);
  if (list && (isNarrow || list.getBoundingClientRect().top < 0)) list.scrollIntoView();
}

/** `3 in the list are no longer failed, 6 others now are`. */
function describeMoved({ moved, joined }: LiveLeads, status: string): string {
  const [others, are] = joined === 1 ? ['1 other', 'is'] : [`${formatCount(joined)} others`, 'are'];
  if (moved === 0) return `${others} ${are} ${status} now`;
  const left = `${formatCount(moved)} in the list ${moved === 1 ? 'is' : 'are'} no longer ${status}`;
  return joined === 0 ? left : `${left}, ${others} now ${are}`;
}
