/** The custom fields we bring along. */
export const SUBSCRIBER_FIELDS = [
  'full_name',
  'company',
  'phone',
  'form_type',
  'lead_id',
  'consent_text_version',
  'visit_source',
  'visit_campaign',
  'gclid',
  'fbclid',
  'ttclid',
] as const;
export type SubscriberField = (typeof SUBSCRIBER_FIELDS)[number];
