import type { Knex } from 'knex';

const KEY = 'day, form_type, beehiiv_status';
const rowsOf = (table: string, delta: number) =>
  `select (submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status, ${delta} as delta from ${table}`;

/** A trigger function that adds what a statement changed, whoever wrote it. One shard of eight a connection keeps writers apart. */
const counter = (name: string, changes: string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    insert into lead_counts (${KEY}, shard, leads)
      select ${KEY}, pg_backend_pid() % 8, sum(delta) from (${changes}) changes
      group by ${KEY} having sum(delta) <> 0 order by ${KEY}
    on conflict (${KEY}, shard) do update set leads = lead_counts.leads + excluded.leads;
    return null;
  end $$;`;

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table lead_counts (
      day date not null,
      form_type text not null,
      beehiiv_status text not null,
      shard smallint not null,
      leads bigint not null,
      primary key (day, form_type, beehiiv_status, shard)
    );
    ${counter('count_inserted_leads', rowsOf('added', 1))}
    ${counter('count_deleted_leads', rowsOf('removed', -1))}
    ${counter('count_updated_leads', `${rowsOf('added', 1)} union all ${rowsOf('removed', -1)}`)}
    create function count_no_leads() returns trigger language plpgsql as $$
    begin delete from lead_counts; return null; end $$;

    create trigger leads_counted_insert after insert on leads
      referencing new table as added for each statement execute function count_inserted_leads();
    create trigger leads_counted_delete after delete on leads
      referencing old table as removed for each statement execute function count_deleted_leads();
    create trigger leads_counted_update after update on leads
      referencing old table as removed new table as added for each statement execute function count_updated_leads();
    create trigger leads_counted_truncate after truncate on leads
      for each statement execute function count_no_leads();
  `);
}
