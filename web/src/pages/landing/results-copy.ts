import { formatPence } from '@site/schema/offer';

export const RESULTS = {
  margin: { lead: 'Examples', note: 'They show what is possible, not what is promised.' },
  heading: 'What three leads came to',
  items: [
    paidBack(
      'Candle brand, out of liquidation',
      'Store, list and moulds bought from the liquidator nine days after the issue.',
      38_000,
      7_900,
    ),
    paidBack(
      'Booking software, pre-pack',
      'Code and 61 contracts. The buyer kept the two engineers who wrote it.',
      62_500,
      6_800,
    ),
    soldOn(
      'Pet supplies, stock and list',
      'Sold the stock at a fair price and kept the brand, the list and the domain.',
      9_500,
      14_200,
    ),
  ],
};

function paidBack(name: string, text: string, paid: number, profitPerMonth: number) {
  return {
    name,
    text,
    terms: [
      { label: 'Paid', pounds: paid },
      { label: 'Profit a month', pounds: profitPerMonth },
    ],
    result: { label: 'Paid back in', value: `${(paid / profitPerMonth).toFixed(1)} months` },
  };
}

function soldOn(name: string, text: string, paid: number, soldFor: number) {
  return {
    name,
    text,
    terms: [
      { label: 'Paid', pounds: paid },
      { label: 'Stock sold for', pounds: soldFor },
    ],
    result: { label: 'Ahead on day\u00a040', value: formatPence((soldFor - paid) * 100) },
  };
}
