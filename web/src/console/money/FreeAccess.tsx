import type { CallAnswer } from '@site/schema/calls/calls';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useApiData } from '../api/data.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { Moment } from '../shared/fields.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { describeEnd } from '../person/verdict.ts';
import { EndAccessDialog, GiveAccessDialog } from '../person/dialogs/Access.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';

/** Who gets the paid issue without payment, until when. */
export function FreeAccess() {
  const access = useApiData('GET /api/admin/people/complimentary');
  const rows = access.data?.access;
  const [isGiving, setGiving] = useState(false);
  const [ending, setEnding] = useState<string>();
  return (
    <section aria-label="Free access">
      <SectionHead title="Free access">
        <Button look="line" size="small" onClick={() => setGiving(true)}>
          Give access…
        </Button>
      </SectionHead>
      <p>Free access to the paid newsletter, until a date or as long as a subscription runs.</p>
      <LoadState of="free access" {...access} />
      {rows?.length === 0 && <p>Nobody has it now.</p>}
      {rows && rows.length > 0 && (
        <DataTable
          name="Free access"
          rows={rows}
          keyOf={({ email }) => email}
          columns={toColumns(setEnding)}
        />
      )}
      {isGiving && (
        <GiveAccessDialog onClose={() => setGiving(false)} onDone={() => void access.reload()} />
      )}
      {ending !== undefined && (
        <EndAccessDialog
          email={ending}
          onClose={() => setEnding(undefined)}
          onDone={() => void access.reload()}
        />
      )}
    </section>
  );
}

type Access = CallAnswer<'GET /api/admin/people/complimentary'>['access'][number];

const toColumns = (onEnd: (email: string) => void): Column<Access>[] => [
  {
    head: 'Person',
    cell: ({ leadId, email }) => <MoneyLeadLink leadId={leadId} email={email} />,
  },
  {
    head: 'Until',
    cell: (access) => (
      <>
        {access.isOver && 'Ended, it was given '}
        {describeEnd(access)}
      </>
    ),
  },
  {
    head: 'Given',
    cell: ({ grantedAt, grantedBy }) => (
      <>
        <Moment at={grantedAt} /> by <bdi>{grantedBy}</bdi>
      </>
    ),
  },
  {
    head: '',
    isFigure: true,
    place: 'line',
    cell: ({ isOver, email }) =>
      !isOver && (
        <Button
          look="line"
          size="small"
          aria-label={`End access of ${email}`}
          onClick={() => onEnd(email)}
        >
          End…
        </Button>
      ),
  },
];
