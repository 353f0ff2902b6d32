import { withTimeout } from '@site/platform/process/with-timeout';
import { hasOutsideOrigin, readVisitOrigin, toPublicUrl } from '@site/schema/attribution';
import { buildFormValues, findFormError, FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { leadIntakeBody } from '@site/schema/lead-intake';
import { SUBSCRIBE_BUTTONS } from '@site/schema/lead';
import type { LeadIntakeBody } from '@site/schema/lead-intake';
import type { SubscribeButton } from '@site/schema/lead';
import type { PlainForm } from '@site/schema/page-render';
import { PROBLEMS } from '@site/schema/problem';
import { buildSubscribeLead, LEAD_WAIT_MS } from '@site/schema/subscribe-lead';
import express, { Router } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { toProblem, problem } from '../http/problem.ts';
import { sameOriginWrites } from '../http/security.ts';
import type { ApiSettings } from '../settings.ts';
import type { SitePages } from '../site/site-pages.ts';
import { readClientFacts } from './client-facts.ts';
import { captureLead } from './lead.service.ts';
import type { CaptureDeps } from './lead.service.ts';
import type { Locate } from './client-facts.ts';

export type SubscribeFormDeps = CaptureDeps & {
  locate: Locate;
  settings: Pick<ApiSettings, 'publicUrl'>;
  pages: Pick<SitePages, 'subscribeForm'>;
  /** Opens a checkout for the visitor of this call, and returns the URL of Stripe's page. */
  openCheckout(
    order: {
      email: string;
      leadId: string | undefined;
      plan: 'monthly';
      returnTo: `/subscribe?from=${SubscribeButton}`;
      caller: string;
    },
    req: Request,
    res: Response,
  ): Promise<string>;
  /** The rate limits of a post, applied once its fields are parsed. */
  limits: RequestHandler[];
};

const MAX_BODY = '64kb';
const MAX_FIELD_CHARS = 5_000;
const MAX_INTENT_CHARS = 64;

/**
 * Serves the subscribe form without JavaScript: a page, a plain form, then a redirect to Stripe's
 * page or the filled form. Its lead is stored like a lead from the dialog, and the visitor can pay
 * even if that fails. Before: the site's buttons. Next: `lead.service.ts`.
 */
export function subscribeFormRoutes(deps: SubscribeFormDeps): Router {
  const router = Router();

  router.get('/', async (req, res) => {
    await sendForm(deps, res, {
      ...readForm({ ...req.query, intentId: deps.newId() }),
      landingPage: findLandingPage(deps, req),
      notice: req.query['checkout'] === 'cancelled' ? { kind: 'returned' } : null,
    });
  });

  router.post(
    '/',
    sameOriginWrites(deps.settings.publicUrl),
    readPostedForm,
    ...deps.limits,
    async (req: Request, res: Response) => {
      const form = readForm(req.body as Fields);
      const messages = FORM_FIELD_NAMES.map(
        (name) => [name, findFormError(name, form.values[name])] as const,
      );
      const errors = messages.filter(([, message]) => message !== undefined);
      if (errors.length > 0) {
        res.status(PROBLEMS['fields-invalid'].status);
        return sendForm(deps, res, { ...form, errors: Object.fromEntries(errors) });
      }
      const lead = leadIntakeBody.parse(toLead(form, req.body as Fields));
      const leadId = await captureInTime(deps, req, lead, form.intentId);
      const caller = JSON.stringify([req.ip, req.get('User-Agent'), form.intentId]);
      const order = {
        email: lead.email,
        leadId,
        plan: 'monthly' as const,
        returnTo: `/subscribe?from=${form.from}` as const,
        caller,
      };
      res.redirect(303, await deps.openCheckout(order, req, res));
    },
  );

  router.use(showRefusal(deps));
  return router;
}

type Fields = Record<string, unknown>;

const readPostedForm: RequestHandler[] = [
  express.urlencoded({ extended: false, limit: MAX_BODY }),
  (req, _res, next) => {
    if (!req.is('application/x-www-form-urlencoded')) throw problem('media-type-unsupported');
    next();
  },
];

/** Shows a refusal on the form itself, which keeps the typed values. */
function showRefusal(deps: SubscribeFormDeps): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const refusal = toProblem(error) ?? problem('internal-error');
    if (req.method !== 'POST' || res.headersSent) return next(error);
    if (refusal.kind === 'internal-error')
      deps.log.error({ err: error, reqId: req.id }, 'request failed');
    const { status, title } = PROBLEMS[refusal.kind];
    const { detail = 'Please try again or contact support.', retryAfterSeconds } = refusal.details;
    if (retryAfterSeconds !== undefined)
      res.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
    const form = readForm({ intentId: deps.newId(), ...(req.body as Fields | undefined) });
    const errors = Object.fromEntries(
      (refusal.details.errors ?? []).map(({ field, message }) => [field, message]),
    );
    const notice =
      Object.keys(errors).length > 0 ? null : { kind: refusal.kind, title: `${title}.`, detail };
    await sendForm(deps, res.status(status), { ...form, errors, notice });
  };
}

async function sendForm(
  { pages }: SubscribeFormDeps,
  res: Response,
  form: PlainForm,
): Promise<void> {
  const html = await pages.subscribeForm(form);
  // After a return from Stripe, a browser shows the filled form only if it has kept the page.
  res.set('Cache-Control', 'private, no-cache').type('html').send(html);
}

/** Stores the lead. Returns its id, or undefined if that failed or took too long. */
async function captureInTime(
  deps: SubscribeFormDeps,
  req: Request,
  lead: LeadIntakeBody,
  intentId: string,
): Promise<string | undefined> {
  const captured = captureLead(
    deps,
    lead,
    readClientFacts(req, deps.locate),
    intentId || undefined,
  ).then(
    ({ id }) => id,
    (err: unknown) => {
      deps.log.error({ err, reqId: req.id }, 'lead not captured, checkout continues');
      return undefined;
    },
  );
  return withTimeout(LEAD_WAIT_MS, () => captured).catch(() => undefined);
}

function readForm(fields: Fields): PlainForm {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value.slice(0, MAX_FIELD_CHARS) : '';
  };
  return {
    from: isSubscribeButton(fields['from']) ? fields['from'] : 'nav_sub',
    values: buildFormValues(text),
    errors: {},
    notice: null,
    intentId: text('intentId').slice(0, MAX_INTENT_CHARS),
    landingPage: text('landingPage'),
  };
}

function isSubscribeButton(value: unknown): value is SubscribeButton {
  return typeof value === 'string' && Object.hasOwn(SUBSCRIBE_BUTTONS, value);
}

/** Converts the form to the body of the JSON call. */
function toLead(
  { from, values, landingPage }: PlainForm,
  { website, consentTextVersion }: Fields,
): Fields {
  const origin = URL.canParse(landingPage)
    ? readVisitOrigin({ url: landingPage, referrer: '' })
    : undefined;
  const first = origin && { firstPage: origin.landingPage, firstUtm: origin.visitUtm };
  const lead = buildSubscribeLead(from, values, origin && { ...origin, ...first });
  return { ...lead, consentTextVersion, website };
}

/**
 * Returns the page of this site that led to the form, whose query has the campaign, or else the
 * form's own URL.
 */
function findLandingPage({ settings }: SubscribeFormDeps, req: Request): string {
  const own = toPublicUrl(new URL(req.originalUrl, settings.publicUrl));
  const before = req.get('Referer');
  const isOurs =
    before !== undefined && URL.canParse(before) && new URL(before).host === req.get('Host');
  return isOurs && !hasOutsideOrigin(readVisitOrigin({ url: own, referrer: '' }))
    ? toPublicUrl(before)
    : own;
}
