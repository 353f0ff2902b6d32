import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { REMEDIES, REMEDY_STEPS } from '@site/schema/sync-state';
import type { RemedyStep } from '@site/schema/sync-state';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { formatCount } from '../elements/format-count.ts';
import { SectionHead } from '../elements/SectionHead.tsx';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import { describeDuration, describeMoment } from '../time/london-time.ts';
import { findRemedy, isMild, isOfStripe } from './sync-labels.ts';
import { describeFailedRequest, describeWaiting } from './strip-words.ts';
import styles from './SyncView.module.css';
import { useProbe } from './use-probe.ts';

type RemedyProps = { health: SyncHealthAnswer; now: Date; reload: () => Promise<unknown> };

/** What to do about the gravest condition, step by step. It stays until a probe that ended it has said so. */
export function Remedy({ health, now, reload }: RemedyProps) {
  const probe = useProbe(health, now, reload);
  const [isRetryOpen, setRetryOpen] = useState(false);
  const withSteps = health.conditions.filter(({ kind }) => REMEDY_STEPS[kind]);
  const [condition] = withSteps;
  const remedy = condition && REMEDY_STEPS[condition.kind];
  if (!remedy) return probe.outcome === undefined ? null : <output>{probe.outcome}</output>;
  const { pause, outage, failedInRefusalPause: rejected, lastError } = health;
  const lasts = now.getTime() - Date.parse(condition.since);
  // Seconds would seem to contradict those of the oldest lead, which waits a little longer.
  const since = `${lasts < 60_000 ? '' : `${describeDuration(lasts)}, `}since ${describeMoment(condition.since, now)}`;
  const setting: RemedyStep[] = pause ? [[`${pause.reason} (${pause.setting}).`, findRemedy(pause.setting)]] : [];
  const failed = isOfStripe(condition.kind) && !outage && describeFailedRequest(health, now);
  const failure = condition.kind === 'outage' && lastError && ` Last error: ${lastError.message}.`;
  return (
    <section className={styles.remedy} data-mild={isMild(condition.kind) || undefined} aria-labelledby="remedy">
      <SectionHead id="remedy" title={remedy.title} aside={since} />
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
      {(pause || outage) && (
        <div className={styles.actions}>
          <Button look="line" pending={probe.isProbing} pendingLabel="Trying..." onClick={() => void probe.ask()}>
            Try now
          </Button>
          {pause && rejected && (
            <Button look="line" onClick={() => setRetryOpen(true)}>
              Retry these {formatCount(rejected.count)}…
            </Button>
          )}
          {pause && rejected && <span>{formatCount(rejected.count)} rejected in a row</span>}
          <output>{probe.outcome}</output>
        </div>
      )}
      <p className={styles.note}>
        {condition.kind !== 'cannot-write' &&
          `The site still takes forms${health.conditions.some(({ kind }) => isOfStripe(kind)) ? '' : ' and payments'}.`}
        {failure}
        {condition.kind === 'stripe-unavailable' && (
          <>
            {' '}
            <a href="https://status.stripe.com" target="_blank" rel="noreferrer">
              Stripe’s status page
            </a>
          </>
        )}
      </p>
      {withSteps.map(
        ({ kind }) =>
          kind !== condition.kind && (
            <p key={kind} className={styles.note}>
              Besides: {REMEDY_STEPS[kind]?.title}. {REMEDIES[kind]}
            </p>
          ),
      )}
      {failed && (
        <p className={styles.note}>
          Besides: {failed} {describeWaiting({ ...health, conditions: [] }, ' and will be sent automatically')}
        </p>
      )}
      {isRetryOpen && (
        <RetryDialog
          request={{ title: 'Retry leads rejected in a row', filter: { failedInRefusalPause: true } }}
          onClose={() => setRetryOpen(false)}
        />
      )}
    </section>
  );
}
