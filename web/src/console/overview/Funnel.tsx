import { toFunnelFilter, toPartName } from '@site/schema/funnel';
import type { FunnelPart, FunnelStep } from '@site/schema/funnel';
import { FUNNEL_DAYS, MAX_FUNNEL_LEADS } from '@site/schema/calls/overview';
import type { OverviewAnswer } from '@site/schema/calls/overview';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { toDatesText } from '../lead/filter-labels.ts';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { toQuery, useFilter } from '../shared/filter.ts';
import { DatePresets, FilterForm } from '../shared/FilterForm.tsx';
import { formatCount, formatDateTime } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './Overview.module.css';

type Answer = OverviewAnswer['funnel'];
/** The steps of a channel or a button, or of all without a name. */
type Part = Pick<Answer, 'people' | 'checkouts' | 'trials' | 'paying' | 'monthlyPence'> & {
  name?: string;
  visits: number | null;
};
type ToLeads = (step: FunnelStep, part?: FunnelPart, name?: string) => string;

/** The usual periods, each up to today. */
const PERIODS = [
  ['30 days', 30],
  ['90 days', FUNNEL_DAYS],
  ['A year', 365],
] as const;
const DAY_MS = 86_400_000;

/**
 * Shows how visitors of a period became payers: the steps, and the steps by channel, by button and
 * by campaign.
 */
export function Funnel({ funnel }: { funnel: Answer }) {
  const { visits, people, checkouts, trials, paying, inTrial } = funnel;
  const { startDate, endDate, countedSince } = funnel;
  const { filter, showFilter } = useFilter('overview');
  const left = trials - paying - inTrial;
  const dates = { startDate, endDate };
  // The answer may be late. Then it must not replace dates that are being typed.
  const applied = filter.startDate || filter.endDate ? filter : dates;
  const to: ToLeads = (step, part, name) =>
    toQuery({ ...dates, funnel: toFunnelFilter(step, part, name) });
  const firstMs = countedSince === null ? Date.parse(startDate) : Date.parse(countedSince);
  const days = Math.max(1, (Date.parse(endDate) + DAY_MS - firstMs) / DAY_MS);
  const perDay = (people / days).toLocaleString('en-GB', { maximumFractionDigits: 1 });
  return (
    <section aria-labelledby="funnel">
      <SectionHead
        id="funnel"
        title="From visitor to payer"
        aside={`${toDatesText(dates)}; each person counts once`}
      />
      <div className={styles.period}>
        <DatePresets filter={applied} view="overview" presets={PERIODS} />
        <details>
          <summary>Other dates</summary>
          <FilterForm
            filter={applied}
            onApply={(chosen) =>
              showFilter({ startDate: chosen.startDate, endDate: chosen.endDate })
            }
          />
        </details>
      </div>
      {countedSince !== null && (
        <p className={styles.foot}>
          Only the newest {formatCount(MAX_FUNNEL_LEADS)} leads of these days are counted: those
          since {formatDateTime(new Date(countedSince))}.
        </p>
      )}
      <dl className={styles.steps}>
        <Step name="Visits" count={visits} whole={visits}>
          page loads from elsewhere, without robots
        </Step>
        <Step name="Left an email" count={people} to={to('people')} whole={visits}>
          {people <= visits && `${toShareText(people, visits)} of visits, `}
          {perDay} a day
        </Step>
        <Step name="Opened a checkout" count={checkouts} to={to('checkout')} whole={people}>
          {toShareText(checkouts, people)} of people
        </Step>
        <Step name="Began a trial" count={trials} to={to('trial')} whole={checkouts}>
          {toShareText(trials, checkouts)} of checkouts
        </Step>
        <Step name="Paid from these visits" count={paying} to={to('paying')} whole={trials}>
          {toShareText(paying, trials)} of trials
          {inTrial > 0 && (
            <>
              ; <Link to={{ search: to('in-trial') }}>{formatCount(inTrial)} not yet</Link>
            </>
          )}
          {left > 0 && (
            <>
              , <Link to={{ search: to('left') }}>{formatCount(left)} left</Link>
            </>
          )}
        </Step>
      </dl>
      <div className={styles.pair}>
        <Parts title="Where they came from" part="channel" funnel={funnel} to={to} />
        <Parts title="Button they pressed" part="button" funnel={funnel} to={to} />
        <Parts title="Campaign" part="campaign" funnel={funnel} to={to} />
      </div>
      <p className={styles.foot}>
        Paid: they paid and have access; subscribed at most 90 days after the period’s end.{' '}
        <span>Paid, %: the share of people who paid. MRR: what they pay a month.</span>
      </p>
    </section>
  );
}

const toPercent = (part: number, whole: number) => (100 * part) / Math.max(1, whole);
const toShareText = (part: number, whole: number) => `${Math.round(toPercent(part, whole))}%`;

type StepProps = {
  name: string;
  count: number;
  to?: string;
  whole: number;
  children: ReactNode;
};

/** Renders a step, with a bar for its share of the previous step. */
function Step({ name, count, to, whole, children }: StepProps) {
  return (
    <div>
      <dt>{to === undefined ? name : <Link to={{ search: to }}>{name}</Link>}</dt>
      <dd className="figure">{formatCount(count)}</dd>
      <dd className={styles.bar} aria-hidden="true">
        <span style={{ width: `${Math.min(100, toPercent(count, whole))}%` }} />
      </dd>
      <dd className={styles.notes}>{children}</dd>
    </div>
  );
}

/** The columns of the steps, with the names of their counts. */
const STEPS = [
  ['people', 'people', 'People'],
  ['checkout', 'checkouts', 'Checkout'],
  ['trial', 'trials', 'Trial'],
  ['paying', 'paying', 'Paid'],
] as const;

type PartsProps = { title: string; part: FunnelPart; funnel: Answer; to: ToLeads };

/** Lists the steps of each channel, button or campaign. Each number opens its people. */
function Parts({ title, part, funnel, to }: PartsProps) {
  const columns = toColumns(title, part, to);
  return (
    <div className={styles.parts}>
      <DataTable<Part>
        name={title}
        isStacking={false}
        rows={funnel[`${part}s`]}
        keyOf={({ name = '' }) => name}
        columns={columns}
        foot={
          <tr>
            <th scope="row">All</th>
            {columns.slice(1).map(({ head, cell }) => (
              <td key={head} data-figure>
                {cell(funnel)}
              </td>
            ))}
          </tr>
        }
      />
    </div>
  );
}

function toColumns(title: string, part: FunnelPart, to: ToLeads): Column<Part>[] {
  const nameOf = (name: string) => toPartName(part, name);
  return [
    { head: title, cell: ({ name = '' }) => <bdi>{nameOf(name)}</bdi> },
    ...(part === 'button'
      ? []
      : [
          {
            head: 'Visits',
            isFigure: true,
            cell: ({ visits }: Part) => (visits ? formatCount(visits) : '–'),
          },
        ]),
    ...STEPS.map(([step, key, head]) => ({
      head,
      isFigure: true,
      cell: (row: Part) => {
        const count = row[key] === 0 ? '–' : formatCount(row[key]);
        // The sums are links above.
        if (row.name === undefined || row[key] === 0) return count;
        return (
          <Link
            to={{ search: to(step, part, row.name) }}
            aria-label={`${count}: ${head}, ${nameOf(row.name)}`}
          >
            {count}
          </Link>
        );
      },
    })),
    {
      head: 'Paid, %',
      isFigure: true,
      cell: ({ paying, people }) => (paying === 0 ? '–' : toPercent(paying, people).toFixed(1)),
    },
    {
      head: 'MRR',
      isFigure: true,
      cell: ({ monthlyPence }) => (monthlyPence === 0 ? '–' : formatPence(monthlyPence, true)),
    },
  ];
}
