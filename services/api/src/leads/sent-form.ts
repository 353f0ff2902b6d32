import { FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { SUBSCRIBE_BUTTONS } from '@site/schema/lead';
import type { PlainForm } from '@site/schema/page-render';
import { PROBLEMS } from '@site/schema/problem';
import type { Request, Response } from 'express';
import { z } from 'zod';

/*
 * A form that was sent without JavaScript, with what was answered to it, in a cookie for an hour. So the answer has an
 * address of its own, and the browser's Back shows what holds now.
 */

const COOKIE = 'sentForm';
const HOUR_MS = 60 * 60_000;
/** Browsers keep no longer cookie. */
const MAX_COOKIE_CHARS = 3_000;

const text = z.string();
const field = z.enum(FORM_FIELD_NAMES);
const sentForm: z.ZodType<PlainForm> = z.object({
  from: z.literal(keysOf(SUBSCRIBE_BUTTONS)),
  values: z.record(field, text),
  faults: z.partialRecord(field, text),
  notice: z
    .union([
      z.object({ kind: z.literal('returned') }),
      z.object({ kind: z.literal(keysOf(PROBLEMS)), title: text, detail: text }),
    ])
    .nullable(),
  intentId: text,
  landingPage: text,
  asked: text,
});

/** Lets the next post know that this browser keeps cookies. */
export function tryCookies(res: Response, publicUrl: string): void {
  if (readCookie(res.req) === undefined) setCookie(res, publicUrl, '-');
}

/** Keeps a form in the visitor's browser, where no script can read it. Returns false if that browser cannot keep it. */
export function keepSentForm(res: Response, publicUrl: string, form: PlainForm): boolean {
  const sent = encodeURIComponent(JSON.stringify(form));
  const isKept = readCookie(res.req) !== undefined && sent.length <= MAX_COOKIE_CHARS;
  if (isKept) setCookie(res, publicUrl, sent);
  return isKept;
}

/** Returns the form with this intent and what was answered to it, if this browser sent it last. Another tab's is not shown. */
export function readSentForm(req: Request, intentId: unknown): PlainForm | null {
  try {
    const form = sentForm.parse(JSON.parse(decodeURIComponent(readCookie(req) ?? '')));
    return form.intentId === intentId ? form : null;
  } catch {
    return null;
  }
}

function setCookie(res: Response, publicUrl: string, value: string): void {
  const secure = publicUrl.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure, maxAge: HOUR_MS, path: '/subscribe' } as const;
  res.cookie(COOKIE, value, { ...cookie, encode: String });
}

function readCookie(req: Request): string | undefined {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]+)`).exec(req.get('Cookie') ?? '')?.[1];
}

function keysOf<T extends Record<string, unknown>>(record: T): (keyof T & string)[] {
  return Object.keys(record);
}
