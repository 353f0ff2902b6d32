import { CallButton } from '../../shared/CallButton.tsx';
import { describeFault } from '../../api/call-fault.ts';
import { useApiData } from '../../api/use-api-data.ts';
import { CancelDialog } from './CancelDialog.tsx';
import { useMoneyReload } from '../../api/use-money-reload.ts';

type CancellingProps = { id: string; onClose: () => void; onDone: () => void };

/** The dialog that cancels a subscription, of which only the id is known. It stays when another window has settled its row. */
export function Cancelling({ id, ...dialog }: CancellingProps) {
  const { data, fault, reload } = useApiData('GET /api/admin/subscriptions/:id', {
    params: { id },
  });
  useMoneyReload(reload);
  if (fault !== undefined) return <p role="alert">{describeFault(fault)}</p>;
  return data ? <CancelDialog subscription={data} {...dialog} /> : null;
}

export function CancelButton({ payer, onOpen }: { payer: string; onOpen: () => void }) {
  return (
    <CallButton
      look="line"
      size="small"
      aria-label={`Cancel subscription of ${payer}`}
      onClick={onOpen}
    >
      Cancel subscription…
    </CallButton>
  );
}
