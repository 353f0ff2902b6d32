import { toStoredText } from '@site/schema/text';
import { LEAD_TEXT_LIMITS } from '@site/schema/lead';
import Bowser from 'bowser';
import type { Request } from 'express';
import type { Locate, Place } from './locate.ts';

/** What the server sees of whoever sends a form. None of it can refuse a lead. */
export type ClientFacts = Place & {
  ipAddress: string | null;
  userAgent: string | null;
  deviceType: string | null;
  /** The page the form was on, without its query. */
  page: string | null;
};

function toDeviceType(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  try {
    return Bowser.parse(userAgent).platform.type ?? null;
  } catch {
    return null;
  }
}

function toPage(referrer: string | undefined): string | null {
  if (referrer === undefined || !URL.canParse(referrer)) return null;
  const { origin, pathname } = new URL(referrer);
  return toStoredText(origin + pathname, LEAD_TEXT_LIMITS.attribution) ?? null;
}

export function readClientFacts(req: Request, locate: Locate): ClientFacts {
  const ipAddress = req.ip?.replace(/^::ffff:/, '').slice(0, 64) ?? null;
  const userAgent = toStoredText(req.get('User-Agent'), LEAD_TEXT_LIMITS.attribution) ?? null;
  return {
    ipAddress,
    userAgent,
    deviceType: toDeviceType(userAgent),
    page: toPage(req.get('Referer')),
    ...locate(ipAddress),
  };
}
