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
 * Every condition, the gravest first, with the engineer's remedy. The sync runs despite a condition
 * that is not a state.
 */
export const REMEDIES = {
  'not-set-up': 'Run migrate (docs/install.md, Commands).',
  'cannot-write': 'Free the disk of Postgres, or connect to the server that may write.',
  // A waiting lead is not lost, but a visitor who cannot pay may be.
  'stripe-unavailable':
    'Look at status.stripe.com. If Stripe works, run doctor (docs/install.md, Commands).',
  unknown: 'Look at the load of Postgres.',
  'no-worker': 'Start the worker. Its log says why it stopped.',
  paused: 'Correct the setting, then restart the worker.',
  outage: 'You need not do anything: the sync goes on when Beehiiv works again.',
  'redis-unavailable': 'Start Redis, and check REDIS_URL.',
  stalled: 'The worker restarts after two minutes. If that does not help, look at its log.',
  'loop-stopped': 'Restart the worker.',
  'pending-too-long': 'Show the oldest leads in the console, and look at their attempts.',
  'leads-failed': 'Show the failed leads in the console.',
  'unusual-traffic':
    'Look at the newest leads and logins. Set TRUSTED_PROXIES if IP addresses are missing.',
  'nightly-missed': 'The comparison in the console shows why it failed.',
  'backup-failing': 'The log of the service "backup" shows why.',
  'mail-failing': 'Run doctor (docs/install.md, Commands). It says what is wrong with SMTP_URL.',
} as const;
export type ConditionKind = keyof typeof REMEDIES;
export const CONDITION_KINDS = Object.keys(REMEDIES) as ConditionKind[];

/**
 * Alerts that are no condition of the sync: settings at Stripe, and payments that need attention.
 */
const MONEY_ALERTS = ['stripe-settings', 'needs-attention'] as const;
export type AlertKind = ConditionKind | (typeof MONEY_ALERTS)[number];

/** Conditions on `/readyz` and in the console that share another alert's page. */
const EXPLAINED: Partial<Record<AlertKind, string>> = {
  unknown: 'README',
  'loop-stopped': 'stalled',
};
/** The kinds of alerts. Each has a page in docs/alerts and a rule for Prometheus. */
export const ALERT_KINDS: readonly AlertKind[] = [
  ...CONDITION_KINDS.filter((kind) => !(kind in EXPLAINED)),
  ...MONEY_ALERTS,
];

/** Conditions during which no lead is sent. */
export const OUTAGE_KINDS = [
  'no-worker',
  'paused',
  'outage',
  'stalled',
] as const satisfies ConditionKind[];
/** Alerts whose end is recorded as an outage. During the last, nobody can subscribe. */
export const RECORDED_KINDS = [
  ...OUTAGE_KINDS,
  'stripe-unavailable',
] as const satisfies ConditionKind[];
export type RecordedKind = (typeof RECORDED_KINDS)[number];

/** Returns the page of an alert, for the engineer. */
export const toAlertPage = (kind: AlertKind): string => `docs/alerts/${EXPLAINED[kind] ?? kind}.md`;

/** The reasons why leads waited, or nobody could subscribe. */
export const OUTAGE_NAMES: Record<string, string> = {
  'no-worker': 'Sender not running',
  paused: 'Sending paused',
  outage: 'Beehiiv failing',
  stalled: 'Sending stopped',
  'stripe-unavailable': 'Stripe failing',
};

const ASK = 'Ask your engineer:';
/** Returns the sentence that refers the owner to the server’s engineer. */
export const toEngineer = (kind: AlertKind): string => `${ASK} ${toAlertPage(kind)}.`;

/** The owner's remedy for an alert. Without an entry, the engineer acts. */
export const OWNER_REMEDIES: Partial<Record<AlertKind, string>> = {
  outage: REMEDIES.outage,
  'stripe-unavailable':
    'Look at status.stripe.com. If Stripe works, ask your engineer: ' +
    `${toAlertPage('stripe-unavailable')}.`,
  'pending-too-long': REMEDIES['pending-too-long'],
  'unusual-traffic': 'Look at the newest leads and logins.',
  'nightly-missed': REMEDIES['nightly-missed'],
};

/** A step of a remedy: when or for whom, and what. Without a step, the alert's page. */
export type RemedyStep = readonly [when: string, what?: string];

/** Remedies step by step, for conditions during which no lead is sent or stored. */
export const REMEDY_STEPS: Partial<
  Record<ConditionKind, { title: string; steps: readonly RemedyStep[] }>
> = {
  'not-set-up': { title: 'Set up the database', steps: [[ASK]] },
  'cannot-write': {
    title: 'Let Postgres write',
    steps: [
      [ASK],
      [
        'Then wait.',
        'Browsers keep what visitors fill in, and send it when the site can store it.',
      ],
    ],
  },
  'no-worker': {
    title: 'Start the worker',
    steps: [
      [ASK],
      [
        'Then wait.',
        'What waits is sent automatically within seconds, payers first. You need not press Retry.',
      ],
    ],
  },
  paused: {
    title: 'Correct the setting',
    steps: [
      [ASK],
      ['Then wait,', 'or press Try now. What waits is sent once Beehiiv accepts a lead.'],
    ],
  },
  outage: {
    title: 'Beehiiv is failing',
    steps: [['You need not do anything.', 'We ask again until Beehiiv answers.']],
  },
  stalled: {
    title: 'Restart the worker',
    steps: [
      ['Wait two minutes.', 'The worker restarts itself.'],
      ['If nothing moves then, ask your engineer:'],
    ],
  },
  'loop-stopped': { title: 'Restart the worker', steps: [[ASK]] },
  'stripe-unavailable': {
    title: 'Stripe is failing',
    steps: [
      [
        'Look at Stripe’s status page.',
        'While Stripe has an outage, do nothing: it is asked again, and checkouts open when ' +
          'it works again.',
      ],
      ['If it has none, ask your engineer:'],
    ],
  },
  'redis-unavailable': { title: 'Start Redis', steps: [[ASK]] },
};

/** Returns true for a condition during which no lead is sent or stored, or nobody can subscribe. */
export const stopsEverybody = (kind: string): boolean => kind in REMEDY_STEPS;
