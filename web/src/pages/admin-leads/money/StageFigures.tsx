import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { MoneyAnswer } from '@site/schema/money';
import { Link } from 'react-router-dom';
import { formatCount } from '../elements/format-count.ts';
import { toQuery } from '../filters/filter-params.ts';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { STAGE_NOTES } from './money-labels.ts';
import styles from './StageFigures.module.css';

/** How many subscriptions are at each stage, each a link to their leads. */
export function StageFigures({ stages }: { stages: MoneyAnswer['stages'] }) {
  return (
    <dl className={styles.stages}>
      {SUBSCRIPTION_STAGES.map((stage) => (
        <div key={stage} data-none={stages[stage] === 0 || undefined}>
          <dt>
            {stages[stage] === 0 ? (
              STAGE_NAMES[stage]
            ) : (
              <Link to={{ search: toQuery({ stage }) }}>{STAGE_NAMES[stage]}</Link>
            )}
          </dt>
          <dd className={styles.figure}>{formatCount(stages[stage])}</dd>
          <dd className={styles.note}>{STAGE_NOTES[stage]}</dd>
        </div>
      ))}
    </dl>
  );
}
