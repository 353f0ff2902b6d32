import type { Knex } from 'knex';
import { query } from '../query.ts';

/** The times in which no lead was sent: each alert of such a kind that has ended. */
export async function up(db: Knex): Promise<void> {
  await query(
    db,
    `create table outages (
       since timestamptz not null,
       kind text not null check (kind in ('no-worker', 'paused', 'outage', 'stalled')),
       until timestamptz not null,
       waited integer not null,
       primary key (since, kind)
     )`,
  );
  await query(db, `comment on column outages.waited is 'leads that were pending in that time, as far as it is known'`);
}
