import { LinkButton } from '../shared/fields.tsx';
import { EntryPage } from '../session/EntryPage.tsx';
import { useSession } from '../session/session.tsx';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';

/** Takes the console's place until an operator has set up the second factor that every operator needs. */
export function RequiredSetUp() {
  const { logOut, reload } = useSession();
  return (
    <EntryPage title="Set up two-step login">
      <p>
        Every operator needs an authenticator app here, such as the one of your password manager or
        phone.
      </p>
      <SecondFactorSetUp onDone={() => void reload()} />
      <p>
        <LinkButton onClick={() => void logOut()}>Log out</LinkButton>
      </p>
    </EntryPage>
  );
}
