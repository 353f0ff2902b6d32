import { FORM_TYPES } from '@site/schema/lead';
import type { FormType } from '@site/schema/lead';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { CaptureOutcome } from '../leads/lead.service.ts';
import type { EventOutcome } from '../webhook/webhook.service.ts';

const CAPTURE_OUTCOMES: CaptureOutcome[] = ['created', 'repeated', 'quarantined'];
const EVENT_OUTCOMES: EventOutcome[] = ['applied', 'ignored', 'repeated', 'parked'];

export type ApiMetrics = {
  onLeadCaptured(formType: FormType, outcome: CaptureOutcome): void;
  onStripeEvent(outcome: EventOutcome): void;
};

/** The API's own counters. Every series starts at 0, so that its first increase is visible. */
export function addApiMetrics(registry: Registry): ApiMetrics {
  const leads = new Counter({
    name: 'leads_accepted_total',
    help: 'Submissions committed, by form type and by what became of them',
    labelNames: ['form_type', 'outcome'] as const,
    registers: [registry],
  });
  for (const formType of FORM_TYPES) {
    for (const outcome of CAPTURE_OUTCOMES) leads.inc({ form_type: formType, outcome }, 0);
  }
  const events = new Counter({
    name: 'stripe_webhook_events_total',
    help: 'Stripe events taken, by outcome; those refused or put off are in http_request_duration_seconds',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of EVENT_OUTCOMES) events.inc({ outcome }, 0);
  return {
    onLeadCaptured: (formType, outcome) => leads.inc({ form_type: formType, outcome }),
    onStripeEvent: (outcome) => events.inc({ outcome }),
  };
}
