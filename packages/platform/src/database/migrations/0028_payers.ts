import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/**
 * Keeps with those who pay what was otherwise looked up among millions of others: where their lead came from, and their
 * status at the newsletter. On an update from 0.2.0, a worker fills both afterwards.
 */
export async function up(db: Knex): Promise<void> {
  for (const column of ['visit_utm_source', 'referrer', 'utm_source']) {
    await addColumn(db, 'subscriptions', column, 'text');
  }
  await addColumn(db, 'subscriber_tiers', 'subscriber_status', 'text');
  await db.raw(`
    create function copy_source() returns trigger language plpgsql as $$
    begin
      select visit_utm_source, split_part(referrer, '/', 1) || '//' || split_part(referrer, '/', 3), utm_source
        into new.visit_utm_source, new.referrer, new.utm_source from leads where id = new.lead_id;
      return new;
    end $$;
    create trigger subscriptions_source before insert or update of lead_id on subscriptions
      for each row execute function copy_source();
    create function copy_subscriber_status() returns trigger language plpgsql as $$
    begin
      select status into new.subscriber_status from subscribers where email_normalised = new.email_normalised;
      return new;
    end $$;
    -- Before subscriber_tiers_touch, by its name: what the newsletter says of a person does not touch their tier.
    create trigger subscriber_tiers_status before insert or update on subscriber_tiers
      for each row execute function copy_subscriber_status();
    create or replace trigger subscriber_tiers_touch before update on subscriber_tiers for each row
      when (old.subscriber_status is not distinct from new.subscriber_status) execute function touch_updated_at();
    create function tell_tier() returns trigger language plpgsql as $$
    begin
      update subscriber_tiers set subscriber_status = new.status
      where email_normalised = coalesce(new.email_normalised, old.email_normalised)
        and subscriber_status is distinct from new.status;
      return null;
    end $$;
    create trigger subscribers_status after insert or delete or update of status on subscribers
      for each row execute function tell_tier();
    create function tell_subscriptions() returns trigger language plpgsql as $$
    begin
      update subscriptions set lead_id = lead_id where lead_id = new.id;
      return null;
    end $$;
    create trigger leads_source after update of visit_utm_source, referrer, utm_source on leads for each row
      when ((old.visit_utm_source, old.referrer, old.utm_source) is distinct from (new.visit_utm_source, new.referrer, new.utm_source))
      execute function tell_subscriptions();
    comment on column subscriptions.visit_utm_source is 'the lead''s, with its referrer''s site and its utm_source: kept here by triggers';
    comment on column subscriber_tiers.subscriber_status is 'as subscribers has it: kept here by triggers';
  `);
}
