import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/ids.ts';
import { mergeMetadata } from '../wire/parameters.ts';
import type { PortalParameters } from './portal-configuration.schema.ts';

export type PortalConfiguration = ReturnType<typeof buildPortalConfiguration>;
/** A product whose subscriptions may change to one of these prices. */
export type PortalProduct = { product: string; prices: string[] };
/** A configuration as the API shows it, and the products, which it shows only if asked. */
export type PortalRecord = {
  id: string;
  configuration: PortalConfiguration;
  products: PortalProduct[];
};

export function buildPortalConfiguration(clock: Clock, params: PortalParameters, loginUrl: string) {
  const now = epochSeconds(clock);
  return {
    id: newId('bpc'),
    object: 'billing_portal.configuration' as const,
    active: true,
    application: null,
    business_profile: {
      headline: params.business_profile?.headline ?? null,
      privacy_policy_url: params.business_profile?.privacy_policy_url ?? null,
      terms_of_service_url: params.business_profile?.terms_of_service_url ?? null,
    },
    created: now,
    default_return_url: params.default_return_url ?? null,
    features: buildFeatures(params.features),
    is_default: false,
    livemode: false,
    login_page: buildLoginPage(params.login_page?.enabled ?? false, loginUrl),
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    updated: now,
  };
}

export function buildLoginPage(enabled: boolean, url: string) {
  return { enabled, url: enabled ? url : null };
}

/** Renders all features. One that the parameters leave out is off. */
export function buildFeatures(features: PortalParameters['features'] = {}) {
  const {
    customer_update: customer,
    subscription_cancel: cancel,
    subscription_update: update,
  } = features;
  return {
    customer_update: {
      allowed_updates: customer?.allowed_updates ?? [],
      enabled: customer?.enabled ?? false,
    },
    invoice_history: { enabled: features.invoice_history?.enabled ?? false },
    payment_method_update: {
      enabled: features.payment_method_update?.enabled ?? false,
      payment_method_configuration: null,
    },
    subscription_cancel: {
      cancellation_reason: {
        enabled: cancel?.cancellation_reason?.enabled ?? false,
        feedback_options: null,
        options: cancel?.cancellation_reason?.options ?? [],
      },
      enabled: cancel?.enabled ?? false,
      mode: cancel?.mode ?? 'at_period_end',
      proration_behavior: cancel?.proration_behavior ?? 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: update?.default_allowed_updates ?? [],
      enabled: update?.enabled ?? false,
      proration_behavior: update?.proration_behavior ?? 'none',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: update?.trial_update_behavior ?? 'end_trial',
    },
  };
}
