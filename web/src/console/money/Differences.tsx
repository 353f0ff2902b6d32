import { BULK_REMEDIES, DIFFERENCE_KINDS } from '@site/schema/differences';
import type { Difference, DifferencesAnswer } from '@site/schema/calls/differences';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { comparedAgainMs, useApiData } from '../api/use-api-data.ts';
import { AttentionKind } from '../shared/AttentionKind.tsx';
import type { AttentionItem } from '../shared/AttentionKind.tsx';
import rows from '../shared/AttentionKind.module.css';
import { countOf, formatCount } from '../shared/format-count.ts';
import { CallLink } from '../shared/LinkButton.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { LoadFault, LoadState } from '../shared/LoadState.tsx';
import { describeSubscriberStatus } from '../lead/lead-labels.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { useCall } from '../session/use-call.ts';
import { describeMoment, formatMoment } from '../shared/london-time.ts';
import { BulkRemedyButton } from './BulkRemedyButton.tsx';
import { DIFFERENCE_LABELS } from './difference-labels.ts';
import { DifferenceRemedy } from './DifferenceRemedy.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { StripeId } from '../person/StripeLink.tsx';
import { SubscriptionMenu } from '../person/SubscriptionMenu.tsx';

/** A comparison that a pause or an outage broke waits for the end of that. */
const AFTER_HALT = (
  <>
    when the sync runs again.{' '}
    <Link to={{ search: `view=${'sync' satisfies ConsoleView}` }}>What to do</Link>
  </>
);
/** While a worker compares or resolves something. */
const SOON_MS = 3_000;

/** Where Stripe, Beehiiv and our leads disagree, each with its remedy or the reason why only a person can decide. */
export function Differences({ dashboardUrl, now }: { dashboardUrl: string; now: Date }) {
  const {
    data: found,
    fault,
    reload,
  } = useApiData(
    'GET /api/admin/differences',
    {},
    {
      refreshInterval: (answer) =>
        answer &&
        (answer.subscribersRead !== null ||
          answer.differences.some(({ isRequested }) => isRequested))
          ? SOON_MS
          : comparedAgainMs(answer),
    },
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const onAsked = async () => {
    await reload();
    // The button that was pressed disappears.
    heading.current?.focus();
  };
  const failure = 'The request failed';
  const { send: compare } = useCall('POST /api/admin/differences/compare', {
    failure,
    onDone: onAsked,
  });
  const people = found?.people ?? 0;
  const toItem = (difference: Difference): AttentionItem => {
    const { email, leadId = null, stripeSubscriptionId } = difference;
    return {
      key: String(difference.id),
      detail: <MoneyLeadLink leadId={leadId} email={email} />,
      why: describeDifference(difference, now),
      more: stripeSubscriptionId && (
        <StripeId to={`${dashboardUrl}/subscriptions/${stripeSubscriptionId}`}>
          {stripeSubscriptionId}
        </StripeId>
      ),
      act: (
        <DifferenceRemedy
          difference={difference}
          onAsked={onAsked}
          onChange={() => void reload()}
        />
      ),
      children: stripeSubscriptionId && (
        <SubscriptionMenu
          id={stripeSubscriptionId}
          of={`of ${email}`}
          onDone={() => void reload()}
        />
      ),
    };
  };
  return (
    <section className={rows.kinds} aria-label="What does not match">
      <SectionHead
        title="What does not match"
        aside={people > 0 && countOf(people, 'person', 'people')}
        headingRef={heading}
      >
        {found?.subscribersRead === null && (
          <CallLink onClick={() => void compare()}>Compare now</CallLink>
        )}
      </SectionHead>
      <LoadState of="what does not match" data={found} fault={fault} reload={reload} />
      {found && found.fault !== null && found.subscribersRead === null && (
        <LoadFault title="The last comparison failed">
          {found.fault}. The next try:{' '}
          {found.retryAt === null ? AFTER_HALT : describeMoment(found.retryAt, now)}.
        </LoadFault>
      )}
      {found && !(found.comparedAt === null && found.fault) && (
        <p>{describeComparison(found, now)}</p>
      )}
      {found &&
        DIFFERENCE_KINDS.map((kind) => {
          const differences = found.differences.filter((difference) => difference.kind === kind);
          const count = Math.max(differences.length, found.counts[kind] ?? 0);
          const { title, advice } = DIFFERENCE_LABELS[kind];
          return (
            <AttentionKind
              key={kind}
              tone={kind === 'pays-not-active' ? 'failed' : 'none'}
              title={title}
              note={
                <>
                  {formatCount(count)}. {advice}
                  {count > differences.length &&
                    ` The first ${formatCount(differences.length)} of ${formatCount(count)} are listed.`}
                  {BULK_REMEDIES.map((remedy) => (
                    <BulkRemedyButton
                      key={remedy}
                      remedy={remedy}
                      differences={differences}
                      count={count}
                      onDone={() => void onAsked()}
                    />
                  ))}
                </>
              }
              items={differences.map(toItem)}
            />
          );
        })}
    </section>
  );
}

/** `Not at Beehiiv · Lead sent 20 Nov, 10:00`. */
function describeDifference(
  { kind, subscriberStatus, subscribedAt, sentAt }: Difference,
  now: Date,
): string {
  const isAbsent =
    kind === 'missing-there' || (kind === 'pays-not-active' && subscriberStatus === undefined);
  const status = isAbsent
    ? 'Not at Beehiiv'
    : subscriberStatus && describeSubscriberStatus(subscriberStatus);
  const began = subscribedAt ?? sentAt;
  const since =
    began && `${subscribedAt ? 'Subscribed' : 'Lead sent'} ${formatMoment(new Date(began), now)}`;
  return [status, since].filter(Boolean).join(' · ');
}

function describeComparison(
  { comparedAt, subscribersRead, fault, counts }: DifferencesAnswer,
  now: Date,
): string {
  if (subscribersRead !== null)
    return `Comparing${subscribersRead === 0 ? '...' : `: ${formatCount(subscribersRead)} subscribers read so far.`}`;
  if (comparedAt === null)
    return 'Not compared yet. Beehiiv’s list is compared with the leads and with what Stripe reports, each night after 03:00 GMT.';
  const agree =
    Object.keys(counts).length > 0 ? '' : fault === null ? ' They agree.' : ' They agreed.';
  return `Beehiiv’s list, compared ${formatMoment(new Date(comparedAt), now)} with the leads and with what Stripe last reported.${agree}`;
}
