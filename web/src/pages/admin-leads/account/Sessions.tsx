import type { AccountAnswer } from '@site/schema/account';
import { Button } from '../../../ui/Button.tsx';
import { DataTable } from '../elements/DataTable.tsx';
import { useSession } from '../session/session.tsx';
import { formatFully, formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import styles from './AccountView.module.css';
import { useAction } from './use-action.ts';

/** Where the operator is signed in, and the latest logins. */
export function Sessions({ account: { sessions, signIns } }: { account: AccountAnswer }) {
  const { call, reload } = useSession();
  const { isPending, fault, run } = useAction();
  const now = useNow(false);
  const signOut = () =>
    run(async () => {
      await call('POST', '/api/admin/account/sign-out-everywhere');
      await reload();
    });
  return (
    <>
      <section aria-labelledby="sessions" className={styles.section}>
        <h2 id="sessions">Sessions</h2>
        <DataTable name="Sessions" heads={['Browser', 'Signed in', 'Last used']}>
          {sessions.map(({ browser, startedAt, usedAt, isThis }) => (
            <tr key={`${startedAt} ${usedAt}`}>
              <td>
                {browser ?? 'Unknown'}
                {isThis && ' (this one)'}
              </td>
              <td>
                <Moment at={startedAt} now={now} />
              </td>
              <td>
                <Moment at={usedAt} now={now} />
              </td>
            </tr>
          ))}
        </DataTable>
        <div className={styles.buttons}>
          <Button look="danger" pending={isPending} onClick={() => void signOut()}>
            Sign out everywhere
          </Button>
        </div>
        <p role="alert">{fault}</p>
      </section>
      <section aria-labelledby="logins" className={styles.section}>
        <h2 id="logins">Latest logins</h2>
        <DataTable name="Latest logins" heads={['Time', 'Result', 'Browser']}>
          {signIns.map(({ at, isFailed, browser }) => (
            <tr key={at}>
              <td>
                <Moment at={at} now={now} />
              </td>
              <td>{isFailed ? 'Failed' : 'Logged in'}</td>
              <td>{browser ?? 'Unknown'}</td>
            </tr>
          ))}
        </DataTable>
        <p className={styles.quiet}>If one of these was not you, change your password.</p>
      </section>
    </>
  );
}

function Moment({ at, now }: { at: string; now: Date }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatFully(moment)}>
      {formatMoment(moment, now)}
    </time>
  );
}
