import { MAX_EXPORTED_IDS } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { canRetry, needsCorrection, shownStatus } from '../lead/lead-labels.ts';
import { DeleteQuarantined } from '../retry/DeleteQuarantined.tsx';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import type { RetryRequest } from '../retry/RetryDialog.tsx';
import type { ListFilter } from '../shared/filter.ts';
import { formatCount } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import styles from './Leads.module.css';
import type { LeadList } from './use-lead-list.ts';
import type { Selection } from './use-selection.ts';

type SelectionBarProps = { selection: Selection; filter: ListFilter; list: LeadList };

/** What can be done with the selected leads: the loaded ones that were ticked, or all that match. */
export function SelectionBar({ selection, filter, list }: SelectionBarProps) {
  const { selected, isWhole, isAll, toggleWhole, clear } = selection;
  if (selected.length === 0) return null;
  const total = list.statusCounts?.[filter.status ?? 'all'] ?? selected.length;
  const robots = selected.filter((lead) => shownStatus(lead) === 'quarantined');
  const failed = selected.filter(
    (lead) => canRetry(lead) && !robots.includes(lead) && !needsCorrection(lead),
  );
  const isTooMany = !isWhole && selected.length > MAX_EXPORTED_IDS;
  const { sort: _, ...matching } = filter;
  return (
    <section className={styles.selection} aria-label="Selection" tabIndex={-1}>
      <output>
        {isWhole
          ? `All ${formatCount(total, list.isCapped)} selected`
          : `${formatCount(selected.length)} selected`}
      </output>
      {isAll && list.hasMore && (
        <LinkButton onClick={toggleWhole}>
          {isWhole
            ? `Only the ${formatCount(selected.length)} loaded`
            : `Select all ${formatCount(total, list.isCapped)}`}
        </LinkButton>
      )}
      {isWhole ? (
        <ListActions filter={filter} list={list} onDone={clear} />
      ) : (
        <LeadActions failed={failed} robots={robots} onDone={clear} />
      )}
      <Button
        look="line"
        size="small"
        aria-disabled={isTooMany}
        onClick={() => {
          const query = isWhole ? matching : { ids: selected.map(({ id }) => id) };
          if (!isTooMany)
            window.open(toUrl('GET /api/admin/leads/export/csv', { query }), '_blank', 'noopener');
        }}
      >
        Export {isWhole ? 'all' : formatCount(selected.length)} as CSV
      </Button>
      {isTooMany && <small>At most {MAX_EXPORTED_IDS} at once.</small>}
      <LinkButton aria-label="Clear selection" onClick={clear}>
        Clear
      </LinkButton>
    </section>
  );
}

type LeadActionsProps = { failed: ListedLead[]; robots: ListedLead[]; onDone: () => void };

/** Retries, sends or deletes single leads of the list. */
function LeadActions({ failed, robots, onDone }: LeadActionsProps) {
  const [open, setOpen] = useState<'retry' | 'send' | 'delete'>();
  const close = () => setOpen(undefined);
  const idsOf = (leads: readonly ListedLead[]) => leads.map(({ id }) => id);
  const requests: Record<'retry' | 'send', RetryRequest> = {
    retry: { title: 'Retry the selected leads', filter: { ids: idsOf(failed) } },
    send: {
      title: 'Send the selected leads to Beehiiv',
      filter: { ids: idsOf(robots), status: 'quarantined' },
      withQuarantined: true,
    },
  };
  return (
    <>
      {failed.length > 0 && (
        <Button look="line" size="small" onClick={() => setOpen('retry')}>
          Retry {formatCount(failed.length)}…
        </Button>
      )}
      {robots.length > 0 && (
        <>
          <Button look="line" size="small" onClick={() => setOpen('send')}>
            Send {formatCount(robots.length)}…
          </Button>
          <Button look="line" size="small" onClick={() => setOpen('delete')}>
            Delete {formatCount(robots.length)}…
          </Button>
        </>
      )}
      {(open === 'retry' || open === 'send') && (
        <RetryDialog request={requests[open]} onClose={close} onStarted={onDone} />
      )}
      {open === 'delete' && (
        <DeleteQuarantined
          choice={{ ids: idsOf(robots) }}
          count={robots.length}
          person={robots.length === 1 ? robots[0]?.email : undefined}
          onClose={close}
          onDeleted={onDone}
        />
      )}
    </>
  );
}

type ListActionsProps = { filter: ListFilter; list: LeadList; onDone?: () => void };

/** Retries all failed leads that match, or sends or deletes all that are quarantined. */
export function ListActions({ filter, list, onDone = () => undefined }: ListActionsProps) {
  const [open, setOpen] = useState<'retry' | 'delete'>();
  const close = () => setOpen(undefined);
  const { sort: _, ...matching } = filter;
  const { status } = filter;
  const isQuarantine = status === 'quarantined';
  const count = list.statusCounts?.[isQuarantine ? 'quarantined' : 'failed'] ?? 0;
  if ((status !== undefined && status !== 'failed' && !isQuarantine) || count === 0) return null;
  const request: RetryRequest = isQuarantine
    ? { title: 'Send quarantined leads to Beehiiv', filter: matching, withQuarantined: true }
    : { title: 'Retry failed leads', filter: { ...matching, status: undefined } };
  return (
    <>
      <Button look="line" size="small" onClick={() => setOpen('retry')}>
        {isQuarantine ? 'Send all…' : 'Retry failed…'}
      </Button>
      {isQuarantine && (
        <Button look="line" size="small" onClick={() => setOpen('delete')}>
          Delete all…
        </Button>
      )}
      {open === 'retry' && <RetryDialog request={request} onClose={close} onStarted={onDone} />}
      {open === 'delete' && (
        <DeleteQuarantined
          choice={{ filter: matching }}
          count={count}
          onClose={close}
          onDeleted={onDone}
        />
      )}
    </>
  );
}
