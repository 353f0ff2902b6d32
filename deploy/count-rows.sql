-- Counts a backup's contents in its own snapshot, and again after a restore: rows of every table,
-- leads by form and status from the rows and from the counters, and a sum over every field of every
-- lead.
set timezone = 'UTC';
select 'rows ' || table_name || ' ' || (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', table_name), false, true, '')))[1]
  from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name;
select 'rows leads/' || form_type || '/' || beehiiv_status || ' ' || count(*)
  from leads group by form_type, beehiiv_status order by form_type, beehiiv_status;
select 'rows lead_counts/' || form_type || '/' || beehiiv_status || ' ' || sum(leads)
  from lead_counts group by form_type, beehiiv_status having sum(leads) <> 0 order by form_type, beehiiv_status;
select 'rows leads/sum ' || coalesce(sum(hashtextextended(leads::text, 0)::numeric), 0) from leads;
