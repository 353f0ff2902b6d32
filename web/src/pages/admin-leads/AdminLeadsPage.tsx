import { OFFER } from '@site/schema/offer';
import { Console } from './Console.tsx';
import { useFocusRecovery } from './focus/use-focus-recovery.ts';
import { useConsoleTheme } from './frame/use-console-theme.ts';
import { useView, VIEW_NAMES } from './navigation/console-views.ts';
import { SessionGate } from './session/session.tsx';

/** The operator's console at `/admin-leads`. Without a session the login takes its place. */
export function AdminLeadsPage() {
  const theme = useConsoleTheme();
  const view = useView();
  useFocusRecovery();
  return (
    <>
      <title>{`${view === undefined ? 'Leads' : VIEW_NAMES[view]} | ${OFFER.productName}`}</title>
      <meta name="robots" content="noindex" />
      <SessionGate>
        <Console view={view} theme={theme} />
      </SessionGate>
    </>
  );
}
