import { OFFER } from '@site/schema/offer';
import { lazy, Suspense } from 'react';
import type { ComponentProps } from 'react';
import { Console } from './Console.tsx';
import { useFocusRecovery } from './focus/use-focus-recovery.ts';
import { useConsoleTheme } from './frame/use-console-theme.ts';
import { useView, VIEW_NAMES } from './navigation/console-views.ts';
import { SessionGate, useSession } from './session/session.tsx';

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
        <ConsoleIfAllowed view={view} theme={theme} />
      </SessionGate>
    </>
  );
}

const RequiredSetUp = lazy(async () => ({ default: (await import('./account/RequiredSetUp.tsx')).RequiredSetUp }));

function ConsoleIfAllowed(props: ComponentProps<typeof Console>) {
  const { operator } = useSession();
  if (!operator.mustSetUpSecondFactor) return <Console {...props} />;
  return (
    <Suspense fallback={null}>
      <RequiredSetUp />
    </Suspense>
  );
}
