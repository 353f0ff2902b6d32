import type { DeliveryAnswer, SyncHealthAnswer } from '@site/schema/calls/sync';
import type { ConditionKind } from '@site/schema/sync-state';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { comparedAgainMs, useApiData } from '../api/use-api-data.ts';
import { countOf } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { useLive } from '../api/live.tsx';
import type { ConsoleView } from '../navigation/console-views.ts';
import { describeDuration, describeMoment } from '../shared/london-time.ts';
import { StateRows } from './StateRows.tsx';
import type { StateRow } from './StateRows.tsx';
import { failedRequestAt } from './strip-words.ts';
import { describeRate, isMild } from './sync-labels.ts';

type PartsProps = { delivery: DeliveryAnswer; health: SyncHealthAnswer; now: Date };

/** What the sync is made of, and how each part is. */
export function Parts({ delivery, health, now }: PartsProps) {
  const { data: compared } = useApiData(
    'GET /api/admin/differences',
    {},
    { refreshInterval: comparedAgainMs },
  );
  const { loadedAt, staleSince } = useLive();
  const isUnreachable = staleSince !== undefined;
  const { conditions, missingFields, statusesAsOf, lastAcceptedAt, pause, outage, rate } = health;
  const moment = (at: string | null, word = 'last') =>
    at === null ? undefined : `${word} ${describeMoment(at, now)}`;
  /** A part as it should be, or as the condition says that it is. */
  const toRow = (
    name: string,
    text: ReactNode,
    at: string | undefined,
    faults: Partial<Record<ConditionKind, string>>,
    isKnown = true,
  ): StateRow => {
    const fault = conditions.find(({ kind }) => faults[kind]);
    if (fault) {
      return { tone: isMild(fault.kind) ? 'waiting' : 'bad', name, text: faults[fault.kind], at };
    }
    return { tone: isKnown ? 'good' : 'past', name, text, at };
  };
  const unseen = describeDuration(now.getTime() - Date.parse(delivery.workerSeenAt));
  const failedAt = failedRequestAt(health);
  const [tone, text]: [StateRow['tone'], string] =
    (pause ?? outage)
      ? ['waiting', pause ? pause.reason : 'Failing']
      : missingFields.length > 0
        ? ['waiting', `Lacks custom fields: ${missingFields.join(', ')}`]
        : health.state === 'no-worker'
          ? ['past', `Not asked since ${describeMoment(delivery.workerSeenAt, now)}`]
          : failedAt
            ? [
                'waiting',
                `Latest request failed at ${describeMoment(failedAt, now)}; retried automatically`,
              ]
            : compared?.fault && compared.retryAt
              ? ['waiting', 'Failed in the comparison']
              : ['good', 'Answers; custom fields match'];
  return (
    <section aria-labelledby="parts">
      <SectionHead
        id="parts"
        title="Parts"
        aside={
          loadedAt &&
          (isUnreachable
            ? `as of ${describeMoment(staleSince ?? loadedAt, now)}`
            : now.getTime() - loadedAt.getTime() < 1_000
              ? 'checked just now'
              : `checked ${describeDuration(now.getTime() - loadedAt.getTime())} ago`)
        }
      />
      <StateRows
        name="Parts"
        isPast={isUnreachable}
        rows={[
          toRow('Worker', 'Running', `seen ${describeMoment(delivery.workerSeenAt, now)}`, {
            'no-worker': `Not seen for ${unseen}`,
            stalled: 'Running, but nothing moves',
            'loop-stopped': 'A part of it has stopped',
          }),
          {
            tone,
            name: 'Beehiiv',
            text,
            at: moment(lastAcceptedAt, 'last accepted'),
          },
          { tone: 'good', name: 'Requests to Beehiiv', text: describeRate(rate), at: undefined },
          toRow(
            'Stripe',
            delivery.lastEventAt ? 'Events arrive' : 'No event yet',
            moment(delivery.lastEventAt, 'last event'),
            { 'stripe-unavailable': 'Failing', 'stripe-key-refused': 'Refuses the key' },
            delivery.lastEventAt !== null,
          ),
          toRow('Database', 'Answers; up to date', undefined, {
            'cannot-write': 'Cannot be written',
            'not-set-up': 'Migrations are missing',
            'redis-unavailable': 'Answers, but Redis does not',
          }),
          delivery.mail === null
            ? { tone: 'past', name: 'Email alerts', text: 'Not set up' }
            : toRow(
                'Email alerts',
                delivery.mail.lastSentAt ? 'Delivered' : 'Set up; none sent yet',
                moment(delivery.mail.lastSentAt),
                { 'mail-failing': 'Not delivered' },
              ),
          typeof compared?.subscribersRead === 'number'
            ? { tone: 'past', name: 'Nightly comparison', text: 'Comparing...' }
            : compared?.fault
              ? {
                  tone: 'waiting',
                  name: 'Nightly comparison',
                  text: <Failed fault={compared.fault} />,
                  at: moment(compared.retryAt, 'next try') ?? 'next try when the sync runs',
                }
              : statusesAsOf === null
                ? { tone: 'past', name: 'Nightly comparison', text: 'Not compared yet' }
                : toRow(
                    'Nightly comparison',
                    compared && <Mismatches people={compared.people} />,
                    describeMoment(statusesAsOf, now),
                    {
                      'not-compared': 'Not for 36 hours',
                    },
                  ),
        ]}
      />
    </section>
  );
}

function Failed({ fault }: { fault: string }) {
  return (
    <>
      Failed: {fault}.{' '}
      <Link to={{ search: `view=${'money' satisfies ConsoleView}` }}>Compare now</Link>
    </>
  );
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
