import type { OverviewAnswer } from '@site/schema/calls/overview';
import { formatIssueTime, formatLongDate, londonDate, nextIssue } from '@site/schema/calendar';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DataTable } from '../shared/DataTable.tsx';
import { formatCount } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { useWidthBelow } from '../shared/use-media.ts';
import { toPeople } from '../money/money-people-address.ts';
import { withShortMonth } from '../shared/london-time.ts';
import styles from './Overview.module.css';
import { describeOf } from './overview-words.ts';

const weekday = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
});
const weekdayAndMonth = withShortMonth('UTC', { weekday: 'short', day: 'numeric' });
/** `Thu 18`, `Thu 18 Dec`: without the comma of the locale. */
const nameDay = (day: string, format: { format: (at: Date) => string } = weekday) =>
  format.format(new Date(day)).replace(',', '');

type Day = OverviewAnswer['week'][number] & { startDate: string; endDate: string };
type Kind = 'trials' | 'renewals';
const KINDS = { trials: 'trials-due', renewals: 'renewals-due' } as const;
const one = { trials: 'trial ends', renewals: 'renewal' };
const many = { trials: 'trials end', renewals: 'renewals' };

/** Fewer trials say nothing about how many stay. */
const MIN_ENDED = 4;

/** What is charged today and in the six days after. On a small screen the days are a list. */
export function NextDays({
  overview: { week, trials },
  now,
}: {
  overview: OverviewAnswer;
  now: Date;
}) {
  const isList = useWidthBelow('63.9375em');
  const issue = nextIssue(now);
  const issueDay = londonDate(issue.at);
  const staying =
    trials.ended >= MIN_ENDED && describeOf(trials.becamePayers, trials.ended, 'trials');
  const days: Day[] = week.map((day) => ({ ...day, startDate: day.day, endDate: day.day }));
  const [first, last] = [week[0], week.at(-1)];
  if (!first || !last) return null;
  const sum = (of: 'trials' | 'renewals' | 'pence') =>
    week.reduce((total, day) => total + day[of], 0);
  const all: Day = {
    day: first.day,
    trials: sum('trials'),
    renewals: sum('renewals'),
    pence: sum('pence'),
    startDate: first.day,
    endDate: last.day,
  };
  const total = <span className={styles.total}>{formatPence(all.pence, true)}</span>;
  return (
    <section aria-labelledby="next-days">
      <SectionHead
        id="next-days"
        title="Next seven days"
        aside={`if every trial stays${staying ? `; lately ${staying} do` : ''}. Retries of failed payments are not counted`}
      >
        {(!isList || issueDay > last.day) && (
          <p className={styles.issue}>
            <strong>Issue #{issue.number}</strong> {formatLongDate(issue.at, true)},{' '}
            {formatIssueTime(issue.at)}
          </p>
        )}
      </SectionHead>
      {isList ? (
        <ul className={styles.days}>
          {days.map((day) => (
            <li key={day.day}>
              <strong>
                {nameDay(day.day, weekdayAndMonth)}
                {day.day === first.day && ', today'}
              </strong>
              <span>{formatPence(day.pence, true)}</span>
              <DayCounts day={day} />
              {day.day === issueDay && (
                <strong>
                  Issue #{issue.number}, {formatIssueTime(issue.at)}
                </strong>
              )}
            </li>
          ))}
          <li data-total>
            <DayCounts day={all} />
            {total}
          </li>
        </ul>
      ) : (
        <DataTable
          name="Next seven days"
          heads={[
            '',
            ...days.map(({ day }) =>
              day === first.day
                ? `${nameDay(day)}, today`
                : `${day === issueDay ? `#${issue.number} ` : ''}${nameDay(day)}`,
            ),
            'Seven days',
          ]}
          numbersFrom={1}
          widths={['14%', ...Array.from({ length: 8 }, () => '10.75%')]}
        >
          {(['trials', 'renewals'] as const).map((kind) => (
            <tr key={kind}>
              <th scope="row">{kind === 'trials' ? 'Trials ending' : 'Renewals'}</th>
              {[...days, all].map((day) => (
                <td key={day.endDate + day.startDate} data-figure>
                  <Count of={kind} day={day} none="–" />
                </td>
              ))}
            </tr>
          ))}
          <tr className={styles.expected}>
            <th scope="row">Expected money</th>
            {days.map(({ day, pence }) => (
              <td key={day} data-figure>
                {pence === 0 ? '–' : formatPence(pence, true)}
              </td>
            ))}
            <td data-figure>{total}</td>
          </tr>
        </DataTable>
      )}
    </section>
  );
}

type CountProps = { of: Kind; day: Day; none?: ReactNode; hasUnit?: boolean };

/** A number of trials or renewals, which opens them. */
function Count({ of, day, none = null, hasUnit = false }: CountProps) {
  const { startDate, endDate, [of]: count } = day;
  if (count === 0) return none;
  const unit = (count === 1 ? one : many)[of];
  return (
    <Link
      to={{ search: toPeople(KINDS[of], { startDate, endDate }) }}
      aria-label={`${formatCount(count)} ${unit}, ${startDate === endDate ? nameDay(startDate) : 'seven days'}`}
    >
      {formatCount(count)}
      {hasUnit && ` ${unit}`}
    </Link>
  );
}

/** `1 trial ends, 2 renewals`. */
function DayCounts({ day }: { day: Day }) {
  return (
    <span className={styles.counts}>
      <Count of="trials" day={day} hasUnit />
      {day.trials > 0 && day.renewals > 0 && ', '}
      <Count of="renewals" day={day} hasUnit />
      {day.trials + day.renewals === 0 && 'nothing due'}
    </span>
  );
}
