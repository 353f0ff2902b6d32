import { leadIntakeBody } from '@site/schema/lead-intake';
import type { LeadIntakeAnswer } from '@site/schema/lead';
import { Router } from 'express';
import { parseBody } from '../http/validate.ts';
import { readClientFacts } from './client-facts.ts';
import { captureLead } from './lead.service.ts';
import type { CaptureDeps } from './lead.service.ts';
import type { Locate } from './locate.ts';

/** A lead arrives over HTTP. Before: the subscribe form. Next: `lead.service.ts`. */
export function leadRoutes(deps: CaptureDeps & { locate: Locate }): Router {
  const router = Router();
  router.post('/subscribe', async (req, res) => {
    const body = parseBody(leadIntakeBody, req);
    const captured = await captureLead(deps, body, readClientFacts(req, deps.locate), req.get('Idempotency-Key'));
    const answer: LeadIntakeAnswer = { id: captured.id, beehiivStatus: captured.beehiivStatus };
    res.status(captured.kind === 'created' ? 201 : 200).json(answer);
  });
  return router;
}
