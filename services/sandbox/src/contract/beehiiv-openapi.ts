/*
 * The answers that the product reads, from the schemas of Beehiiv's published OpenAPI document
 * (version 2026.11.20). Keys that it does not name are allowed, as they are there.
 */

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const whole = { type: 'integer' };

const error = {
  type: 'object',
  required: ['status', 'statusText', 'errors'],
  properties: {
    status: whole,
    statusText: text,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message', 'code'],
        properties: { message: text, code: text },
      },
    },
  },
};

const subscription = {
  type: 'object',
  required: [
    'id',
    'email',
    'status',
    'created',
    'subscription_tier',
    'subscription_premium_tier_names',
    'utm_source',
    'utm_medium',
    'utm_channel',
    'utm_campaign',
    'utm_term',
    'utm_content',
    'referring_site',
    'referral_code',
  ],
  properties: {
    id: { type: 'string', pattern: '^sub_[0-9a-fA-F-]+$' },
    // The document has the format `email`, which allows no letters outside ASCII.
    email: { type: 'string', pattern: '^[^@]+@[^@]+$' },
    status: {
      enum: ['validating', 'invalid', 'pending', 'active', 'inactive', 'needs_attention', 'paused'],
    },
    created: whole,
    subscription_tier: { enum: ['free', 'premium'] },
    subscription_premium_tier_names: texts,
    utm_source: text,
    utm_medium: text,
    utm_channel: {
      enum: [
        '',
        'website',
        'import',
        'embed',
        'api',
        'referral',
        'recommendation',
        'magic_link',
        'boost',
        'boost_send',
        'boost_direct_link',
        'integration',
        'product',
        'group_invite',
      ],
    },
    utm_campaign: text,
    utm_term: text,
    utm_content: text,
    referring_site: text,
    referral_code: text,
    custom_fields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: text,
          value: { oneOf: [text, { type: 'number' }, { type: 'boolean' }, texts] },
        },
      },
    },
  },
};

const facts = {
  limit: whole,
  has_more: { type: 'boolean' },
  next_cursor: { type: ['string', 'null'] },
};

const list = {
  type: 'object',
  required: ['data'],
  properties: {
    data: { type: 'array', items: subscription },
    pagination: { type: 'object', properties: facts },
    ...facts,
  },
};

const customField = {
  type: 'object',
  required: ['id', 'kind', 'display', 'created'],
  properties: {
    id: text,
    kind: { enum: ['string', 'integer', 'boolean', 'date', 'datetime', 'list', 'double'] },
    display: text,
    created: whole,
    options: texts,
  },
};

const webhook = {
  type: 'object',
  required: ['id', 'url', 'created', 'updated', 'event_types', 'description'],
  properties: {
    id: { type: 'string', pattern: '^ep_' },
    url: text,
    created: whole,
    updated: whole,
    event_types: texts,
    description: text,
  },
};

const of = (data: object) => ({ type: 'object', required: ['data'], properties: { data } });

/** The schema of each answer. Of two paths that match, the first counts. */
export const BEEHIIV_ANSWERS: { method: RegExp; path: RegExp; schema: object }[] = [
  { method: /^GET$/, path: /^\/subscriptions$/, schema: list },
  {
    method: /^PUT$/,
    path: /^\/subscriptions$/,
    schema: of({
      type: 'object',
      required: ['subscription_update_id'],
      properties: { subscription_update_id: text },
    }),
  },
  { method: /^DELETE$/, path: /^\/subscriptions\/[^/]+$/, schema: { enum: [null, ''] } },
  { method: /^(GET|POST|PUT)$/, path: /^\/subscriptions(\/|$)/, schema: of(subscription) },
  {
    method: /^GET$/,
    path: /^\/webhooks$/,
    schema: of({ type: 'array', items: webhook }),
  },
  { method: /^DELETE$/, path: /^\/webhooks\/[^/]+$/, schema: { enum: [null, ''] } },
  { method: /^(POST|PATCH)$/, path: /^\/webhooks(\/|$)/, schema: of(webhook) },
  {
    method: /^GET$/,
    path: /^\/custom_fields$/,
    schema: {
      type: 'object',
      required: ['data'],
      properties: {
        data: { type: 'array', items: customField },
        limit: whole,
        page: whole,
        total_results: whole,
        total_pages: whole,
      },
    },
  },
];

/** The answer of every refusal. */
export const BEEHIIV_REFUSAL = error;
