import { lazy, Suspense } from 'react';
import styles from './Console.module.css';
import { TopBar } from './frame/TopBar.tsx';
import type { ConsoleTheme } from './frame/use-console-theme.ts';
import { OfferNotice } from './frame/OfferNotice.tsx';
import { KeyCommands } from './keyboard/KeyCommands.tsx';
import { LeadsView } from './list/LeadsView.tsx';
import { LiveUpdates } from './live/LiveUpdates.tsx';
import type { ConsoleView } from './navigation/console-views.ts';
import { SyncStrip } from './sync/SyncStrip.tsx';

const SideView = lazy(async () => ({ default: (await import('./frame/SideView.tsx')).SideView }));

/** The frame around every view. Each view loads its own data, and what it shows is in the address. */
export function Console({ view, theme }: { view: ConsoleView | undefined; theme: ConsoleTheme }) {
  return (
    <LiveUpdates>
      <KeyCommands>
        <div className={styles.console}>
          <TopBar view={view} theme={theme} />
          <SyncStrip />
          <OfferNotice />
          <main className={styles.main}>
            {view === undefined ? (
              <LeadsView />
            ) : (
              <Suspense fallback={<output>Loading...</output>}>
                <SideView view={view} />
              </Suspense>
            )}
          </main>
        </div>
      </KeyCommands>
    </LiveUpdates>
  );
}
