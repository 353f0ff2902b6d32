import { retryEstimate } from '@site/schema/console';
import type { RetryFilter } from '@site/schema/admin';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { postJson } from '../../../http.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { describeFault, isSignedOut } from '../call-fault.ts';
import styles from './RetryDialog.module.css';
import { describeEstimate } from './run-labels.ts';

export type RetryWish = { title: string; filter: RetryFilter };

type RetryDialogProps = {
  wish: RetryWish | undefined;
  onClose: () => void;
  onBegun: () => void;
  onSignedOut: () => void;
};

/** Says how many leads a retry takes and for how long, before anything is done. */
export function RetryDialog({ wish, onClose, ...rest }: RetryDialogProps) {
  return (
    <Dialog open={wish !== undefined} onClose={onClose} className={styles.dialog}>
      {wish && <RetryForm wish={wish} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function RetryForm({ wish, onClose, onBegun, onSignedOut }: RetryDialogProps & { wish: RetryWish }) {
  const [withQuarantined, setWithQuarantined] = useState(false);
  const [isBeginning, setBeginning] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const body = { filter: wish.filter, withQuarantined };
  const { data, error, isLoading } = useSWR(
    ['retry-estimate', JSON.stringify(body)],
    async () => retryEstimate.parse(await postJson('/api/admin/leads/retry', { ...body, dryRun: true })),
    { revalidateIfStale: true, keepPreviousData: true },
  );
  useEffect(() => {
    if (isSignedOut(error)) onSignedOut();
  }, [error, onSignedOut]);
  // The figure of the other choice stands until this one's has come, and is not what would be started.
  const count = isLoading ? undefined : data?.count;

  const begin = async () => {
    setBeginning(true);
    try {
      await postJson('/api/admin/leads/retry', body);
      onBegun();
    } catch (failure) {
      if (isSignedOut(failure)) return onSignedOut();
      setRefusal(describeFault(failure));
    } finally {
      setBeginning(false);
    }
  };
  const fault = refusal ?? (error === undefined ? undefined : describeFault(error));
  return (
    <>
      <DialogTitle className={styles.title}>{wish.title}</DialogTitle>
      <output className={styles.words}>{data ? describeEstimate(data) : 'Counting...'}</output>
      {data && (data.quarantined > 0 || withQuarantined) && (
        <label className={styles.tick}>
          <input
            type="checkbox"
            checked={withQuarantined}
            onChange={(event) => setWithQuarantined(event.target.checked)}
          />
          {withQuarantined
            ? 'Also what was kept back as a robot’s'
            : `Also the ${data.quarantined.toLocaleString('en-GB')} kept back as a robot’s`}
        </label>
      )}
      <p className={styles.words}>
        They are tried a hundred at a time, and new leads do not wait for them. Stop gives back those whose turn had not
        come.
      </p>
      {fault && <p role="alert">{fault}</p>}
      <div className={styles.actions}>
        <Button pending={isBeginning} aria-disabled={!count} onClick={() => count && void begin()}>
          Retry {count?.toLocaleString('en-GB')}
        </Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  );
}
