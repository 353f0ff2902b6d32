import type { Knex } from 'knex';

const add = (changes: string) => `
  insert into subscriber_counts select day, status, (select free_count_shard()), sum(delta) from (
    select (status_since at time zone 'Europe/London')::date as day, status, delta from (${changes}) changed
  ) each group by day, status having sum(delta) <> 0
  on conflict (day, status, shard) do update set subscribers = subscriber_counts.subscribers + excluded.subscribers;`;

const trigger = (event: string, referencing: string) => `
  create trigger subscribers_counted_${event} after ${event} on subscribers ${referencing}
    for each statement execute function count_subscribers();`;

/**
 * Counts subscribers by status and the London day since when they have it, as `lead_counts` counts leads. On an update from
 * 0.2.0 `subscribers` is still empty here, so nothing is read: a worker fills it afterwards.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table subscriber_counts (
      day date not null, status text not null, shard smallint not null, subscribers bigint not null,
      primary key (day, status, shard)
    );
    create function count_subscribers() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then ${add('select *, 1 as delta from added')}
      elsif tg_op = 'DELETE' then ${add('select *, -1 as delta from removed')}
      elsif tg_op = 'UPDATE' then ${add('select *, 1 as delta from added union all select *, -1 from removed')}
      else delete from subscriber_counts; end if;
      return null;
    end $$;
    ${trigger('insert', 'referencing new table as added')}
    ${trigger('delete', 'referencing old table as removed')}
    ${trigger('update', 'referencing old table as removed new table as added')}
    ${trigger('truncate', '')}
    ${add('select *, 1 as delta from subscribers')}
  `);
}
