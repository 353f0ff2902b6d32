-- Every migrate drops all views and creates these. A view goes by column names that a release
-- before and after this one has, casts each literal, and nests two deep at most.

-- Leads that a run has claimed and not lost.
create view claimed_leads as
select attempt.lead_id
from lead_sync_attempts attempt
  join address_leases lease on lease.leased_by = attempt.id and lease.leased_until > sync_now()
  join leads on leads.id = attempt.lead_id and leads.email_normalised = lease.email_normalised
where attempt.kind in ('push', 'probe') and attempt.class is null;
