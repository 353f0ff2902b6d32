-- After a restore. Leads that waited when the dump was taken may have been sent since: look each address up before adding it.
begin;
-- Does not count as a change of the lead.
set local site.is_backfill = 'true';
update leads set outcome_unknown = true where beehiiv_status = 'pending' and not outcome_unknown;
commit;
