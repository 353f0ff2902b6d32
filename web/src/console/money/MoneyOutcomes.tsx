import { formatMoney } from '@site/schema/currency';
import { formatPence } from '@site/schema/offer';
import { useState } from 'react';
import { toUrl } from '../../http.ts';
import { useApiData } from '../api/use-api-data.ts';
import { copyText } from '../elements/copy-text.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { describeReason } from './money-labels.ts';
import { useMoneyPeriod } from './money-period.ts';

/** How trials and failed cards of the period ended, why people cancelled, and what the accountant needs. */
export function MoneyOutcomes({ dashboardUrl }: { dashboardUrl: string }) {
  const { period } = useMoneyPeriod();
  const { data, fault } = useApiData('GET /api/admin/money/outcomes', { query: period }, { keepPreviousData: true });
  return (
    <section aria-label="Outcomes and accounts">
      <SectionHead title="Outcomes and accounts" />
      {data ? <Outcomes {...data} /> : <LoadState of="outcomes" fault={fault} />}
      <PaymentsCsv />
      <p>
        At Stripe: <a href={`${dashboardUrl}/reports/balance`}>balance</a>,{' '}
        <a href={`${dashboardUrl}/payouts`}>payouts</a> and <a href={`${dashboardUrl}/tax`}>tax</a>.
      </p>
    </section>
  );
}

type OutcomesData = NonNullable<ReturnType<typeof useApiData<'GET /api/admin/money/outcomes'>>['data']>;

function Outcomes({ reasons, trials, cards, channels }: OutcomesData) {
  const sum = ({ count, pence }: { count: number; pence: number }) => `${count} (${formatPence(pence, true)})`;
  const list = (parts: string[]) => (parts.length === 0 ? 'none' : parts.join(', '));
  return (
    <>
      <p>{`Trials: ${trials.becamePayers} of ${trials.ended} that ended became payers.`}</p>
      <p>{`Failed cards: ${sum(cards.recovered)} recovered, ${sum(cards.lost)} lost, ${cards.waiting.length} waiting.`}</p>
      {cards.waiting.map(({ stripeSubscriptionId, email, pence, currency, paymentUrl }) => (
        <p key={stripeSubscriptionId}>
          <bdi>{email ?? 'an erased person'}</bdi>: {formatMoney(pence, currency)}{' '}
          {paymentUrl !== null && (
            <LinkButton onClick={() => void copyText(paymentUrl, 'The link to pay.')}>Copy the link to pay</LinkButton>
          )}
        </p>
      ))}
      <p>{`Reasons for cancelling: ${list(reasons.map(({ reason, count }) => `${reason === null ? 'no reason given' : describeReason(reason)} ${count}`))}.`}</p>
      <p>{`Paid by channel: ${list(channels.map(({ channel, paidPence }) => `${channel ?? 'not known'} ${formatPence(paidPence, true)}`))}.`}</p>
    </>
  );
}

function PaymentsCsv() {
  const { period } = useMoneyPeriod();
  const [month, setMonth] = useState('');
  const [year, number] = month.split('-').map(Number);
  const last = year && number ? new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) : undefined;
  const query = last === undefined ? period : { startDate: `${month}-01`, endDate: last };
  return (
    <p>
      <label>
        Month <input type="month" value={month} onChange={(event) => setMonth(event.target.value)} />
      </label>{' '}
      <a href={toUrl('GET /api/admin/money/payments.csv', { query })}>
        Download payments as CSV{last === undefined && ', of the period above'}
      </a>
    </p>
  );
}
