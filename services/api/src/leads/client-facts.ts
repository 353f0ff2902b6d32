import { toStoredText } from '@site/schema/text';
import { LEAD_FIELDS } from '@site/schema/lead-fields';
import type { LeadValuesFrom } from '@site/schema/lead';
import Bowser from 'bowser';
import type { Request } from 'express';
import type { CityResponse } from 'maxmind';
import { open } from 'maxmind';

/** The facts that the server knows about a submission's sender. None of them can refuse a lead. */
export type ClientFacts = LeadValuesFrom<'server'>;

/** The facts of a lead without a form: a payer's lead, or a lead that an operator created. */
export const NO_FORM: ClientFacts = {
  ipAddress: null,
  userAgent: null,
  deviceType: null,
  consentPage: null,
  country: null,
  region: null,
  city: null,
  traceId: null,
};

/**
 * Caches this many browser names, because parsing one costs more than everything else here, and
 * most visitors share a few.
 */
const MAX_REMEMBERED = 1_000;
const deviceTypes = new Map<string, string | null>();

function toDeviceType(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  let type = deviceTypes.get(userAgent);
  if (type === undefined) {
    if (deviceTypes.size >= MAX_REMEMBERED) deviceTypes.clear();
    type = parseDeviceType(userAgent);
    deviceTypes.set(userAgent, type);
  }
  return type;
}

function parseDeviceType(userAgent: string): string | null {
  try {
    return Bowser.parse(userAgent).platform.type ?? null;
  } catch {
    return null;
  }
}

/** Returns the page with the form, without its query. */
function toPage(referrer: string | undefined): string | null {
  if (referrer === undefined || !URL.canParse(referrer)) return null;
  const { origin, pathname } = new URL(referrer);
  return toStoredText(origin + pathname, LEAD_FIELDS.consentPage.limit) ?? null;
}

export function readClientFacts(req: Request, locate: Locate): ClientFacts {
  const ipAddress = req.ip?.replace(/^::ffff:/, '').slice(0, LEAD_FIELDS.ipAddress.limit) ?? null;
  const userAgent = toStoredText(req.get('User-Agent'), LEAD_FIELDS.userAgent.limit) ?? null;
  return {
    ipAddress,
    userAgent,
    deviceType: toDeviceType(userAgent),
    consentPage: toPage(req.get('Referer')),
    // At most 64 characters: see `request-context.ts`.
    traceId: typeof req.id === 'string' ? req.id : null,
    ...locate(ipAddress),
  };
}

export type Place = { country: string | null; region: string | null; city: string | null };

/** Locates an IP address if possible. Never fails. */
export type Locate = (ipAddress: string | null) => Place;

const NOWHERE: Place = { country: null, region: null, city: null };

export const locateNowhere: Locate = () => NOWHERE;

export async function openLocator(path: string): Promise<Locate> {
  const reader = await open<CityResponse>(path);
  return (ipAddress) => {
    try {
      const found = ipAddress === null ? null : reader.get(ipAddress);
      return {
        country: found?.country?.iso_code ?? null,
        region: found?.subdivisions?.[0]?.names.en ?? null,
        city: found?.city?.names.en ?? null,
      };
    } catch {
      return NOWHERE;
    }
  };
}
