import type { BeehiivStore, Subscriber, SubscriberStatus } from './beehiiv.store.ts';
import type { CustomFieldValue, Expansion } from './subscription.schemas.ts';

export type SubscriptionAnswer = {
  id: string;
  email: string;
  status: SubscriberStatus;
  created: number;
  subscription_tier: 'free' | 'premium';
  subscription_premium_tier_names: string[];
  utm_source: string;
  utm_medium: string;
  utm_channel: 'api';
  utm_campaign: string;
  utm_term: string;
  utm_content: string;
  referring_site: string;
  referral_code: string;
  custom_fields?: { name: string; kind: string; value: CustomFieldValue }[];
  tags?: string[];
  stats?: { emails_received: number; open_rate: number; click_through_rate: number };
  referrals?: [];
  newsletter_list_ids?: [];
  subscription_premium_tiers?: { id: string; name: string; status: 'active' }[];
};

/** Renders a subscriber as Beehiiv does. Optional parts are included only if requested. */
export function toSubscriptionAnswer(
  store: BeehiivStore,
  subscriber: Subscriber,
  expand: readonly Expansion[] = [],
): SubscriptionAnswer {
  const answer: SubscriptionAnswer = {
    id: subscriber.id,
    email: subscriber.email,
    status: store.statusOf(subscriber),
    created: subscriber.created,
    subscription_tier: subscriber.tier,
    subscription_premium_tier_names: subscriber.premiumTierNames,
    utm_source: subscriber.utm.source,
    utm_medium: subscriber.utm.medium,
    utm_channel: 'api',
    utm_campaign: subscriber.utm.campaign,
    utm_term: subscriber.utm.term,
    utm_content: subscriber.utm.content,
    referring_site: subscriber.referringSite,
    referral_code: subscriber.referralCode,
  };
  for (const expansion of new Set(expand))
    Object.assign(answer, expandPart(store, subscriber, expansion));
  return answer;
}

function expandPart(
  store: BeehiivStore,
  subscriber: Subscriber,
  part: Expansion,
): Partial<SubscriptionAnswer> {
  switch (part) {
    case 'custom_fields':
      return {
        custom_fields: store
          .customFields()
          .filter((field) => Object.hasOwn(subscriber.customFields, field.display))
          .map(({ display, kind }) => ({
            name: display,
            kind,
            value: subscriber.customFields[display] ?? '',
          })),
      };
    case 'tags':
      return { tags: [] };
    case 'stats':
      return { stats: { emails_received: 0, open_rate: 0, click_through_rate: 0 } };
    case 'referrals':
      return { referrals: [] };
    case 'newsletter_lists':
      return { newsletter_list_ids: [] };
    case 'subscription_premium_tiers':
      return {
        subscription_premium_tiers: subscriber.premiumTierNames.map((name) => ({
          id: `tier_${name.toLowerCase().replaceAll(/\W+/g, '_')}`,
          name,
          status: 'active',
        })),
      };
  }
}
