import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { readCookie } from '../http/cookies.ts';
import type { ApiSettings } from '../settings.ts';

/*
 * A cookie with the checkouts that this browser started. Only this browser sees name and email on
 * their receipts, because the checkout's id alone is in the page's URL. The cookie also shows that
 * a visitor who corrected the email abandoned nothing.
 */

const NAME = 'receipts';
const DAY_MS = 24 * 60 * 60_000;
/** A visitor opens a few checkouts at most. The oldest are forgotten. */
const MAX_REMEMBERED = 5;

type CookieSettings = Pick<ApiSettings, 'sessionSecrets' | 'publicUrl'>;

/** Lets this browser see the receipt of a checkout in full, for a day. */
export function grantReceipt(
  settings: CookieSettings,
  req: Request,
  res: Response,
  { sessionId }: { sessionId: string },
): void {
  const mark = toMark(settings.sessionSecrets[0] ?? '', sessionId);
  const marks = [mark, ...readMarks(req).filter((other) => other !== mark)].slice(
    0,
    MAX_REMEMBERED,
  );
  res.cookie(NAME, marks.join('.'), {
    httpOnly: true,
    sameSite: 'lax',
    secure: settings.publicUrl.startsWith('https:'),
    maxAge: DAY_MS,
  });
}

/**
 * Identifies the browser session by the first remembered checkout, else by this checkout. Hashed,
 * because the mark itself opens a receipt.
 */
export function readVisit(settings: CookieSettings, req: Request, sessionId: string): string {
  const secret = settings.sessionSecrets[0] ?? '';
  return toMark(secret, readMarks(req).at(-1) ?? toMark(secret, sessionId));
}

export function maySeeReceipt(settings: CookieSettings, req: Request, sessionId: string): boolean {
  const marks = settings.sessionSecrets.map((secret) => Buffer.from(toMark(secret, sessionId)));
  const isOne = (given: string) =>
    marks.some((mark) => given.length === mark.length && timingSafeEqual(Buffer.from(given), mark));
  return readMarks(req).some(isOne);
}

/** Signs a checkout's id, so that nobody can make a cookie from an id. */
function toMark(secret: string, sessionId: string): string {
  return createHmac('sha256', secret)
    .update(`receipt ${sessionId}`)
    .digest('base64url')
    .slice(0, 22);
}

function readMarks(req: Request): string[] {
  const marks = (readCookie(req, NAME) ?? '').split('.');
  return marks.filter((mark) => /^[\w-]{22}$/.test(mark));
}
