-- The migrations that this database has. The baseline is the first.

create table migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);
