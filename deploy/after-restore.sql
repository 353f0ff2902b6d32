-- After a restore. Leads that waited when the dump was taken may have been sent since: look each
-- email up before adding it.
update leads set outcome_unknown = true where beehiiv_status = 'pending' and not outcome_unknown;
-- Operators are those of that time. Nobody stays signed in, as whoever has left since.
delete from operator_sessions;
