import type { Knex } from 'knex';

const COUNTED = 'day, form_type, beehiiv_status';
const TALLIED = `${COUNTED}, subscriber_status`;
/** No status of theirs is as long; an index takes no text of any length, and a lead must never be refused for one. */
const STATUS_CHARS = 64;

const rowsOf = (table: string, delta: number) =>
  `select (submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status,
     case when beehiiv_status = 'sent' then coalesce(left(subscriber_status, ${STATUS_CHARS}), '') else '' end as subscriber_status,
     utm_source as source, ${delta} as delta
   from ${table}`;
/** A source may be of any text, 2,048 characters of it: the index holds its digest. */
const DIGEST = `coalesce(sha256(convert_to(source, 'UTF8')), '')`;

/** A trigger function that adds what a statement changed to both rollups, whoever wrote it, and removes rows of nothing. */
const counter = (name: string, changes: string, afterwards = '') => `
  create or replace function ${name}() returns trigger language plpgsql as $$
  declare emptied tid[]; ours smallint[];
  begin
    with changes as materialized (
      select ${TALLIED}, source, sum(delta) as delta from (${changes}) rows
      group by ${TALLIED}, source having sum(delta) <> 0
    ), counted as (
      insert into lead_counts (${COUNTED}, shard, leads)
        select ${COUNTED}, (select take_count_shard()), sum(delta) from changes
        group by ${COUNTED} having sum(delta) <> 0
      on conflict (${COUNTED}, shard) do update set leads = lead_counts.leads + excluded.leads
    ), tallied as (
      insert into lead_tallies (${TALLIED}, source_digest, source, shard, leads)
        select ${TALLIED}, ${DIGEST}, source, (select take_count_shard()), delta from changes
      on conflict (${TALLIED}, source_digest, shard) do update set leads = lead_tallies.leads + excluded.leads
      returning lead_tallies.ctid as place, leads
    )
    select array_agg(place) filter (where leads = 0) into emptied from tallied;
    if emptied is not null then
      delete from lead_tallies where ctid = any(emptied);
    end if;
    ${afterwards}
    return null;
  end $$;`;

const SOURCES_REMOVED = `(day, form_type, source_digest) in (
  select day, form_type, ${DIGEST} from (${rowsOf('removed', -1)}) gone
)`;
/**
 * A source may say something of a person, and goes with the last lead that had it, also where that one was counted in
 * another shard than it is taken off: what adds up to nothing is removed. Two statements, for the second sees the rows
 * as they were when the locks had been taken, and no later commit is missed. Shards that others write in are passed
 * over here; `forgetEmptyTallies` comes back for them.
 */
const FORGET_SOURCES = `
    select array_agg(shard) into ours from (
      select distinct shard from (
        select shard, sum(leads) over (partition by ${TALLIED}, source_digest) as total
        from lead_tallies where ${SOURCES_REMOVED}
      ) of_sources where total = 0
    ) there where pg_try_advisory_xact_lock(hashtext('lead_counts'), shard);
    delete from lead_tallies where ctid in (
      select place from (
        select ctid as place, sum(leads) over (partition by ${TALLIED}, source_digest) as total
        from lead_tallies where shard = any(ours) and ${SOURCES_REMOVED}
      ) kept where total = 0
    );`;

/** The leads by source and by their readers' status, beside the counters and kept with them. */
export async function up(db: Knex): Promise<void> {
  // Writers wait from here to the end, so that each row is counted once: here, or by the new triggers. Readers do not.
  await db.raw('lock table leads in share row exclusive mode');

  await db.raw(`
    create table lead_tallies (
      day date not null,
      form_type text not null,
      beehiiv_status text not null,
      subscriber_status text not null,
      source_digest bytea not null,
      shard smallint not null,
      leads integer not null,
      source text,
      primary key (day, form_type, source_digest, beehiiv_status, subscriber_status, shard)
    ) with (fillfactor = 80);
    comment on column lead_tallies.subscriber_status is 'of leads that were sent; else, and while none is known, empty';

    insert into lead_tallies (${TALLIED}, source_digest, source, shard, leads)
      select ${TALLIED}, ${DIGEST}, source, 0, sum(delta) from (${rowsOf('leads', 1)}) rows group by ${TALLIED}, source;
    analyze lead_tallies;
  `);

  await db.raw(`
    -- A shard that no transaction under way has written in, this one's own excepted. So nobody ever waits for another's
    -- row of a rollup, in whatever order and however many a transaction writes; what cannot wait cannot deadlock.
    create function take_count_shard() returns smallint language plpgsql as $$
    declare free smallint := 0;
    begin
      while not pg_try_advisory_xact_lock(hashtext('lead_counts'), free) loop free := free + 1; end loop;
      return free;
    end $$;

    ${counter('count_inserted_leads', rowsOf('added', 1))}
    ${counter('count_deleted_leads', rowsOf('removed', -1), FORGET_SOURCES)}
    ${counter('count_updated_leads', `${rowsOf('added', 1)} union all ${rowsOf('removed', -1)}`)}
    create or replace function count_no_leads() returns trigger language plpgsql as $$
    begin delete from lead_counts; delete from lead_tallies; return null; end $$;
  `);
}
