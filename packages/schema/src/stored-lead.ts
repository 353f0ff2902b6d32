import { z } from 'zod';
import { listLeadFields } from './lead-fields.ts';
import type { LeadField } from './lead-fields.ts';
import { BEEHIIV_STATUSES, FORM_TYPES } from './lead.ts';
import type { Lead, LeadValues } from './lead.ts';
import { PERSON_STATES } from './person-state.ts';

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
    listLeadFields().map(({ name, kind, isRequired }) => [
      name,
      isRequired ? KINDS[kind] : KINDS[kind].nullable(),
    ]),
  ) as unknown as { [F in LeadField]: z.ZodType<Lead[F], Lead[F] | LeadValues[F]> }),
  failedAt: KINDS.time.nullable(),
});

const pick = <Field extends keyof Lead>(...groups: readonly (readonly Field[])[]) =>
  z.object(
    Object.fromEntries(groups.flat().map((name) => [name, lead.shape[name]])) as Pick<
      typeof lead.shape,
      Field
    >,
  );

/** The fields of a lead that a row of the list shows or its actions need. */
const listedLead = pick(
  [
    'id',
    'email',
    'fullName',
    'company',
    'formType',
    'submittedAt',
    'updatedAt',
    'quarantineReason',
  ],
  ['consentMarketing'],
  ['utmSource', 'utmCampaign', 'country', 'region', 'city'],
  [
    'beehiivStatus',
    'beehiivReason',
    'beehiivResponse',
    'beehiivSentAt',
    'subscriberStatus',
    'nextAttemptAt',
  ],
  ['failedAt'],
);
export type ListedLead = z.infer<typeof listedLead>;

/** A lead in the answer of `GET /api/admin/leads`, with its specified fields for other programs. */
export const leadInList = listedLead.extend({
  ...pick(
    ['phone', 'message', 'consentTimestamp', 'userAgent', 'ipAddress', 'deviceType', 'createdAt'],
    ['utmMedium', 'utmTerm', 'utmContent', 'gclid', 'fbclid', 'ttclid'],
    ['landingPage', 'firstPage', 'referrer', 'sessionId', 'gaClientId'],
  ).shape,
  /** The person's one name: the payer's own, else the newest that was given. */
  name: z.string().nullable(),
  /** The state of the person with this email. Null for a moment, until the person is stored. */
  state: z.enum(PERSON_STATES).nullable(),
});
export type LeadInList = z.infer<typeof leadInList>;
