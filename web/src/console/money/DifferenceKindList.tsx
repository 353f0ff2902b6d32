import { BULK_REMEDIES } from '@site/schema/differences';
import type { Difference } from '@site/schema/calls/differences';
import type { DifferenceKind } from '@site/schema/differences';
import { useState } from 'react';
import { formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { BulkRemedyButton } from './BulkRemedyButton.tsx';
import { BULK_LABELS, DIFFERENCE_LABELS } from './difference-labels.ts';
import { DifferenceItem } from './DifferenceItem.tsx';
import { MoneyKind } from './MoneyItem.tsx';

/** Of a long list only the first are shown until it is asked for, so that the next kind is not far down. */
const FIRST_SHOWN = 5;
const SHORT_LIST = 8;

type DifferenceKindListProps = {
  kind: DifferenceKind;
  differences: readonly Difference[];
  /** How many there are, of which at most 200 are known here. */
  count: number;
  dashboardUrl: string;
  now: Date;
  /** Called once a remedy is asked for. */
  onAsked: () => Promise<void>;
  onChange: () => void;
};

/** The differences of one kind, with what to do about each, and about all of them where that is safe. */
export function DifferenceKindList({
  kind,
  differences,
  count,
  dashboardUrl,
  now,
  onAsked,
  onChange,
}: DifferenceKindListProps) {
  const [isWhole, setWhole] = useState(false);
  const { title, advice } = DIFFERENCE_LABELS[kind];
  const isLong = differences.length > SHORT_LIST;
  const listed = isWhole || !isLong ? differences : differences.slice(0, FIRST_SHOWN);
  const underWay = BULK_REMEDIES.flatMap((remedy) => {
    const { length } = differences.filter((difference) => difference.remedy === remedy && difference.isRequested);
    const share = length === count ? formatCount(length) : `${formatCount(length)} of ${formatCount(count)}`;
    return length === 0 ? [] : [`${share} ${BULK_LABELS[remedy].underWay}`];
  });
  return (
    <MoneyKind
      title={title}
      aside={formatCount(count)}
      count={differences.length}
      advice={
        count > differences.length
          ? `${advice} The first ${formatCount(differences.length)} of ${formatCount(count)} are listed.`
          : advice
      }
      acts={BULK_REMEDIES.map((remedy) => (
        <BulkRemedyButton key={remedy} remedy={remedy} differences={differences} onDone={() => void onAsked()} />
      ))}
      state={underWay.length > 0 && `${underWay.join(', ')}.`}
      more={
        isLong && (
          <LinkButton aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show only ${FIRST_SHOWN}` : `Show all ${formatCount(differences.length)}`}
          </LinkButton>
        )
      }
    >
      {listed.map((difference) => (
        <DifferenceItem
          key={difference.id}
          difference={difference}
          dashboardUrl={dashboardUrl}
          now={now}
          onAsked={onAsked}
          onChange={onChange}
        />
      ))}
    </MoneyKind>
  );
}
