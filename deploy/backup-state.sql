-- Stores in "tasks" what the backups hold, and prints what is due: stanza, full, diff, trial or nothing.
select pg_is_in_recovery() as recovers \gset
\if :recovers
  \quit
\endif
-- First, because what Postgres counts as archived before must be there after. Dropped segments count, too.
select coalesce(substring(last_archived_wal from '^[0-9A-F]{24}'), '') as sent from pg_stat_archiver \gset
\set info `pgbackrest info --output=json`
create temp view repository as
  select status ->> 'message' as message, (status ->> 'code')::int as code, repo -> 'archive' -> -1 ->> 'max' as archived,
    to_timestamp((repo #>> '{backup,-1,timestamp,start}')::int) as newest, to_timestamp((repo #>> '{backup,-1,timestamp,stop}')::int) as ended,
    (select to_timestamp(max((one #>> '{timestamp,start}')::int)) from jsonb_array_elements(repo -> 'backup') one where one ->> 'type' = 'full') as newest_full,
    date_bin('1 day', now(), '2026-01-01 03:15+00') as slot
  from (select :'info'::jsonb -> 0 as repo, :'info'::jsonb -> 0 -> 'status' as status) info;

update tasks set seen_at = now(), since = case when seen_at is null then now() else since end,
  covers_until = case when failure is null then coalesce(ended, covers_until) else covers_until end,
  failure = case when code in (0, 1, 2, 3) then failure else message end, detail = jsonb_build_object('place', :'place')
  from repository where name = 'backup';
-- The segment in which a change was written is archived some time later. Then every change until that look is.
update tasks set covers_until = case when archived >= cursor then seen_at else covers_until end,
  failure = case when :'sent' > archived then 'dropped' else failure end,
  since = case when :'sent' > archived and failure is null then now() else since end,
  seen_at = case when archived < cursor then seen_at else now() end,
  cursor = case when archived < cursor then cursor else pg_walfile_name(pg_current_wal_lsn()) end
  from repository where name = 'archive';

select case
    when code in (1, 3) then 'stanza'
    when code not in (0, 2) then ''
    when coalesce(backup.retry_at > now(), false) then ''
    when newest is null or archive.failure is not null then 'full'
    when newest < slot then case when newest_full < slot - interval '6 days 12 hours' then 'full' else 'diff' end
    when coalesce(trial.retry_at > now(), false) or trial.covers_until > now() - interval '7 days' then ''
    else 'trial' end
  from repository, tasks backup, tasks archive, tasks trial
  where backup.name = 'backup' and archive.name = 'archive' and trial.name = 'trial-restore';
