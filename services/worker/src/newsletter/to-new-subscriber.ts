import type { LeadRow } from '@site/platform/database/tables';
import type { OwnDetails } from '@site/platform/outbox/claim';
import type { FormType } from '@site/schema/lead';
import { listLeadFields } from '@site/schema/lead-fields';
import type { LeadField } from '@site/schema/lead-fields';
import type { FieldCatalog } from './field-catalog.ts';
import type { NewSubscriber } from './newsletter.port.ts';

export type DeliverySettings = {
  sendWelcomeEmail: boolean;
  doubleOptIn: 'on' | 'off' | 'not_set';
  automations: Record<FormType, string[]>;
};

/**
 * Converts a lead to a Beehiiv subscriber. Omits empty fields, except the consent's version. A
 * payer's own details replace the lead's, because anybody may have typed the payer's email.
 */
export function toNewSubscriber(
  lead: LeadRow,
  own: OwnDetails,
  settings: DeliverySettings,
  catalog: Pick<FieldCatalog, 'keepKnown'>,
  isPremium: boolean,
): NewSubscriber {
  const values: Partial<Record<LeadField, unknown>> = { ...lead, ...own };
  const fields = Object.fromEntries(
    listLeadFields().flatMap(({ name, beehiiv }) =>
      beehiiv === undefined ? [] : [[beehiiv, toText(values[name])]],
    ),
  );
  return {
    email: lead.emailNormalised,
    fields: catalog.keepKnown({
      ...filled(fields),
      consent_text_version: (own.id === undefined ? lead : own).consentTextVersion ?? '',
    }),
    utm: filled({
      source: lead.utmSource,
      medium: lead.utmMedium,
      campaign: lead.utmCampaign,
      term: lead.utmTerm,
      content: lead.utmContent,
    }),
    ...filled({ referringSite: lead.referrer }),
    sendWelcomeEmail: settings.sendWelcomeEmail,
    // Without a payment or a consent to us, Beehiiv asks the person itself.
    doubleOptIn: isPremium ? 'off' : lead.consentMarketing ? settings.doubleOptIn : 'on',
    automationIds: settings.automations[lead.formType],
    automationSetting: `BEEHIIV_AUTOMATIONS_${lead.formType.toUpperCase()}`,
  };
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function filled<K extends string>(
  values: Record<K, string | null>,
): { [P in K]?: string } & Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== ''),
  ) as {
    [P in K]?: string;
  } & Record<string, string>;
}
