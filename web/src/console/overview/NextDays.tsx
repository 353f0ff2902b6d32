import type { OverviewAnswer } from '@site/schema/calls/overview';
import { formatIssueTime, formatLongDate, nextIssue } from '@site/schema/calendar';
import { formatPence } from '@site/schema/offer';
import { countOf } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './Overview.module.css';

/** What is charged today and in the six days after, in one line. */
export function NextDays({ week, now }: { week: OverviewAnswer['week']; now: Date }) {
  const { trials, renewals, pence } = week;
  const issue = nextIssue(now);
  return (
    <section aria-labelledby="next-days">
      <SectionHead id="next-days" title="Next seven days" aside="if every trial stays" />
      <p className={styles.days}>
        <strong>{formatPence(pence, true)}</strong> from{' '}
        {countOf(trials, 'trial that ends', 'trials that end')} and {countOf(renewals, 'renewal')}.
        Issue #{issue.number}: {formatLongDate(issue.at, true)}, {formatIssueTime(issue.at)}.
      </p>
    </section>
  );
}
