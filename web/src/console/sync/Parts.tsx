import type { DeliveryAnswer, SyncHealthAnswer } from '@site/schema/calls/sync';
import { toConditionTone } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import type { ConsoleView } from '../navigation.ts';
import { countOf, toMomentText, formatCount } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { StateRows } from './StateRows.tsx';
import type { StateRow } from './StateRows.tsx';

/** Describes the place of the backups, and the copy of the settings, which a restore needs too. */
const toBackups = (
  { isElsewhere }: NonNullable<DeliveryAnswer['backup']>,
  copied = 'never copied',
): Pick<StateRow, 'tone' | 'text'> => ({
  tone: isElsewhere && copied !== 'never copied' ? 'sent' : 'pending',
  text: `Kept on ${isElsewhere ? 'another' : 'the same'} machine, settings ${copied}`,
});

type PartsProps = { delivery: DeliveryAnswer; health: SyncHealthAnswer; now: Date };

/** Lists the parts of the sync, each with its state. */
export function Parts({ delivery, health, now }: PartsProps) {
  const { data: compared } = useApiData('GET /api/admin/differences');
  const { conditions, missingFields, statusesAsOf, lastAcceptedAt, lastError, rate } = health;
  const moment = (at: string | null | undefined, word: string) =>
    at ? `${word} ${toMomentText(at, now)}` : undefined;
  /** Returns the part's row from its condition, or else from its state. */
  const toRow = (row: StateRow, ...kinds: ConditionKind[]): StateRow => {
    const condition = conditions.find(({ kind }) => kinds.includes(kind));
    if (!condition) return row;
    const [text] = condition.text.split(/(?<=\.) /u);
    return { ...row, tone: toConditionTone(condition.kind), text };
  };
  const limit = rate.allowed === null ? '' : ` of ${formatCount(rate.allowed)}`;
  const rows: StateRow[] = [
    toRow(
      { name: 'Worker', tone: 'sent', text: 'Running', at: moment(delivery.workerSeenAt, 'seen') },
      'no-worker',
      'stalled',
      'loop-stopped',
    ),
    toRow(
      {
        name: 'Beehiiv',
        ...(missingFields.length > 0
          ? { tone: 'pending', text: `Lacks custom fields: ${missingFields.join(', ')}` }
          : {
              tone: lastAcceptedAt ? 'sent' : 'past',
              text: lastAcceptedAt ? 'Working' : 'Not asked yet',
            }),
        at: moment(lastAcceptedAt, 'last accepted'),
      },
      'paused',
      'outage',
    ),
    ...(lastError
      ? [
          {
            name: 'Beehiiv’s last error',
            tone: 'past' as const,
            text: <bdi>{lastError.message}</bdi>,
            at: moment(lastError.at, 'at'),
          },
        ]
      : []),
    {
      name: 'Requests to Beehiiv',
      tone: 'sent',
      text: `${formatCount(rate.lastMinute)}${limit} this minute`,
    },
    {
      ...toNews(delivery.beehiivNews),
      at: moment(delivery.beehiivNews?.lastEventAt, 'last event'),
    },
    toRow(
      {
        name: 'Stripe',
        tone: delivery.lastEventAt ? 'sent' : 'past',
        text: delivery.lastEventAt ? 'Receiving payment news' : 'No event yet',
        at: moment(delivery.lastEventAt, 'last event'),
      },
      'stripe-unavailable',
    ),
    toRow(
      { name: 'Database', tone: 'sent', text: 'Working' },
      'cannot-write',
      'not-set-up',
      'unknown',
    ),
    toRow({ name: 'Redis', tone: 'sent', text: 'Working' }, 'redis-unavailable'),
    toRow(
      {
        name: 'Email alerts',
        tone: delivery.mail ? 'sent' : 'past',
        text: !delivery.mail
          ? 'Not set up'
          : delivery.mail.lastSentAt
            ? 'Delivered'
            : 'Set up; none sent yet',
        at: moment(delivery.mail?.lastSentAt, 'last'),
      },
      'mail-failing',
    ),
    toRow(
      {
        name: 'Nightly comparison',
        ...(compared?.failure
          ? { tone: 'pending', text: `Failed: ${compared.failure}` }
          : compared && statusesAsOf
            ? { tone: 'sent', text: <Mismatches people={compared.people} /> }
            : { tone: 'past', text: 'Not compared yet' }),
        at: moment(statusesAsOf, 'last'),
      },
      'nightly-missed',
    ),
    toRow(
      {
        name: 'Backups',
        ...(delivery.backup
          ? toBackups(delivery.backup, moment(delivery.backup.settingsAt, 'copied'))
          : {
              tone: 'past',
              text: 'Not made by this server. Ask your engineer whether your host does',
            }),
        at: moment(delivery.backup?.lastAt, 'last'),
      },
      'backup-failing',
    ),
  ];
  return (
    <section aria-labelledby="parts">
      <SectionHead id="parts" title="System status" />
      <StateRows name="System status" rows={rows} />
    </section>
  );
}

/** Returns the row of Beehiiv's events about readers. Without them, the comparison reads them. */
function toNews(news: DeliveryAnswer['beehiivNews']): StateRow {
  const name = 'Changes at Beehiiv';
  if (!news) return { name, tone: 'past', text: 'Not set up, compared each night' };
  if (news.isRefused)
    return { name, tone: 'past', text: 'Not available on your plan, compared each night' };
  return news.lastEventAt
    ? { name, tone: 'sent', text: 'Received within seconds' }
    : { name, tone: 'past', text: 'No event yet' };
}

function Mismatches({ people }: { people: number }) {
  if (people === 0) return 'Everything matches';
  return (
    <>
      {countOf(people, 'person', 'people')}:{' '}
      <Link to={{ search: `view=${'money' satisfies ConsoleView}` }}>What does not match</Link>
    </>
  );
}
