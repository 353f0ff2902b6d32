import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { CONDITIONS, toConditionTone, toRemedy } from '@site/schema/conditions';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import { useCall } from '../session/use-call.ts';
import { toMomentText, formatCount } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './SyncView.module.css';

type RemedyProps = {
  condition: SyncHealthAnswer['conditions'][number];
  health: SyncHealthAnswer;
  now: Date;
};

/** Lists the steps to remedy a condition. */
export function Remedy({ condition: { kind, since, text }, health, now }: RemedyProps) {
  const { pause, failedInRefusalPause } = health;
  const [isRetryOpen, setRetryOpen] = useState(false);
  const { send, isPending, isViewer } = useCall('POST /api/admin/sync/probe', {
    notice: 'Could not try',
    onDone: () =>
      toasts.add({
        title: 'Trying now',
        description: 'This changes within seconds if Beehiiv accepts the request.',
      }),
  });
  const { title } = CONDITIONS[kind];
  if (title === undefined) return null;
  const isPause = kind === 'paused';
  return (
    <section
      className={styles.remedy}
      data-mild={toConditionTone(kind) === 'pending' || undefined}
      aria-labelledby={`remedy-${kind}`}
    >
      <SectionHead
        id={`remedy-${kind}`}
        title={title}
        aside={`since ${toMomentText(since, now)}`}
      />
      <ol className={styles.steps}>
        {isPause && pause && (
          <li>
            <strong>{pause.setting}:</strong> {findSetting(pause.setting)}
          </li>
        )}
        {toRemedy(kind).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {!isViewer && (isPause || kind === 'outage') && (
        <div className={styles.actions}>
          <Button
            look="line"
            pending={isPending}
            pendingLabel="Trying..."
            onClick={() => void send()}
          >
            Try now
          </Button>
          {isPause && failedInRefusalPause && (
            <Button look="line" onClick={() => setRetryOpen(true)}>
              Retry the {formatCount(failedInRefusalPause.count)} rejected in a row…
            </Button>
          )}
        </div>
      )}
      <p className={styles.note}>{text}</p>
      {isRetryOpen && (
        <RetryDialog
          title="Retry leads rejected in a row"
          filter={{ failedInRefusalPause: true }}
          onClose={() => setRetryOpen(false)}
        />
      )}
    </section>
  );
}

function findSetting(setting: string): string {
  if (setting.includes('API_KEY')) return 'create a key in Beehiiv under Settings, API.';
  if (setting.includes('PUBLICATION')) return 'copy the publication’s id from Settings, API.';
  return 'find out which value is wrong, here or at Beehiiv.';
}
