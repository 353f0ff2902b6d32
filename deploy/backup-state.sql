-- Stores in "tasks" what the backups hold, and prints what is due: stanza, upgrade, full, diff, trial
-- or nothing.
select pg_is_in_recovery() as recovers \gset
\if :recovers
  \quit
\endif
-- A start leaves the process asleep that heeds archive_timeout, for up to five minutes. This wakes it.
select coalesce(last_archived_time, '-infinity') < pg_postmaster_start_time()
  and pg_postmaster_start_time() > now() - interval '10 minutes' as sleeps from pg_stat_archiver \gset
\if :sleeps
  checkpoint;
\endif
-- First, because what Postgres counts as archived before must be there after. Dropped segments
-- count, too.
select coalesce(substring(last_archived_wal from '^[0-9A-F]{24}'), '') as sent from pg_stat_archiver \gset
\set info `pgbackrest info --output=json`
-- Only what is of this database: a new one in place of a lost one has another id.
create temp view repository as
select status ->> 'message' as message, (status ->> 'code')::int as code, is_ours,
  case when is_ours then repo -> 'archive' -> -1 ->> 'max' end as archived,
  max(started) as newest, max(ended) as ended,
  max(started) filter (where type = 'full') as newest_full,
  date_bin('1 day', now(), '2026-01-01 03:15+00') as slot
from (select :'info'::jsonb -> 0 as repo) info
  cross join lateral (
    select repo -> 'status' as status, (repo #>> '{db,-1,system-id}')::bigint = system_identifier as is_ours
    from pg_control_system()
  ) ids
  left join lateral (
    select one ->> 'type' as type, to_timestamp((one #>> '{timestamp,start}')::int) as started,
      to_timestamp((one #>> '{timestamp,stop}')::int) as ended
    from jsonb_array_elements(repo -> 'backup') one
    where is_ours and one #> '{database,id}' = repo #> '{db,-1,id}'
  ) backups on true
group by repo, status, is_ours;

-- Another place is another repository: the state of the old one does not count.
update tasks set since = now(), seen_at = null, covers_until = null, cursor = null, failure = null,
  retry_at = null
where name in ('backup', 'archive', 'trial-restore') and :'repository' <> (
  select coalesce(detail ->> 'repository', :'repository') from tasks where name = 'backup');
update tasks set seen_at = now(), since = case when seen_at is null then now() else since end,
  covers_until = case when failure is null then coalesce(ended, covers_until) else covers_until end,
  -- A failed try has a time for the next one.
  failure = case when code not in (0, 1, 2, 3) then message when retry_at is not null then failure end,
  detail = jsonb_build_object('place', :'place', 'repository', :'repository')
from repository where name = 'backup';
-- The segment in which a change was written is archived some time later. Then every change until
-- that look is.
update tasks set covers_until = case when archived >= cursor then seen_at else covers_until end,
  since = case when :'sent' > archived and failure is null then now() else since end,
  failure = case when :'sent' > archived then 'dropped' else failure end,
  seen_at = case when archived < cursor then seen_at else now() end,
  cursor = case when archived < cursor then cursor else pg_walfile_name(pg_current_wal_lsn()) end
from repository where name = 'archive';

select case
    when code in (1, 3) then 'stanza'
    when not is_ours then 'upgrade'
    when code not in (0, 2) or backup.retry_at > now() then ''
    when newest is null or archive.failure is not null then 'full'
    when newest < slot then case when newest_full < slot - interval '6 days 12 hours' then 'full' else 'diff' end
    when trial.retry_at > now() or trial.covers_until > now() - interval '7 days' then ''
    else 'trial' end
from repository, tasks backup, tasks archive, tasks trial
where backup.name = 'backup' and archive.name = 'archive' and trial.name = 'trial-restore';
