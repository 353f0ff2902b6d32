import type { MoneyAnswer } from '@site/schema/calls/money';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import { Moment } from '../elements/Moment.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { RecoveryLink } from './RecoveryLink.tsx';
import { StripeLink } from './StripeLink.tsx';

type AbandonedCheckoutsListProps = {
  checkouts: MoneyAnswer['abandoned']['checkouts'];
  total: number;
  dashboardUrl: string;
  now: Date;
};

/** Abandoned checkouts, newest first, each with Stripe's recovery link. */
export function AbandonedCheckoutsList({ checkouts, total, dashboardUrl, now }: AbandonedCheckoutsListProps) {
  if (total === 0) return <p>No abandoned checkouts.</p>;
  return (
    <>
      <p>
        Expired without payment, and not completed another way. No email is sent automatically. Emailing them needs
        their consent.{total > checkouts.length && ` The most recent ${formatCount(checkouts.length)} are shown.`}
      </p>
      <DataTable name="Abandoned checkouts" heads={['Person', 'Opened', 'Recovery']} widths={['auto', '15%', '46%']}>
        {checkouts.map((checkout) => (
          <tr key={checkout.id}>
            <th scope="row">
              <MoneyLeadLink leadId={checkout.leadId} email={checkout.email} />
            </th>
            <td data-label="Opened">
              <Moment at={checkout.startedAt} now={now} />
            </td>
            <td>
              <RecoveryLink checkout={checkout} now={now} />{' '}
              <StripeLink to={`${dashboardUrl}/checkout/sessions/${checkout.id}`} name={checkout.id} />
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
