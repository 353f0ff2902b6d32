import { MAX_EXPORTED_IDS } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { useEffect, useId, useState } from 'react';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { CallButton } from '../elements/CallButton.tsx';
import { formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import type { ListFilter } from '../filters/filter-params.ts';
import { focusListIfLost } from '../focus/page-content.ts';
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
export function SelectionBar({ selection, filter: { sort: _, ...filter }, total = 0, onRetry }: SelectionBarProps) {
  const { selected, isWhole, clear } = selection;
  const [request, setRequest] = useState<RetryRequest>();
  const [isDeleting, setDeleting] = useState(false);
  const hintId = useId();
  const { openCorrection } = useCorrection();
  const { retryable, robots } = findRetryable(selected);
  const wrong = retryable.filter(needsCorrection);
  const [firstWrong] = wrong;
  const right = retryable.length - wrong.length;
  const [count, retried] = isWhole ? [total, total] : [selected.length, retryable.length];
  const isQuarantined = retryable.length > 0 && isQuarantine(retryable);
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
          {selection.isAll && total > selected.length && (
            // First, where nothing moves it: a double click would otherwise press what follows it, or take it back.
            <LinkButton className={styles.whole} onClick={({ detail }) => detail < 2 && selection.toggleWhole()}>
              {isWhole ? `Only these ${formatCount(selected.length)}` : `Select all ${formatCount(total)}`}
            </LinkButton>
          )}
          <output className={styles.count}>
            {isWhole ? `All ${formatCount(total)} selected` : describeSelected(selected, retryable, robots)}
          </output>
          {firstWrong && (
            <Button look="line" size="small" onClick={() => openCorrection(firstWrong.id)}>
              Correct{!isWhole && ` ${formatCount(wrong.length)}`}…
            </Button>
          )}
          {(isWhole ? retryable.length > 0 : right > 0) && (
            <CallButton
              look="line"
              size="small"
              onClick={() => {
                const [one, another] = retryable;
                if (one && !another && isQuarantined && !isWhole) void onRetry(one, clear);
                else setRequest(isWhole ? toWholeRequest(filter) : toRequest(retryable));
              }}
            >
              {isQuarantined
                ? `Send ${formatCount(retried)} to Beehiiv…`
                : toRetryLabel(filter, isWhole, isWhole ? retried : right)}
            </CallButton>
          )}
          {isQuarantined && (!isWhole || filter.status === 'quarantined') && (
            <CallButton look="line" size="small" onClick={() => setDeleting(true)}>
              Delete {formatCount(retried)}
              {retried < count && ' quarantined'}…
            </CallButton>
          )}
          <CallButton
            look="line"
            size="small"
            aria-disabled={isTooMany}
            aria-describedby={isTooMany ? hintId : undefined}
            onClick={() => {
              const query = isWhole ? filter : { ids: selected.map(({ id }) => id) };
              if (!isTooMany) window.open(toUrl('GET /api/admin/leads/export/csv', { query }), '_blank', 'noopener');
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
      {request && <RetryDialog request={request} onClose={() => setRequest(undefined)} onStarted={clear} />}
      {isDeleting && (
        <DeleteQuarantined
          choice={isWhole ? { filter } : { ids: retryable.map(({ id }) => id) }}
          count={retried}
          person={retried === 1 ? retryable[0]?.email : undefined}
          onClose={() => setDeleting(false)}
          onDeleted={clear}
        />
      )}
    </>
  );
}

const isQuarantine = (leads: readonly ListedLead[]) => leads.every((lead) => shownStatus(lead) === 'quarantined');

/** Only the dialog knows how many of a whole list have failed, unless the list has only those. */
const toRetryLabel = ({ status }: ListFilter, isWhole: boolean, count: number) =>
  isWhole && status !== 'failed' ? 'Retry all failed…' : `Retry ${formatCount(count)}…`;

/** Returns what a retry takes. Quarantined leads are meant only where nothing else can be retried. */
function findRetryable(selected: readonly ListedLead[]) {
  const all = selected.filter(canRetry);
  const meant = all.filter((lead) => shownStatus(lead) !== 'quarantined');
  return meant.length > 0 ? { retryable: meant, robots: all.length - meant.length } : { retryable: all, robots: 0 };
}

/** Says which of the selected leads a retry takes, unless it takes all of them. `robots` are quarantined leads that it leaves. */
function describeSelected(selected: readonly ListedLead[], retryable: readonly ListedLead[], robots: number): string {
  const left = robots > 0 ? `, ${formatCount(robots)} ${robots === 1 ? 'looks' : 'look'} automated` : '';
  const told = `${formatCount(selected.length)} selected${left}`;
  const wrong = retryable.filter(needsCorrection).length;
  if (wrong > 0) {
    const rest = retryable.length - wrong;
    return `${told}${rest > 0 ? `, ${formatCount(rest)} can be retried` : ''}, ${formatCount(wrong)} ${wrong === 1 ? 'needs' : 'need'} a correction`;
  }
  if (retryable.length === 0 || retryable.length === selected.length) return told;
  const count = formatCount(retryable.length);
  if (isQuarantine(retryable)) return `${told}, ${count} quarantined`;
  return `${told}, ${count} can be retried`;
}

/** Quarantined leads that the operator has selected are meant. */
function toRequest(leads: readonly ListedLead[]): RetryRequest {
  const ids = leads.map(({ id }) => id);
  return isQuarantine(leads)
    ? {
        title: 'Send the selected leads to Beehiiv',
        filter: { ids, status: 'quarantined' },
        withQuarantined: true,
      }
    : { title: 'Retry the selected leads', filter: { ids }, withQuarantined: true };
}

/** Sends the quarantined leads of a filter, or retries its failed ones. */
export const toWholeRequest = (filter: ListFilter): RetryRequest =>
  filter.status === 'quarantined'
    ? { title: 'Send quarantined leads to Beehiiv', filter, withQuarantined: true }
    : { title: 'Retry failed leads', filter };
