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
   * Its supplier: the visitor in the form, the visitor's browser, the server from the request, or
   * the system.
   */
  from: 'form' | 'browser' | 'server' | 'system';
  /** Its path in the request, if not its own name. */
  path?: readonly [CampaignField, CampaignPart];
  /** A repeat submission fills it if the first left it empty. */
  isFillable?: true;
  beehiiv?: string;
};
