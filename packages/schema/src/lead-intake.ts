import { z } from 'zod';
import { listLeadFields } from './lead-fields.ts';
import type { LeadValuesFrom } from './lead.ts';
import type { CampaignField, CampaignPart } from './lead-declaration.ts';
import type { LeadField } from './lead-fields.ts';
import { emailField } from './email-field.ts';
import { FORM_TYPES } from './lead.ts';
import { toStoredText } from './text.ts';

/** Optional text fields that a submission sends under their own names. */
type TextField = Exclude<
  keyof LeadValuesFrom<'form' | 'browser'>,
  'email' | 'formType' | 'consentMarketing' | `${CampaignField}${Capitalize<CampaignPart>}`
>;

const text = (maxChars: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => toStoredText(value, maxChars))
    .meta({ type: 'string', description: `Cut to ${maxChars} characters.` });
const flag = z
  .unknown()
  .optional()
  .transform(
    (value) => value === true || value === 1 || value === 'true' || value === 'on' || value === '1',
  )
  .meta({ type: 'boolean' });

const submitted = listLeadFields().filter(({ from }) => from === 'form' || from === 'browser');
const texts = submitted.filter(({ kind, isRequired }) => kind === 'text' && !isRequired);
const toShape = (fields: [string, number][]) =>
  Object.fromEntries(fields.map(([name, limit]) => [name, text(limit)]));
const limitOf = ({ name, limit }: { name: LeadField; limit?: number }): number => {
  if (limit === undefined) throw new Error(`The text field ${name} of a lead has no limit`);
  return limit;
};

const textShape = toShape(
  texts.filter(({ path }) => !path).map((field) => [field.name, limitOf(field)]),
) as Record<TextField, ReturnType<typeof text>>;
const campaign = (name: CampaignField, description: string) => {
  const parts = texts.flatMap((field): [CampaignPart, number][] =>
    field.path?.[0] === name ? [[field.path[1], limitOf(field)]] : [],
  );
  const properties = Object.fromEntries(parts.map(([part]) => [part, { type: 'string' }]));
  return z
    .unknown()
    .optional()
    .transform((value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {},
    )
    .pipe(z.object(toShape(parts) as Record<CampaignPart, ReturnType<typeof text>>))
    .meta({ type: 'object', description, properties });
};

/**
 * `POST /api/lead/subscribe`. Only an invalid email or form type refuses a lead. Every other field
 * is coerced, cut or dropped, and unknown keys are ignored. `meta` documents the format for
 * callers.
 */
export const leadIntakeBody = z.object({
  email: emailField,
  formType: z.enum(FORM_TYPES, { error: `Must be one of ${FORM_TYPES.join(', ')}` }),
  ...textShape,
  consentMarketing: flag,
  visitUtm: campaign(
    'visitUtm',
    'The campaign of this visit. The utm fields name the button instead.',
  ),
  firstUtm: campaign('firstUtm', 'The campaign of the first visit.'),
  clickedSubscribe: flag,
  website: text(2_048).meta({
    type: 'string',
    description: 'Hidden in the form, so a person leaves it empty.',
  }),
  elapsedMs: z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined))
    .meta({ type: 'number', description: 'Milliseconds from opening the form to sending it.' }),
});
export type LeadIntakeBody = z.output<typeof leadIntakeBody>;

type Sent<T> = { [K in keyof T]?: T[K] | undefined };
/** A client's request: an email, a form type and any other fields. */
export type LeadIntakeRequest = Pick<LeadIntakeBody, 'email' | 'formType'> &
  Sent<Omit<LeadIntakeBody, 'visitUtm' | 'firstUtm'>> & {
    visitUtm?: Sent<LeadIntakeBody['visitUtm']>;
    firstUtm?: Sent<LeadIntakeBody['firstUtm']>;
  };

/** Returns a submission's fields. Missing fields are null. Pure. */
export function toSubmittedFields(body: LeadIntakeBody): LeadValuesFrom<'form' | 'browser'> {
  const valueOf = ({ name, path }: (typeof submitted)[number]): unknown =>
    path ? body[path[0]][path[1]] : (body as Record<string, unknown>)[name];
  return Object.fromEntries(
    submitted.map((field) => [field.name, valueOf(field) ?? null]),
  ) as LeadValuesFrom<'form' | 'browser'>;
}
