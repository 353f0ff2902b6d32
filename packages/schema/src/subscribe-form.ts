import { z } from 'zod';
import { emailField } from './lead.ts';

/** The four fields a person fills in the subscribe form, checked as they are typed. */
export const subscribeForm = z.object({
  name: z.string().trim().min(1, 'Required'),
  email: emailField,
  company: z.string().optional(),
  phone: z.string().optional(),
});
