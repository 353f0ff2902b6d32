import type { ListedLead } from '@site/schema/stored-lead';
import { lazy, Suspense, useState } from 'react';
import type { ComponentProps } from 'react';
import { Button } from '../../ui/Button.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { shownStatus } from '@site/schema/labels';
import { useCall } from '../session/use-call.ts';

const SendDialog = lazy(async () => ({ default: (await import('./SendDialog.tsx')).SendDialog }));

type RetryButtonProps = Pick<
  ComponentProps<typeof Button>,
  'look' | 'size' | 'pendingLabel' | 'aria-label' | 'children'
> & { lead: ListedLead; name: string | null; onDone: () => unknown };

/** Retries a lead at once. Asks before it sends a quarantined lead. */
export function RetryButton({ lead, name, onDone, ...button }: RetryButtonProps) {
  const { id, email } = lead;
  const isQuarantined = shownStatus(lead) === 'quarantined';
  const [isAsking, setAsking] = useState(false);
  const { send, isPending, isViewer } = useCall('POST /api/admin/leads/retry', {
    notice: 'Retry failed',
    async onDone(answer) {
      await onDone();
      const whom = name ?? email;
      toasts.add(
        'retried' in answer && answer.retried === 1
          ? {
              title: isQuarantined ? 'Sending' : 'Retry started',
              description: `${whom} is being sent to Beehiiv.`,
            }
          : {
              title: 'Not retried',
              description: `${whom} is being sent, or was sent or deleted already.`,
            },
      );
    },
  });
  if (isViewer) return null;
  const start = () => {
    setAsking(false);
    void send({ body: { ids: [id] } });
  };
  return (
    <>
      <Button
        {...button}
        pending={isPending}
        onClick={() => (isQuarantined ? setAsking(true) : start())}
      />
      {isAsking && (
        <Suspense fallback={null}>
          <SendDialog lead={lead} name={name} onSend={start} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
