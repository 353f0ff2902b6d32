import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import { toQuery } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';
import { FilterForm } from './FilterForm.tsx';
import styles from './Filters.module.css';
import { useNarrow } from './use-narrow.ts';

type FiltersProps = { filter: ListFilter; onApply: (filter: ListFilter) => void };

/** Form type, dates and the export of what they leave; on a phone the form opens as a sheet. */
export function Filters({ filter, onApply }: FiltersProps) {
  const isNarrow = useNarrow();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const exportButton = (
    <Button look="line" className={styles.action} onClick={() => openExport(filter)}>
      Export CSV
    </Button>
  );
  if (!isNarrow) {
    return (
      <FilterForm filter={filter} onApply={onApply}>
        {exportButton}
      </FilterForm>
    );
  }
  return (
    <div className={styles.pair}>
      <Button look="line" className={styles.action} aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
        Change filters
      </Button>
      {exportButton}
      <Dialog open={isSheetOpen} onClose={() => setSheetOpen(false)} className={styles.sheet}>
        <DialogTitle className={styles.sheetTitle}>Filters</DialogTitle>
        <FilterForm
          filter={filter}
          onApply={(wanted) => {
            setSheetOpen(false);
            onApply(wanted);
          }}
        />
      </Dialog>
    </div>
  );
}

/** The file holds what the list holds, so it takes the filter that was applied, not one still being typed. */
function openExport(filter: ListFilter): void {
  const query = toQuery({ ...filter, sort: undefined });
  window.open(`/api/admin/leads/export/csv${query === '' ? '' : `?${query}`}`, '_blank', 'noopener');
}
