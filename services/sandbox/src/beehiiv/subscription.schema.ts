import { z } from 'zod';
import { readPath } from '../read-path.ts';
import { BeehiivFault } from './beehiiv-fault.ts';

/** As lenient as Beehiiv: one @, no spaces, and a dot in the domain. */
const EMAIL_PATTERN = /^[^\s@,;<>()"]+@[^\s@.,;<>()"]+(\.[^\s@.,;<>()"]+)+$/;

const email = z.string().max(254).regex(EMAIL_PATTERN, { error: 'INVALID_EMAIL_FORMAT' });
const customFieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type CustomFieldValue = z.infer<typeof customFieldValue>;
const customFields = z.array(z.strictObject({ name: z.string(), value: customFieldValue }));
const changedFields = z.array(
  z.strictObject({ name: z.string(), value: customFieldValue, delete: z.boolean().optional() }),
);

export const subscriptionRequest = z.strictObject({
  email,
  reactivate_existing: z.boolean().optional(),
  send_welcome_email: z.boolean().optional(),
  utm_source: z.string().optional(),
  utm_medium: z.string().optional(),
  utm_campaign: z.string().optional(),
  utm_term: z.string().optional(),
  utm_content: z.string().optional(),
  referring_site: z.string().optional(),
  custom_fields: customFields.optional(),
  double_opt_override: z.enum(['on', 'off', 'not_set']).optional(),
  automation_ids: z.array(z.string().regex(/^aut_/)).optional(),
});
export type SubscriptionRequest = z.infer<typeof subscriptionRequest>;

export const subscriptionUpdate = z.strictObject({
  tier: z.enum(['free', 'premium']).optional(),
  unsubscribe: z.boolean().optional(),
  custom_fields: changedFields.optional(),
});
export type SubscriptionUpdate = z.infer<typeof subscriptionUpdate>;

/** `PUT /subscriptions`: the bulk change of a status. */
export const statusUpdate = z.strictObject({
  subscription_ids: z.array(z.string().regex(/^sub_/)).min(1).max(1_000),
  new_status: z.enum(['active', 'inactive', 'pending']),
});

const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max).optional(),
  );
const limit = wholeNumber(1, 100);
const expand = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(z.literal('custom_fields')).optional(),
  )
  .transform((parts) => parts !== undefined);

/** Parts that an answer includes only on request. */
export const expandQuery = z.strictObject({ expand });

export const listQuery = z.strictObject({
  limit,
  cursor: z.string().optional(),
  email: z.string().optional(),
  order_by: z.literal('created').optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  expand,
});
export type ListQuery = z.infer<typeof listQuery>;

export const pageQuery = z.strictObject({ limit, page: wholeNumber(1, 1_000) });

/** Parses a value, or throws a 400 with Beehiiv's message and code. */
export function parseRequest<T extends z.ZodType>(
  schema: T,
  name: string,
  value: unknown,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw issue ? toFault(issue, name, value) : new BeehiivFault(400);
}

function toFault(issue: z.core.$ZodIssue, name: string, body: unknown): BeehiivFault {
  const schemaPath = `#/components/schemas/${name}`;
  const property = [schemaPath, ...issue.path.map((part) => `properties/${String(part)}`)].join(
    '/',
  );
  const received = readPath(body, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const message = `${schemaPath} does not define properties: ${issue.keys.join(', ')}`;
    return new BeehiivFault(400, message, 'NOT_EXIST_PROPERTY_DEFINITION');
  }
  if (received === undefined && issue.path.length > 0) {
    const message = `${schemaPath} missing required parameters: ${issue.path.map(String).join('.')}`;
    return new BeehiivFault(400, message, 'NOT_EXIST_REQUIRED_KEY');
  }
  if (issue.message === 'INVALID_EMAIL_FORMAT') {
    const message = `${property} is not a valid email address format`;
    return new BeehiivFault(400, message, 'INVALID_EMAIL_FORMAT');
  }
  if (issue.code === 'invalid_value') {
    const message = `${JSON.stringify(received)} isn't part of the enum in ${property}`;
    return new BeehiivFault(400, message, 'NOT_ENUM_INCLUDE');
  }
  const expected =
    issue.code === 'invalid_type' ? `expected ${issue.expected}` : `is invalid (${issue.code})`;
  return new BeehiivFault(
    400,
    `${property} ${expected}, but received ${describe(received)}`,
    'VALIDATE_ERROR',
  );
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'Array' : typeof value;
}
