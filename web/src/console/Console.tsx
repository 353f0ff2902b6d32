import { OFFER } from '@site/schema/offer';
import { lazy, Suspense, use, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import type { ComponentType } from 'react';
import {
  BrowserRouter,
  Link,
  NavigationType,
  useLocation,
  useNavigationType,
} from 'react-router-dom';
import { PageBoundary } from '../site/PageBoundary.tsx';
import { readStored, writeStored } from '../stored-text.ts';
import { preloadToasts } from '../ui/ToastOutlet.tsx';
import { DataLoading, useApiData } from './api/data.tsx';
import { LiveUpdates } from './api/live.tsx';
import './shared/console.css';
import styles from './Console.module.css';
import { TopBar } from './frame/TopBar.tsx';
import { LeadsView } from './leads/LeadsView.tsx';
import { CameFrom, useView, VIEW_NAMES } from './navigation.ts';
import type { ConsoleView } from './navigation.ts';
import { PersonDrawer } from './person/PersonDrawer.tsx';
import { useSession } from './session/session.ts';
import { SessionGate } from './session/SessionGate.tsx';
import { useFocusRecovery, useKeys } from './shared/focus.ts';
import { ViewHead } from './shared/heads.tsx';
import { Loading } from './shared/LoadState.tsx';
import { useMedia } from './shared/use-media.ts';
import { SyncStrip } from './sync/SyncStrip.tsx';

const later = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

const VIEWS: Record<ConsoleView, ComponentType> = {
  overview: later(async () => import('./overview/OverviewView.tsx'), 'OverviewView'),
  money: later(async () => import('./money/MoneyView.tsx'), 'MoneyView'),
  people: later(async () => import('./people/PeopleView.tsx'), 'PeopleView'),
  person: later(async () => import('./person/PersonPanel.tsx'), 'PersonPage'),
  sync: later(async () => import('./sync/SyncView.tsx'), 'SyncView'),
  activity: later(async () => import('./activity/ActivityView.tsx'), 'ActivityView'),
  account: later(async () => import('./account/AccountView.tsx'), 'AccountView'),
  unknown: () => (
    <>
      <ViewHead title={VIEW_NAMES.unknown} range="the console has no such view" />
      <Link to={{ search: '' }}>Leads</Link>
    </>
  ),
};
const SearchDialog = lazy(async () => ({
  default: (await import('./search/SearchDialog.tsx')).SearchDialog,
}));
const RequiredPassword = later(
  async () => import('./account/PasswordForm.tsx'),
  'RequiredPassword',
);
const RequiredSetUp = later(async () => import('./account/TwoStepLogin.tsx'), 'RequiredSetUp');

/** Renders the console with the router that reads its URL. The site has no router. */
export function RoutedConsole() {
  return (
    <BrowserRouter>
      <DataLoading>
        <Console />
      </DataLoading>
    </BrowserRouter>
  );
}

/**
 * Renders the operator's console at `/admin-leads`. Without a session the login takes its place.
 */
export function Console() {
  const theme = useTheme();
  const view = useView();
  const title = view === undefined ? 'Leads' : VIEW_NAMES[view];
  useFocusRecovery();
  return (
    <>
      <title>{`${title} | ${OFFER.productName}`}</title>
      <meta name="robots" content="noindex" />
      <SessionGate title={title}>
        <Views view={view} {...theme} />
      </SessionGate>
    </>
  );
}

type ViewsProps = ReturnType<typeof useTheme> & { view: ConsoleView | undefined };

/**
 * Renders the frame around every view. Each view loads its own data, and its URL holds its state.
 */
function Views({ view, ...theme }: ViewsProps) {
  const { operator, call } = useSession();
  const location = useLocation();
  const [from, setFrom] = useState(use(CameFrom));
  if (view !== 'person' && from?.key !== location.key)
    setFrom({ ...location, name: view ? VIEW_NAMES[view] : 'Leads' });
  const isBack = useNavigationType() === NavigationType.Pop;
  // On the way back, the browser restores the view's scroll position.
  const showTop = useEffectEvent((_shown: ConsoleView | undefined) => {
    if (!isBack) window.scrollTo({ top: 0 });
  });
  useLayoutEffect(() => showTop(view), [view]);
  // Loaded before the network can fail.
  useEffect(() => preloadToasts(), []);
  if (operator.mustChangePassword || operator.mustSetUpTwoStepLogin)
    return (
      <Suspense fallback={null}>
        {operator.mustChangePassword ? <RequiredPassword /> : <RequiredSetUp />}
      </Suspense>
    );
  const View = view === undefined ? LeadsView : VIEWS[view];
  return (
    <LiveUpdates askSession={async () => call('GET /api/admin/me')}>
      <div className={styles.console}>
        <Head view={view} {...theme} />
        <main className={styles.main}>
          <p className={styles.printed}>{OFFER.productName}</p>
          <PageBoundary>
            {/* One boundary for each view. Otherwise the previous view would stay, and load
                again, until the next is ready. */}
            <Suspense key={view ?? 'leads'} fallback={<Loading of="this view" />}>
              <CameFrom value={from}>
                <View />
              </CameFrom>
              {view !== undefined && <PersonDrawer />}
            </Suspense>
          </PageBoundary>
        </main>
      </div>
    </LiveUpdates>
  );
}

function Head(props: ViewsProps) {
  const attention = useApiData('GET /api/admin/attention').data?.count ?? 0;
  const [isSearching, setSearching] = useState(false);
  const onSearch = () => setSearching(true);
  useKeys({ '/': onSearch, 'Ctrl-k': onSearch });
  return (
    <>
      <TopBar {...props} attention={attention} onSearch={onSearch} />
      <SyncStrip attention={attention} />
      <Suspense fallback={null}>
        {isSearching && <SearchDialog {...props} onClose={() => setSearching(false)} />}
      </Suspense>
    </>
  );
}

const STORED_THEME = 'consoleTheme';

/**
 * Returns the console's theme: the operator's choice in this browser, or the system's, which may
 * change. Theme and density are on the root element because dialogs are rendered outside the page.
 * They are removed when the operator leaves the console.
 */
function useTheme() {
  const isSystemDark = useMedia('(prefers-color-scheme: dark)');
  const [chosen, setChosen] = useState(() => readStored('localStorage', STORED_THEME));
  const isDark = chosen === null ? isSystemDark : chosen === 'dark';
  const theme: 'light' | 'dark' = isDark ? 'dark' : 'light';
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    Object.assign(dataset, { theme, density: 'tool' });
    return () => {
      delete dataset['density'];
      delete dataset['theme'];
    };
  }, [theme]);
  const onTheme = () => {
    const other = isDark ? 'light' : 'dark';
    setChosen(other);
    writeStored('localStorage', STORED_THEME, other);
  };
  return { otherTheme: isDark ? 'Light theme' : 'Dark theme', onTheme };
}
