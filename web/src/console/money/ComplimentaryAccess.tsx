import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { Moment } from '../shared/Moment.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { describeEnd } from '../person/verdict.ts';
import { EndAccessDialog, GiveAccessDialog } from '../person/dialogs/Access.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';

/** Who gets the paid issue without payment, until when. */
export function ComplimentaryAccess({ now }: { now: Date }) {
  const { data, fault, reload } = useApiData('GET /api/admin/people/complimentary');
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
      <LoadState of="free access" data={data} fault={fault} reload={reload} />
      {data?.access.length === 0 && <p>Nobody has it now.</p>}
      {data && data.access.length > 0 && (
        <DataTable
          name="Free access"
          heads={['Person', 'Until', 'Given', '']}
          numbersFrom={3}
          isStacking
        >
          {data.access.map(({ email, leadId, isOver, grantedAt, grantedBy, ...end }) => (
            <tr key={email}>
              <th scope="row">
                <MoneyLeadLink leadId={leadId} email={email} />
              </th>
              <td>
                {isOver && 'Ended, it was given '}
                {describeEnd(end)}
              </td>
              <td>
                <Moment at={grantedAt} now={now} /> by <bdi>{grantedBy}</bdi>
              </td>
              <td data-figure data-own>
                {!isOver && (
                  <Button
                    look="line"
                    size="small"
                    aria-label={`End access of ${email}`}
                    onClick={() => setEnding(email)}
                  >
                    End…
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {isGiving && (
        <GiveAccessDialog onClose={() => setGiving(false)} onDone={() => void reload()} />
      )}
      {ending !== undefined && (
        <EndAccessDialog
          email={ending}
          onClose={() => setEnding(undefined)}
          onDone={() => void reload()}
        />
      )}
    </section>
  );
}
