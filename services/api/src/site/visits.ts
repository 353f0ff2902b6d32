import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Logger } from '@site/platform/process/logger';
import { readVisitOrigin } from '@site/schema/attribution';
import { londonDate } from '@site/schema/calendar';
import { FUNNEL_OTHERS } from '@site/schema/money';
import { toStoredText } from '@site/schema/text';
import type { Request, RequestHandler } from 'express';
import type { ApiSettings } from '../settings.ts';

/*
 * Counts visits: page loads that do not come from our own pages. A visit has no cookie and no id,
 * and nothing of a person is stored (rule 6.3c).
 */

type Visit = {
  page: string;
  source: string | null;
  referrer: string | null;
  campaign: string | null;
};

/** The pages at which a visit begins. */
const PAGES = ['/', '/subscribe', '/sample-sent'];
const WRITE_EVERY_MS = 2_000;
/** The most different visits that wait for Postgres. More are counted as others. */
const MAX_WAITING = 1_000;
const MAX_CHARS = 100;

const IS_BROWSER = /^(?:Mozilla|Opera)\//u;
const IS_ROBOT =
  /bot\b|crawl|spider|slurp|headless|lighthouse|preview|monitor|externalhit|https?:/iu;

type VisitDeps = {
  db: Database;
  clock: Clock;
  log: Logger;
  settings: Pick<ApiSettings, 'publicUrl'>;
  stopping?: AbortSignal;
};

/**
 * Creates the handler that counts visits. It keeps them in memory and writes them every few seconds
 * and at the end of the process, so that no page waits for Postgres. While Postgres is unavailable
 * it keeps a limited number of different visits.
 */
export function createVisitCounter({
  db,
  clock,
  log,
  settings,
  stopping,
}: VisitDeps): RequestHandler {
  let waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function add(visit: Visit & { day: string }, count: number): void {
    const others = { source: FUNNEL_OTHERS, referrer: null, campaign: FUNNEL_OTHERS };
    const own = JSON.stringify(visit);
    const isKept = waiting.size < MAX_WAITING || waiting.has(own);
    const key = isKept ? own : JSON.stringify({ ...visit, ...others });
    waiting.set(key, (waiting.get(key) ?? 0) + count);
    timer ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref();
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const written = waiting;
    waiting = new Map();
    const seen = [...written].map(([key, count]) => ({
      ...(JSON.parse(key) as Visit & { day: string }),
      count,
    }));
    try {
      await query(db, 'select count_visits(:seen::jsonb)', { seen: JSON.stringify(seen) });
    } catch (err) {
      log.warn({ err }, 'visits are written later');
      for (const { count, ...visit } of seen) add(visit, count);
    }
  }

  stopping?.addEventListener('abort', () => void write());
  return (req, _res, next) => {
    const visit = readVisit(req, settings.publicUrl);
    if (visit) add({ day: londonDate(clock.now()), ...visit }, 1);
    next();
  };
}

/**
 * Returns the visit that a request begins. Returns null for a robot, a prefetch, another request
 * than a page load, and a page load from our own pages or from Stripe's.
 */
function readVisit(req: Request, publicUrl: string): Visit | null {
  const page = req.path.replace(/(?<=.)\/$/u, '');
  if (req.method !== 'GET' || !PAGES.includes(page) || 'checkout' in req.query) return null;
  const agent = req.get('User-Agent') ?? '';
  if (!IS_BROWSER.test(agent) || IS_ROBOT.test(agent)) return null;
  const isPrefetch = ['Sec-Purpose', 'Purpose', 'X-Moz'].some((name) =>
    req.get(name)?.startsWith('prefetch'),
  );
  if (isPrefetch || (req.get('Sec-Fetch-Dest') ?? 'document') !== 'document') return null;
  const given = req.get('Referer') ?? '';
  const url = new URL(req.originalUrl, publicUrl).href;
  const { referrer = null, visitUtm } = readVisitOrigin({ url, referrer: given });
  const isOurs = referrer === null && URL.canParse(given);
  if (isOurs || req.get('Sec-Fetch-Site') === 'same-origin') return null;
  return {
    page,
    source: toName(visitUtm.source),
    referrer: referrer && new URL(referrer).origin,
    campaign: toName(visitUtm.campaign),
  };
}

/** An email, also if it was encoded more than once, or a phone number, but no campaign's id. */
const IS_PERSONAL = /@|%(?:25)*40|(?:\+|\b0)(?:[ ().-]*\d){9,12}\b/u;

/** Returns a name that can be stored. Leaves out an email or phone, which a link may contain. */
const toName = (text = ''): string | null =>
  IS_PERSONAL.test(text) ? null : (toStoredText(text, MAX_CHARS) ?? null);
