import type { OperatorAnswer } from '@site/schema/admin';
import { useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import styles from './Console.module.css';
import { Counters } from './Counters.tsx';
import { isNarrowed, readFilter, toQuery } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';
import { countDays, describeDates } from './filter-words.ts';
import { Filters } from './Filters.tsx';
import { KeyList } from './KeyList.tsx';
import { useConsoleKeys } from './keyboard.ts';
import { FORM_TYPE_NAMES } from './lead-words.ts';
import { LeadList } from './LeadList.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListTools } from './ListTools.tsx';
import { SyncStrip } from './SyncStrip.tsx';
import { TopBar } from './TopBar.tsx';
import { useCurrentRow } from './use-current-row.ts';
import { useLeads } from './use-leads.ts';
import { useNow } from './use-now.ts';
import { useRetry } from './use-retry.ts';
import { useSyncHealth } from './use-sync-health.ts';

type ConsoleProps = {
  operator: OperatorAnswer;
  theme: 'light' | 'dark';
  onToggleTheme: () => void;
  onLogOut: () => Promise<void>;
  onSignedOut: () => void;
};

/** Everything the operator sees. What the list shows is the address alone, so links and the back button work. */
export function Console({ operator, theme, onToggleTheme, onLogOut, onSignedOut }: ConsoleProps) {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const show = (wanted: ListFilter, how?: { replace: boolean }) => setParams(toQuery(wanted), how);

  const list = useLeads(filter, onSignedOut);
  const sync = useSyncHealth(onSignedOut);
  const refresh = () => Promise.all([list.reload(), sync.reload()]);
  const { retry, retrying, announcement } = useRetry({ reload: refresh, onSignedOut });

  const row = useCurrentRow(list.leads);
  const searchInput = useRef<HTMLInputElement>(null);
  const [isKeyListOpen, setKeyListOpen] = useState(false);
  useConsoleKeys((command) => {
    if (command === 'search') searchInput.current?.focus();
    else if (command === 'help') setKeyListOpen(true);
    else if (command === 'retry') void (row.current && retry(row.current));
    else row.move(command === 'next' ? 1 : -1);
  });

  const isPaused = Boolean(sync.health?.pause);
  const isAnyWaiting = Boolean(sync.health?.pending) || list.leads.some((lead) => lead.beehiivStatus === 'pending');
  const now = useNow(isPaused || isAnyWaiting);
  return (
    <div className={styles.console}>
      <TopBar
        operator={operator}
        theme={theme}
        checkedAt={list.checkedAt}
        isRefreshFailing={list.isRefreshFailing}
        onRefresh={refresh}
        onToggleTheme={onToggleTheme}
        onLogOut={onLogOut}
      />
      <SyncStrip health={sync.health} fault={sync.fault} now={now} onTryAgain={sync.reload} />
      <main className={styles.main}>
        <div className={styles.head}>
          <div className={styles.heading}>
            <h1 className={styles.title}>Leads</h1>
            <p className={styles.range}>{describeRange(filter)}</p>
          </div>
          <Filters
            filter={filter}
            onApply={(wanted) => {
              if (toQuery(wanted) === toQuery(filter)) void refresh();
              else show(wanted);
            }}
          />
        </div>
        <Counters filter={filter} counts={list.counts} />
        <ListTools filter={filter} counts={list.statusCounts} searchInput={searchInput} onShow={show} />
        <LeadList
          filter={filter}
          list={list}
          now={now}
          isPaused={isPaused}
          currentId={row.current?.id}
          retrying={retrying}
          onRetry={(lead) => {
            // The button goes when the lead is on its way again; the focus must not go with it.
            row.goTo(lead);
            void retry(lead);
          }}
          onTryAgain={refresh}
        />
        <ListFoot filter={filter} list={list} onShowKeys={() => setKeyListOpen(true)} />
      </main>
      <output className="visually-hidden">{announcement}</output>
      <KeyList open={isKeyListOpen} onClose={() => setKeyListOpen(false)} />
    </div>
  );
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
