import { FUNNEL_OTHERS, MAX_FUNNEL_LEADS } from '@site/schema/calls/overview';
import type { OverviewAnswer } from '@site/schema/calls/overview';
import { toFunnelFilter } from '@site/schema/calls/lead-filter';
import type { FunnelPart, FunnelStep } from '@site/schema/calls/lead-filter';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { formatCount } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { toQuery } from '../shared/filter.ts';
import { describeButton } from '../lead/lead-labels.ts';
import styles from './Overview.module.css';

const dayAndMonth = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
});
const nameDay = (day: string) => dayAndMonth.format(new Date(day));

/** Of the funnel. */
const DAYS = 90;
const FEW = 20;

/** `12 of 100 people`: every share of people is said like this, but of a few, who are counted. */
function describeOf(part: number, whole: number, of: string): string {
  if (whole === 0) return `no ${of} yet`;
  if (whole < FEW) return `${formatCount(part)} of ${formatCount(whole)}`;
  const share = (100 * part) / whole;
  const told = share > 0 && share < 1 ? 'fewer than 1' : formatCount(Math.round(share));
  return `${told} of 100 ${of}`;
}

type Answer = OverviewAnswer['funnel'];
/** The steps of a channel or a button, or without a name of all. */
type Part = Pick<Answer, 'people' | 'checkouts' | 'trials' | 'paying' | 'monthlyPence'> & {
  name?: string;
};

/** How visitors became payers: the steps, and the same by channel and by button. */
export function Funnel({ funnel }: { funnel: Answer }) {
  const { people, checkouts, trials, paying, inTrial, startDate, endDate, isCapped } = funnel;
  const left = trials - paying - inTrial;
  const dates = { startDate, endDate };
  const to = (step: FunnelStep, part?: FunnelPart, name?: string) =>
    toQuery({ ...dates, funnel: toFunnelFilter(step, part, name) });
  const capped = isCapped ? ` of the newest ${formatCount(MAX_FUNNEL_LEADS)} leads` : '';
  return (
    <section aria-labelledby="funnel">
      <SectionHead
        id="funnel"
        title="From visitor to payer"
        aside={`the last ${DAYS} days, ${nameDay(startDate)} to ${nameDay(endDate)}; each person counts once${capped}`}
      />
      <dl className={styles.steps}>
        <Step name="Left an address" count={people} to={to('people')} share={people > 0 ? 1 : 0}>
          {(people / DAYS).toLocaleString('en-GB', { maximumFractionDigits: 1 })} a day
        </Step>
        <Step
          name="Opened a checkout"
          count={checkouts}
          to={to('checkout')}
          share={checkouts / people}
        >
          {describeOf(checkouts, people, 'people')}
        </Step>
        <Step name="Began a trial" count={trials} to={to('trial')} share={trials / checkouts}>
          {describeOf(trials, checkouts, 'checkouts')}
        </Step>
        <Step
          name="Paying"
          count={paying}
          to={to('paying')}
          share={paying / trials}
          hatched={inTrial / trials}
        >
          {describeOf(paying, trials, 'trials')}
          {inTrial > 0 && (
            <>
              ;{' '}
              <Link to={{ search: to('in-trial') }}>
                <strong>{formatCount(inTrial)}</strong> {inTrial === 1 ? 'has' : 'have'} not paid
                yet
              </Link>
            </>
          )}
          {left > 0 && (
            <>
              ,{' '}
              <Link to={{ search: to('left') }}>
                <strong>{formatCount(left)}</strong> left
              </Link>
            </>
          )}
        </Step>
      </dl>
      <div className={styles.pair}>
        <Parts title="Where they came from" part="channel" funnel={funnel} to={to} />
        <Parts title="Button they pressed" part="button" funnel={funnel} to={to} />
      </div>
      <p className={styles.foot}>
        Paying: paid at least once, with access.{' '}
        <span>Of 100: how many of 100 people pay. Adds a month: their MRR.</span>
      </p>
    </section>
  );
}

type StepProps = {
  name: string;
  count: number;
  to: string;
  share: number;
  hatched?: number;
  children: ReactNode;
};

/** A step, with a bar that is filled as a share of the step before. */
function Step({ name, count, to, share, hatched = 0, children }: StepProps) {
  const width = (part: number) => ({
    width: `${100 * (Number.isFinite(part) ? Math.min(1, part) : 0)}%`,
  });
  return (
    <div>
      <dt>
        <Link to={{ search: to }}>{name}</Link>
      </dt>
      <dd className="figure">{formatCount(count)}</dd>
      <dd className={styles.bar} aria-hidden="true">
        <span style={width(share)} />
        <span data-hatched style={width(hatched)} />
      </dd>
      <dd className={styles.notes}>{children}</dd>
    </div>
  );
}

type PartsProps = {
  title: string;
  part: FunnelPart;
  funnel: Answer;
  to: (step: FunnelStep, part?: FunnelPart, name?: string) => string;
};

/** The columns of the steps, each with the name of its count. */
const STEPS = [
  ['people', 'people', 'People'],
  ['checkout', 'checkouts', 'Checkout'],
  ['trial', 'trials', 'Trial'],
  ['paying', 'paying', 'Paying'],
] as const;

/** The steps of each channel or button. Each number opens its people. */
function Parts({ title, part, funnel, to }: PartsProps) {
  const columns = toColumns(title, part, to);
  return (
    <div className={styles.parts}>
      <DataTable<Part>
        name={title}
        isStacking={false}
        rows={funnel[part === 'channel' ? 'channels' : 'buttons']}
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

function toColumns(title: string, part: FunnelPart, to: PartsProps['to']): Column<Part>[] {
  const nameOf = (name: string) =>
    name === FUNNEL_OTHERS ? 'Other' : part === 'button' ? describeButton(name) : name;
  return [
    { head: title, cell: ({ name = '' }) => <bdi>{nameOf(name)}</bdi> },
    ...STEPS.map(([step, key, head]) => ({
      head,
      isFigure: true,
      cell: (row: Part) => {
        const count = row[key] === 0 ? '–' : formatCount(row[key]);
        // The sums of all are links above.
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
      head: 'Of 100',
      isFigure: true,
      cell: ({ paying, people }) => (paying === 0 ? '–' : ((100 * paying) / people).toFixed(1)),
    },
    {
      head: 'Adds a month',
      isFigure: true,
      cell: ({ monthlyPence }) => (monthlyPence === 0 ? '–' : formatPence(monthlyPence, true)),
    },
  ];
}
