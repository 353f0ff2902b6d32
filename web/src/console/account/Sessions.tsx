import type { AccountAnswer } from '@site/schema/calls/account';
import { Button } from '../../ui/Button.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { countOf } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { Moment } from '../shared/fields.tsx';
import { useSession } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import styles from './AccountView.module.css';

type SessionsProps = { account: AccountAnswer; onEnded: () => unknown };

/** Lists the operator's sessions, and the latest logins. */
export function Sessions({ account: { sessions, signIns }, onEnded }: SessionsProps) {
  const { reload } = useSession();
  const tellEnded = (count: number) => {
    toasts.add({
      title: `${countOf(count, 'session')} logged out`,
      description: 'This one goes on.',
    });
    onEnded();
  };
  const notice = 'Not logged out';
  const all = useCall('POST /api/admin/account/sign-out-everywhere', {
    notice,
    onDone() {
      toasts.add({ title: 'Logged out everywhere', description: 'Every session has ended.' });
      return reload();
    },
  });
  const one = useCall('DELETE /api/admin/account/sessions/:id', {
    notice,
    onDone: () => tellEnded(1),
  });
  const ending = useCall('POST /api/admin/account/sign-out-others', {
    notice,
    onDone: () => tellEnded(others.length),
  });
  const others = sessions.filter(({ isThis }) => !isThis);
  const shown = [...sessions.filter(({ isThis }) => isThis), ...others];
  return (
    <>
      <section aria-labelledby="sessions" className={styles.section}>
        <SectionHead id="sessions" title="Sessions" />
        <DataTable
          name="Sessions"
          rows={shown}
          keyOf={({ id }) => id}
          columns={toSessionColumns((id) => void one.send({ params: { id } }))}
        />
        <div className={styles.buttons}>
          {others.length > 0 && (
            <Button look="line" pending={ending.isPending} onClick={() => void ending.send()}>
              Log out the others
            </Button>
          )}
          <Button look="line" pending={all.isPending} onClick={() => void all.send()}>
            Log out everywhere
          </Button>
        </div>
      </section>
      <section aria-labelledby="logins" className={styles.section}>
        <SectionHead id="logins" title="Latest logins" />
        <DataTable
          name="Latest logins"
          rows={signIns}
          keyOf={({ at }) => at}
          columns={LOGIN_COLUMNS}
        />
        <p className={styles.quiet}>If one of these was not you, change your password.</p>
      </section>
    </>
  );
}

const toSessionColumns = (
  onEnd: (id: string) => void,
): Column<AccountAnswer['sessions'][number]>[] => [
  {
    head: 'Browser',
    cell: ({ browser, isThis }) => `${browser ?? 'Unknown browser'}${isThis ? ' (this one)' : ''}`,
  },
  {
    head: 'Logged in',
    width: '22%',
    isFigure: true,
    label: 'Logged in',
    cell: ({ startedAt }) => <Moment at={startedAt} />,
  },
  {
    head: 'Last used',
    width: '22%',
    isFigure: true,
    label: 'last used',
    cell: ({ usedAt }) => <Moment at={usedAt} />,
  },
  {
    head: '',
    width: '14%',
    isFigure: true,
    place: 'line',
    isNone: ({ isThis }) => isThis,
    cell: ({ id, browser, isThis }) =>
      !isThis && (
        <Button
          look="line"
          size="small"
          aria-label={`Log out ${browser ?? 'unknown browser'}`}
          onClick={() => onEnd(id)}
        >
          Log out
        </Button>
      ),
  },
];

const LOGIN_COLUMNS: Column<AccountAnswer['signIns'][number]>[] = [
  {
    head: 'Result',
    cell: ({ isFailed, isAskedAgain }) =>
      !isFailed ? (
        'Logged in'
      ) : (
        <span className={styles.failed}>
          {isAskedAgain ? 'Wrong password while logged in' : 'Failed'}
        </span>
      ),
  },
  {
    head: 'Browser',
    width: '40%',
    cell: ({ browser, network }) =>
      [browser ?? 'Unknown browser', network].filter(Boolean).join(', '),
  },
  { head: 'Date', width: '22%', isFigure: true, cell: ({ at }) => <Moment at={at} /> },
];
