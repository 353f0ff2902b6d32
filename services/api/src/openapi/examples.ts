/*
 * Makes the examples of the API's document from its schemas, so that none can be out of date. Before: `document.ts`.
 */

export type JsonSchema = { [keyword: string]: unknown };
type Schemas = Record<string, JsonSchema>;

/** What a person would expect under these names. Any other value follows from its schema. */
const BY_NAME: Record<string, unknown> = {
  username: 'j.holt',
  password: 'a sentence of your own',
  currentPassword: 'a sentence of your own',
  newPassword: 'quite another sentence',
  code: '492039',
  email: 'priya@northgate.example',
  fullName: 'Priya Raman',
  company: 'Northgate',
  phone: '+44 20 7946 0000',
  country: 'GB',
  city: 'London',
  utmSource: 'top_sub',
  utmCampaign: 'hero_subscription',
  source: 'top_sub',
  funnel: 'paying:channel=LinkedIn',
  url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2',
  stripeSubscriptionId: 'sub_1PqW2a',
  withSubscription: 'sub_1PqW2a',
  invoiceId: 'in_1PqW2a',
  otpauthUri:
    'otpauth://totp/Liquidation%20Ledger:j.holt?secret=JBSWY3DPEHPK3PXP&issuer=Liquidation%20Ledger',
  secret: 'JBSWY3DPEHPK3PXP',
  recoveryCodes: ['JBSW-Y3DP-EHPK-3PXP'],
  browser: 'Firefox on Windows',
  operator: 'j.holt',
  requestId: '6f1d2b7e-4c6c-4a57-9a5e-2f8f0c1f6a10',
  elapsedMs: 20_000,
  plan: 'monthly15',
};

const BY_FORMAT: Record<string, string> = {
  email: 'priya@northgate.example',
  uuid: '01a1f835-30a7-721b-8211-2f2aad860b16',
  'date-time': '2026-03-03T09:00:00.000Z',
  date: '2026-03-03',
  uri: 'https://ledger.example/',
};

const DEEPEST = 8;

/** Returns an example of a schema. References are looked up in `schemas`. */
export function toExample(schema: JsonSchema, schemas: Schemas, name = '', depth = 0): unknown {
  const sample = (next: unknown, of = name) =>
    toExample(next as JsonSchema, schemas, of, depth + 1);
  const { $ref, allOf, anyOf, oneOf, const: only, enum: values, type, properties, items } = schema;
  if (typeof $ref === 'string') return sample(schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  if (only !== undefined) return only;
  const known = BY_NAME[name];
  if (Array.isArray(values)) return values.includes(known) ? known : values[0];
  const isOne = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value) === type;
  if (known !== undefined && isOne(known)) return known;
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((part) => sample(part)));
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (choices)
    return sample(choices.find((choice) => choice['type'] !== 'null') ?? { type: 'null' });
  if (type === 'array') return items === undefined || depth > DEEPEST ? [] : [sample(items)];
  if (type === 'object') {
    // A record has no properties, and may require some keys.
    const ofRecord = ((schema['required'] ?? []) as string[]).map((key) => [
      key,
      schema['additionalProperties'],
    ]);
    const fields = {
      ...Object.fromEntries(ofRecord),
      ...(properties as Schemas | undefined),
    } as Schemas;
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, sample(value, key)]),
    ) as unknown;
  }
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1) || 1;
  if (type === 'boolean') return true;
  if (type === 'string') return BY_FORMAT[String(schema['format'])] ?? toText(schema);
  return null;
}

function toText({ minLength, maxLength }: JsonSchema): string {
  const text = 'text'.padEnd(Number(minLength ?? 0), '.');
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text;
}
