import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { REMEDY_STEPS } from '@site/schema/sync-state';
import type { RemedyStep } from '@site/schema/sync-state';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { formatCount } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import { describeDuration, describeMoment } from '../shared/london-time.ts';
import { findRemedy, isMild, isOfStripe } from './sync-labels.ts';
import { describeFailedRequest, describeWaiting } from './strip-words.ts';
import styles from './SyncView.module.css';
import { describeRecovery } from './use-ended.ts';
import type { EndedCondition } from './use-ended.ts';
import { useProbe } from './use-probe.ts';

type RemedyProps = {
  health: SyncHealthAnswer;
  ended: readonly EndedCondition[];
  now: Date;
  reload: () => Promise<unknown>;
};

/** What to do about each condition, the gravest first, and what works again since one ended. */
export function Remedy({ health, ended, now, reload }: RemedyProps) {
  const probe = useProbe(health, now, reload);
  return (
    <>
      <output className={styles.recovered}>{describeRecovery(health, ended, now)}</output>
      {health.conditions.map((condition) => (
        <ConditionRemedy
          key={condition.kind}
          condition={condition}
          health={health}
          now={now}
          probe={probe}
        />
      ))}
    </>
  );
}

type ConditionRemedyProps = Pick<RemedyProps, 'health' | 'now'> & {
  condition: SyncHealthAnswer['conditions'][number];
  probe: ReturnType<typeof useProbe>;
};

/** What to do about one condition, step by step. */
function ConditionRemedy({ condition, health, now, probe }: ConditionRemedyProps) {
  const [isRetryOpen, setRetryOpen] = useState(false);
  const { kind } = condition;
  const remedy = REMEDY_STEPS[kind];
  if (!remedy) return null;
  const { pause, failedInRefusalPause, lastError } = health;
  const lasts = now.getTime() - Date.parse(condition.since);
  // Seconds would seem to contradict those of the oldest lead, which waits a little longer.
  const since = `${lasts < 60_000 ? '' : `${describeDuration(lasts)}, `}since ${describeMoment(condition.since, now)}`;
  const isPause = kind === 'paused';
  const rejected = isPause && failedInRefusalPause;
  const setting: RemedyStep[] =
    isPause && pause ? [[`${pause.reason} (${pause.setting}).`, findRemedy(pause.setting)]] : [];
  const failed =
    isOfStripe(kind) && health.state === 'running' && describeFailedRequest(health, now);
  return (
    <section
      className={styles.remedy}
      data-mild={isMild(kind) || undefined}
      aria-labelledby={`remedy-${kind}`}
    >
      <SectionHead id={`remedy-${kind}`} title={remedy.title} aside={since} />
      <ol className={styles.steps}>
        {[...setting, ...remedy.steps].map(([when, what, docker, npm]) => (
          <li key={what}>
            <strong>{when}</strong> {what}
            {docker && ' With Docker: '}
            {docker && <code>{docker}</code>}
            {npm && ' Otherwise: '}
            {npm && <code>{npm}</code>}
          </li>
        ))}
      </ol>
      {(isPause || kind === 'outage') && (
        <div className={styles.actions}>
          <Button
            look="line"
            pending={probe.isProbing}
            pendingLabel="Trying..."
            onClick={probe.ask}
          >
            Try now
          </Button>
          {rejected && (
            <Button look="line" onClick={() => setRetryOpen(true)}>
              Retry these {formatCount(rejected.count)}…
            </Button>
          )}
          {rejected && <span>{formatCount(rejected.count)} rejected in a row</span>}
          <output>{probe.outcome}</output>
        </div>
      )}
      <p className={styles.note}>
        {condition === health.conditions[0] &&
          kind !== 'cannot-write' &&
          `The site still takes forms${health.conditions.some((each) => isOfStripe(each.kind)) ? '' : ' and payments'}. `}
        {kind === 'outage' && lastError && !probe.outcome && `Last error: ${lastError.message}.`}
        {/* The strip says that of the gravest. */}
        {isOfStripe(kind) && condition !== health.conditions[0] && `${condition.text} `}
        {kind === 'stripe-unavailable' && (
          <a href="https://status.stripe.com" target="_blank" rel="noreferrer">
            Stripe’s status page
          </a>
        )}
      </p>
      {failed && (
        <p className={styles.note}>
          {failed}{' '}
          {describeWaiting({ ...health, conditions: [] }, ' and will be sent automatically')}
        </p>
      )}
      {isRetryOpen && (
        <RetryDialog
          request={{
            title: 'Retry leads rejected in a row',
            filter: { failedInRefusalPause: true },
          }}
          onClose={() => setRetryOpen(false)}
        />
      )}
    </section>
  );
}
