import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { cutOff, noteSubject } from '../traffic/log-requests.ts';
import { BeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore, Subscriber } from './beehiiv.store.ts';
import { readMagicTag, readRefusal } from './magic-addresses.ts';
import type { RateLimit } from './rate-limit.ts';
import { toSubscriptionAnswer } from './subscription-answer.ts';
import type { ListEnvelope } from './subscription-list.ts';
import { listSubscribers } from './subscription-list.ts';
import {
  expandQuery,
  listQuery,
  parseRequest,
  statusUpdate,
  subscriptionRequest,
  subscriptionUpdate,
} from './subscription.schemas.ts';
import { findSubscriber, subscribe, updateSubscriber } from './subscription.service.ts';

const MAGIC_RESET_SECONDS = 5;

export type SubscriptionRoutesDeps = {
  store: BeehiivStore;
  rateLimit: RateLimit;
  listEnvelope: ListEnvelope;
};

/** Serves `/v2/publications/:publicationId/subscriptions`. Next: subscription.service.ts. */
export function subscriptionRoutes({
  store,
  rateLimit,
  listEnvelope,
}: SubscriptionRoutesDeps): Router {
  const router = Router();

  function answer(req: Request, res: Response, subscriber: Subscriber): void {
    const { expand } = parseRequest(expandQuery, 'query', req.query);
    res.json({ data: toSubscriptionAnswer(store, subscriber, expand) });
  }

  function byEmail(req: Request<{ email: string }>, res: Response): Subscriber {
    noteSubject(res, req.params.email);
    return found(findSubscriber(store, req.params.email));
  }

  function byId(req: Request<{ id: string }>, res: Response): Subscriber {
    const subscriber = found(store.findById(req.params.id));
    noteSubject(res, subscriber.email);
    return subscriber;
  }

  function update(req: Request, res: Response, subscriber: Subscriber): void {
    updateSubscriber(
      store,
      subscriber,
      parseRequest(subscriptionUpdate, 'subscriptionupdate', req.body),
    );
    answer(req, res, subscriber);
  }

  router.post('/', (req, res) => {
    const request = parseRequest(subscriptionRequest, 'subscriptionrequest', req.body);
    noteSubject(res, request.email);
    const tag = readMagicTag(request.email);
    const refusal = tag === '500' ? 500 : readRefusal(request.email);
    if (refusal !== undefined) throw new BeehiivFault(refusal);
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
    res.json(listSubscribers(store, parseRequest(listQuery, 'query', req.query), listEnvelope));
  });

  router.put('/', (req, res) => {
    const { subscription_ids: ids, new_status: status } = parseRequest(
      statusUpdate,
      'bulkstatusupdate',
      req.body,
    );
    for (const id of ids) found(store.findById(id)).status = status;
    store.touched();
    res.json({ data: { subscription_update_id: randomUUID() } });
  });

  router.get('/by_email/:email', (req, res) => answer(req, res, byEmail(req, res)));
  router.put('/by_email/:email', (req, res) => update(req, res, byEmail(req, res)));
  router.get('/:id', (req, res) => answer(req, res, byId(req, res)));
  router.put('/:id', (req, res) => update(req, res, byId(req, res)));

  router.delete('/:id', (req, res) => {
    store.remove(byId(req, res));
    res.status(204).end();
  });

  return router;
}

function found(subscriber: Subscriber | undefined): Subscriber {
  if (!subscriber) throw new BeehiivFault(404, 'Subscription not found');
  return subscriber;
}
