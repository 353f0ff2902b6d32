import { MAX_EXPORTED_IDS } from '@site/schema/calls/leads';
import type { Lead } from '@site/schema/lead';
import { useId, useState } from 'react';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { canRetry, shownStatus } from '../lead/lead-labels.ts';
import { useUnavailable } from '../live/LiveUpdates.tsx';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import styles from './SelectionBar.module.css';
import type { Selection } from './use-selection.ts';

/** Says how many leads are selected, and what can be done with them. Absent without a selection. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const { selected, clear } = selection;
  const [request, setRequest] = useState<RetryRequest>();
  const hintId = useId();
  const unavailable = useUnavailable();
  const retryable = selected.filter(canRetry);
  const isTooMany = selected.length > MAX_EXPORTED_IDS;
  return (
    <>
      {selected.length > 0 && (
        <section className={styles.bar} aria-label="Selection" tabIndex={-1}>
          <output className={styles.count}>{describeSelected(selected, retryable)}</output>
          {retryable.length > 0 ? (
            <Button look="line" size="small" unavailable={unavailable} onClick={() => setRequest(toRequest(retryable))}>
              {isQuarantine(retryable) ? `Send ${retryable.length} to Beehiiv…` : `Retry ${retryable.length}…`}
            </Button>
          ) : (
            <span className={styles.hint}>None of them has failed, so there is nothing to retry.</span>
          )}
          <Button
            look="line"
            size="small"
            aria-disabled={isTooMany}
            aria-describedby={isTooMany ? hintId : undefined}
            unavailable={unavailable}
            onClick={() => {
              if (!isTooMany) window.open(toExportUrl(selected), '_blank', 'noopener');
            }}
          >
            Export {formatCount(selected.length)} as CSV
          </Button>
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
    </>
  );
}

const isQuarantine = (leads: readonly Lead[]) => leads.every((lead) => shownStatus(lead) === 'quarantined');

/** Says which of the selected leads a retry takes, unless it takes all of them. */
function describeSelected(selected: readonly Lead[], retryable: readonly Lead[]): string {
  const told = `${formatCount(selected.length)} selected`;
  if (retryable.length === 0 || retryable.length === selected.length) return told;
  const count = formatCount(retryable.length);
  if (isQuarantine(retryable)) return `${told}, ${count} quarantined`;
  const isFailed = retryable.every((lead) => shownStatus(lead) === 'failed');
  return `${told}, ${count} ${isFailed ? 'failed' : 'can be retried'}`;
}

/** Quarantined leads that the operator has selected are meant. */
function toRequest(leads: readonly Lead[]): RetryRequest {
  const title = isQuarantine(leads) ? 'Send the selected leads to Beehiiv' : 'Retry the selected leads';
  return { title, filter: { ids: leads.map(({ id }) => id) }, withQuarantined: true };
}

const toExportUrl = (leads: readonly Lead[]) =>
  toUrl('GET /api/admin/leads/export/csv', { query: { ids: leads.map(({ id }) => id) } });
