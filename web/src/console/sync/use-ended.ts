import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import type { ConditionKind } from '@site/schema/sync-state';
import { useState } from 'react';
import { formatTime } from '../shared/london-time.ts';
import { describeFailedRequest } from './strip-words.ts';

type Conditions = SyncHealthAnswer['conditions'];
export type EndedCondition = Conditions[number] & { until: Date };

const listKinds = (conditions: Conditions) => conditions.map(({ kind }) => kind).join();

/** Returns the conditions that were seen here and have ended, the latest first, each with the time when that was seen. */
export function useEnded(conditions: Conditions, now: Date): readonly EndedCondition[] {
  const [{ seen, ended }, setState] = useState({ seen: conditions, ended: [] as EndedCondition[] });
  if (listKinds(seen) !== listKinds(conditions)) {
    const over = seen.filter(({ kind }) => conditions.every((each) => each.kind !== kind));
    setState({
      seen: conditions,
      ended: [...over.map((each) => ({ ...each, until: now })), ...ended],
    });
  }
  return ended;
}

const PARTS: Partial<Record<ConditionKind, string>> = {
  'no-worker': 'The worker',
  stalled: 'The worker',
  paused: 'Beehiiv',
  outage: 'Beehiiv',
  'stripe-unavailable': 'Stripe',
  'stripe-key-refused': 'Stripe',
};

/** `Stripe works again since 18:09.`, for each part with a condition that has ended. */
export function describeRecovery(
  health: SyncHealthAnswer,
  ended: readonly EndedCondition[],
  now: Date,
): string {
  const failing = new Set(health.conditions.map(({ kind }) => PARTS[kind]));
  // Without a worker nobody knows how Beehiiv is, nor before it has accepted a lead.
  if (failing.has('The worker') || describeFailedRequest(health, now)) failing.add('Beehiiv');
  const isSince = ({ kind, until }: EndedCondition) =>
    PARTS[kind] !== 'Beehiiv' || (health.lastError?.at ?? '') <= until.toISOString();
  const latest = new Map(
    ended
      .filter(isSince)
      .toReversed()
      .map(({ kind, until }) => [PARTS[kind], formatTime(until)]),
  );
  return [...latest]
    .flatMap(([part, at]) => (part && !failing.has(part) ? `${part} works again since ${at}.` : []))
    .join(' ');
}
