import { addDays, formatLongDate, sampleIssueAt } from '@site/schema/calendar';

export type SampleStatus =
  | 'Liquidation (CVL)'
  | 'Administration'
  | 'Distressed sale'
  | 'Compulsory order';

export type SampleLead = {
  business: string;
  town: string;
  sector: string;
  contact: string;
  role: string;
  phone: string;
  status: SampleStatus;
  notes: string;
};

const issueAt = sampleIssueAt();
/** The day of the calls: the day before the issue is sent. */
export const calledOn = addDays(issueAt, -1);
/** The day the notices were matched: the last working day before that. */
export const matchedOn = addDays(issueAt, -4);
/** The closing date for bids in the entry that names one. */
export const bidsCloseOn = addDays(issueAt, 10);

/**
 * The entries of the sample issue. They are invented, as the page states. The phone numbers are
 * Ofcom's for drama.
 */
export const SAMPLE_LEADS: readonly SampleLead[] = [
  entry(
    'Harrow & Pine Candles Ltd',
    'Stoke-on-Trent',
    'DTC e-commerce',
    'Meera Okafor',
    'Liquidator',
    '020 7946 0113',
    'Liquidation (CVL)',
    '£1.1m sales to June. Shopify store, 41,000-name list, stock at cost £62,000.',
  ),
  entry(
    'Parcelwright Software Ltd',
    'Leeds',
    'B2B SaaS',
    'Daniel Askew',
    'Administrator',
    '0113 496 0128',
    'Administration',
    `£18,200 monthly recurring. 212 accounts. Bids close ${formatLongDate(bidsCloseOn, true)}.`,
  ),
  entry(
    'Northmoor Cycles Online',
    'Sheffield',
    'DTC e-commerce',
    'Ruth Ellery',
    'Owner',
    '0114 496 0182',
    'Distressed sale',
    'Domain aged 14 years, 380,000 visits a year. Seller wants out before VAT is due.',
  ),
  entry(
    'Tidewell Health Media',
    'Brighton',
    'Content',
    'Piers Lockyer',
    'Liquidator',
    '020 7946 0164',
    'Liquidation (CVL)',
    'Three sites, £4,900 a month in display. Archive of 2,300 reviewed articles.',
  ),
  entry(
    'Cobbler’s Lane Retail Ltd',
    'Northampton',
    'Amazon FBA',
    'Anita Sandhu',
    'Administrator',
    '0161 496 0119',
    'Administration',
    'Two brands on the register, 38 listings, 4.6 stars. Stock held in Daventry.',
  ),
  entry(
    'Fernhollow Learning',
    'Oxford',
    'EdTech',
    'Joanna Birtwhistle',
    'Founder',
    '020 7946 0138',
    'Distressed sale',
    '9,400 paying parents on annual plans. Needs £40,000 or a buyer by year end.',
  ),
  entry(
    'Quayside Bookings Ltd',
    'Plymouth',
    'Travel SaaS',
    'Gareth Pryce',
    'Liquidator',
    '029 2018 0144',
    'Liquidation (CVL)',
    'Code, domain and 61 harbour contracts offered as one lot.',
  ),
  entry(
    'Bramblecote Pets Ltd',
    'Hereford',
    'Subscription box',
    'Louise Tennant',
    'Administrator',
    '0121 496 0177',
    'Administration',
    '3,150 subscribers at £24. Churn 6% a month. Supplier willing to continue.',
  ),
  entry(
    'Larkfield Digital LLP',
    'Manchester',
    'Agency',
    'Simon Adeyemi',
    'Partner',
    '0161 496 0150',
    'Distressed sale',
    'Seven retainers worth £29,000 a month. Partners will stay six months.',
  ),
  entry(
    'Stackhouse Metrics Ltd',
    'Cambridge',
    'Analytics SaaS',
    'Helen Crowhurst',
    'Liquidator',
    '020 7946 0191',
    'Liquidation (CVL)',
    'Source code in escrow. 88 users still logging in. No staff to transfer.',
  ),
  entry(
    'Pennine Print Company',
    'Halifax',
    'Print on demand',
    'Meera Okafor',
    'Liquidator',
    '020 7946 0113',
    'Compulsory order',
    'Etsy shop, 22,000 sales, 4.9 stars. Presses are leased and excluded.',
  ),
  entry(
    'Velvet Rook Games Ltd',
    'Dundee',
    'Mobile games',
    'Craig Baillie',
    'Administrator',
    '0131 496 0106',
    'Administration',
    'Four titles, £7,300 a month after store fees. IP is unencumbered.',
  ),
  entry(
    'Saltmarsh Skincare Ltd',
    'Norwich',
    'DTC e-commerce',
    'Piers Lockyer',
    'Liquidator',
    '020 7946 0164',
    'Liquidation (CVL)',
    'Brand, formulas and safety files. 17,800 customers, 31% bought twice.',
  ),
  entry(
    'Kestrel Payroll Tools',
    'Reading',
    'Fintech',
    'Nadia Rahimi',
    'Director',
    '0118 496 0135',
    'Distressed sale',
    'Integrations with four ledgers. £6,100 monthly recurring and rising.',
  ),
  entry(
    'Oak & Ember Club Ltd',
    'Inverness',
    'Subscription box',
    'Daniel Askew',
    'Administrator',
    '0113 496 0128',
    'Administration',
    'Whisky club, 1,240 members at £55. Licence does not transfer.',
  ),
];

/** The times of the first entries' calls, in the hero's drawing. */
export const CALL_TIMES = [
  '10:42',
  '11:15',
  '11:50',
  '14:05',
  '14:31',
  '15:20',
  '15:58',
  '16:24',
] as const;

/** Returns `Mon 1 Dec`. */
export function formatShortDay(at: Date): string {
  return formatLongDate(at, true).replaceAll(/(\w{3})\w+/g, '$1');
}

/** Returns `1 Dec`. */
export const formatShortDate = (at: Date) => formatShortDay(at).replace(/^\w+ /, '');

function entry(
  business: string,
  town: string,
  sector: string,
  contact: string,
  role: string,
  phone: string,
  status: SampleStatus,
  notes: string,
): SampleLead {
  // No line breaks between a number and its unit.
  const unbroken = notes.replaceAll(/(\d%?) (?=[a-z])/gi, '$1\u00a0');
  return { business, town, sector, contact, role, phone, status, notes: unbroken };
}
