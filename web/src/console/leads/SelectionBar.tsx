import { MAX_EXPORTED_IDS } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { useEffect, useId, useState } from 'react';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { CallButton } from '../shared/CallButton.tsx';
import { formatCount } from '../shared/format-count.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import type { ListFilter } from '../shared/filter-params.ts';
import { focusListIfLost } from '../shared/page-content.ts';
import { canRetry, needsCorrection, shownStatus } from '../lead/lead-labels.ts';
import { useCorrection } from '../navigation/open-lead.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import { DeleteQuarantined } from '../retry/DeleteQuarantined.tsx';
import styles from './SelectionBar.module.css';
import type { Selection } from './use-selection.ts';

type SelectionBarProps = {
  selection: Selection;
  filter: ListFilter;
  /** How many leads the whole list has. Unknown while it loads, or if there are too many to count. */
  total: number | undefined;
  /** Retries one lead, which asks about it alone. */
  onRetry: (lead: ListedLead, onStarted: () => void) => Promise<void>;
};

/** Says how many leads are selected, and what can be done with them. Absent without a selection. */
export function SelectionBar({
  selection,
  filter: { sort: _, ...filter },
  total = 0,
  onRetry,
}: SelectionBarProps) {
  const { selected, isWhole, clear } = selection;
  const [request, setRequest] = useState<RetryRequest>();
  const [isDeleting, setDeleting] = useState(false);
  const hintId = useId();
  const { openCorrection } = useCorrection();
  const sorted = sortOut(selected);
  const { failed, wrong, right, robots } = sorted;
  const [firstWrong] = wrong;
  const isQuarantine = filter.status === 'quarantined';
  const count = isWhole ? total : selected.length;
  const sent = isWhole ? (isQuarantine ? total : 0) : robots.length;
  const isRetried = isWhole ? !isQuarantine && failed.length > 0 : right.length > 0;
  const isShown = selected.length > 0;
  useEffect(() => {
    if (!isShown) return undefined;
    // The bar goes with the button that ended the selection.
    return () => void setTimeout(focusListIfLost);
  }, [isShown]);
  const isTooMany = !isWhole && selected.length > MAX_EXPORTED_IDS;
  return (
    <>
      {isShown && (
        <section className={styles.bar} aria-label="Selection" tabIndex={-1}>
          {selection.canBeWhole && total > selected.length && (
            // First, where nothing moves it: a double click would otherwise press what follows it, or take it back.
            <LinkButton
              className={styles.whole}
              onClick={({ detail }) => detail < 2 && selection.toggleWhole()}
            >
              {isWhole
                ? `Only these ${formatCount(selected.length)}`
                : `Select all ${formatCount(total)}`}
            </LinkButton>
          )}
          <output className={styles.count}>
            {isWhole ? `All ${formatCount(total)} selected` : describeSelected(selection, sorted)}
          </output>
          {firstWrong && !isWhole && (
            <Button look="line" size="small" onClick={() => openCorrection(firstWrong.id)}>
              Correct {formatCount(wrong.length)}…
            </Button>
          )}
          {isRetried && (
            <CallButton
              look="line"
              size="small"
              onClick={() => setRequest(isWhole ? toWholeRequest(filter) : toRequest(failed))}
            >
              {isWhole
                ? toWholeLabel(filter, total, wrong.length > 0)
                : `Retry ${formatCount(right.length)}…`}
            </CallButton>
          )}
          {sent > 0 && (
            <>
              <CallButton
                look="line"
                size="small"
                onClick={() => {
                  const [one, another] = robots;
                  if (one && !another && !isWhole) void onRetry(one, clear);
                  else setRequest(isWhole ? toWholeRequest(filter) : toSending(robots));
                }}
              >
                Send {formatCount(sent)} to Beehiiv…
              </CallButton>
              <CallButton look="line" size="small" onClick={() => setDeleting(true)}>
                Delete {formatCount(sent)}…
              </CallButton>
            </>
          )}
          <CallButton
            look="line"
            size="small"
            aria-disabled={isTooMany}
            aria-describedby={isTooMany ? hintId : undefined}
            onClick={() => {
              const query = isWhole ? filter : { ids: selected.map(({ id }) => id) };
              if (!isTooMany)
                window.open(
                  toUrl('GET /api/admin/leads/export/csv', { query }),
                  '_blank',
                  'noopener',
                );
            }}
          >
            <span>
              Export {formatCount(count)}
              <span className={styles.long}> as CSV</span>
            </span>
          </CallButton>
          {isTooMany && (
            <span id={hintId} className={styles.hint}>
              At most {MAX_EXPORTED_IDS} at once. Export CSV above takes the whole filter.
            </span>
          )}
          <LinkButton className={styles.clear} aria-label="Clear selection" onClick={clear}>
            Clear
          </LinkButton>
        </section>
      )}
      {request && (
        <RetryDialog request={request} onClose={() => setRequest(undefined)} onStarted={clear} />
      )}
      {isDeleting && (
        <DeleteQuarantined
          choice={isWhole ? { filter } : { ids: toIds(robots) }}
          count={sent}
          person={sent === 1 ? robots[0]?.email : undefined}
          onClose={() => setDeleting(false)}
          onDeleted={clear}
        />
      )}
    </>
  );
}

/** Only the dialog knows how many of a whole list have failed, unless the list has only those, and which of them need a correction. */
const toWholeLabel = ({ status }: ListFilter, total: number, areSomeWrong: boolean) => {
  if (areSomeWrong) return 'Retry or correct…';
  return status === 'failed' ? `Retry ${formatCount(total)}…` : 'Retry all failed…';
};

/** What can be done with the selected leads: correct those with an invalid address, retry others, send those that look automated. */
function sortOut(selected: readonly ListedLead[]) {
  const unsent = selected.filter(canRetry);
  const robots = unsent.filter((lead) => shownStatus(lead) === 'quarantined');
  const failed = unsent.filter((lead) => !robots.includes(lead));
  const wrong = failed.filter(needsCorrection);
  return { robots, failed, wrong, right: failed.filter((lead) => !wrong.includes(lead)) };
}

/** `3 selected, 1 further down, 1 needs a correction, 1 can be retried, 1 looks automated`: in the order of the buttons. */
function describeSelected(
  { selected, further, leftOf }: Selection,
  { wrong, right, robots }: ReturnType<typeof sortOut>,
): string {
  const describe = (leads: readonly ListedLead[], single: string, several: string) =>
    leads.length > 0 &&
    `${formatCount(leads.length)}\u00A0${leads.length === 1 ? single : several}`;
  const parts = [
    further > 0 && `${formatCount(further)}\u00A0further down`,
    describe(wrong, 'needs a correction', 'need a correction'),
    describe(right, 'can be retried', 'can be retried'),
    describe(robots, 'looks automated', 'look automated'),
  ];
  const of = leftOf === undefined ? '' : ` of the ${formatCount(leftOf)} loaded`;
  return [`${formatCount(selected.length)} selected${of}`, ...parts.filter(Boolean)].join(', ');
}

const toIds = (leads: readonly ListedLead[]) => leads.map(({ id }) => id);

const toRequest = (leads: readonly ListedLead[]): RetryRequest => ({
  title: 'Retry the selected leads',
  filter: { ids: toIds(leads) },
  withQuarantined: true,
});

const toSending = (robots: readonly ListedLead[]): RetryRequest => ({
  title: 'Send the selected leads to Beehiiv',
  filter: { ids: toIds(robots), status: 'quarantined' },
  withQuarantined: true,
});

/** Sends the quarantined leads of a filter, or retries its failed ones. */
export const toWholeRequest = (filter: ListFilter): RetryRequest =>
  filter.status === 'quarantined'
    ? { title: 'Send quarantined leads to Beehiiv', filter, withQuarantined: true }
    : { title: 'Retry failed leads', filter };
