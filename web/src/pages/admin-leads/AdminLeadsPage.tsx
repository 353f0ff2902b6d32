import { OFFER } from '@site/schema/offer';
import { SWRConfig } from 'swr';
import { Button } from '../../ui/Button.tsx';
import { describeFault } from './call-fault.ts';
import { Console } from './Console.tsx';
import { Login } from './Login.tsx';
import { Plate } from './Plate.tsx';
import { useConsoleTheme } from './use-console-theme.ts';
import { useSession } from './use-session.ts';

/** The operator's console. Without a session the login stands in its place, at the same address. */
export function AdminLeadsPage() {
  const { theme, toggle } = useConsoleTheme();
  return (
    <>
      <title>{`Leads | ${OFFER.productName}`}</title>
      <meta name="robots" content="noindex" />
      <Gate theme={theme} onToggleTheme={toggle} />
    </>
  );
}

function Gate(look: { theme: 'light' | 'dark'; onToggleTheme: () => void }) {
  const { operator, error, askAgain, forget, logIn, logOut } = useSession();
  if (operator) {
    return (
      // What one operator has loaded is gone when they are: the next one starts from an empty cache.
      <SWRConfig value={{ provider: () => new Map() }}>
        <Console {...look} operator={operator} onLogOut={logOut} onSignedOut={() => void forget()} />
      </SWRConfig>
    );
  }
  if (operator === null) return <Login onLogIn={logIn} />;
  if (error === undefined) return <Plate />;
  return (
    <Plate title="The console could not be opened">
      <p>{describeFault(error)}</p>
      <Button look="line" onClick={() => void askAgain()}>
        Try again
      </Button>
    </Plate>
  );
}
