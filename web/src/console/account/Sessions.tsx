import type { AccountAnswer } from '@site/schema/calls/account';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../elements/DataTable.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { Moment } from '../elements/Moment.tsx';
import { useSession } from '../session/session.tsx';
import { useCall } from '../session/use-call.ts';
import { useNow } from '../time/use-now.ts';
import styles from './AccountView.module.css';

/** Where the operator is logged in, and the latest logins. */
export function Sessions({ account: { sessions, signIns } }: { account: AccountAnswer }) {
  const { reload } = useSession();
  const { send, fault, isPending } = useCall('POST /api/admin/account/sign-out-everywhere', { onDone: reload });
  const now = useNow(false);
  return (
    <>
      <section aria-labelledby="sessions" className={styles.section}>
        <SectionHead id="sessions" title="Sessions" />
        <DataTable
          name="Sessions"
          heads={['Browser', 'Logged in', 'Last used']}
          widths={['auto', '22%', '22%']}
          numbersFrom={1}
          isStacking
        >
          {sessions.map(({ browser, startedAt, usedAt, isThis }) => (
            <tr key={`${startedAt} ${usedAt}`}>
              <td>
                {browser ?? 'Unknown browser'}
                {isThis && ' (this one)'}
              </td>
              <td data-figure data-label="Logged in">
                <Moment at={startedAt} now={now} />
              </td>
              <td data-figure data-label="last used">
                <Moment at={usedAt} now={now} />
              </td>
            </tr>
          ))}
        </DataTable>
        <div className={styles.buttons}>
          <Button look="danger" pending={isPending} onClick={() => void send()}>
            Log out everywhere
          </Button>
        </div>
        <p role="alert">{fault}</p>
      </section>
      <section aria-labelledby="logins" className={styles.section}>
        <SectionHead id="logins" title="Latest logins" />
        <DataTable
          name="Latest logins"
          heads={['Result', 'Browser', 'Date']}
          widths={['auto', '40%', '22%']}
          numbersFrom={2}
          isStacking
        >
          {signIns.map(({ at, isFailed, browser, network }) => (
            <tr key={at}>
              <td>{isFailed ? <span className={styles.failed}>Failed</span> : 'Logged in'}</td>
              <td>{[browser ?? 'Unknown browser', network].filter(Boolean).join(', ')}</td>
              <td data-figure>
                <Moment at={at} now={now} />
              </td>
            </tr>
          ))}
        </DataTable>
        <p className={styles.quiet}>If one of these was not you, change your password.</p>
      </section>
    </>
  );
}
