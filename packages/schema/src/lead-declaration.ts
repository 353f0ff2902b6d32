/* The declaration of a lead's field. `form-fields.ts` and `lead-fields.ts` list the fields. */

export type CampaignField = 'visitUtm' | 'firstUtm';
export type CampaignPart = 'source' | 'medium' | 'campaign' | 'term' | 'content';

export type LeadDeclaration = {
  label: string;
  kind: 'text' | 'flag' | 'time' | 'id' | 'formType' | 'beehiivStatus';
  /** Never null. */
  isRequired?: true;
  /** The maximum number of characters. Longer text is cut. */
  limit?: number;
  /**
   * The supplier: the visitor in the form, the visitor's browser, the server from the request, or
   * the system.
   */
  from: 'form' | 'browser' | 'server' | 'system';
  /** The path in the request, if it differs from the field's name. */
  path?: readonly [CampaignField, CampaignPart];
  /** A repeat submission fills the field if the first left it empty. */
  isFillable?: true;
  beehiiv?: string;
};
