import { useState } from 'react';
import { callApi } from '../../http.ts';
import { TextField } from '../../ui/Field.tsx';
import { describeFault } from '../api/fault.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';

/** Asks for the password or a code again, before something that a stolen session must not do. */
export function ConfirmOperator({
  reason,
  onEnd,
}: {
  reason: string;
  onEnd: (isConfirmed: boolean) => void;
}) {
  const [given, setGiven] = useState('');
  const [fault, setFault] = useState<string>();
  const [isPending, setPending] = useState(false);

  async function confirm() {
    setPending(true);
    try {
      const isCode = /^\d{3} ?\d{3}$/.test(given);
      await callApi('POST /api/admin/confirm', {
        body: isCode ? { code: given } : { password: given },
      });
      onEnd(true);
    } catch (refusal) {
      setFault(describeFault(refusal));
      setGiven('');
      setPending(false);
    }
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
        error={fault}
        value={given}
        onChange={(event) => setGiven(event.target.value)}
      />
    </ConfirmDialog>
  );
}
