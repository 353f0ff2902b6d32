import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { MoneyAnswer } from '@site/schema/money';
import { formatCount } from '../elements/format-count.ts';
import styles from './StageFigures.module.css';
import { STAGE_LABELS } from './money-labels.ts';

/** How many subscriptions are at each stage. */
export function StageFigures({ stages }: { stages: MoneyAnswer['stages'] }) {
  return (
    <dl className={styles.stages}>
      {SUBSCRIPTION_STAGES.map((stage) => (
        <div key={stage} data-none={stages[stage] === 0 || undefined}>
          <dt>{STAGE_LABELS[stage].name}</dt>
          <dd className={styles.figure}>{formatCount(stages[stage])}</dd>
          <dd className={styles.note}>{STAGE_LABELS[stage].note}</dd>
        </div>
      ))}
    </dl>
  );
}
