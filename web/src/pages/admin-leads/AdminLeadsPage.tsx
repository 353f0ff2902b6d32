import { OFFER } from '@site/schema/offer';
import { useSearchParams } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { Button } from '../../ui/Button.tsx';
import { describeFault } from './call-fault.ts';
import { Console } from './Console.tsx';
import { readView, VIEW_NAMES } from './console-params.ts';
import { Login } from './session/Login.tsx';
import { Plate } from './Plate.tsx';
import { useConsoleTheme } from './use-console-theme.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSession } from './session/use-session.ts';

/** The operator's console. Without a session the login stands in its place, at the same address. */
export function AdminLeadsPage() {
  const { theme, toggle } = useConsoleTheme();
  const view = readView(useSearchParams()[0]);
  useKeptFocus();
  return (
    <>
      <title>{`${view === undefined ? 'Leads' : VIEW_NAMES[view]} | ${OFFER.productName}`}</title>
      <meta name="robots" content="noindex" />
      <RateLimiter theme={theme} onToggleTheme={toggle} />
    </>
  );
}

function RateLimiter(look: { theme: 'light' | 'dark'; onToggleTheme: () => void }) {
  const { operator, hasEnded, error, askAgain, forget, logIn, logOut } = useSession();
  if (operator) {
    return (
      // What one operator has loaded is gone when they are: the next one starts from an empty cache.
      <SWRConfig value={{ provider: () => new Map() }}>
        <Console {...look} operator={operator} onLogOut={logOut} onSignedOut={forget} />
      </SWRConfig>
    );
  }
  if (operator === null) return <Login hasEnded={hasEnded} onLogIn={logIn} />;
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
