import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { REMEDY_STEPS, toAlertPage } from '@site/schema/sync-state';
import type { ConditionKind, RemedyStep } from '@site/schema/sync-state';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import { useCall } from '../session/use-call.ts';
import { toMomentText, formatCount } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './SyncView.module.css';

/** Conditions in which leads only wait, until Beehiiv answers or a setting is corrected. */
export const MILD: ReadonlySet<ConditionKind> = new Set(['paused', 'outage', 'pending-too-long']);

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
  const remedy = REMEDY_STEPS[kind];
  if (!remedy) return null;
  const isPause = kind === 'paused';
  const setting: RemedyStep[] =
    isPause && pause ? [[`${pause.setting}:`, findSetting(pause.setting)]] : [];
  return (
    <section
      className={styles.remedy}
      data-mild={MILD.has(kind) || undefined}
      aria-labelledby={`remedy-${kind}`}
    >
      <SectionHead
        id={`remedy-${kind}`}
        title={remedy.title}
        aside={`since ${toMomentText(since, now)}`}
      />
      <ol className={styles.steps}>
        {[...setting, ...remedy.steps].map(([when, what]) => (
          <li key={when}>
            <strong>{when}</strong> {what ?? <code>{toAlertPage(kind)}</code>}
          </li>
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
