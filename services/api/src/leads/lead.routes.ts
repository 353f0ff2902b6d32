import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { readClientFacts } from './client-facts.ts';
import { captureLead } from './lead.service.ts';
import type { CaptureDeps } from './lead.service.ts';
import type { Locate } from './client-facts.ts';

/** Receives a lead over HTTP. Before: the subscribe form. Next: `lead.service.ts`. */
export function leadRoutes(deps: CaptureDeps & { locate: Locate }): Route[] {
  return [
    route('POST /api/lead/subscribe', async ({ body, req, res }) => {
      const captured = await captureLead(
        deps,
        body,
        readClientFacts(req, deps.locate),
        req.get('Idempotency-Key') || undefined,
      );
      const { kind, id, beehiivStatus } = captured;
      if (kind === 'created') res.status(201);
      return { id, beehiivStatus };
    }),
  ];
}
