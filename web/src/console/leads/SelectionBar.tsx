import { MAX_EXPORTED_IDS } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { canRetry, shownStatus } from '@site/schema/labels';
import { BulkButtons } from '../retry/BulkButtons.tsx';
import { formatCount } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import styles from './Leads.module.css';

type SelectionBarProps = { leads: readonly ListedLead[]; onDone: () => void };

/** Offers the actions for the ticked leads. */
export function SelectionBar({ leads, onDone }: SelectionBarProps) {
  const idsOf = (some: readonly ListedLead[]) => some.map(({ id }) => id);
  const robots = leads.filter((lead) => shownStatus(lead) === 'quarantined');
  const failed = leads.filter((lead) => canRetry(lead) && !robots.includes(lead));
  const isTooMany = leads.length > MAX_EXPORTED_IDS;
  return (
    <section className={styles.selection} aria-label="Selection" tabIndex={-1}>
      <output>{formatCount(leads.length)} selected</output>
      <BulkButtons
        retry={
          failed.length > 0 && {
            label: `Retry ${formatCount(failed.length)}…`,
            title: 'Retry the selected leads',
            filter: { ids: idsOf(failed) },
          }
        }
        send={
          robots.length > 0 && {
            label: `Send ${formatCount(robots.length)}…`,
            title: 'Send the selected leads to Beehiiv',
            filter: { ids: idsOf(robots), status: 'quarantined' },
          }
        }
        remove={
          robots.length > 0 && {
            label: `Delete ${formatCount(robots.length)}…`,
            choice: { ids: idsOf(robots) },
            count: robots.length,
            person: robots.length === 1 ? robots[0]?.email : undefined,
          }
        }
        onDone={onDone}
      />
      <Button
        look="line"
        size="small"
        aria-disabled={isTooMany}
        onClick={() => {
          const query = { ids: idsOf(leads) };
          if (!isTooMany)
            window.open(toUrl('GET /api/admin/leads/export/csv', { query }), '_blank', 'noopener');
        }}
      >
        Export {formatCount(leads.length)} as CSV
      </Button>
      {isTooMany && <small>At most {MAX_EXPORTED_IDS} at once.</small>}
      <LinkButton aria-label="Clear selection" onClick={onDone}>
        Clear
      </LinkButton>
    </section>
  );
}
