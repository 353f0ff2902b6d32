import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/**
 * Keeps with those who pay what was otherwise looked up among millions of others: where their lead came from, and whether
 * they may not receive. On an update from 0.2.0, a worker fills both afterwards.
 */
export async function up(db: Knex): Promise<void> {
  for (const column of ['visit_utm_source', 'referrer', 'utm_source']) {
    await addColumn(db, 'subscriptions', column, 'text');
  }
  await addColumn(db, 'subscriber_tiers', 'is_in_doubt', 'boolean not null default true');
  await db.raw(`
    create function copy_source() returns trigger language plpgsql as $$
    begin
      select visit_utm_source, split_part(referrer, '/', 1) || '//' || split_part(referrer, '/', 3), utm_source
        into new.visit_utm_source, new.referrer, new.utm_source from leads where id = new.lead_id;
      return new;
    end $$;
    create trigger subscriptions_source before insert or update of lead_id on subscriptions
      for each row execute function copy_source();
    create function doubt_tier() returns trigger language plpgsql as $$
    begin
      new.is_in_doubt := new.wanted = 'premium' and (new.confirmed_version < new.version or new.not_receiving_since is not null
        or not exists (select from subscribers where email_normalised = new.email_normalised and status = 'active'));
      return new;
    end $$;
    create trigger subscriber_tiers_doubt before insert or update on subscriber_tiers
      for each row execute function doubt_tier();
    create or replace trigger subscriber_tiers_touch before update of wanted, version, confirmed_version, confirmed_at,
      must_activate, attempts, next_attempt_at, last_message, not_receiving_since on subscriber_tiers
      for each row execute function touch_updated_at();
    create function doubt_tier_of_subscriber() returns trigger language plpgsql as $$
    begin
      update subscriber_tiers set is_in_doubt = not is_in_doubt
      where email_normalised = coalesce(new.email_normalised, old.email_normalised)
        and is_in_doubt = (new.status is not distinct from 'active');
      return null;
    end $$;
    create trigger subscribers_doubt after insert or delete or update of status on subscribers
      for each row execute function doubt_tier_of_subscriber();
    create function tell_subscriptions() returns trigger language plpgsql as $$
    begin
      update subscriptions set lead_id = lead_id where lead_id = new.id;
      return null;
    end $$;
    create trigger leads_source after update of visit_utm_source, referrer, utm_source on leads for each row
      when ((old.visit_utm_source, old.referrer, old.utm_source) is distinct from (new.visit_utm_source, new.referrer, new.utm_source))
      execute function tell_subscriptions();
    comment on column subscriptions.visit_utm_source is 'the lead''s, with its referrer''s site and its utm_source: kept here by triggers';
    comment on column subscriber_tiers.is_in_doubt is 'premium, and not known to be confirmed and active: kept by triggers';
  `);
}
