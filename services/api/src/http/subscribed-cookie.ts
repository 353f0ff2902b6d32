import type { Request, Response } from 'express';

/* A cookie of a browser that has subscribed without scripts, which would remember it otherwise. */

const NAME = 'subscribed';
const DAY_MS = 24 * 60 * 60_000;

/** Remembers for a day that this browser has subscribed, so that it is sold no second plan. */
export function noteSubscribed(res: Response, secure: boolean): void {
  res.cookie(NAME, 'yes', { httpOnly: true, sameSite: 'lax', secure, maxAge: DAY_MS });
}

export const hasSubscribed = (req: Request) => new RegExp(`(?:^|;\\s*)${NAME}=yes`).test(req.get('Cookie') ?? '');
