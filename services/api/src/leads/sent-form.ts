import { FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { SUBSCRIBE_BUTTONS } from '@site/schema/lead';
import type { PlainForm } from '@site/schema/page-render';
import { PROBLEMS } from '@site/schema/problem';
import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';

/*
 * The forms that were sent without JavaScript, each tab's last, with what was answered to them, in a cookie for an hour.
 * So an answer has an address of its own, and the browser's Back shows what holds now.
 */

const COOKIE = 'sentForms';
const HOUR_MS = 60 * 60_000;
/** Browsers keep no longer cookie. */
const MAX_COOKIE_CHARS = 3_000;

const text = z.string();
const field = z.enum(FORM_FIELD_NAMES);
const sentForms: z.ZodType<PlainForm[]> = z.array(
  z.object({
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
  }),
);

/** Lets the next post know that this browser keeps cookies. */
export function tryCookies(res: Response, publicUrl: string): void {
  if (readCookie(res.req) === undefined) setCookie(res, publicUrl, '-');
}

/**
 * Keeps a form in the visitor's browser, where no script can read it, before those of other tabs, as far as there is room.
 * Returns false if that browser cannot keep it.
 */
export function keepSentForm(res: Response, publicUrl: string, form: PlainForm): boolean {
  const forms = [
    form,
    ...readSentForms(res.req).filter(({ intentId }) => intentId !== form.intentId),
  ];
  const write = () => encodeURIComponent(JSON.stringify(forms));
  while (forms.length > 0 && write().length > MAX_COOKIE_CHARS) forms.pop();
  const isKept = readCookie(res.req) !== undefined && forms.length > 0;
  if (isKept) {
    setCookie(res, publicUrl, write());
    // A script's draft from before gives way.
    res.cookie('lastPlainForm', randomUUID(), {
      sameSite: 'lax',
      secure: isSecure(publicUrl),
      maxAge: HOUR_MS,
    });
  }
  return isKept;
}

/** Returns the forms that this browser has sent, with what was answered to them. */
export function readSentForms(req: Request): PlainForm[] {
  try {
    return sentForms.parse(JSON.parse(decodeURIComponent(readCookie(req) ?? '')));
  } catch {
    return [];
  }
}

function setCookie(res: Response, publicUrl: string, value: string): void {
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(publicUrl),
    maxAge: HOUR_MS,
    path: '/subscribe',
  } as const;
  res.cookie(COOKIE, value, { ...cookie, encode: String });
}

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:');

function readCookie(req: Request): string | undefined {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]+)`).exec(req.get('Cookie') ?? '')?.[1];
}

function keysOf<T extends Record<string, unknown>>(record: T): (keyof T & string)[] {
  return Object.keys(record);
}
