import { z } from 'zod';
import { listLeadFields } from './lead-fields.ts';
import type { LeadValuesFrom } from './lead.ts';
import type { CampaignField, CampaignPart } from './lead-declaration.ts';
import type { LeadField } from './lead-fields.ts';
import { emailField, FORM_TYPES } from './lead.ts';
import { toStoredText } from './text.ts';

/** Fields that a submission may carry as free text, under their own names. */
type TextField = Exclude<
  keyof LeadValuesFrom<'form' | 'browser'>,
  'email' | 'formType' | 'consentMarketing' | `${CampaignField}${Capitalize<CampaignPart>}`
>;

const text = (maxChars: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => toStoredText(value, maxChars));
const flag = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 1 || value === 'true' || value === 'on' || value === '1');

const submitted = listLeadFields().filter(({ from }) => from === 'form' || from === 'browser');
const texts = submitted.filter(({ kind, isRequired }) => kind === 'text' && !isRequired);
const toShape = (fields: [string, number][]) => Object.fromEntries(fields.map(([name, limit]) => [name, text(limit)]));
const limitOf = ({ name, limit }: { name: LeadField; limit?: number }): number => {
  if (limit === undefined) throw new Error(`The text field ${name} of a lead has no limit`);
  return limit;
};

const textShape = toShape(texts.filter(({ path }) => !path).map((field) => [field.name, limitOf(field)])) as Record<
  TextField,
  ReturnType<typeof text>
>;
const campaign = (name: CampaignField) =>
  z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}))
    .pipe(
      z.object(
        toShape(
          texts.flatMap((field) => (field.path?.[0] === name ? [[field.path[1], limitOf(field)]] : [])),
        ) as Record<CampaignPart, ReturnType<typeof text>>,
      ),
    );

/**
 * `POST /api/lead/subscribe`. Only the address and the form type can refuse a lead; every other field is
 * coerced, cut or dropped, and unknown keys are ignored.
 */
export const leadIntakeBody = z.object({
  email: emailField,
  formType: z.enum(FORM_TYPES, { error: `Must be one of ${FORM_TYPES.join(', ')}` }),
  ...textShape,
  consentMarketing: flag,
  visitUtm: campaign('visitUtm'),
  firstUtm: campaign('firstUtm'),
  clickedSubscribe: flag,
  /** Hidden in the form: a person leaves it empty. */
  website: text(2_048),
  /** Milliseconds from opening the form to sending it. */
  elapsedMs: z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)),
});
export type LeadIntakeBody = z.output<typeof leadIntakeBody>;

type Sent<T> = { [K in keyof T]?: T[K] | undefined };
/** What a client writes: an address and a form type, and whatever else it knows. */
export type LeadIntakeRequest = Pick<LeadIntakeBody, 'email' | 'formType'> &
  Sent<Omit<LeadIntakeBody, 'visitUtm' | 'firstUtm'>> & {
    visitUtm?: Sent<LeadIntakeBody['visitUtm']>;
    firstUtm?: Sent<LeadIntakeBody['firstUtm']>;
  };

/** The lead's fields that a submission supplies; null where it says nothing. Pure. */
export function toSubmittedFields(body: LeadIntakeBody): LeadValuesFrom<'form' | 'browser'> {
  const valueOf = ({ name, path }: (typeof submitted)[number]): unknown =>
    path ? body[path[0]][path[1]] : (body as Record<string, unknown>)[name];
  return Object.fromEntries(submitted.map((field) => [field.name, valueOf(field) ?? null])) as LeadValuesFrom<
    'form' | 'browser'
  >;
}
