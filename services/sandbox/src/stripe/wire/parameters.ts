import { parse } from 'qs';
import { z } from 'zod';
import { readPath } from '../../read-path.ts';
import type { StripeFault } from './stripe-fault.ts';
import { invalidRequest } from './stripe-fault.ts';

/** Parses a body or query in bracket notation into nested objects and lists of strings. */
export function parseForm(text: string): Record<string, unknown> {
  return parse(text, {
    depth: 10,
    arrayLimit: 1_000,
    parameterLimit: 10_000,
    ignoreQueryPrefix: true,
  });
}

const issue = (ctx: z.RefinementCtx, message: string, code: string): never => {
  ctx.addIssue({ code: 'custom', message, params: { code } });
  return z.NEVER;
};

export const text = (maxLength = 5_000): z.ZodString =>
  z
    .string()
    .min(1, { error: 'empty' })
    .max(maxLength, { error: `Invalid string: must be at most ${maxLength} characters` });

export const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values);

export const integer = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) =>
  z.string().transform((value, ctx): number => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value))
      return issue(ctx, `Invalid integer: ${value}`, 'parameter_invalid_integer');
    if (number < min)
      return issue(
        ctx,
        `This value must be greater than or equal to ${min}.`,
        'parameter_invalid_integer',
      );
    if (number > max)
      return issue(
        ctx,
        `This value must be less than or equal to ${max}.`,
        'parameter_invalid_integer',
      );
    return number;
  });

export const decimal = z.string().transform((value, ctx): number => {
  if (!/^-?\d+(\.\d{1,12})?$/.test(value))
    return issue(ctx, `Invalid decimal: ${value}`, 'parameter_invalid_decimal');
  return Number(value);
});

export const flag = z.string().transform((value, ctx): boolean => {
  if (value !== 'true' && value !== 'false')
    return issue(ctx, `Invalid boolean: ${value}`, 'parameter_invalid_boolean');
  return value === 'true';
});

/** Like Stripe, refuses letters outside ASCII. */
export function isEmail(value: string): boolean {
  return (
    value.length <= 512 &&
    /^[\x21-\x7e]+$/.test(value) &&
    /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value)
  );
}

export const emailAddress = z.string().transform((value, ctx): string => {
  return isEmail(value) ? value : issue(ctx, `Invalid email address: ${value}`, 'email_invalid');
});

export const currency = z
  .string()
  .regex(/^[a-zA-Z]{3}$/, { error: 'Invalid currency: it must be a three-letter ISO code' })
  .transform((value) => value.toLowerCase());

/** A value that an empty string unsets. */
export const emptyable = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable()).optional();

/** An absolute URL, kept exactly as received: parsing would escape the placeholder in it. */
export const address = z.string().transform((value, ctx): string => {
  if (!/^https?:\/\/[^\s/]+/i.test(value)) {
    return issue(ctx, 'Not a valid URL: it needs a scheme, for example https://.', 'url_invalid');
  }
  return value;
});

const pairs = z.record(
  z.string().max(40, { error: 'Metadata keys must be at most 40 characters' }),
  z.string().max(500, { error: 'Metadata values must be at most 500 characters' }),
);

/** Pairs to set. An empty value removes a key. Null (an empty string on the wire) removes all. */
export const metadata = z
  .preprocess((value) => (value === '' ? null : value), pairs.nullable())
  .refine((value) => value === null || Object.keys(value).length <= 50, {
    error: 'Metadata can have at most 50 keys',
  })
  .optional();

export function mergeMetadata(
  current: Record<string, string>,
  change: Record<string, string> | null | undefined,
): Record<string, string> {
  if (change === undefined) return current;
  const merged = change === null ? {} : { ...current, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}

/** Parses parameters, or throws Stripe's refusal of the first invalid one. */
export function parseParameters<T extends z.ZodType>(
  schema: T,
  raw: Record<string, unknown>,
): z.output<T> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues;
  // Stripe refuses unknown names before it checks values.
  const first = issues.find((candidate) => candidate.code === 'unrecognized_keys') ?? issues[0];
  throw first ? toFault(first, raw) : invalidRequest('Invalid request');
}

function toFault(found: z.core.$ZodIssue, raw: unknown): StripeFault {
  const param = toBrackets(found.path);
  if (found.code === 'unrecognized_keys') {
    const names = found.keys.map((key) => toBrackets([...found.path, key]));
    const plural = names.length === 1 ? '' : 's';
    return invalidRequest(
      `Received unknown parameter${plural}: ${names.join(', ')}`,
      names[0],
      'parameter_unknown',
    );
  }
  const received = readPath(raw, found.path);
  if (received === undefined)
    return invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing');
  if (found.code === 'too_small' && received === '') {
    const message = `You passed an empty string for '${param}'. Remove it from your request or supply a non-empty value.`;
    return invalidRequest(message, param, 'parameter_invalid_empty');
  }
  if (found.code === 'invalid_value') {
    return invalidRequest(
      `Invalid ${param}: must be one of ${found.values.map(String).join(', ')}`,
      param,
    );
  }
  if (found.code === 'invalid_type') return invalidRequest(`Invalid ${found.expected}`, param);
  const code: unknown = found.code === 'custom' ? found.params?.['code'] : undefined;
  return invalidRequest(found.message, param, typeof code === 'string' ? code : undefined);
}

function toBrackets(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');
}
