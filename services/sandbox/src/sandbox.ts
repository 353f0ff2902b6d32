import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { createEventSender } from './beehiiv/event-sender.ts';
import { createBeehiivStore, type BeehiivState, type Subscriber } from './beehiiv/beehiiv.store.ts';
import { createRateLimit } from './beehiiv/rate-limit.ts';
import { toSubscriptionAnswer, type SubscriptionAnswer } from './beehiiv/subscription.service.ts';
import { createMovableClock, epochSeconds, systemClock, type Clock } from './clock.ts';
import type { PaymentSwitches } from './control/control.routes.ts';
import { createSandboxApp } from './sandbox-app.ts';
import { createStateFile, readStateFile } from './state-file.ts';
import { advanceTo, runDue } from './stripe/advance.ts';
import {
  completeCheckout,
  type CompletionOutcome,
  type Payer,
} from './stripe/checkout/complete-checkout.ts';
import { buildEvent } from './stripe/events.ts';
import {
  createStripeStore,
  type StripeDeps,
  type StripeState,
  type StripeStore,
} from './stripe/stripe.store.ts';
import { createWebhookSender } from './stripe/webhook-sender.ts';
import { createMailbox, type CaughtMail } from './mail/mailbox.ts';
import { createFaults, faultBody, type FaultBody } from './traffic/faults.ts';
import { createRequestLog, type LoggedRequest } from './traffic/request-log.ts';

const DEFAULT_REQUESTS_PER_MINUTE = 180;
const DEFAULT_API_URL = 'http://127.0.0.1:8080';
const SWEEP_MS = 5_000;
const DAY_SECONDS = 24 * 60 * 60;
const STATE_VERSION = 1;

export type SandboxCredentials = { readonly [K in keyof typeof SANDBOX_CREDENTIALS]: string };

export type SandboxOptions = {
  /** 0, the default, chooses a free port. */
  port?: number | undefined;
  host?: string | undefined;
  /** The port for emails. 0 chooses a free port. Without it no email is caught. */
  smtpPort?: number | undefined;
  /**
   * Origin of the product, which receives webhooks and the sample site's leads. Without it nothing
   * is sent.
   */
  apiUrl?: string | undefined;
  /** The origin at which browsers reach the sandbox, if it differs from the listening one. */
  publicUrl?: string | undefined;
  /** The webhooks' URL, if not the product's `/api/stripe/webhook`. */
  webhookUrl?: string | undefined;
  webhookRetryDelaysMs?: readonly number[] | undefined;
  credentials?: SandboxCredentials | undefined;
  /** Keeps subscribers and Stripe's objects across a restart. */
  stateFile?: string | undefined;
  clock?: Clock | undefined;
  /** Beehiiv's rate limit. 0 switches it off. */
  requestsPerMinute?: number | undefined;
};

export type Sandbox = {
  url: string;
  port: number;
  /** Null if no email is caught, for example because the port is taken. */
  smtpUrl: string | null;
  credentials: SandboxCredentials;
  close(): Promise<void>;
  /** Sets the webhooks' URL. Null sends none. */
  setWebhookUrl(url: string | null): void;
  /** Sets the product's origin, and with it the webhooks' URL. */
  setApiUrl(url: string): void;
  setFault(fault: FaultBody): void;
  /** Lists caught emails, the newest first. */
  mails(): CaughtMail[];
  /**
   * Clears subscribers, purchases, faults and requests. Products, prices, coupons and the portal's
   * configuration stay.
   */
  reset(): void;
  beehiiv: {
    /** Lists subscribers in the order in which they were added, with every optional part. */
    subscriptions(): (SubscriptionAnswer & Pick<Subscriber, 'lastRequest'>)[];
    find(email: string): (SubscriptionAnswer & Pick<Subscriber, 'lastRequest'>) | undefined;
    /** Removes a custom field, as an operator can in Beehiiv. */
    removeCustomField(name: string): void;
    requests(filter?: { subject?: string }): LoggedRequest[];
  };
  stripe: StripeStore &
    Omit<PaymentSwitches, 'advance'> & {
      /** Moves the account's clock forward and runs everything due on the way. */
      advance(by: { days?: number; seconds?: number }): void;
      /** Pays on the hosted page without a browser. The card succeeds unless another is given. */
      completeCheckout(
        sessionId: string,
        payer: Pick<Payer, 'email'> & Partial<Payer>,
      ): CompletionOutcome;
      /** Resolves when no webhook delivery is in progress. */
      webhooksSettled(): Promise<void>;
      requests(): LoggedRequest[];
    };
};

/**
 * Starts Beehiiv, Stripe and the sample site on one port. `close` writes the state file and ends
 * connections.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? systemClock;
  const credentials = options.credentials ?? SANDBOX_CREDENTIALS;
  const host = options.host ?? '127.0.0.1';
  let apiUrl = options.apiUrl === undefined ? undefined : withoutSlash(options.apiUrl);
  let url = '';

  const stored =
    options.stateFile === undefined ? undefined : await readStateFile(options.stateFile);
  let touched = (): void => {};
  const beehiivStore = createBeehiivStore(
    clock,
    () => touched(),
    (type, subscriber, afterMs) =>
      events.send(type, toSubscriptionAnswer(beehiivStore, subscriber, true), afterMs),
  );
  const events = createEventSender(clock, () => beehiivStore.webhooks());
  const stripeClock = createMovableClock(clock);
  const stripeStore = createStripeStore(stripeClock, () => touched());
  if (isState(stored)) {
    beehiivStore.load(stored.beehiiv);
    stripeStore.load(stored.stripe);
  }
  const stateFile =
    options.stateFile === undefined
      ? null
      : createStateFile(options.stateFile, () => ({
          version: STATE_VERSION,
          beehiiv: beehiivStore.snapshot(),
          stripe: stripeStore.snapshot(),
        }));
  touched = () => stateFile?.touch();

  const faults = createFaults();
  const requests = createRequestLog(clock);
  const mailbox = createMailbox(clock);
  const rateLimit = createRateLimit(
    clock,
    options.requestsPerMinute ?? DEFAULT_REQUESTS_PER_MINUTE,
  );
  const webhooks = createWebhookSender({
    url: options.webhookUrl ?? (apiUrl === undefined ? null : toWebhookUrl(apiUrl)),
    secret: credentials.stripeWebhookSecret,
    retryDelaysMs: options.webhookRetryDelaysMs,
    touched: () => touched(),
  });
  const stripeDeps: StripeDeps = {
    store: stripeStore,
    clock: stripeClock,
    publicUrl: () => options.publicUrl ?? url,
    webhookUrl: () => webhooks.url(),
    isUpdatedFirst: () => webhooks.isUpdatedFirst(),
    touched: () => touched(),
    emit(type, object, previousAttributes) {
      webhooks.send(
        stripeStore.events.insert(buildEvent(stripeClock, type, object, previousAttributes)),
      );
      touched();
    },
  };

  function reset(): void {
    beehiivStore.reset();
    stripeStore.reset();
    faults.clear();
    requests.clear();
    events.setFaults({});
    rateLimit.clear();
  }

  const payments: PaymentSwitches = {
    now: () => stripeClock.now(),
    advance({ days, seconds }) {
      if (days < 0) stripeClock.setOffsetMs(stripeClock.offsetMs() + days * DAY_SECONDS * 1_000);
      else advanceTo(stripeDeps, epochSeconds(stripeClock) + days * DAY_SECONDS + seconds);
    },
    setWebhookDisorder: (disorder) => webhooks.setDisorder(disorder),
  };
  const app = createSandboxApp({
    faults,
    requests,
    credentials,
    beehiiv: { store: beehiivStore, rateLimit },
    stripe: stripeDeps,
    productUrl: () => apiUrl ?? DEFAULT_API_URL,
    payments,
    setEventFaults: (faults) => events.setFaults(faults),
    reset,
    mails: mailbox.mails,
  });
  const server = createServer(app);
  // Longer than clients keep idle connections, so that they never reuse one that is closing.
  server.keepAliveTimeout = 60_000;
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;

  const smtpPort =
    options.smtpPort === undefined ? null : await mailbox.listen(options.smtpPort, host);

  const sweep = setInterval(() => runDue(stripeDeps), SWEEP_MS);
  sweep.unref();
  for (const event of stripeStore.events.snapshot())
    if (event.pending_webhooks > 0) webhooks.send(event);

  const show = (subscriber: Subscriber) => ({
    ...toSubscriptionAnswer(beehiivStore, subscriber, true),
    lastRequest: subscriber.lastRequest,
  });

  return {
    url,
    port,
    smtpUrl: smtpPort === null ? null : `smtp://127.0.0.1:${smtpPort}`,
    credentials,
    async close() {
      clearInterval(sweep);
      if (smtpPort !== null) mailbox.close();
      server.close();
      server.closeAllConnections();
      await webhooks.close();
      events.close();
      await stateFile?.close();
    },
    setWebhookUrl: (next) => webhooks.setUrl(next),
    setApiUrl(next) {
      apiUrl = withoutSlash(next);
      webhooks.setUrl(toWebhookUrl(apiUrl));
    },
    mails: mailbox.mails,
    setFault: (fault) => faults.set(faultBody.parse(fault)),
    reset,
    beehiiv: {
      subscriptions: () => beehiivStore.all().map(show),
      find(email) {
        const subscriber = beehiivStore.findByEmail(email);
        return subscriber && show(subscriber);
      },
      removeCustomField: (name) => beehiivStore.removeField(name),
      requests: (filter = {}) => requests.list({ ...filter, target: 'beehiiv' }),
    },
    stripe: {
      ...stripeStore,
      completeCheckout(sessionId, payer) {
        const record = stripeStore.checkouts.find(sessionId);
        if (!record) throw new Error(`No checkout ${sessionId}`);
        return completeCheckout(stripeDeps, record, {
          name: null,
          cardNumber: '4242424242424242',
          ...payer,
        });
      },
      ...payments,
      advance: ({ days = 0, seconds = 0 }) => payments.advance({ days, seconds }),
      webhooksSettled: () => webhooks.settled(),
      requests: () => requests.list({ target: 'stripe' }),
    },
  };
}

function toWebhookUrl(apiUrl: string): string {
  return `${apiUrl}/api/stripe/webhook`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function isState(value: unknown): value is { beehiiv: BeehiivState; stripe: StripeState } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === STATE_VERSION
  );
}
