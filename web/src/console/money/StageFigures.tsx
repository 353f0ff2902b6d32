import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { MoneyAnswer } from '@site/schema/calls/money';
import { FigureRow } from '../elements/FigureRow.tsx';
import { formatCount } from '../elements/format-count.ts';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { STAGE_NOTES } from './money-labels.ts';
import { toPeople } from './money-people-address.ts';

/** How many subscriptions are at each stage, each a link to their people. */
export function StageFigures({ stages }: { stages: MoneyAnswer['stages'] }) {
  return (
    <FigureRow
      name="Subscriptions"
      figures={SUBSCRIPTION_STAGES.map((stage) => ({
        name: STAGE_NAMES[stage],
        value: formatCount(stages[stage]),
        note: STAGE_NOTES[stage],
        to: stages[stage] === 0 ? undefined : toPeople(stage, {}),
      }))}
    />
  );
}
