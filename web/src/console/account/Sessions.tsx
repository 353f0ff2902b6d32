import type { AccountAnswer } from '@site/schema/calls/account';
import { useState } from 'react';
import { CallButton } from '../shared/CallButton.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { countOf } from '../shared/format-count.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { Moment } from '../shared/Moment.tsx';
import { useSession } from '../session/session.tsx';
import { useCall } from '../session/use-call.ts';
import { useNow } from '../shared/use-now.ts';
import styles from './AccountView.module.css';

/** So that the buttons below are found. */
const SHOWN_FIRST = 5;

type SessionsProps = { account: AccountAnswer; onEnded: () => unknown };

/** Where the operator is logged in, and the latest logins. */
export function Sessions({ account: { sessions, signIns }, onEnded }: SessionsProps) {
  const { reload } = useSession();
  const { send, fault, isPending } = useCall('POST /api/admin/account/sign-out-everywhere', {
    onDone() {
      toasts.add({ title: 'Logged out everywhere', description: 'Every session has ended.' });
      return reload();
    },
  });
  const tellEnded = (count: number) => {
    toasts.add({
      title: `${countOf(count, 'session')} logged out`,
      description: 'This one goes on.',
    });
    onEnded();
  };
  const failure = 'Not logged out';
  const one = useCall('DELETE /api/admin/account/sessions/:id', {
    failure,
    onDone: () => tellEnded(1),
  });
  const ending = useCall('POST /api/admin/account/sign-out-others', {
    failure,
    onDone: () => tellEnded(others.length),
  });
  const [isAsking, setAsking] = useState(false);
  const now = useNow(false);
  const others = sessions.filter(({ isThis }) => !isThis);
  const [isWhole, setWhole] = useState(false);
  const shown = [...sessions.filter(({ isThis }) => isThis), ...others].slice(
    0,
    isWhole ? undefined : SHOWN_FIRST,
  );
  return (
    <>
      <section aria-labelledby="sessions" className={styles.section}>
        <SectionHead id="sessions" title="Sessions" />
        <DataTable
          name="Sessions"
          heads={['Browser', 'Logged in', 'Last used', '']}
          widths={['auto', '22%', '22%', '14%']}
          numbersFrom={1}
          isStacking
        >
          {shown.map(({ id, browser, startedAt, usedAt, isThis }) => (
            <tr key={id}>
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
              <td data-figure data-own data-none={isThis || undefined}>
                {!isThis && (
                  <CallButton
                    look="line"
                    size="small"
                    aria-label={`Log out ${browser ?? 'unknown browser'}`}
                    onClick={() => void one.send({ params: { id } })}
                  >
                    Log out
                  </CallButton>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
        {shown.length < sessions.length && (
          <LinkButton onClick={() => setWhole(true)}>All {sessions.length} sessions</LinkButton>
        )}
        <div className={styles.buttons}>
          {others.length > 0 && (
            <CallButton look="line" pending={ending.isPending} onClick={() => void ending.send()}>
              Log out the others
            </CallButton>
          )}
          <CallButton look="line" onClick={() => setAsking(true)}>
            Log out everywhere…
          </CallButton>
        </div>
        {isAsking && (
          <ConfirmDialog
            title="Log out everywhere?"
            submit="Log out everywhere"
            isPending={isPending}
            fault={fault}
            onSubmit={() => void send()}
            onClose={() => setAsking(false)}
          >
            <p>Every session ends, this one included. You will have to log in again.</p>
          </ConfirmDialog>
        )}
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
          {signIns.map(({ at, isFailed, isAskedAgain, browser, network }) => (
            <tr key={at}>
              <td>
                {isFailed ? (
                  <span className={styles.failed}>
                    {isAskedAgain ? 'Wrong password while logged in' : 'Failed'}
                  </span>
                ) : (
                  'Logged in'
                )}
              </td>
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
