import express from 'express';
import type { ErrorRequestHandler, Express } from 'express';
import type { EventSender } from './beehiiv/event-sender.ts';
import type { BeehiivDeps } from './beehiiv/beehiiv.routes.ts';
import { beehiivRoutes } from './beehiiv/beehiiv.routes.ts';
import type { CaughtMail } from './mail/mailbox.ts';
import type { PaymentSwitches } from './control/control.routes.ts';
import { controlRoutes } from './control/control.routes.ts';
import { overviewPage } from './overview/overview.page.ts';
import { sampleSiteRoutes } from './sample-site/sample-site.routes.ts';
import { portalRoutes } from './stripe/billing/portal.routes.ts';
import {
  hostedCheckoutRoutes,
  invoicePageRoutes,
  recoveryRoutes,
} from './stripe/checkout/hosted-checkout.routes.ts';
import { stripeRoutes } from './stripe/stripe.routes.ts';
import type { StripeDeps } from './stripe/stripe.store.ts';
import type { Faults } from './traffic/faults.ts';
import type { RequestLog } from './traffic/request-log.ts';

export type SandboxAppDeps = {
  faults: Faults;
  requests: RequestLog;
  credentials: BeehiivDeps['credentials'] & { stripeSecretKey: string };
  beehiiv: Pick<BeehiivDeps, 'store' | 'rateLimit'>;
  stripe: StripeDeps;
  productUrl: () => string;
  payments: PaymentSwitches;
  setEventFaults: EventSender['setFaults'];
  reset: () => void;
  mails: () => CaughtMail[];
};

/** Serves everything on one origin: Stripe's SDK accepts another host, but not a base path. */
export function createSandboxApp(deps: SandboxAppDeps): Express {
  const { faults, requests, credentials, beehiiv, stripe, productUrl, payments, mails } = deps;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'extended');

  app.use('/v1', stripeRoutes({ ...stripe, credentials, faults, requests }));
  app.use('/v2', beehiivRoutes({ ...beehiiv, credentials, faults, requests }));
  app.use('/_control', controlRoutes({ ...deps, beehiiv: beehiiv.store }));

  app.use((_req, res, next) => {
    res.setHeader(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    );
    res.setHeader('cache-control', 'no-store');
    next();
  });
  app.use('/c/pay', hostedCheckoutRoutes(stripe));
  app.use('/r', recoveryRoutes(stripe));
  app.use('/i', invoicePageRoutes(stripe));
  app.use('/p/login', portalRoutes(stripe));
  app.use('/sample-site', sampleSiteRoutes({ productUrl }));
  app.get('/mail/:id', (req, res, next) => {
    const mail = mails().find(({ id }) => id === Number(req.params.id));
    if (mail) res.type('html').send(mail.html);
    else next();
  });
  app.get('/', (_req, res) => {
    res.type('html').send(
      overviewPage({
        beehiiv: beehiiv.store,
        stripe: stripe.store,
        now: payments.now,
        requests,
        faults,
        mails,
      }),
    );
  });
  app.use(answerBug);
  return app;
}

const answerBug: ErrorRequestHandler = (error: unknown, _req, res, _next) => {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  res.status(500).type('text').send(`The sandbox failed:\n${trace}`);
};
