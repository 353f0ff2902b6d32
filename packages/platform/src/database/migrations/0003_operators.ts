import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table users (
      id uuid primary key,
      username text not null check (char_length(username) between 1 and 200),
      password text not null,
      created_at timestamptz not null default now()
    );
    create unique index users_by_name on users (lower(username));
    comment on column users.password is 'argon2id hash';

    create table operator_sessions (
      sid text primary key,
      sess json not null,
      expire timestamptz not null
    );
    create index operator_sessions_by_expiry on operator_sessions (expire);
  `);
}
