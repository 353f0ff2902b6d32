import { Button } from '../../ui/Button.tsx';
import { describeFault } from '../api/call-fault.ts';
import { describeWait } from '../shared/london-time.ts';
import { useNow } from '../shared/use-now.ts';
import { EntryPage } from './EntryPage.tsx';

type NotOpenedProps = {
  fault: unknown;
  /** When the page asks again. Undefined if only the operator can. */
  nextTryAt: Date | undefined;
  onTryAgain: () => void;
};

/** Takes the console's place while nobody knows who is logged in. */
export function NotOpened({ fault, nextTryAt, onTryAgain }: NotOpenedProps) {
  const now = useNow(nextTryAt !== undefined);
  return (
    <EntryPage title="The console could not be opened">
      <p>
        {describeFault(fault)}
        {nextTryAt && ` Retrying ${describeWait(nextTryAt.toISOString(), now)}.`}
      </p>
      <Button look="line" onClick={onTryAgain}>
        {nextTryAt ? 'Try now' : 'Try again'}
      </Button>
    </EntryPage>
  );
}
