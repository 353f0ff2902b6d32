import { useId, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { toQuery } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';
import { FilterForm } from './FilterForm.tsx';
import styles from './Filters.module.css';
import { useNarrow } from '../use-narrow.ts';

/** A sheet of Excel has 1,048,576 rows, one of which names the columns. It leaves out the rest without a word. */
const MOST_IN_EXCEL = 1_048_575;

type FiltersProps = {
  filter: ListFilter;
  /** How many leads the file will hold; unknown while the list loads, or where it is not counted so far. */
  exported: number | undefined;
  onApply: (filter: ListFilter) => void;
};

/** Form type, dates and the export of what they leave; on a phone the form opens as a sheet. */
export function Filters({ filter, exported, onApply }: FiltersProps) {
  const limitId = useId();
  const isTooLong = exported !== undefined && exported > MOST_IN_EXCEL;
  const isNarrow = useNarrow();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const exportButton = (
    <Button
      look="line"
      className={styles.action}
      aria-describedby={isTooLong ? limitId : undefined}
      onClick={() => openExport(filter)}
    >
      Export CSV
    </Button>
  );
  const limit = isTooLong && (
    <p id={limitId} className={styles.limit}>
      Excel shows only the first {MOST_IN_EXCEL.toLocaleString('en-GB')} leads of a file. Choose fewer days.
    </p>
  );
  if (!isNarrow) {
    return (
      <div>
        <FilterForm filter={filter} onApply={onApply}>
          {exportButton}
        </FilterForm>
        {limit}
      </div>
    );
  }
  return (
    <div className={styles.pair}>
      <Button look="line" className={styles.action} aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
        Change filters
      </Button>
      {exportButton}
      {limit}
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
