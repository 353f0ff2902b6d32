import { toEmailErrorText, findEmailError, tidyEmail } from './email.ts';
import type { LeadDeclaration } from './lead-declaration.ts';
import { toStoredText } from './text.ts';

/*
 * The fields of a lead that the visitor types, in their own file, so that the form downloads only
 * these.
 */

/** A field's label and input attributes in the form. */
type FormInput = {
  label: string;
  note?: string;
  type?: 'email' | 'tel';
  inputMode?: 'email' | 'tel';
  autoComplete: string;
  autoCapitalize?: 'words' | 'none';
  spellCheck?: false;
  dir?: 'auto';
  required?: true;
};

const typed = { kind: 'text', from: 'form', isFillable: true } as const;

export const FORM_FIELDS = {
  fullName: {
    ...typed,
    label: 'Name',
    limit: 200,
    beehiiv: 'full_name',
    input: {
      label: 'Full Name',
      autoComplete: 'name',
      autoCapitalize: 'words',
      dir: 'auto',
      required: true,
    },
  },
  email: {
    label: 'Email',
    kind: 'text',
    isRequired: true,
    from: 'form',
    input: {
      label: 'Email Address',
      type: 'email',
      inputMode: 'email',
      autoComplete: 'email',
      autoCapitalize: 'none',
      spellCheck: false,
      required: true,
    },
  },
  company: {
    ...typed,
    label: 'Company',
    limit: 200,
    beehiiv: 'company',
    input: { label: 'Company', note: '(Optional)', autoComplete: 'organization', dir: 'auto' },
  },
  phone: {
    ...typed,
    label: 'Phone',
    limit: 40,
    beehiiv: 'phone',
    input: {
      label: 'Phone',
      note: '(Optional)',
      type: 'tel',
      inputMode: 'tel',
      autoComplete: 'tel',
    },
  },
} as const satisfies Record<string, LeadDeclaration & { input: FormInput }>;

export type FormField = keyof typeof FORM_FIELDS;

export const FORM_FIELD_NAMES = Object.keys(FORM_FIELDS) as FormField[];
export type FormValues = Record<FormField, string>;

/** Builds a value for every field: `buildFormValues(() => '')` is the empty form. */
export const buildFormValues = (valueOf: (field: FormField) => string): FormValues =>
  Object.fromEntries(FORM_FIELD_NAMES.map((field) => [field, valueOf(field)])) as FormValues;

/** Returns the correction a visitor must make in a field, or undefined. */
export function findFormError(field: FormField, value: string): string | undefined {
  if (field === 'email') {
    const error = findEmailError(tidyEmail(toStoredText(value, 1_000) ?? ''));
    return error ? toEmailErrorText(error) : undefined;
  }
  const { label, input } = FORM_FIELDS[field];
  return 'required' in input && value.trim() === ''
    ? `Enter your ${label.toLowerCase()}`
    : undefined;
}
