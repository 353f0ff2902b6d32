import type { Knex } from 'knex';

/** The client's network of a login that succeeded. Actions on record never change, and this is removed after a time. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table login_networks (
      action_id bigint primary key,
      at timestamptz not null default now(),
      network text not null
    );
    create index login_networks_by_time on login_networks (at);
    comment on column login_networks.action_id is 'the login, in operator_actions';
    comment on column login_networks.network is 'the address of the client, as it is limited';
  `);
}
