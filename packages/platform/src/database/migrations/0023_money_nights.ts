import type { Knex } from 'knex';

/** How subscriptions and the list stood at the end of each London day. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table money_nights (
      day date primary key,
      mrr_pence bigint,
      payers integer not null,
      new_payers integer not null,
      trials integer not null,
      churned integer not null,
      on_list integer,
      list_joined integer,
      list_left integer,
      by_plan jsonb not null,
      by_channel jsonb not null
    );
    comment on table money_nights is 'new_payers, churned, list_joined and list_left are since the row before';
    comment on column money_nights.mrr_pence is 'null: a price of that day is not known';
    comment on column money_nights.on_list is 'null: the day was before the first night that was recorded';
  `);
}
