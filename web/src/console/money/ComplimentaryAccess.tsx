import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { SectionHead } from '../elements/SectionHead.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { formatDated } from '../time/london-time.ts';
import { EndAccessDialog } from './EndAccessDialog.tsx';
import { GiveAccessDialog } from './GiveAccessDialog.tsx';
import { MoneyItem, MoneyItems } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';

/** Who gets the paid issue without payment, until when. */
export function ComplimentaryAccess({ now }: { now: Date }) {
  const { data, fault, reload } = useApiData('GET /api/admin/people/complimentary');
  const [isGiving, setGiving] = useState(false);
  const [ending, setEnding] = useState<string>();
  return (
    <section aria-label="Complimentary access">
      <SectionHead title="Complimentary access">
        <Button look="line" size="small" onClick={() => setGiving(true)}>
          Give access…
        </Button>
      </SectionHead>
      <p>The paid issue without payment, until a date. It counts as paid until then.</p>
      <LoadState of="complimentary access" data={data} fault={fault} reload={reload} />
      {data && data.access.length > 0 && (
        <MoneyItems>
          {data.access.map((access) => (
            <MoneyItem
              key={access.email}
              at={access.grantedAt}
              timeIs="Given"
              now={now}
              what={<MoneyLeadLink leadId={access.leadId} email={access.email} />}
              more={`${access.isOver ? 'Ended' : 'Until'} ${formatDated(new Date(access.until))}, given by ${access.grantedBy}`}
              acts={
                !access.isOver && (
                  <Button
                    look="danger"
                    size="small"
                    aria-label={`End access of ${access.email}`}
                    onClick={() => setEnding(access.email)}
                  >
                    End…
                  </Button>
                )
              }
            />
          ))}
        </MoneyItems>
      )}
      {isGiving && <GiveAccessDialog onClose={() => setGiving(false)} onDone={() => void reload()} />}
      {ending !== undefined && (
        <EndAccessDialog email={ending} onClose={() => setEnding(undefined)} onDone={() => void reload()} />
      )}
    </section>
  );
}
