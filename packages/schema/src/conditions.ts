/**
 * The state of the sync in one word. `running` only while a worker was seen recently and due leads
 * are sent.
 */
export const SYNC_STATES = [
  'not-set-up',
  'cannot-write',
  'unknown',
  'no-worker',
  'paused',
  'outage',
  'stalled',
  'running',
] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/**
 * The receivers, apart from the console and `/readyz`. The owner is mailed at once (within a
 * minute) or at most hourly. The webhook reports these to the engineer too, and `engineer` alone.
 */
type Told = 'at-once' | 'hourly' | 'engineer' | 'nobody';

type ConditionWords = {
  told: Told;
  /** Each process reports it for itself, because the process may not reach Postgres. */
  isOwn?: true;
  /** The tone on the strip. Without it, only Overview shows the condition. */
  strip?: 'failed' | 'pending' | 'none';
  /** The name on record, once it is over: nothing was sent, or nobody could subscribe. */
  outage?: string;
  /** The engineer's remedy. */
  remedy: string;
  /** The remedy's title in Sync, if no lead is sent or stored, or nobody can subscribe. */
  title?: string;
  /** The owner's remedy. Without it, the engineer acts. */
  owner?: string;
  /** What happens after the remedy. */
  next?: string;
  /** The view that settles it, and its link, if that is not Sync. */
  view?: readonly [search: string, link: string];
  /** The webhook's words for the end. */
  end?: string;
  /** The page in docs/alerts, if it is not the condition's own. */
  page?: string;
};

const WAIT_FOR_BEEHIIV = 'You need not do anything: the sync goes on when Beehiiv works again.';
const SHOW_OLDEST = 'Show the oldest leads in the console, and look at their attempts.';
const SHOW_COMPARISON = 'The comparison in the console shows why it failed.';
const SEE_LEADS = 'See the leads';

/** Every condition, the gravest first, with its receivers and its words. */
const TABLE = {
  'not-set-up': {
    told: 'at-once',
    isOwn: true,
    strip: 'none',
    remedy: 'Run migrate (docs/install.md, Commands).',
    title: 'Set up the database',
  },
  'cannot-write': {
    told: 'at-once',
    isOwn: true,
    strip: 'failed',
    remedy: 'Free the disk of Postgres, or connect to the server that may write.',
    title: 'Let Postgres write',
    next: 'Browsers keep what visitors fill in, and send it when the site can store it.',
    end: 'Postgres can be written again. New leads are stored.',
  },
  // A waiting lead is not lost, but a visitor who cannot pay may be.
  'stripe-unavailable': {
    told: 'at-once',
    isOwn: true,
    strip: 'failed',
    outage: 'Stripe failing',
    remedy: 'Look at status.stripe.com. If Stripe works, run doctor (docs/install.md, Commands).',
    owner:
      'Look at status.stripe.com. If Stripe works, ask your engineer: ' +
      'docs/alerts/stripe-unavailable.md.',
    title: 'Stripe is failing',
    next: 'Stripe is asked again, and checkouts open when it works again.',
    end: 'Stripe answers again. Visitors can subscribe.',
  },
  unknown: {
    told: 'nobody',
    strip: 'none',
    remedy: 'Look at the load of Postgres.',
    page: 'README',
  },
  'no-worker': {
    told: 'at-once',
    strip: 'failed',
    outage: 'Sender not running',
    remedy: 'Start the worker. Its log says why it stopped.',
    title: 'Start the worker',
    next:
      'What waits is then sent automatically within seconds, payers first. You need not press ' +
      'Retry.',
    end: 'A worker is running again.',
  },
  paused: {
    told: 'at-once',
    strip: 'pending',
    outage: 'Sending paused',
    remedy: 'Correct the setting, then restart the worker.',
    title: 'Correct the setting',
    next: 'Then wait, or press Try now in Sync. What waits is sent once Beehiiv accepts a lead.',
    end: 'Beehiiv accepts leads again. What waited is sent.',
  },
  outage: {
    told: 'at-once',
    strip: 'pending',
    outage: 'Beehiiv failing',
    remedy: WAIT_FOR_BEEHIIV,
    owner: WAIT_FOR_BEEHIIV,
    title: 'Beehiiv is failing',
    end: 'Beehiiv answers again. What waited is sent.',
  },
  'redis-unavailable': {
    told: 'at-once',
    isOwn: true,
    strip: 'pending',
    remedy: 'Start Redis, and check REDIS_URL.',
    title: 'Start Redis',
    end: 'Redis answers again. Leads are sent.',
  },
  stalled: {
    told: 'at-once',
    strip: 'failed',
    outage: 'Sending stopped',
    remedy: 'The worker restarts after two minutes. If that does not help, look at its log.',
    title: 'Restart the worker',
    owner:
      'The worker restarts itself within two minutes. If nothing moves then, ask your engineer: ' +
      'docs/alerts/stalled.md.',
  },
  'loop-stopped': {
    told: 'nobody',
    remedy: 'Restart the worker.',
    title: 'Restart the worker',
    page: 'stalled',
  },
  'pending-too-long': {
    told: 'hourly',
    strip: 'pending',
    remedy: SHOW_OLDEST,
    owner: SHOW_OLDEST,
    view: ['?status=pending', SEE_LEADS],
  },
  // The owner is mailed about the failed leads themselves.
  'leads-failed': {
    told: 'engineer',
    remedy: 'Show the failed leads in the console.',
    end: 'No lead has failed in the last hour.',
  },
  'unusual-traffic': {
    told: 'hourly',
    remedy: 'Look at the newest leads and logins. Set TRUSTED_PROXIES if IP addresses are missing.',
    owner: 'Look at the newest leads and logins.',
    view: ['', SEE_LEADS],
  },
  'nightly-missed': {
    told: 'hourly',
    remedy: SHOW_COMPARISON,
    owner: SHOW_COMPARISON,
    view: ['?view=money', 'See what does not match'],
  },
  'backup-failing': {
    told: 'at-once',
    remedy: 'The log of the service "backup" shows why.',
    end: 'Backups work again.',
  },
  // A mail about it would arrive only once mails are sent again.
  'mail-failing': {
    told: 'engineer',
    remedy: 'Run doctor (docs/install.md, Commands). It says what is wrong with SMTP_URL.',
    end: 'Emails about what needs attention are sent again.',
  },
  // The next two are failures of money: on Overview, but not on `/readyz` or in Sync.
  'stripe-settings': {
    told: 'hourly',
    remedy: 'Run doctor (docs/install.md, Commands).',
  },
  // The owner is mailed about each item.
  'needs-attention': {
    told: 'engineer',
    remedy: 'Open the overview of the console.',
  },
} satisfies Record<string, ConditionWords>;

export type ConditionKind = keyof typeof TABLE;
export const CONDITIONS: Record<ConditionKind, ConditionWords> = TABLE;
export const CONDITION_KINDS = Object.keys(TABLE) as ConditionKind[];

const listKinds = (isMeant: (words: ConditionWords) => unknown) =>
  CONDITION_KINDS.filter((kind) => isMeant(CONDITIONS[kind]));

/** The conditions that raise an alert. Each has a page in docs/alerts and a rule for Prometheus. */
export const ALERT_KINDS = listKinds(({ told }) => told !== 'nobody');
export const OWN_KINDS = listKinds(({ isOwn }) => isOwn);
/** The conditions during which no lead is sent. */
export const OUTAGE_KINDS = listKinds(({ outage, isOwn }) => outage && !isOwn);

/** Returns true for a condition during which no lead is sent or stored, or nobody can pay. */
export const stopsEverybody = (kind: string): boolean =>
  kind in CONDITIONS && CONDITIONS[kind as ConditionKind].title !== undefined;

/** Returns the page of a condition, for the engineer. */
export const toAlertPage = (kind: ConditionKind): string =>
  `docs/alerts/${CONDITIONS[kind].page ?? kind}.md`;

/** Returns the sentence that refers the owner to the server’s engineer. */
export const toEngineer = (kind: ConditionKind): string =>
  `Ask your engineer: ${toAlertPage(kind)}.`;

/** Returns the owner's remedy for a condition, in sentences. */
export function toRemedy(kind: ConditionKind): string[] {
  const { owner = toEngineer(kind), next } = CONDITIONS[kind];
  return next === undefined ? [owner] : [owner, next];
}

/** Returns the tone of a condition off the strip. */
export const toConditionTone = (kind: ConditionKind) =>
  CONDITIONS[kind].strip === 'pending' ? 'pending' : 'failed';

/** The kinds of items that need attention, the worst first: payments and their readers. */
export const ATTENTION = {
  'not-receiving': { told: 'at-once', tone: 'failed', title: 'Pays, but does not receive' },
  'disputes-open': { told: 'at-once', tone: 'pending', title: 'Dispute' },
  'refunds-failed': { told: 'hourly', tone: 'failed', title: 'Refund failed' },
  unsettled: { told: 'hourly', tone: 'pending', title: 'Payment in doubt' },
  'email-changed': { told: 'hourly', tone: 'pending', title: 'Email changed at Stripe' },
  'second-live': { told: 'hourly', tone: 'pending', title: 'Two subscriptions' },
  'payment-failed': { told: 'hourly', tone: 'pending', title: 'Payment failed' },
  'events-parked': { told: 'hourly', tone: 'pending', title: 'Stripe event not applied' },
} as const satisfies Record<string, { told: Told; tone: string; title: string }>;
export type AttentionKind = keyof typeof ATTENTION;

const TOLD: Record<string, { told: Told }> = {
  ...CONDITIONS,
  ...ATTENTION,
  // Mails that are about nothing that is wrong.
  security: { told: 'at-once' },
  weekly: { told: 'at-once' },
};
/** Returns true for a kind that is mailed within a minute. Others are mailed at most hourly. */
export const isGrave = (kind: string): boolean => TOLD[kind]?.told === 'at-once';
