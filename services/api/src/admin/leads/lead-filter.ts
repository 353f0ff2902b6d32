import type { Database } from '@site/platform/database/connect';
import { SUBSCRIBER_STATES } from '@site/schema/calls/lead-filter';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import { RARE, toWords } from '@site/schema/search-words';
import type { Knex } from 'knex';
import { isInFunnel } from './funnel.ts';

/*
 * The meaning of a filter. List, counters and CSV all use this file, so they cannot disagree. Days
 * are inclusive, in London: from the start of the first day to the start of the day after the last.
 */

const dayStart = (db: Database, day: string, plusDays = 0) =>
  db.raw(`((?::date + ?::int)::timestamp at time zone 'Europe/London')`, [day, plusDays]);

export const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/** Selects the leads whose subscriptions are at a stage. */
export const toStage = (stage: NonNullable<LeadFilter['stage']>) =>
  `select lead_id from subscriptions
   where ${stage === 'any' ? 'true' : stage === 'paid' ? 'first_paid_at is not null' : 'stage = :stage'}`;

type Value<Name extends keyof LeadFilter> = NonNullable<LeadFilter[Name]>;

/**
 * The condition of each filter on `leads`. A missing filter does not compile, because it would be
 * ignored.
 */
const CONDITIONS: {
  [Name in keyof LeadFilter]-?: (
    query: Knex.QueryBuilder,
    value: Value<Name>,
    db: Database,
    filter: LeadFilter,
  ) => unknown;
} = {
  formType: (query, formType) => query.where({ formType }),
  status: (query, status) => {
    if (status === 'pending' || status === 'sent') return query.where('beehiivStatus', status);
    void query.where('beehiivStatus', 'failed');
    if (status === 'corrected') return query.whereNotNull('correctedTo');
    void query.whereNull('correctedTo');
    if (status === 'quarantined') return query.whereNotNull('quarantineReason');
    return status === 'failed' ? query.whereNull('quarantineReason') : query;
  },
  startDate: (query, day, db) => query.where('submittedAt', '>=', dayStart(db, day)),
  endDate: (query, day, db) => query.where('submittedAt', '<', dayStart(db, day, 1)),
  subscriber: (query, state) =>
    query.where('beehiivStatus', 'sent').whereIn('subscriberStatus', [...SUBSCRIBER_STATES[state]]),
  source: (query, source) =>
    query.whereRaw('left(utm_source, 64) = left(:source, 64) and utm_source = :source', { source }),
  // As in the index.
  without: (query) => query.whereRaw('left(utm_source, 64) is null'),
  checkout: (query) => query.whereRaw('leads.id in (select lead_id from abandoned_checkouts)'),
  stage: (query, stage) => query.whereRaw(`leads.id in (${toStage(stage)})`, { stage }),
  funnel: (query, funnel, _, filter) => query.whereRaw(...isInFunnel(funnel, filter)),
  error: (query, cause) =>
    query.whereRaw(
      `leads.id in (select lead_id from lead_sync_attempts where class <> 'accepted' and reason = :cause)`,
      { cause },
    ),
  retryRun: (query, run) =>
    query.whereRaw('leads.id in (select lead_id from retry_run_leads where run_id = :run)', {
      run,
    }),
  search: (query, search) => query.whereRaw(...whereWords(search)),
};
const FILTERS = Object.keys(CONDITIONS) as (keyof LeadFilter)[];

export function whereLeads<T extends Knex.QueryBuilder>(
  db: Database,
  query: T,
  filter: LeadFilter,
): T {
  for (const name of FILTERS) {
    const value = filter[name];
    const narrow = CONDITIONS[name] as (
      query: T,
      value: unknown,
      db: Database,
      filter: LeadFilter,
    ) => unknown;
    if (value) void narrow(query, value, db, filter);
  }
  return query;
}

/**
 * The searched text of a row of `leads`. Must equal the expression of the index `leads_by_plain_words`, or Postgres does
 * not use it.
 */
export const LEAD_LABELS = `plain_words(E'\\n' || email_normalised || E'\\n' || coalesce(full_name, '') || E'\\n' || coalesce(company, ''))`;
/** The index holds trigrams. A shorter search matches the beginnings of words, which the index also holds. */
const SHORT = 3;

/** The length of a part of a rare word. */
const PART = 6;

/**
 * A request's id, in the form that `request-context.ts` accepts. Shorter words are more likely to
 * be a name.
 */
const TRACE_ID = /^[\w.-]{8,64}$/;

/**
 * Matches leads whose email, name and company contain the words in any order, with or without
 * accents, or whose trace id is the text.
 */
export function whereWords(search: string): [string, Record<string, string>] {
  const bindings: Record<string, string> = { search };
  const conditions = toWords(search).map((word, n) => {
    const letters = Array.from(word).length;
    // For other words, which may be common, Postgres estimates the number better undivided.
    if (letters > PART && RARE.test(word)) {
      bindings[`word${n}`] = word;
      return toParts(`plain_words(:word${n})`, letters);
    }
    // With a hyphen it may be part of a domain, as in "ab-sync.example".
    const beginnings = search.includes('-') ? ['\n', ' ', '-', '@', '.'] : ['\n', ' ', '-'];
    const before = letters < SHORT ? beginnings : [''];
    const patterns = before.map((sign, m) => {
      bindings[`like${n}_${m}`] = `%${sign}${escapeLike(word)}%`;
      // Written plainly by Postgres, like the indexed text, because JavaScript lower-cases some letters differently.
      return `plain_words(:like${n}_${m})`;
    });
    return `${LEAD_LABELS} like any (array[${patterns.join(', ')}])`;
  });
  const contains = conditions.join(' and ');
  return [
    TRACE_ID.test(search) ? `(${contains} or trace_id = :search)` : `(${contains})`,
    bindings,
  ];
}

/**
 * Matches leads whose labels contain a word, through its parts. For one pattern Postgres reads the
 * lists of all trigrams from end to end, even those as common as in "@gmail.com". For several it
 * skips from match to match. So an email is found among ten million in 10 ms, not 800. A sign with
 * a meaning in `like` matches anything.
 */
function toParts(word: string, letters: number): string {
  const starts = Array.from({ length: Math.ceil(letters / PART) }, (_, n) =>
    Math.max(1, letters - PART * (n + 1) + 1),
  );
  const toPattern = (start: number) =>
    `'%' || translate(substr(${word}, ${start}, ${PART}), '%\\', '__') || '%'`;
  const parts = starts.map((start) => `${LEAD_LABELS} like ${toPattern(start)}`);
  return [...parts, `position(${word} in ${LEAD_LABELS}) > 0`].join(' and ');
}

const COUNTED: readonly (keyof LeadFilter)[] = ['formType', 'startDate', 'endDate'];

/** True if the rollup `lead_counts` can answer the filter. Otherwise rows are counted, up to `MAX_COUNTED`. */
export const isKnownToCounts = (filter: LeadFilter) =>
  FILTERS.every((name) => filter[name] === undefined || COUNTED.includes(name));

/** Narrows a query on the rollup `lead_counts` to the same rows. The rollup has only days, forms, statuses and subscribers. */
export function whereCounts<T extends Knex.QueryBuilder>(
  query: T,
  filter: Pick<LeadFilter, 'formType' | 'startDate' | 'endDate'>,
): T {
  if (filter.formType) void query.where('formType', filter.formType);
  if (filter.startDate) void query.where('day', '>=', filter.startDate);
  if (filter.endDate) void query.where('day', '<=', filter.endDate);
  return query;
}

/**
 * Returns a filter as the record keeps it. A search may be somebody's name, so only its presence is
 * kept.
 */
export const toRecorded = ({ search, ...filter }: LeadFilter) => ({
  ...filter,
  ...(search && { isSearch: true }),
});

export async function countUpTo(db: Database, filter: LeadFilter, limit: number): Promise<number> {
  const found = whereLeads(db, db('leads'), filter).select(db.raw('1')).limit(limit);
  const [row] = await db.from(found.as('found')).count<{ count: number }[]>();
  return row?.count ?? 0;
}
