import type { MoneyAnswer } from '@site/schema/calls/money';
import { MAX_FAILED_COUNTED } from '@site/schema/calls/overview';
import type { OverviewAnswer } from '@site/schema/calls/overview';
import { ADDRESS_REASONS, describeAnswer } from '@site/schema/beehiiv-answers';
import { formatCalendarDate } from '@site/schema/calendar';
import { REMEDIES, REMEDY_STEPS } from '@site/schema/sync-state';
import type { ConditionKind } from '@site/schema/sync-state';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { siteSettings } from '../../site-settings.ts';
import styles from '../shared/AttentionKind.module.css';
import { AttentionKind } from '../shared/AttentionKind.tsx';
import type { AttentionKindProps } from '../shared/AttentionKind.tsx';
import { formatCount } from '../shared/format-count.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { Cancelling } from '../person/dialogs/CancelButton.tsx';
import type { useMoney } from '../money/use-money.ts';
import { toPerson } from '../navigation/person.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { describePauseReason } from '../sync/strip-words.ts';
import { endsAlone, isMild, isOfStripe } from '../sync/sync-labels.ts';
import { formatDay, formatMoment } from '../shared/london-time.ts';
import { toMoneyKinds } from './money-kinds.tsx';
import { lineButton, solidButton } from '../shared/LinkButton.tsx';
import { useSystemAttention } from './use-attention.ts';
import type { Condition } from './use-attention.ts';

const SYNC = { search: `view=${'sync' satisfies ConsoleView}` };
/** What is settled elsewhere than in Sync, and what is said of it. */
const ELSEWHERE: Partial<Record<ConditionKind, { label: string; search: string; more?: string }>> =
  {
    'pending-too-long': {
      label: 'See the leads',
      search: 'status=pending',
      more: 'They are retried automatically. Each says why Beehiiv has not accepted it.',
    },
    flood: { label: 'See the leads', search: '' },
    'logins-failing': {
      label: 'See the logins',
      search: `view=${'account' satisfies ConsoleView}`,
    },
    'not-compared': {
      label: 'See what does not match',
      search: `view=${'money' satisfies ConsoleView}`,
    },
  };

type AttentionProps = ReturnType<typeof useMoney> & {
  overview: OverviewAnswer | undefined;
  now: Date;
};

/** What is wrong, or only a person can settle, each with the one thing to do about it. */
export function Attention({ overview, money, fault, reload, now }: AttentionProps) {
  const system = useSystemAttention();
  const [cancelling, setCancelling] = useState<string>();
  const loadState = (
    <LoadState of="what needs attention" data={money} fault={fault} reload={reload} />
  );
  const kinds = [
    toSystemKind(system, money?.faults ?? [], now),
    ...(money
      ? toMoneyKinds({
          money,
          now,
          onDone: async () => void (await reload()),
          onCancel: setCancelling,
          isFirst: !system.conditions.some(isUrgent),
        })
      : []),
    ...(overview ? [toFailedKind(overview.failed, now)] : []),
    toOfferKind(system.isOfferStale),
  ];
  const count = kinds.reduce((sum, { items }) => sum + items.length, 0);
  return (
    <section className={styles.kinds} aria-label="Needs attention">
      <SectionHead
        title="Needs attention"
        aside={money && overview && count > 0 && formatCount(count)}
      />
      {loadState}
      {kinds.map((kind) => (
        <AttentionKind key={kind.title} {...kind} />
      ))}
      {cancelling && (
        <Cancelling
          id={cancelling}
          onClose={() => setCancelling(undefined)}
          onDone={() => void reload()}
        />
      )}
      {money && count === 0 && <p className={styles.calm}>Nothing needs attention.</p>}
    </section>
  );
}

const isUrgent = ({ kind }: Condition) => REMEDY_STEPS[kind] !== undefined && !endsAlone(kind);

/** What is wrong with the system comes first: everybody waits for it. */
function toSystemKind(
  { conditions, pause, waiting }: ReturnType<typeof useSystemAttention>,
  faults: MoneyAnswer['faults'],
  now: Date,
): AttentionKindProps {
  const since = (at: string) => `Since ${formatMoment(new Date(at), now)}.`;
  const main = conditions.find(isUrgent);
  return {
    tone:
      faults.length === 0 && conditions.every(({ kind }) => isMild(kind)) ? 'pending' : 'failed',
    title: 'Sync and system',
    items: [
      ...conditions.map((condition) => {
        const { kind } = condition;
        const elsewhere = ELSEWHERE[kind];
        return {
          key: kind,
          why:
            kind === 'paused' && pause
              ? `${describePauseReason(pause)}.`
              : `${isOfStripe(kind) ? 'Nobody can subscribe. ' : ''}${condition.text}`,
          more: `${since(condition.since)} ${kind === 'paused' ? `${waiting} ` : ''}${elsewhere?.more ?? (endsAlone(kind) ? 'It usually ends automatically.' : REMEDIES[kind])}`,
          act: (elsewhere || REMEDY_STEPS[kind]) && (
            <Link
              className={condition === main ? solidButton : lineButton}
              to={elsewhere ? { search: elsewhere.search } : SYNC}
            >
              {elsewhere?.label ?? (endsAlone(kind) ? 'See Sync' : 'What to do')}
            </Link>
          ),
        };
      }),
      ...faults.map((fault) => ({ key: fault.kind, why: fault.text, more: since(fault.since) })),
    ],
  };
}

/** Nobody waits for it, so it comes last. */
function toOfferKind(isStale: boolean): AttentionKindProps {
  const rises = formatCalendarDate(siteSettings().priceRisesOn);
  const why = `The price rise announced for ${rises} has passed.`;
  const more =
    'The site still announces it. Have the price or its date changed in the settings of the server.';
  return {
    tone: 'pending',
    title: 'The offer',
    items: isStale ? [{ key: 'offer', why, more }] : [],
  };
}

/** Failed leads, as one row: most have an address that only a correction helps. */
function toFailedKind(
  { count, people, paying, reasons, newest, since }: OverviewAnswer['failed'],
  now: Date,
): AttentionKindProps {
  const areAddresses = reasons.every(({ reason }) => ADDRESS_REASONS.includes(reason ?? ''));
  const isCapped = count >= MAX_FAILED_COUNTED;
  const told = formatCount(count, isCapped);
  const only = people === 1 ? newest : null;
  const correcting = areAddresses ? newest?.id : undefined;
  const address = newest && <bdi>{newest.email}</bdi>;
  const pay =
    paying > 0
      ? `${formatCount(paying)} of them ${paying === 1 ? 'pays' : 'pay'}`
      : only
        ? 'Does not pay'
        : 'None of them pays';
  return {
    tone: 'none',
    title: areAddresses ? 'Invalid addresses' : 'Failed leads',
    note: pay,
    items:
      // Payers are listed by name.
      count === paying
        ? []
        : [
            {
              key: 'failed',
              who: only ? (only.name ?? address) : `${formatCount(people, isCapped)} people`,
              detail: only ? only.name && address : <>newest: {address}</>,
              why: `${isCapped ? `Of the newest ${formatCount(count)}: ` : ''}${describeFailed(reasons)}`,
              more: `${since ? `Since ${formatDay(new Date(since), now)}. ` : ''}Not retried ${areAddresses ? 'until corrected' : 'automatically'}.`,
              act: (
                <Link
                  className={lineButton}
                  to={{
                    search:
                      only && !areAddresses
                        ? toPerson(only.id)
                        : `status=failed${correcting ? `&lead=${correcting}` : ''}`,
                  }}
                  state={{ correcting, done: [] }}
                >
                  {only
                    ? areAddresses
                      ? 'Correct the address…'
                      : 'What to do'
                    : areAddresses
                      ? `Correct the ${told}…`
                      : `See the ${told} leads`}
                </Link>
              ),
            },
          ],
  };
}

/** What failed leads have in common, of one and of several. */
const FAILED_AS: Record<string, readonly [string, string]> = {
  'email-invalid': ['address is invalid', 'addresses are invalid'],
  'address-rejected': ['address was rejected by Beehiiv', 'addresses were rejected by Beehiiv'],
  'request-refused': ['can be retried', 'can be retried'],
};

/** `3 addresses are invalid, 1 can be retried.`, and of one lead `Address is invalid.` */
function describeFailed(reasons: OverviewAnswer['failed']['reasons']): string {
  const isOne = reasons.length === 1 && reasons[0]?.count === 1;
  const parts = reasons.map(({ reason, count }) => {
    const [one, several] = FAILED_AS[reason ?? ''] ?? [];
    const label = reason === null ? 'Not accepted' : describeAnswer(reason);
    const text = (count === 1 ? one : several) ?? `not sent (${label})`;
    return isOne
      ? text.replace(/^./, (letter) => letter.toUpperCase())
      : `${formatCount(count)} ${text}`;
  });
  return `${parts.join(', ')}.`;
}
