import { useState } from 'react';
import { callApi } from '../../http.ts';
import { TextField } from '../../ui/Field.tsx';
import { describeFault } from '../api/call-fault.ts';
import { ConfirmDialog } from '../elements/ConfirmDialog.tsx';

/** Asks for the password or a code again, before something that a stolen session must not do. */
export function ConfirmOperator({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const [given, setGiven] = useState('');
  const [fault, setFault] = useState<string>();
  const [isPending, setPending] = useState(false);

  async function confirm() {
    setPending(true);
    try {
      const isCode = /^\d{3} ?\d{3}$/.test(given);
      await callApi('POST /api/admin/confirm', { body: isCode ? { code: given } : { password: given } });
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
      onSubmit={() => void confirm()}
      onClose={() => onEnd(false)}
    >
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        hint="You last entered it over 15 minutes ago. With two-step login, the six digits of your app will do."
        error={fault}
        value={given}
        onChange={(event) => setGiven(event.target.value)}
      />
    </ConfirmDialog>
  );
}
