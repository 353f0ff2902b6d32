import type { RetryRun } from '@site/schema/calls/retry';
import { Button } from '../../ui/Button.tsx';
import { useCall } from '../session/use-call.ts';
import { describeDuration } from '../shared/london-time.ts';
import { countSpared, describeSize } from './run-labels.ts';

type StopRunProps = { run: RetryRun; onStopped: () => Promise<unknown> };

/** A button that stops a run in progress, or how the run ended. */
export function StopRun({ run, onStopped }: StopRunProps) {
  const { send, isPending } = useCall('POST /api/admin/retry-runs/:id/stop', {
    failure: 'Stop failed',
  });
  const stop = async () => {
    await send({ params: { id: run.id } });
    // Also after a failure, because the run may have ended.
    await onStopped();
  };
  if (run.stoppedAt !== null && run.finishedAt === null) return <span>Stopping</span>;
  if (countSpared(run) > 0) return 'Stopped';
  if (run.finishedAt !== null) {
    const tookMs = Date.parse(run.finishedAt) - Date.parse(run.createdAt);
    return `Finished in ${describeDuration(Math.max(1_000, tookMs))}`;
  }
  return (
    <Button
      look="line"
      size="small"
      pending={isPending}
      pendingLabel="..."
      aria-label={`Stop: ${describeSize(run)}`}
      onClick={() => void stop()}
    >
      Stop
    </Button>
  );
}
