import type { RetryRun } from '@site/schema/calls/retry';
import { Button } from '../../../ui/Button.tsx';
import { describeSize } from './run-labels.ts';
import type { useRetryRuns } from './use-retry-runs.ts';

type StopRunProps = Pick<ReturnType<typeof useRetryRuns>, 'stop' | 'stopping'> & { run: RetryRun };

/** A button that stops a run in progress, or how the run ended. */
export function StopRun({ run, stop, stopping }: StopRunProps) {
  if (run.stoppedAt !== null) return run.finishedAt === null ? 'Stopping' : 'Stopped';
  if (run.finishedAt !== null) return 'Done';
  return (
    <Button
      look="danger"
      size="small"
      pending={stopping === run.id}
      pendingLabel="..."
      aria-label={`Stop ${describeSize(run)}`}
      onClick={() => void stop(run)}
    >
      Stop
    </Button>
  );
}
