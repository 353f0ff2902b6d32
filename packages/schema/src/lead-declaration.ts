/*
 * What is declared of a field of a lead. The fields themselves: `form-fields.ts` and `lead-fields.ts`.
 */

export type CampaignField = 'visitUtm' | 'firstUtm';
export type CampaignPart = 'source' | 'medium' | 'campaign' | 'term' | 'content';

export type LeadDeclaration = {
  /** How the operator reads it. */
  label: string;
  kind: 'text' | 'flag' | 'time' | 'id' | 'formType' | 'beehiivStatus';
  /** Never null. */
  isRequired?: true;
  /** Most characters kept of a text; the rest is cut. */
  limit?: number;
  /** Who supplies it: the visitor in the form, the visitor's browser, the server from the request, or the system. */
  from: 'form' | 'browser' | 'server' | 'system';
  /** Where the request has it, if not under its own name. */
  path?: readonly [CampaignField, CampaignPart];
  /** A repeat fills it where the first submission left it empty. */
  isFillable?: true;
  /** The custom field at Beehiiv that receives it. */
  beehiiv?: string;
};
