import { useState } from 'react';
import { toasts } from '../../ui/toast-store.ts';
import { useApiData } from '../api/data.tsx';
import { useSession } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import { Button } from '../../ui/Button.tsx';
import { Choices } from '../shared/Choices.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead, ViewHead } from '../shared/heads.tsx';
import styles from './AccountView.module.css';
import { Colleagues } from './Colleagues.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { TwoStepLogin } from './TwoStepLogin.tsx';
import { Sessions } from './Sessions.tsx';

const OPENING_VIEWS = [
  ['leads', 'Leads'],
  ['overview', 'Overview'],
] as const;
type View = (typeof OPENING_VIEWS)[number][0];

/**
 * Renders the operator's own account: password, two-step login, sessions and the latest logins. And
 * the operators.
 */
export function AccountView() {
  const account = useApiData('GET /api/admin/account');
  const { data, reload } = account;
  const onChanged = () => void reload();
  return (
    <>
      <ViewHead title="Your account" range="Two-step login, password, sessions and operators" />
      <LoadState of="Your account" {...account} />
      {data && (
        <div className={styles.columns}>
          <div>
            <TwoStepLogin state={data.twoStepLogin} onChanged={onChanged} />
            <PasswordForm onChanged={onChanged} />
            <OpeningView />
            <TestMail />
          </div>
          <div>
            <Sessions account={data} onEnded={onChanged} />
            <Colleagues />
          </div>
        </div>
      )}
    </>
  );
}

/** Chooses the view that the operator's next login opens. A session keeps its place. */
function OpeningView() {
  const { operator, reload } = useSession();
  const [chosen, setChosen] = useState<View>(operator.opensOverview ? 'overview' : 'leads');
  const { send } = useCall('POST /api/admin/account/opening-view', {
    notice: 'Not saved',
    onDone: () => reload(),
  });
  const choose = async (view: View) => {
    setChosen(view);
    if (!(await send({ body: { view } }))) setChosen(chosen);
  };
  return (
    <section aria-labelledby="opening-view" className={styles.section}>
      <SectionHead id="opening-view" title="After login" />
      <Choices
        legend="Your next login opens"
        choices={OPENING_VIEWS}
        chosen={chosen}
        onChoose={(view) => void choose(view)}
      />
    </section>
  );
}

/** Lists the owner's emails, and sends a test email. */
function TestMail() {
  const { send, failure, isPending, isViewer } = useCall('POST /api/admin/mail/test', {
    onDone: ({ to }) =>
      void toasts.add({ title: 'Test email sent', description: `To ${to.join(', ')}` }),
  });
  if (isViewer) return null;
  return (
    <section aria-labelledby="email" className={styles.section}>
      <SectionHead id="email" title="Email" />
      <p className={styles.quiet}>
        What needs attention, and a summary each Monday, are emailed to the recipients set up for
        alerts.
      </p>
      <div className={styles.buttons}>
        <Button
          look="line"
          pending={isPending}
          pendingLabel="Sending..."
          onClick={() => void send()}
        >
          Send a test email
        </Button>
      </div>
      <p role="alert">{failure}</p>
    </section>
  );
}
