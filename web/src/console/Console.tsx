import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import type { ComponentProps } from 'react';
import { NavigationType, useNavigate, useNavigationType } from 'react-router-dom';
import { LoadAgain, LoadFault } from './shared/LoadState.tsx';
import { CodeReplaced, fetchWhenUp, useCode } from './shared/use-code.ts';
import { ViewHead } from './shared/ViewHead.tsx';
import { describeFault } from './api/call-fault.ts';
import styles from './Console.module.css';
import { useLinkReturn } from './shared/use-link-return.ts';
import { PrintLine } from './frame/PrintLine.tsx';
import { TopBar } from './frame/TopBar.tsx';
import type { ConsoleTheme } from './frame/use-console-theme.ts';
import { KeyCommands, useKeyCommands } from './shared/KeyCommands.tsx';
import { LeadsView } from './leads/LeadsView.tsx';
import { LiveUpdates } from './api/LiveUpdates.tsx';
import { LinkButton } from './shared/LinkButton.tsx';
import { VIEW_NAMES } from './navigation/console-views.ts';
import type { ConsoleView } from './navigation/console-views.ts';
import { useAttentionCount } from './overview/use-attention.ts';
import { useSession } from './session/session.tsx';
import { preloadToasts } from '../ui/ToastOutlet.tsx';
import { SyncStrip } from './sync/SyncStrip.tsx';

const fetchSideView = async () => import('./frame/SideView.tsx');

/** The frame around every view. Each view loads its own data, and what it shows is in the address. */
export function Console({ view, theme }: { view: ConsoleView | undefined; theme: ConsoleTheme }) {
  useEffect(() => {
    // Before the network can fail. Where the browser cannot say that it is idle, the first view opened fetches it.
    if (!('requestIdleCallback' in window)) return undefined;
    const idle = window.requestIdleCallback(() => {
      void fetchWhenUp(fetchSideView).catch(() => undefined);
      preloadToasts();
    });
    return () => window.cancelIdleCallback(idle);
  }, []);
  const { call } = useSession();
  const isBack = useNavigationType() === NavigationType.Pop;
  // Going back, the browser restores where the view was.
  const showTop = useEffectEvent((_shown: ConsoleView | undefined) => {
    if (!isBack) window.scrollTo({ top: 0 });
  });
  useLayoutEffect(() => showTop(view), [view]);
  useLinkReturn();
  return (
    <LiveUpdates askSession={() => call('GET /api/admin/me')}>
      <KeyCommands>
        <div className={styles.console}>
          <Head view={view} theme={theme} />
          <main className={styles.main}>
            <PrintLine />
            {view === undefined ? <LeadsView /> : <FetchedView view={view} />}
          </main>
        </div>
      </KeyCommands>
    </LiveUpdates>
  );
}

function Head(props: Omit<ComponentProps<typeof TopBar>, 'attention'>) {
  const attention = useAttentionCount();
  return (
    <>
      <TopBar {...props} attention={attention} />
      <SyncStrip attention={attention} />
    </>
  );
}

function FetchedView({ view }: { view: ConsoleView }) {
  const { code, fault, reload } = useCode(fetchSideView);
  const navigate = useNavigate();
  // Also while the view's code loads. A view with a search of its own runs its own command.
  useKeyCommands(
    view === 'people'
      ? {}
      : { search: () => void navigate({ search: 'view=people' }, { state: { focus: true } }) },
  );
  if (code) return <code.SideView view={view} />;
  return (
    <>
      <ViewHead title={VIEW_NAMES[view]} />
      {fault === undefined ? (
        <output>Loading...</output>
      ) : (
        <LoadFault title={`Could not load ${VIEW_NAMES[view]}`}>
          {fault instanceof CodeReplaced ? (
            <>
              A new version of the console may have been released.{' '}
              <LinkButton onClick={() => window.location.reload()}>Load the page again</LinkButton>
            </>
          ) : (
            <>
              {describeFault(fault)} <LoadAgain fault={fault} onTryAgain={reload} />
            </>
          )}
        </LoadFault>
      )}
    </>
  );
}
