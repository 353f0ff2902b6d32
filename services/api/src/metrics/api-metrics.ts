import { CALLS, createPathMatcher } from '@site/schema/calls/calls';
import { FORM_TYPES } from '@site/schema/lead';
import type { FormType } from '@site/schema/lead';
import { addCounter } from '@site/platform/process/metrics';
import type { Registry } from 'prom-client';
import { splitCall } from '../http/route.ts';
import type { CaptureOutcome } from '../leads/lead.service.ts';
import { toTemplate } from '../openapi/document.ts';
import type { EventOutcome } from '../billing/inbox/inbox.service.ts';

const CAPTURE_OUTCOMES: CaptureOutcome[] = ['created', 'repeated', 'quarantined'];
const EVENT_OUTCOMES: EventOutcome[] = ['applied', 'ignored', 'repeated', 'parked'];

export type ApiMetrics = {
  onLeadCaptured(formType: FormType, outcome: CaptureOutcome): void;
  onStripeEvent(outcome: EventOutcome): void;
};

/** The API's own counters. Every series starts at 0, so that its first increase is visible. */
export function addApiMetrics(registry: Registry): ApiMetrics {
  const help = 'Submissions committed, by form type and by what became of them';
  const leads = addCounter(registry, 'leads_accepted_total', help, 'form_type', 'outcome');
  for (const formType of FORM_TYPES) {
    for (const outcome of CAPTURE_OUTCOMES) leads.inc({ form_type: formType, outcome }, 0);
  }
  const taken =
    'Stripe events taken, by outcome; those refused or put off are in ' +
    'http_request_duration_seconds';
  const events = addCounter(registry, 'stripe_webhook_events_total', taken, 'outcome');
  for (const outcome of EVENT_OUTCOMES) events.inc({ outcome }, 0);
  return {
    onLeadCaptured: (formType, outcome) => leads.inc({ form_type: formType, outcome }),
    onStripeEvent: (outcome) => events.inc({ outcome }),
  };
}

const PLACES = ['/assets', '/api'];
const PAGES = ['/', '/subscribe', '/sample-sent', '/thank-you', '/admin-leads'];
const match = createPathMatcher([
  ...PAGES,
  ...Object.keys(CALLS).map((name) => splitCall(name).path),
]);

/**
 * Returns a path's label for metrics: an API template, or one of a few for the site. Never the path
 * itself.
 */
export function nameRoute(path: string): string {
  const place = PLACES.find((start) => path === start || path.startsWith(`${start}/`)) ?? '';
  return toTemplate(match(path) ?? `${place}/{path}`);
}
