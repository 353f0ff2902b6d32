import { useState } from 'react';
import { CallButton } from '../elements/CallButton.tsx';
import { describeFault } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { CancelDialog } from './CancelDialog.tsx';

type CancelButtonProps = { id: string; payer: string; hasOther?: boolean; onDone: () => void };

/** Opens the dialog that cancels a subscription, of which only the id is known. */
export function CancelButton({ id, payer, hasOther = false, onDone }: CancelButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { data, fault } = useApiData('GET /api/admin/subscriptions/:id', isOpen ? { params: { id } } : null);
  return (
    <>
      <CallButton look="line" size="small" aria-label={`Cancel subscription of ${payer}`} onClick={() => setOpen(true)}>
        Cancel subscription…
      </CallButton>
      {isOpen && fault !== undefined && <p role="alert">{describeFault(fault)}</p>}
      {isOpen && data && (
        <CancelDialog subscription={data} hasOther={hasOther} onClose={() => setOpen(false)} onDone={onDone} />
      )}
    </>
  );
}
