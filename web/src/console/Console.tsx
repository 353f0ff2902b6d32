import { OFFER } from '@site/schema/offer';
import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { BrowserRouter, NavigationType, useNavigationType } from 'react-router-dom';
import { PageBoundary } from '../site/PageBoundary.tsx';
import { preloadToasts } from '../ui/ToastOutlet.tsx';
import { DataLoading } from './api/data.tsx';
import { LiveUpdates } from './api/live.tsx';
import styles from './Console.module.css';
import { TopBar } from './frame/TopBar.tsx';
import { useConsoleTheme } from './frame/use-console-theme.ts';
import type { ConsoleTheme } from './frame/use-console-theme.ts';
import { LeadsView } from './leads/LeadsView.tsx';
import { useView, VIEW_NAMES } from './navigation.ts';
import type { ConsoleView } from './navigation.ts';
import { useAttention } from './overview/use-attention.ts';
import { SessionGate, useSession } from './session/session.tsx';
import { Loading } from './shared/LoadState.tsx';
import { useFocusRecovery } from './shared/focus.ts';
import { SyncStrip } from './sync/SyncStrip.tsx';

const SideView = lazy(async () => ({
  default: (await import('./frame/SideView.tsx')).SideView,
}));
const RequiredSetUp = lazy(async () => ({
  default: (await import('./account/RequiredSetUp.tsx')).RequiredSetUp,
}));

/** The console with the router that reads its address. The site does without one. */
export function RoutedConsole() {
  return (
    <BrowserRouter>
      <DataLoading>
        <Console />
      </DataLoading>
    </BrowserRouter>
  );
}

/** The operator's console at `/admin-leads`. Without a session the login takes its place. */
export function Console() {
  const theme = useConsoleTheme();
  const view = useView();
  const title = view === undefined ? 'Leads' : VIEW_NAMES[view];
  useFocusRecovery();
  return (
    <>
      <title>{`${title} | ${OFFER.productName}`}</title>
      <meta name="robots" content="noindex" />
      <SessionGate title={title}>
        <Views view={view} theme={theme} />
      </SessionGate>
    </>
  );
}

type ViewsProps = { view: ConsoleView | undefined; theme: ConsoleTheme };

/** The frame around every view. Each view loads its own data, and what it shows is in the address. */
function Views({ view, theme }: ViewsProps) {
  const { operator, call } = useSession();
  const isBack = useNavigationType() === NavigationType.Pop;
  // Going back, the browser restores where the view was.
  const showTop = useEffectEvent((_shown: ConsoleView | undefined) => {
    if (!isBack) window.scrollTo({ top: 0 });
  });
  useLayoutEffect(() => showTop(view), [view]);
  // Before the network can fail.
  useEffect(() => preloadToasts(), []);
  if (operator.mustSetUpSecondFactor)
    return (
      <Suspense fallback={null}>
        <RequiredSetUp />
      </Suspense>
    );
  return (
    <LiveUpdates askSession={async () => call('GET /api/admin/me')}>
      <div className={styles.console}>
        <Head view={view} theme={theme} />
        <main className={styles.main}>
          <p className={styles.printed}>{OFFER.productName}</p>
          <PageBoundary>
            <Suspense fallback={<Loading of="this view" />}>
              {view === undefined ? <LeadsView /> : <SideView view={view} />}
            </Suspense>
          </PageBoundary>
        </main>
      </div>
    </LiveUpdates>
  );
}

function Head(props: ViewsProps) {
  const attention = useAttention().data?.count ?? 0;
  return (
    <>
      <TopBar {...props} attention={attention} />
      <SyncStrip attention={attention} />
    </>
  );
}
