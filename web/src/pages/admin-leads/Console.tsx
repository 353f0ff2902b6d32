import type { OperatorAnswer } from '@site/schema/admin';
import type { LiveEvent } from '@site/schema/console';
import type { Lead } from '@site/schema/lead';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import styles from './Console.module.css';
import { readOpenLead, readView, withLead } from './console-params.ts';
import type { ConsoleView } from './console-params.ts';
import { readFilter, toQuery } from './filters/filter-params.ts';
import type { ListFilter } from './filters/filter-params.ts';
import { KeyList } from './keyboard/KeyList.tsx';
import { useConsoleKeys } from './keyboard/keyboard.ts';
import { LeadDrawer } from './drawer/LeadDrawer.tsx';
import { LeadsView } from './LeadsView.tsx';
import { RetryDialog } from './retry/RetryDialog.tsx';
import type { RetryWish } from './retry/RetryDialog.tsx';
import { SyncStrip } from './sync/SyncStrip.tsx';
import { TopBar } from './TopBar.tsx';
import { useCurrentRow } from './keyboard/use-current-row.ts';
import { useLeadDetail } from './drawer/use-lead-detail.ts';
import { useLeads } from './list/use-leads.ts';
import { useLiveLeads } from './live/use-live-leads.ts';
import { useMoneyAttention } from './money/use-money-attention.ts';
import { useNow } from './use-now.ts';
import { useRetry } from './retry/use-retry.ts';
import { useRetryRuns } from './retry/use-retry-runs.ts';
import { useSelection } from './list/use-selection.ts';
import { useSingleKeys } from './keyboard/use-single-keys.ts';
import { useSoon } from './use-soon.ts';
import { useSyncHealth } from './sync/use-sync-health.ts';

const SideView = lazy(async () => ({ default: (await import('./SideView.tsx')).SideView }));

const COUNT_MONEY_AGAIN_MS = 1_000;

type ConsoleProps = {
  operator: OperatorAnswer;
  theme: 'light' | 'dark';
  onToggleTheme: () => void;
  onLogOut: () => Promise<void>;
  onSignedOut: () => void;
};

/** Everything the operator sees. What is shown is the address alone, so links and the back button work. */
export function Console({ operator, theme, onToggleTheme, onLogOut, onSignedOut }: ConsoleProps) {
  const [params, setParams] = useSearchParams();
  const query = toQuery(readFilter(params));
  // The same filter stays the same object while a drawer opens and closes beside it.
  const filter = useMemo(() => readFilter(new URLSearchParams(query)), [query]);
  const view = readView(params);
  const openId = readOpenLead(params);
  const show = (wanted: ListFilter, how?: { replace: boolean }) => setParams(toQuery(wanted), how);
  const open = (id: string | undefined) => setParams(withLead(params, id));

  const loaded = useLeads(filter, onSignedOut);
  const sync = useSyncHealth(onSignedOut);
  const runs = useRetryRuns(onSignedOut);
  const attention = useMoneyAttention(onSignedOut);
  // Many of Stripe's events come together.
  const countMoneySoon = useSoon(COUNT_MONEY_AGAIN_MS, () => void attention.reload());
  const drawer = useLeadDetail(openId, onSignedOut);
  const hear = (event: LiveEvent) => {
    if (event.isReload || event.hasSyncChanged || event.leads.length > 0) void sync.reload();
    if (event.isReload || event.haveRunsChanged) void runs.reload();
    if (event.isReload || event.hasMoneyChanged) countMoneySoon();
    if (
      openId !== undefined &&
      (event.isReload || [...event.leads.map(({ id }) => id), ...event.gone].includes(openId))
    ) {
      void drawer.reload();
    }
  };
  const list = useLiveLeads({ filter, list: loaded, onSignedOut, onEvent: hear });
  const refresh = () => Promise.all([list.reload(), sync.reload(), runs.reload(), attention.reload()]);
  const { retry, retrying, announcement } = useRetry({ reload: () => list.refresh(), onSignedOut });

  const row = useCurrentRow(list.leads);
  const selection = useSelection(list.leads, query);
  const [wish, setWish] = useState<RetryWish>();
  const [person, setPerson] = useState('');
  const searchInput = useRef<HTMLInputElement>(null);
  const [isKeyListOpen, setKeyListOpen] = useState(false);
  const singleKeys = useSingleKeys();
  const act = (command: 'open' | 'select' | 'retry', lead: Lead) => {
    if (command === 'open') open(lead.id);
    else if (command === 'select') selection.toggle(lead);
    else void retry(lead);
  };
  useConsoleKeys(singleKeys.areOn, (command) => {
    // What cannot be seen must not be acted upon: the rows stand in the list alone.
    if (view !== undefined && command !== 'help') return;
    if (command === 'search') searchInput.current?.focus();
    else if (command === 'help') setKeyListOpen(true);
    else if (command === 'next' || command === 'previous') row.move(command === 'next' ? 1 : -1);
    else if (row.current) act(command, row.current);
  });
  const showPerson = (email: string) => {
    setPerson(email);
    setParams({ view: 'people' satisfies ConsoleView });
  };

  const isPaused = Boolean(sync.health?.pause);
  const isAnyWaiting = Boolean(sync.health?.pending) || list.leads.some((lead) => lead.beehiivStatus === 'pending');
  const now = useNow(isPaused || isAnyWaiting);
  const toDrawer = (id: string) => withLead(params, id);
  return (
    <div className={styles.console}>
      <TopBar
        operator={operator}
        theme={theme}
        checkedAt={list.checkedAt}
        isRefreshFailing={list.isRefreshFailing}
        isLive={list.isLive}
        view={view}
        attention={attention.count}
        onRefresh={refresh}
        onToggleTheme={onToggleTheme}
        onLogOut={onLogOut}
      />
      <SyncStrip
        health={sync.health}
        fault={sync.fault}
        now={now}
        onTryAgain={sync.reload}
        toDrawer={toDrawer}
        onRetryRefused={() =>
          setWish({ title: 'Retry those refused in a row', filter: { failedInRefusalPause: true } })
        }
      />
      <main className={styles.main}>
        {view === undefined ? (
          <LeadsView
            {...{ filter, list, now, isPaused, row, selection, retrying, searchInput, openId, runs, onSignedOut }}
            onShow={show}
            onRefresh={refresh}
            onRetry={retry}
            onRetryMany={setWish}
            areKeysOn={singleKeys.areOn}
            onShowKeys={() => setKeyListOpen(true)}
            toDrawer={(lead) => toDrawer(lead.id)}
          />
        ) : (
          <Suspense fallback={<output>Loading...</output>}>
            <SideView {...{ view, filter, runs, person, onSignedOut }} onErased={() => void refresh()} />
          </Suspense>
        )}
      </main>
      <LeadDrawer
        leadId={openId}
        detail={drawer.detail}
        fault={drawer.fault}
        listed={list.leads.find(({ id }) => id === openId)}
        now={now}
        isPaused={isPaused}
        onClose={() => open(undefined)}
        onOpen={open}
        onPerson={showPerson}
        onRetry={retry}
        onReload={drawer.reload}
        onSignedOut={onSignedOut}
      />
      <RetryDialog
        wish={wish}
        onClose={() => setWish(undefined)}
        onBegun={() => {
          setWish(undefined);
          selection.clear();
          void runs.reload();
        }}
        onSignedOut={onSignedOut}
      />
      <output className="visually-hidden">{announcement}</output>
      <KeyList open={isKeyListOpen} singleKeys={singleKeys} onClose={() => setKeyListOpen(false)} />
    </div>
  );
}
