import type { Colleague } from '@site/schema/calls/account';
import type { CallAnswer } from '@site/schema/calls/calls';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { useApiData } from '../api/data.tsx';
import { useCall } from '../session/use-call.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import dialog from '../shared/dialog.module.css';
import { copyText, Moment } from '../shared/fields.tsx';
import { focusFailure } from '../shared/focus.ts';
import { formatDated } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { useNow } from '../shared/use-now.ts';
import styles from './AccountView.module.css';

type Added = CallAnswer<'POST /api/admin/operators'>;

/** Lists the operators. Adds one with a one-time password, and removes others. */
export function Colleagues() {
  const list = useApiData('GET /api/admin/operators');
  const now = useNow(false);
  const [added, setAdded] = useState<Added>();
  const [leaving, setLeaving] = useState<Colleague>();
  const reload = () => void list.reload();
  return (
    <section aria-labelledby="operators" className={styles.section}>
      <SectionHead id="operators" title="Operators" />
      <LoadState of="the operators" {...list} />
      {list.data && (
        <DataTable
          name="Operators"
          rows={list.data.operators}
          keyOf={({ id }) => id}
          columns={toColumns(now, setLeaving)}
        />
      )}
      <AddForm
        onAdded={(made) => {
          setAdded(made);
          reload();
        }}
      />
      {added && <OneTimePassword added={added} onClose={() => setAdded(undefined)} />}
      {leaving && (
        <RemoveDialog colleague={leaving} onClose={() => setLeaving(undefined)} onDone={reload} />
      )}
    </section>
  );
}

const toColumns = (now: Date, onRemove: (colleague: Colleague) => void): Column<Colleague>[] => [
  {
    head: 'Username',
    cell: ({ username, isSelf }) => (
      <>
        <bdi>{username}</bdi>
        {isSelf && ' (you)'}
      </>
    ),
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
    width: '14%',
    isFigure: true,
    place: 'line',
    isNone: ({ isSelf }) => isSelf,
    cell: (of) =>
      !of.isSelf && (
        <Button
          look="line"
          size="small"
          aria-label={`Remove ${of.username}`}
          onClick={() => onRemove(of)}
        >
          Remove…
        </Button>
      ),
  },
];

function toLoginText({ passwordEndsAt, hasTwoStepLogin }: Colleague, now: Date): string {
  if (passwordEndsAt === null) return hasTwoStepLogin ? 'Two-step login' : 'Password';
  const ends = new Date(passwordEndsAt);
  return ends > now
    ? `One-time password until ${formatDated(ends)}`
    : 'The one-time password has ended: remove them, and add them again';
}

function AddForm({ onAdded }: { onAdded: (added: Added) => void }) {
  const { send, failure, fieldErrors, isPending } = useCall('POST /api/admin/operators', {
    onDone: onAdded,
  });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const username = new FormData(form).get('username') as string;
    if (!(await send({ body: { username } }))) return focusFailure(form);
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
        hint="Every operator can do everything."
        error={fieldErrors['username'] ?? failure}
      />
      <Button type="submit" look="line" pending={isPending} pendingLabel="Adding...">
        Add an operator
      </Button>
    </form>
  );
}

/** Shows a one-time password, for the only time. */
function OneTimePassword({ added, onClose }: { added: Added; onClose: () => void }) {
  const { username, password, endsAt } = added;
  return (
    <ConfirmDialog title="Operator added" person={username} onClose={onClose}>
      <p className={dialog.words}>
        This one-time password is shown only now. It ends on {formatDated(new Date(endsAt))}. Your
        colleague must change it at the first login.
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

type RemoveDialogProps = { colleague: Colleague; onClose: () => void; onDone: () => void };

function RemoveDialog({ colleague: { id, username }, onClose, onDone }: RemoveDialogProps) {
  const { send, failure, isPending } = useCall('DELETE /api/admin/operators/:id', {
    onDone() {
      onClose();
      onDone();
      toasts.add({ title: 'Operator removed', description: username });
    },
  });
  return (
    <ConfirmDialog
      title="Remove the operator?"
      person={username}
      submit="Remove"
      isFinal
      isPending={isPending}
      failure={failure}
      onSubmit={() => void send({ params: { id } })}
      onClose={onClose}
    >
      <p className={dialog.words}>Their sessions end now. Their actions stay on record.</p>
    </ConfirmDialog>
  );
}
