import { DIFFERENCE_KINDS } from '@site/schema/differences';
import type { DifferencesAnswer } from '@site/schema/calls/differences';
import { useRef } from 'react';
import { countOf, formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { useCall } from '../session/use-call.ts';
import { formatMoment } from '../time/london-time.ts';
import { ASK_FAILED } from './DifferenceItem.tsx';
import { DifferenceKindList } from './DifferenceKindList.tsx';
import { useDifferences } from './use-differences.ts';

/** Where Stripe, Beehiiv and our leads disagree, each with its remedy or the reason why only a person can decide. */
export function Differences({ dashboardUrl, now }: { dashboardUrl: string; now: Date }) {
  const { data: found, fault, reload } = useDifferences();
  const heading = useRef<HTMLHeadingElement>(null);
  const onAsked = async () => {
    await reload();
    // The button that was pressed disappears.
    heading.current?.focus();
  };
  const { send: compare } = useCall('POST /api/admin/differences/compare', { failure: ASK_FAILED, onDone: onAsked });
  const people = found?.people ?? 0;
  return (
    <section aria-label="Differences">
      <SectionHead title="Differences" aside={people > 0 && countOf(people, 'person', 'people')} headingRef={heading}>
        {found?.subscribersRead === null && <LinkButton onClick={() => void compare()}>Compare now</LinkButton>}
      </SectionHead>
      <LoadState of="differences" data={found} fault={fault} reload={reload} />
      {found && <p>{describeComparison(found, now)}</p>}
      {DIFFERENCE_KINDS.map((kind) => {
        const shown = (found?.differences ?? []).filter((difference) => difference.kind === kind);
        return (
          shown.length > 0 && (
            <DifferenceKindList
              key={kind}
              kind={kind}
              differences={shown}
              count={Math.max(shown.length, found?.counts[kind] ?? 0)}
              dashboardUrl={dashboardUrl}
              now={now}
              onAsked={onAsked}
              onChange={() => void reload()}
            />
          )
        );
      })}
    </section>
  );
}

function describeComparison({ comparedAt, subscribersRead, fault, counts }: DifferencesAnswer, now: Date): string {
  if (subscribersRead !== null) return `Comparing: ${formatCount(subscribersRead)} subscribers read so far.`;
  const failed = fault === null ? '' : ` The last comparison failed: ${fault}.`;
  if (comparedAt === null) return `Stripe, Beehiiv and the leads are compared each night after 03:00 GMT.${failed}`;
  const agree = Object.keys(counts).length === 0 ? ' They agree.' : '';
  return `Stripe, Beehiiv and the leads, compared ${formatMoment(new Date(comparedAt), now)}.${agree}${failed}`;
}
