import { useId, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { formatCount } from '../elements/format-count.ts';
import { toUrl, withoutSort } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';
import { DatePresets } from './DatePresets.tsx';
import { FilterForm } from './FilterForm.tsx';
import styles from './Filters.module.css';
import { useNarrow } from '../elements/use-media.ts';

/** An Excel sheet has 1,048,576 rows, one of them the header. Excel drops the rest without a warning. */
const MOST_IN_EXCEL = 1_048_575;

type FiltersProps = {
  filter: ListFilter;
  /** How many leads the file will hold. Unknown while the list loads, and when there are too many to count. */
  exported: number | undefined;
  onApply: (filter: ListFilter) => void;
};

/** Filters by form type and dates, and exports the result. On a phone the form opens as a sheet. */
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
      // The file holds the applied filter, not one still being edited.
      onClick={() => window.open(toUrl('/api/admin/leads/export/csv', withoutSort(filter)), '_blank', 'noopener')}
    >
      Export CSV
    </Button>
  );
  const limit = isTooLong && (
    <p id={limitId} className={styles.limit}>
      Excel shows only the first {formatCount(MOST_IN_EXCEL)} leads of a file. Choose a shorter period.
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
        Filters
      </Button>
      {exportButton}
      {limit}
      <Dialog open={isSheetOpen} onClose={() => setSheetOpen(false)} className={styles.sheet}>
        <DialogTitle className={styles.sheetTitle}>Filters</DialogTitle>
        <DatePresets filter={filter} onChoose={() => setSheetOpen(false)} />
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
