import type { CallRequest } from '@site/schema/calls/calls';
import { useId } from 'react';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCount } from './format.ts';
import styles from './FilterForm.module.css';

/** An Excel sheet has 1,048,576 rows, one of them the header. Excel drops the rest without a warning. */
const MAX_IN_EXCEL = 1_048_575;

type ExportCsvProps = Required<Pick<CallRequest<'GET /api/admin/leads/export/csv'>, 'query'>> & {
  /** How many leads the file will hold. Unknown while the list loads, and when there are too many to count. */
  exported?: number | undefined;
};

/** Exports the leads of the applied filter, not of one still being edited. */
export function ExportCsv({ query, exported }: ExportCsvProps) {
  const limitId = useId();
  const isTooLong = exported !== undefined && exported > MAX_IN_EXCEL;
  return (
    <>
      <Button
        look="line"
        aria-describedby={isTooLong ? limitId : undefined}
        onClick={() =>
          window.open(toUrl('GET /api/admin/leads/export/csv', { query }), '_blank', 'noopener')
        }
      >
        Export CSV
      </Button>
      {isTooLong && (
        <p id={limitId} className={styles.limit}>
          Excel shows only the first {formatCount(MAX_IN_EXCEL)} leads of a file. Choose a shorter
          period.
        </p>
      )}
    </>
  );
}
