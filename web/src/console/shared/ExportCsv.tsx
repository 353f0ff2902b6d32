import type { CallRequest } from '@site/schema/calls/calls';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';

type ExportCsvProps = Required<Pick<CallRequest<'GET /api/admin/leads/export/csv'>, 'query'>>;

/** Exports the leads of the applied filter, not of an unapplied change. */
export function ExportCsv({ query }: ExportCsvProps) {
  return (
    <Button
      look="line"
      onClick={() =>
        window.open(toUrl('GET /api/admin/leads/export/csv', { query }), '_blank', 'noopener')
      }
    >
      Export CSV
    </Button>
  );
}
