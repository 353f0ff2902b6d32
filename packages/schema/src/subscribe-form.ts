import { z } from 'zod';
import { FORM_FIELD_NAMES, FORM_FIELDS } from './form-fields.ts';
import type { FormField } from './form-fields.ts';
import { emailField } from './email-field.ts';

function fieldSchema(field: FormField) {
  if (field === 'email') return emailField;
  const { label, input } = FORM_FIELDS[field];
  return 'required' in input ? z.string().trim().min(1, `Enter your ${label.toLowerCase()}`) : z.string().optional();
}

/** Validates the subscribe form in the browser. */
export const subscribeForm = z.object(
  Object.fromEntries(FORM_FIELD_NAMES.map((field) => [field, fieldSchema(field)])) as Record<
    FormField,
    ReturnType<typeof fieldSchema>
  >,
);
