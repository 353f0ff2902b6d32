import { OFFER } from '@site/schema/offer';
import type { ComponentProps } from 'react';
import { Navigate } from 'react-router-dom';
import { Console } from './Console.tsx';
import { useCode } from './shared/use-code.ts';
import { useFocusRecovery } from './shared/use-focus-recovery.ts';
import { useConsoleTheme } from './frame/use-console-theme.ts';
import { useRenamedView, useView, VIEW_NAMES } from './navigation/console-views.ts';
import { SessionGate, useSession } from './session/session.tsx';

/** The operator's console at `/admin-leads`. Without a session the login takes its place. */
export function AdminLeadsPage() {
  const theme = useConsoleTheme();
  const view = useView();
  const renamed = useRenamedView();
  const title = view === undefined ? 'Leads' : VIEW_NAMES[view];
  useFocusRecovery();
  if (renamed) return <Navigate {...renamed} replace />;
  return (
    <>
      <title>{`${title} | ${OFFER.productName}`}</title>
      <meta name="robots" content="noindex" />
      <SessionGate title={title}>
        <ConsoleIfAllowed view={view} theme={theme} />
      </SessionGate>
    </>
  );
}

const fetchSetUp = async () => import('./account/RequiredSetUp.tsx');

function ConsoleIfAllowed(props: ComponentProps<typeof Console>) {
  const { operator } = useSession();
  const { code } = useCode(operator.mustSetUpSecondFactor ? fetchSetUp : null);
  if (!operator.mustSetUpSecondFactor) return <Console {...props} />;
  return code && <code.RequiredSetUp />;
}
