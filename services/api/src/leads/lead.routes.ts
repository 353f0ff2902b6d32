import { leadIntakeAnswer } from '@site/schema/lead';
import { leadIntakeBody } from '@site/schema/lead-intake';
import { idempotencyHeader } from '../http/idempotency-header.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { readClientFacts } from './client-facts.ts';
import { captureLead } from './lead.service.ts';
import type { CaptureDeps } from './lead.service.ts';
import type { Locate } from './locate.ts';

/** A lead arrives over HTTP. Before: the subscribe form. Next: `lead.service.ts`. */
export function leadRoutes(deps: CaptureDeps & { locate: Locate }): Route[] {
  return [
    route({
      call: 'POST /api/lead/subscribe',
      id: 'captureLead',
      summary: 'Submit a lead',
      description:
        'Answers as soon as the lead is committed. Only the address and the form type can refuse a lead: every other field is coerced, cut or dropped, and unknown fields are ignored. The same key and address, or the same address, form and visitor (network address and browser) within ten minutes, answer with the first lead.',
      isPublic: true,
      headers: idempotencyHeader,
      body: leadIntakeBody,
      answers: {
        201: { description: 'A new lead', schema: leadIntakeAnswer },
        200: { description: 'The lead that this one repeats', schema: leadIntakeAnswer },
      },
      problems: ['too-many-requests'],
      async handle({ body, req, res }) {
        const captured = await captureLead(deps, body, readClientFacts(req, deps.locate), req.get('Idempotency-Key'));
        const { kind, id, beehiivStatus } = captured;
        res.status(kind === 'created' ? 201 : 200).json({ id, beehiivStatus });
      },
    }),
  ];
}
