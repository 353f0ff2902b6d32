import type { LeadRow } from '@site/platform/database/tables';
import type { FormType } from '@site/schema/lead';
import type { FieldCatalog } from './field-catalog.ts';
import type { NewSubscriber } from './newsletter.port.ts';
import type { SubscriberField } from './subscriber-fields.ts';

export type DeliverySettings = {
  sendWelcomeEmail: boolean;
  doubleOptIn: 'on' | 'off' | 'not_set';
  automations: Record<FormType, string[]>;
};

/** What a lead tells the newsletter. Empty fields are left out; the wording of the consent always goes along. */
export function toNewSubscriber(
  lead: LeadRow,
  settings: DeliverySettings,
  catalog: Pick<FieldCatalog, 'keepKnown'>,
): NewSubscriber {
  const fields: Record<SubscriberField, string | null> = {
    full_name: lead.fullName,
    company: lead.company,
    phone: lead.phone,
    form_type: lead.formType,
    lead_id: lead.id,
    consent_text_version: null,
    visit_source: lead.visitUtmSource,
    visit_campaign: lead.visitUtmCampaign,
    gclid: lead.gclid,
    fbclid: lead.fbclid,
    ttclid: lead.ttclid,
  };
  return {
    email: lead.emailNormalised,
    fields: catalog.keepKnown({ ...filled(fields), consent_text_version: lead.consentTextVersion ?? '' }),
    utm: filled({
      source: lead.utmSource,
      medium: lead.utmMedium,
      campaign: lead.utmCampaign,
      term: lead.utmTerm,
      content: lead.utmContent,
    }),
    ...filled({ referringSite: lead.referrer }),
    reactivate: lead.consentMarketing,
    sendWelcomeEmail: settings.sendWelcomeEmail,
    // Without consent of ours, the platform asks the person itself.
    doubleOptIn: lead.consentMarketing ? settings.doubleOptIn : 'on',
    automationIds: settings.automations[lead.formType],
  };
}

function filled<K extends string>(values: Record<K, string | null>): { [P in K]?: string } & Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')) as {
    [P in K]?: string;
  } & Record<string, string>;
}
