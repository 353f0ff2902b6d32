import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { cutOff, noteSubject } from '../traffic/log-requests.ts';
import { BeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore, Subscriber } from './beehiiv.store.ts';
import { readMagicTag, readRefusal } from './magic-emails.ts';
import type { RateLimit } from './rate-limit.ts';
import {
  expandQuery,
  listQuery,
  parseRequest,
  statusUpdate,
  subscriptionRequest,
  subscriptionUpdate,
} from './subscription.schema.ts';
import {
  findSubscriber,
  listSubscribers,
  subscribe,
  toSubscriptionAnswer,
  updateSubscriber,
} from './subscription.service.ts';

const MAGIC_RESET_SECONDS = 5;

/** Serves `/v2/publications/:publicationId/subscriptions`. Next: subscription.service.ts. */
export function subscriptionRoutes(store: BeehiivStore, rateLimit: RateLimit): Router {
  const router = Router();

  function answer(req: Request, res: Response, subscriber: Subscriber): void {
    const { expand } = parseRequest(expandQuery, 'query', req.query);
    res.json({ data: toSubscriptionAnswer(store, subscriber, expand) });
  }

  function byEmail(req: Request<{ email: string }>, res: Response): Subscriber {
    noteSubject(res, req.params.email);
    return found(findSubscriber(store, req.params.email));
  }

  router.post('/', (req, res) => {
    const request = parseRequest(subscriptionRequest, 'subscriptionrequest', req.body);
    noteSubject(res, request.email);
    const refusal = readRefusal(request.email);
    if (refusal !== undefined) throw new BeehiivFault(refusal);
    const tag = readMagicTag(request.email);
    if (tag === '429' && store.spendMagic(request.email)) {
      rateLimit.refuse(res, MAGIC_RESET_SECONDS);
      return;
    }
    if (tag === 'hang') return;
    const { subscriber, isNew } = subscribe(store, request);
    if (tag === 'reset') {
      cutOff(res);
      return;
    }
    res.status(isNew ? 201 : 200).json({ data: toSubscriptionAnswer(store, subscriber) });
  });

  router.get('/', (req, res) => {
    res.json(listSubscribers(store, parseRequest(listQuery, 'query', req.query)));
  });

  router.put('/', (req, res) => {
    const { subscription_ids: ids, new_status: status } = parseRequest(
      statusUpdate,
      'bulkstatusupdate',
      req.body,
    );
    for (const id of ids) store.setStatus(found(store.findById(id)), status);
    res.json({ data: { subscription_update_id: randomUUID() } });
  });

  router.get('/by_email/:email', (req, res) => answer(req, res, byEmail(req, res)));

  router.put('/by_email/:email', (req, res) => {
    const subscriber = byEmail(req, res);
    const update = parseRequest(subscriptionUpdate, 'subscriptionupdate', req.body);
    updateSubscriber(store, subscriber, update);
    answer(req, res, subscriber);
  });

  router.delete('/:id', (req, res) => {
    const subscriber = found(store.findById(req.params.id));
    noteSubject(res, subscriber.email);
    store.remove(subscriber);
    res.status(204).end();
  });

  return router;
}

function found(subscriber: Subscriber | undefined): Subscriber {
  if (!subscriber) throw new BeehiivFault(404, 'Subscription not found');
  return subscriber;
}
