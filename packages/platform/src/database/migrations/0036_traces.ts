import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';
import { query } from '../query.ts';

/** Failed logins stay on record with the client's network, and so does what operators list. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'login_failures', 'is_counted', 'boolean not null default true');
  await addColumn(db, 'login_failures', 'browser', 'text');
  await query(db, 'create index login_failures_by_time on login_failures (at)');
  await query(db, `comment on table login_failures is 'failed and refused logins; the retention deletes old ones'`);
  await query(
    db,
    `comment on column login_failures.is_counted is 'whether it counts towards the limit: not a refusal, and not before a reset'`,
  );
  await query(
    db,
    `create table operator_readings (
       operator text not null,
       hour timestamptz not null,
       listed text not null,
       rows bigint not null,
       primary key (operator, hour, listed)
     )`,
  );
  await query(db, `comment on table operator_readings is 'of the current hour; then they become operator_actions'`);
}
