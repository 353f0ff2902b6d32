import { z } from 'zod';
import { listLeadFields } from './lead-fields.ts';
import type { LeadField } from './lead-fields.ts';
import { BEEHIIV_STATUSES, FORM_TYPES } from './lead.ts';
import type { Lead, LeadValues } from './lead.ts';

const KINDS = {
  text: z.string(),
  flag: z.boolean(),
  time: z.iso.datetime(),
  id: z.uuid(),
  formType: z.enum(FORM_TYPES),
  beehiivStatus: z.enum(BEEHIIV_STATUSES),
};

/** The schema of `Lead` in the answers of the operator's calls. */
export const lead = z.object({
  ...(Object.fromEntries(
    listLeadFields().map(({ name, kind, isRequired }) => [name, isRequired ? KINDS[kind] : KINDS[kind].nullable()]),
  ) as unknown as { [F in LeadField]: z.ZodType<Lead[F], Lead[F] | LeadValues[F]> }),
  isCorrected: z.boolean(),
});
