import { formatIssueTime, formatLongDate, nextIssue, sampleIssueAt } from '@site/schema/calendar';
import { OFFER } from '@site/schema/offer';
import type { ShownOffer, ShownRise } from '../../site/shown-offer.ts';
import {
  bidsCloseOn,
  calledOn,
  formatShortDate,
  formatShortDay,
  matchedOn,
  SAMPLE_LEADS,
} from './sample-issue.ts';

const issue = OFFER.sampleIssue;
const NBSP = '\u00a0';
const opportunities = OFFER.opportunitiesPerIssue;
const [contactOfFirst] = SAMPLE_LEADS;
const [issueWeekday = '', ...issueDateParts] = formatLongDate(sampleIssueAt()).split(' ');
const issueDate = issueDateParts.join(' ');

export const PAGE = {
  title: `${OFFER.productName}: verified UK liquidation and distressed digital business leads`,
  description:
    'Verified UK liquidation and distressed digital business leads with the direct line of the ' +
    `person who decides. Every Tuesday 9AM GMT, ${OFFER.trialDays}-day trial, ` +
    `${OFFER.guaranteeDays}-day guarantee.`,
};

export const DATELINE = {
  leads: `${issue.newLeads} New Leads`,
  sample: `Sample issue #${issue.number}`,
  next: (now: Date) => {
    const { at } = nextIssue(now);
    return {
      long: `Next issue: ${formatLongDate(at, true)}, ${formatIssueTime(at)}`,
      short: `Next: ${formatShortDate(at)}`,
    };
  },
  price: ({ price }: ShownOffer, rise: ShownRise | null) =>
    `${price}/month` +
    (rise === null ? '' : `, rises to ${rise.standardPrice}/month on ${rise.risesOn}`),
};

export const HERO = {
  headline: ['Read the ledger', 'before the', 'market does.'],
  text:
    'Verified UK liquidation and distressed digital business leads, with the direct line of the ' +
    `person who decides. For people who buy companies for${NBSP}a${NBSP}living.`,
  terms:
    `${OFFER.trialDays}-day trial. Full refund if no value. ${OFFER.guaranteeDays}-day ` +
    'guarantee.',
  drawing:
    `The first entries of Issue #${issue.number}, each business with its sector, deal contact ` +
    'and status, ticked off as rung and confirmed.',
};

export const FEATURES = {
  margin: {
    lead: 'In every issue',
    note: `${opportunities} opportunities, each Tuesday at 9AM GMT.`,
  },
  heading: 'Six things a buyer needs, and nothing else',
  items: [
    {
      name: 'Verified Leads',
      text:
        'Every entry is checked against its public notice, then confirmed by telephone before ' +
        'it is printed.',
      specimen: [
        { text: 'Notice matched', ticked: formatShortDay(matchedOn) },
        { text: 'Practitioner rung', ticked: formatShortDay(calledOn) },
        { text: 'Still for sale', ticked: formatShortDay(calledOn) },
      ],
    },
    {
      name: 'Direct Acquisition Contact',
      text:
        'The liquidator, practitioner or owner who decides, by name. No brokers, ' +
        `no${NBSP}switchboard.`,
      specimen: [
        { text: `${contactOfFirst?.contact}, ${contactOfFirst?.role.toLowerCase()}` },
        { text: contactOfFirst?.phone ?? '' },
        { text: 'Prefers calls before 11AM' },
      ],
    },
    {
      name: 'Sector Tags',
      text: 'Read only what you buy. Each lead carries one sector and the models beneath it.',
      specimen: [
        { text: 'DTC e-commerce', figure: countOf('DTC e-commerce') },
        { text: 'B2B and analytics SaaS', figure: countOf('B2B SaaS', 'Analytics SaaS') },
        { text: 'Subscription box', figure: countOf('Subscription box') },
      ],
    },
    {
      name: 'Deal Insights',
      text: 'Why it failed, what is worth having, what will not transfer, and when bids close.',
      specimen: [
        { text: 'Worth having: 41,000-name list' },
        { text: 'Will not transfer: the lease' },
        { text: `Bids close: ${formatShortDay(bidsCloseOn)}` },
      ],
    },
    {
      name: 'CSV Export',
      text: 'The whole issue as one clean file, ready for your CRM or your own model.',
      specimen: [
        { text: 'issue,business,sector,contact' },
        { text: `${issue.number},Harrow & Pine,DTC,Okafor` },
        { text: `${issue.number},Parcelwright,SaaS,Askew` },
      ],
    },
    {
      name: 'Outreach Templates',
      text: 'First letters that practitioners answer, because they ask what a serious buyer asks.',
      specimen: [
        { text: 'Dear Ms Okafor,' },
        { text: 'We can complete within ten days' },
        { text: 'and hold proof of funds…' },
      ],
    },
  ] as readonly Feature[],
};

export type Feature = {
  name: string;
  text: string;
  specimen: readonly { text: string; ticked?: string; figure?: number }[];
};

export const ISSUE = {
  margin: { lead: 'Sample issue', note: `${issueWeekday} ${issueDate}` },
  heading: `Issue #${issue.number}: ${issue.newLeads} New Leads`,
  aside: `Most Tuesdays bring ${opportunities} opportunities. This one brought ${issue.newLeads}.`,
  showAll: `Show all ${issue.newLeads}`,
  showFewer: 'Show fewer',
  columns: ['Business', 'Sector', 'Deal Contact', 'Status', 'Notes'],
  invented: 'A sample: the businesses, people and figures above are invented to show the form.',
};

export const WHY = {
  margin: {
    lead: 'The order of things',
    note: 'A typical case. Dates vary with the practitioner.',
  },
  heading: 'Why it works',
  headStart: 'Your head start',
  steps: [
    { when: 'Friday', what: 'Notice is published' },
    { when: 'Monday', what: 'We ring the practitioner' },
    { when: 'Tuesday 9AM', what: 'You read it' },
    { when: 'Week 4 or later', what: 'Listed for everyone' },
  ],
  points: [
    {
      name: 'You are early',
      text:
        'A liquidator must sell quickly and would sooner sell once. The first credible buyer on ' +
        'the telephone is often the only one.',
    },
    {
      name: 'You are talking to the seller',
      text:
        'Every entry names the person who can say yes. Nobody stands between you and the ' +
        'price.',
    },
    {
      name: 'You read ten minutes a week',
      text:
        'We read the notices, discard what is not digital, and ring the rest. You see only what ' +
        'can still be bought.',
    },
  ],
};

export const REVIEWS = {
  margin: {
    lead: 'Reviews',
    note: 'Illustrative: they show what readers value, and are not real people.',
  },
  items: [
    {
      quote:
        'We closed on a store from Issue #231 before our usual broker had written the ' +
        'listing. One lead paid for nine years of this.',
      name: 'Priya Raman',
      who: 'Partner, micro private-equity fund, Leeds',
    },
    {
      quote:
        'It reads like the back pages of a good newspaper. I ring two numbers on a Tuesday ' +
        'and I am done by lunch.',
      name: 'Tom Aldridge',
      who: 'Serial operator, Bristol',
    },
  ],
};

export const GUARANTEE = {
  margin: {
    lead: `${OFFER.guaranteeDays}-day guarantee`,
    note: `Refunds are processed in ${OFFER.refundBusinessDays} business days.`,
  },
  heading: 'If it is worth nothing to you, it costs you nothing',
  text:
    `Read it free for ${OFFER.trialDays}${NBSP}days. If you stay and find no value, write to us ` +
    `within ${OFFER.guaranteeDays}${NBSP}days of the day your trial begins and we refund ` +
    'everything you paid. You need not say why.',
  stamp: `${OFFER.guaranteeDays}-day money-back guarantee`,
};

function countOf(...sectors: string[]): number {
  return SAMPLE_LEADS.filter(({ sector }) => sectors.includes(sector)).length;
}
