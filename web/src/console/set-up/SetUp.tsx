import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FailedIcon, TickIcon } from '../../ui/icons.tsx';
import { useApiData } from '../api/data.tsx';
import { useCall } from '../session/use-call.ts';
import { SectionHead } from '../shared/heads.tsx';
import { useNow } from '../shared/use-now.ts';
import { toSteps } from './set-up-steps.tsx';
import styles from './SetUp.module.css';

const AGAIN_MS = 30_000;
/** The polling interval while a worker checks. */
const SOON_MS = 2_000;
const MAX_WAIT_MS = 20_000;

/**
 * Lists the requirements before the first visitor comes, and checks them again on request.
 * Disappears once all are met.
 */
export function SetUp() {
  const now = useNow(false);
  /** The time of Beehiiv's last check before the check in progress. */
  const [before, setBefore] = useState<string | null>();
  const { data: setUp, reload } = useApiData(
    'GET /api/admin/set-up',
    {},
    { refreshInterval: before === undefined ? AGAIN_MS : SOON_MS },
  );
  const { send } = useCall('POST /api/admin/set-up/check', {
    notice: 'The check was not asked for',
  });
  if (!setUp) return null;
  const isChecking = setUp.beehiiv.checkedAt === before;
  const check = async () => {
    setBefore(setUp.beehiiv.checkedAt);
    await send();
    await reload();
    // Without a worker, no answer comes.
    window.setTimeout(() => setBefore(undefined), MAX_WAIT_MS);
  };
  const steps = toSteps(setUp, now);
  const firstOpen = steps.findIndex(({ done }) => done === undefined);
  if (firstOpen < 0) return null;
  return (
    <section className={styles.setUp} aria-labelledby="set-up">
      <SectionHead
        id="set-up"
        title="Before the first visitor"
        aside={`${steps.filter(({ done }) => done !== undefined).length} of ${steps.length} done`}
      >
        <Button
          look="line"
          size="small"
          pending={isChecking}
          pendingLabel="Checking..."
          onClick={() => void check()}
        >
          Check again
        </Button>
      </SectionHead>
      <ol>
        {steps.map(({ name, done, failure, todo }, index) => (
          <li
            key={name}
            data-open={index === firstOpen || undefined}
            data-done={done !== undefined || undefined}
          >
            <span className={styles.number}>
              {done === undefined ? (
                index + 1
              ) : (
                <>
                  <TickIcon />
                  <span className="visually-hidden">Done:</span>
                </>
              )}
            </span>
            <h3>{name}</h3>
            <div className={styles.words}>
              {failure && !done && (
                <p className={styles.failure}>
                  <FailedIcon /> {failure}
                </p>
              )}
              <div>{done ?? todo}</div>
            </div>
          </li>
        ))}
      </ol>
      <p>
        This list goes when all {steps.length} steps are done, or once {MAX_FIRST_LEADS + 1} leads
        have come.
      </p>
    </section>
  );
}
