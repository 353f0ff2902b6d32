import { useState } from 'react';
import { TextField } from '../../ui/Field.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { useCall } from './use-call.ts';

type ConfirmOperatorProps = { reason: string; onEnd: (isConfirmed: boolean) => void };

/** Asks for the password or a code again, before an action that a stolen session must not do. */
export function ConfirmOperator({ reason, onEnd }: ConfirmOperatorProps) {
  const [given, setGiven] = useState('');
  const { send, failure, isPending } = useCall('POST /api/admin/confirm', {
    onDone: () => onEnd(true),
  });

  async function confirm() {
    const isCode = /^\d{3} ?\d{3}$/.test(given);
    if (!(await send({ body: isCode ? { code: given } : { password: given } }))) setGiven('');
  }

  return (
    <ConfirmDialog
      title="Is this you?"
      submit="Continue"
      isPending={isPending}
      isDisabled={given === ''}
      onSubmit={confirm}
      onClose={() => onEnd(false)}
    >
      <p>{reason}</p>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={failure}
        value={given}
        onChange={(event) => setGiven(event.target.value)}
      />
    </ConfirmDialog>
  );
}
