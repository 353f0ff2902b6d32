import { Router } from 'express';
import { BeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore } from './beehiiv.store.ts';
import { customFieldRequest, pageQuery, parseRequest } from './subscription.schemas.ts';

const DEFAULT_LIMIT = 10;

/** Serves `/v2/publications/:publicationId/custom_fields`. */
export function customFieldRoutes({ store }: { store: BeehiivStore }): Router {
  const router = Router();

  router.get('/', (req, res) => {
    const { limit = DEFAULT_LIMIT, page = 1 } = parseRequest(pageQuery, 'query', req.query);
    const fields = store.customFields();
    res.json({
      data: fields.slice((page - 1) * limit, page * limit),
      limit,
      page,
      total_results: fields.length,
      total_pages: Math.max(1, Math.ceil(fields.length / limit)),
    });
  });

  router.post('/', (req, res) => {
    const { kind, display } = parseRequest(customFieldRequest, 'customfieldrequest', req.body);
    if (store.findField(display))
      throw new BeehiivFault(400, 'Display has already been taken', 'TAKEN');
    res.json({ data: store.addField(kind, display) });
  });

  return router;
}
