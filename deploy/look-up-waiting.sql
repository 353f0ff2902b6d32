-- After a restore. Leads that waited when the dump was taken may have been sent since: look each
-- email up before adding it.
update leads set outcome_unknown = true where beehiiv_status = 'pending' and not outcome_unknown;
