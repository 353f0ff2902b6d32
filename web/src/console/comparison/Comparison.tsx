import type { Difference, DifferencesAnswer } from '@site/schema/calls/differences';
import { DIFFERENCE_KINDS } from '@site/schema/differences';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { toSubscriberStatusName } from '@site/schema/labels';
import type { ConsoleView } from '../navigation.ts';
import { PersonLink } from '../person/PersonLink.tsx';
import { StripeLink } from '../person/StripeLink.tsx';
import { useCall } from '../session/use-call.ts';
import { AttentionKind } from '../shared/AttentionKind.tsx';
import rows from '../shared/AttentionKind.module.css';
import { countOf, toMomentText, formatCount, formatMoment } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import { LoadFailure, LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { DIFFERENCE_LABELS } from './labels.ts';
import { Remedy } from './Remedy.tsx';

/** The polling interval while a worker compares or fixes something. */
const SOON_MS = 3_000;
const USUALLY_MS = 10_000;

/**
 * Lists the differences between Stripe, Beehiiv and our leads, by kind, with a button for the safe
 * fixes.
 */
export function Comparison({ dashboardUrl, now }: { dashboardUrl: string; now: Date }) {
  const { data, failure, reload } = useApiData(
    'GET /api/admin/differences',
    {},
    {
      refreshInterval: (answer) =>
        answer?.subscribersRead != null || answer?.differences.some((each) => each.isRequested)
          ? SOON_MS
          : USUALLY_MS,
    },
  );
  const { send: compare, isViewer } = useCall('POST /api/admin/differences/compare', {
    notice: 'The request failed',
    onDone: reload,
  });
  const isComparing = data !== undefined && data.subscribersRead !== null;
  return (
    <section className={rows.kinds} aria-label="What does not match">
      <SectionHead
        title="What does not match"
        aside={data && data.people > 0 && countOf(data.people, 'person', 'people')}
      >
        {data && !isComparing && !isViewer && (
          <LinkButton onClick={() => void compare()}>Compare now</LinkButton>
        )}
      </SectionHead>
      <LoadState of="what does not match" data={data} failure={failure} reload={reload} />
      {data?.failure && !isComparing && (
        <LoadFailure title="The last comparison failed">
          {data.failure}. The next try:{' '}
          {data.retryAt === null ? (
            <>
              when the sync runs again.{' '}
              <Link to={{ search: `view=${'sync' satisfies ConsoleView}` }}>What to do</Link>
            </>
          ) : (
            `${toMomentText(data.retryAt, now)}.`
          )}
        </LoadFailure>
      )}
      {data && <p>{toComparisonText(data, now)}</p>}
      {data &&
        DIFFERENCE_KINDS.map((kind) => {
          const differences = data.differences.filter((difference) => difference.kind === kind);
          const count = Math.max(differences.length, data.counts[kind] ?? 0);
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
                    ` The first ${formatCount(differences.length)} are listed.`}{' '}
                  <Remedy
                    kind={kind}
                    title={title}
                    count={data.fixable[kind] ?? 0}
                    onDone={reload}
                  />
                </>
              }
              items={differences.map((difference) => ({
                key: String(difference.id),
                detail: <PersonLink leadId={difference.leadId} email={difference.email} />,
                why: toDifferenceText(difference, now),
                more: difference.stripeSubscriptionId && (
                  <StripeLink
                    to={`${dashboardUrl}/subscriptions/${difference.stripeSubscriptionId}`}
                    name={difference.stripeSubscriptionId}
                  />
                ),
                act: difference.isRequested && 'Being fixed',
              }))}
            />
          );
        })}
    </section>
  );
}

/** Returns `Not at Beehiiv · Lead sent 20 Nov, 10:00`. */
function toDifferenceText(
  { kind, subscriberStatus, subscribedAt, sentAt }: Difference,
  now: Date,
): string {
  const isAbsent =
    kind === 'missing-there' || (kind === 'pays-not-active' && subscriberStatus === undefined);
  const status = isAbsent
    ? 'Not at Beehiiv'
    : subscriberStatus && toSubscriberStatusName(subscriberStatus);
  const began = subscribedAt ?? sentAt;
  const since =
    began && `${subscribedAt ? 'Subscribed' : 'Lead sent'} ${formatMoment(new Date(began), now)}`;
  return [status, since].filter(Boolean).join(' · ');
}

function toComparisonText(
  { comparedAt, subscribersRead, counts }: DifferencesAnswer,
  now: Date,
): string {
  if (subscribersRead !== null)
    return subscribersRead === 0
      ? 'Comparing...'
      : `Comparing: ${formatCount(subscribersRead)} subscribers read so far.`;
  if (comparedAt === null)
    return (
      'Not compared yet. Beehiiv’s list is compared with our leads and with Stripe each night ' +
      'after 03:00 GMT.'
    );
  const result = Object.keys(counts).length === 0 ? ' They agree.' : '';
  return (
    `Beehiiv’s list, compared ${formatMoment(new Date(comparedAt), now)} with our leads and ` +
    `with Stripe.${result}`
  );
}
