import { checkoutSessionBody, checkoutStateAnswer, checkoutUpsellBody, checkoutUrlAnswer } from '@site/schema/checkout';
import { MAX_EMAIL_LENGTH } from '@site/schema/email';
import { leadIntakeAnswer } from '@site/schema/lead';
import { LEAD_FIELDS, listLeadFields } from '@site/schema/lead-fields';
import { leadIntakeBody } from '@site/schema/lead-intake';
import { trackBody } from '@site/schema/tracking';
import { BODY_PROBLEMS, idempotencyKey, pathId } from './operation.ts';
import type { JsonSchema, Operation } from './operation.ts';

const email: JsonSchema = { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH };
const flag: JsonSchema = { type: 'boolean', default: false };
const text = (maxChars: number): JsonSchema => ({
  type: 'string',
  description: `What is longer than ${maxChars} characters is cut.`,
});
const attribution = text(LEAD_FIELDS.gclid.limit);
const campaign: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].map((part) => [part, attribution]),
  ),
};

const limits = Object.fromEntries(listLeadFields().map(({ name, limit }) => [name, limit]));

/** Fields with a description of their own; the others are text with a limit. */
const DESCRIBED: Record<string, JsonSchema> = {
  email,
  consentMarketing: flag,
  clickedSubscribe: flag,
  consentTextVersion: {
    type: 'string',
    description: 'Which wording stood beside the button; the current one if absent.',
  },
  visitUtm: { ...campaign, description: 'The campaign of this visit: utmSource and its like name the button.' },
  firstUtm: { ...campaign, description: 'The campaign of the first visit ever.' },
  website: { type: 'string', description: 'Hidden in the form; a person leaves it empty.' },
  elapsedMs: { type: 'number', description: 'Milliseconds from opening the form to sending it.' },
};

const leadFields = Object.fromEntries(
  Object.keys(leadIntakeBody.shape)
    .filter((name) => name !== 'formType')
    .map((name) => [name, DESCRIBED[name] ?? text(limits[name] ?? LEAD_FIELDS.gclid.limit)]),
);

/** What the site's visitors call. */
export const VISITOR_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/lead/subscribe',
    id: 'captureLead',
    tag: 'Visitors',
    summary: 'Take a lead',
    description:
      'Answers once the lead is committed, and waits for nothing else. Only the address and the form type can refuse one; every other field is coerced, cut or dropped, and unknown ones are ignored. The same key and address, or the same address, form and visitor (network address and browser) within ten minutes, answer with the first lead.',
    parameters: [idempotencyKey],
    body: { schema: leadIntakeBody, fields: leadFields, required: ['email', 'formType'] },
    answers: {
      201: { description: 'A new lead', schema: leadIntakeAnswer },
      200: { description: 'The lead that this one repeats', schema: leadIntakeAnswer },
    },
    problems: [...BODY_PROBLEMS, 'too-many-requests'],
  },
  {
    method: 'post',
    path: '/api/checkout/session',
    id: 'openCheckout',
    tag: 'Visitors',
    summary: 'Open a checkout',
    parameters: [idempotencyKey],
    body: { schema: checkoutSessionBody, fields: { email }, required: ['email'] },
    answers: { 200: { description: 'Where to send the visitor', schema: checkoutUrlAnswer } },
    problems: [...BODY_PROBLEMS, 'already-subscribed', 'too-many-requests', 'stripe-unavailable'],
  },
  {
    method: 'post',
    path: '/api/checkout/upsell',
    id: 'openUpsell',
    tag: 'Visitors',
    summary: 'Open a discounted checkout',
    description: 'An address that is none is dropped: it comes from the browser’s storage.',
    parameters: [idempotencyKey],
    body: { schema: checkoutUpsellBody, fields: { email } },
    answers: { 200: { description: 'Where to send the visitor', schema: checkoutUrlAnswer } },
    problems: [...BODY_PROBLEMS, 'already-subscribed', 'too-many-requests', 'stripe-unavailable'],
  },
  {
    method: 'get',
    path: '/api/checkout/session/{id}',
    id: 'readCheckout',
    tag: 'Visitors',
    summary: 'What became of a checkout',
    parameters: [pathId('The checkout’s id at Stripe', { type: 'string' })],
    answers: {
      200: { description: 'Confirmed with its receipt, or still under way', schema: checkoutStateAnswer },
      404: { description: 'No such checkout, or an expired one', schema: checkoutStateAnswer },
    },
    problems: ['too-many-requests', 'stripe-unavailable'],
  },
  {
    method: 'post',
    path: '/api/track',
    id: 'trackPress',
    tag: 'Visitors',
    summary: 'Count a press of an upsell button',
    body: { schema: trackBody },
    answers: { 204: { description: 'Counted' } },
    problems: [...BODY_PROBLEMS, 'too-many-requests'],
  },
];
