import { json, Router, urlencoded } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { BeehiivStore, Subscriber } from '../beehiiv/beehiiv.store.ts';
import type { EventSender } from '../beehiiv/event-sender.ts';
import { confirmSubscriber, toSubscriptionAnswer } from '../beehiiv/subscription.service.ts';
import type { Faults } from '../traffic/faults.ts';
import { faultBody } from '../traffic/faults.ts';
import type { RequestLog } from '../traffic/request-log.ts';
import { TARGETS } from '../traffic/request-log.ts';

export type ControlDeps = {
  faults: Faults;
  requests: RequestLog;
  beehiiv: BeehiivStore;
  payments: PaymentSwitches;
  setEventFaults: EventSender['setFaults'];
  reset: () => void;
};

/** Changes to Stripe besides faults. */
export type PaymentSwitches = {
  now: () => Date;
  advance: (by: { days: number; seconds: number }) => void;
  setWebhookDisorder: (disorder: {
    shuffle?: boolean | undefined;
    duplicate?: boolean | undefined;
    updatedFirst?: boolean | undefined;
  }) => void;
};

const MAX_DAYS = 800;
const amount = (most: number) =>
  z.coerce.number('must be a number').int().min(0).max(most).default(0);
const forward = { days: amount(MAX_DAYS), seconds: amount(MAX_DAYS * 86_400) };
/** `backDays` is for a demo that then lives through that time. Existing objects stay unchanged. */
const clockBody = z
  .strictObject({ ...forward, backDays: amount(365) })
  .refine(
    ({ days, seconds, backDays }) => days + seconds + backDays > 0,
    'The clock only moves forward: give a number of days or seconds',
  )
  .transform(({ days, seconds, backDays }) => ({ days: days - backDays, seconds }));
const paymentsBody = z.strictObject({
  shuffle: z.boolean().optional(),
  duplicate: z.boolean().optional(),
  updatedFirst: z.boolean().optional(),
});

const requestQuery = z.strictObject({
  target: z.enum(TARGETS, { error: `target must be one of ${TARGETS.join(', ')}` }).optional(),
  subject: z.string().optional(),
});
/** Delivers later events late, out of order, twice or never. An empty body ends the faults. */
const eventsBody = z.strictObject({
  delayMs: z.int().min(0).max(600_000).optional(),
  shuffle: z.boolean().optional(),
  duplicate: z.boolean().optional(),
  drop: z.boolean().optional(),
});
const subscriberBody = z.object({
  email: z.string({ error: 'email must belong to a subscriber' }),
});

/** Changes that a reader or the publisher can make at Beehiiv. */
const ACTIONS: Record<string, (beehiiv: BeehiivStore, subscriber: Subscriber) => void> = {
  confirm: confirmSubscriber,
  unsubscribe: (beehiiv, subscriber) => beehiiv.setStatus(subscriber, 'inactive'),
  delete: (beehiiv, subscriber) => beehiiv.remove(subscriber),
  premium: (beehiiv, subscriber) => beehiiv.setTier(subscriber, 'premium'),
  free: (beehiiv, subscriber) => beehiiv.setTier(subscriber, 'free'),
};

/**
 * Serves the controls of the sandbox at `/_control`. Accepts JSON, and forms from the overview
 * page.
 */
export function controlRoutes(deps: ControlDeps): Router {
  const { faults, requests, beehiiv, payments, setEventFaults, reset } = deps;
  const router = Router();
  router.use(json(), urlencoded({ extended: false }));

  router.post(
    '/faults',
    onValid(faultBody, (fault) => {
      faults.set(fault);
      return { target: fault.target, fault: faults.current(fault.target) };
    }),
  );

  router.post(
    '/clock',
    onValid(clockBody, (by) => {
      payments.advance(by);
      return { now: payments.now().toISOString() };
    }),
  );

  router.post(
    '/payments',
    onValid(paymentsBody, (changes) => {
      payments.setWebhookDisorder(changes);
      return changes;
    }),
  );

  router.get('/beehiiv/subscriptions', (_req, res) => {
    const subscriptions = beehiiv.all().map((subscriber) => ({
      ...toSubscriptionAnswer(beehiiv, subscriber, true),
      last_request: subscriber.lastRequest,
    }));
    res.json({ subscriptions });
  });

  router.post('/beehiiv/events', onValid(eventsBody, setEventFaults));

  for (const [action, act] of Object.entries(ACTIONS)) {
    router.post(`/beehiiv/${action}`, (req, res) => {
      const parsed = subscriberBody.safeParse(req.body);
      const subscriber = parsed.success ? beehiiv.findByEmail(parsed.data.email) : undefined;
      if (!subscriber) {
        res.status(422).json({ error: 'email must belong to a subscriber' });
        return;
      }
      act(beehiiv, subscriber);
      done(req, res, { status: subscriber.status, tier: subscriber.tier });
    });
  }

  router.get('/requests', (req, res) => {
    const parsed = requestQuery.safeParse(req.query);
    if (parsed.success) res.json({ requests: requests.list(parsed.data) });
    else refuse(res, parsed.error);
  });

  router.post('/reset', (req, res) => {
    reset();
    done(req, res, { reset: true });
  });

  router.use((_req, res) => {
    res.status(404).json({ error: 'No such control' });
  });
  router.use(answerUnreadable);
  return router;
}

/** Answers a valid body with the result of `act`, and any other with 422. */
function onValid<T extends z.ZodType>(
  schema: T,
  act: (body: z.output<T>) => object,
): RequestHandler {
  return (req, res) => {
    const parsed = schema.safeParse(req.body);
    if (parsed.success) done(req, res, act(parsed.data));
    else refuse(res, parsed.error);
  };
}

/** Sends a browser back to the overview page and gives a program JSON. */
function done(req: Request, res: Response, answer: object): void {
  if (req.accepts(['json', 'html']) === 'html') res.redirect(303, '/');
  else res.json(answer);
}

function refuse(res: Response, error: z.ZodError): void {
  res.status(422).json({ error: error.issues.map((issue) => issue.message).join('. ') });
}

const answerUnreadable: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (error instanceof SyntaxError) res.status(422).json({ error: 'The body must be valid JSON' });
  else next(error);
};
