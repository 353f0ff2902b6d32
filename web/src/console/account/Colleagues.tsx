import type { Colleague, OneTimePassword, OperatorRole } from '@site/schema/calls/account';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { useApiData } from '../api/data.tsx';
import { useIsViewer } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import { Choices } from '../shared/Choices.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import dialog from '../shared/dialog.module.css';
import { copyText, LinkButton, Moment } from '../shared/fields.tsx';
import { focusFailure } from '../shared/focus.ts';
import { formatDateTime } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { useNow } from '../shared/use-now.ts';
import styles from './AccountView.module.css';

const ROLES: [OperatorRole, string][] = [
  ['viewer', 'Can look, not change'],
  ['owner', 'Can do everything'],
];

type Shown = { title: string; given: OneTimePassword };

/**
 * Lists the operators. Adds an operator with a one-time password, replaces a lost password by a
 * one-time password, and removes operators.
 */
export function Colleagues() {
  const list = useApiData('GET /api/admin/operators');
  const now = useNow(false);
  const isViewer = useIsViewer();
  const [shown, setShown] = useState<Shown>();
  const [chosen, setChosen] = useState<Act>();
  const reload = () => void list.reload();
  const show = (title: string) => (given: OneTimePassword) => {
    setShown({ title, given });
    reload();
  };
  return (
    <section aria-labelledby="operators" className={styles.section}>
      <SectionHead id="operators" title="Operators" />
      <LoadState of="the operators" {...list} />
      {list.data && (
        <DataTable
          name="Operators"
          rows={list.data.operators}
          keyOf={({ id }) => id}
          columns={toColumns(now, isViewer ? undefined : setChosen)}
        />
      )}
      {!isViewer && <AddForm onAdded={show('Operator added')} />}
      {shown && <PasswordDialog {...shown} onClose={() => setShown(undefined)} />}
      {chosen && (
        <ActDialog
          act={chosen}
          onClose={() => setChosen(undefined)}
          onDone={reload}
          onRenewed={show('New one-time password')}
        />
      )}
    </section>
  );
}

type Act = { what: 'password' | 'remove'; of: Colleague };

const toColumns = (now: Date, onChoose?: (act: Act) => void): Column<Colleague>[] => [
  {
    head: 'Username',
    cell: ({ username, isSelf }) => (
      <>
        <bdi>{username}</bdi>
        {isSelf && ' (you)'}
      </>
    ),
  },
  {
    head: 'Role',
    cell: ({ role }) => ROLES.find(([each]) => each === role)?.[1],
  },
  { head: 'Login', cell: (of) => toLoginText(of, now) },
  {
    head: 'Last login',
    width: '22%',
    isFigure: true,
    label: 'last login',
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? 'never' : <Moment at={lastLoginAt} />),
  },
  {
    head: '',
    isFigure: true,
    place: 'line',
    isNone: ({ isSelf }) => isSelf || !onChoose,
    cell: (of) =>
      onChoose &&
      !of.isSelf && (
        <>
          <LinkButton
            aria-label={`New password for ${of.username}`}
            onClick={() => onChoose({ what: 'password', of })}
          >
            New password…
          </LinkButton>{' '}
          <LinkButton
            aria-label={`Remove ${of.username}`}
            onClick={() => onChoose({ what: 'remove', of })}
          >
            Remove…
          </LinkButton>
        </>
      ),
  },
];

function toLoginText({ passwordEndsAt, hasTwoStepLogin }: Colleague, now: Date): string {
  if (passwordEndsAt === null) return hasTwoStepLogin ? 'Two-step login' : 'Password';
  const ends = new Date(passwordEndsAt);
  return ends > now
    ? `One-time password until ${formatDateTime(ends)}`
    : 'The one-time password has ended: give them a new one';
}

function AddForm({ onAdded }: { onAdded: (given: OneTimePassword) => void }) {
  const { send, failure, fieldErrors, isPending } = useCall('POST /api/admin/operators', {
    onDone: onAdded,
  });
  const [role, setRole] = useState<OperatorRole>('viewer');
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const username = new FormData(form).get('username') as string;
    if (!(await send({ body: { username, role } }))) return focusFailure(form);
    form.reset();
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        name="username"
        label="Username of a colleague"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={fieldErrors['username'] ?? failure}
      />
      <Choices legend="What they may do" choices={ROLES} chosen={role} onChoose={setRole} />
      <Button type="submit" look="line" pending={isPending} pendingLabel="Adding...">
        Add an operator
      </Button>
    </form>
  );
}

/** Shows a one-time password, for the only time. */
function PasswordDialog({ title, given, onClose }: Shown & { onClose: () => void }) {
  const { username, password, endsAt } = given;
  return (
    <ConfirmDialog title={title} person={username} onClose={onClose}>
      <p className={dialog.words}>
        This one-time password is shown only now. It ends on {formatDateTime(new Date(endsAt))}.
        Your colleague must change it at the first login.
      </p>
      <p className={styles.key}>
        <code>{password}</code>
      </p>
      <div className={dialog.actions}>
        <Button
          onClick={() => void copyText(password, 'Send it by another way than the username.')}
        >
          Copy
        </Button>
      </div>
    </ConfirmDialog>
  );
}

type ActDialogProps = {
  act: Act;
  onClose: () => void;
  onDone: () => void;
  onRenewed: (given: OneTimePassword) => void;
};

/** Asks before a colleague gets a new one-time password, or is removed. */
function ActDialog({ act, onClose, onDone, onRenewed }: ActDialogProps) {
  const { id, username } = act.of;
  const renewing = useCall('POST /api/admin/operators/:id/password', {
    onDone(given) {
      onClose();
      onRenewed(given);
    },
  });
  const removing = useCall('DELETE /api/admin/operators/:id', {
    onDone() {
      onClose();
      onDone();
      toasts.add({ title: 'Operator removed', description: username });
    },
  });
  const isRemoval = act.what === 'remove';
  const { send, failure, isPending } = isRemoval ? removing : renewing;
  return (
    <ConfirmDialog
      title={isRemoval ? 'Remove the operator?' : 'Give a new one-time password?'}
      person={username}
      submit={isRemoval ? 'Remove' : 'Give a new password'}
      isFinal={isRemoval}
      isPending={isPending}
      failure={failure}
      onSubmit={() => void send({ params: { id } })}
      onClose={onClose}
    >
      <p className={dialog.words}>
        {isRemoval
          ? 'Their sessions end now. Their actions stay on record.'
          : 'Their password and their sessions end now. Their two-step login stays.'}
      </p>
    </ConfirmDialog>
  );
}
