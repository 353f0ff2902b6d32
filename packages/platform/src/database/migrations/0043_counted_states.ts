import type { Knex } from 'knex';

const COUNTED = 'day, form_type, beehiiv_status, subscriber_status';
const counted = (rows: string, delta: number) =>
  `select (submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status,
     case beehiiv_status when 'sent' then coalesce(subscriber_status, '') else '' end as subscriber_status, ${delta} as delta
   from ${rows}`;

const countFunction = (name: string, changes: string) => `
  create or replace function ${name}() returns trigger language plpgsql as $$
  begin
    insert into lead_counts (${COUNTED}, shard, leads)
      select ${COUNTED}, (select free_count_shard()), sum(delta) from (${changes}) changes
      group by ${COUNTED} having sum(delta) <> 0
    on conflict (${COUNTED}, shard) do update set leads = lead_counts.leads + excluded.leads;
    return null;
  end $$;`;

/**
 * Counts sent leads by the state of their subscriber too. Those that are there keep none in the counters until a worker
 * counts them. Who writes a lead is waited for: its trigger would no longer find the key of the counters.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    lock table leads in share row exclusive mode;
    alter table lead_counts add column subscriber_status text not null default '',
      drop constraint lead_counts_pkey, add primary key (${COUNTED}, shard);
    comment on column lead_counts.subscriber_status is 'of a sent lead; empty if it has none, and for every other lead';
    ${countFunction('count_inserted_leads', counted('added', 1))}
    ${countFunction('count_deleted_leads', counted('removed', -1))}
    ${countFunction('count_updated_leads', `${counted('added', 1)} union all ${counted('removed', -1)}`)}
  `);
}
