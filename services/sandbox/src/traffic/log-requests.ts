import type { RequestHandler, Response } from 'express';
import type { LoggedRequest, RequestLog, Target } from './request-log.ts';

/** Logs each request on arrival and completes the entry when the connection closes. */
export function logRequests(log: RequestLog, target: Target): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const entry = log.open(target, req.method, withoutEmails(req.originalUrl));
    res.locals['logged'] = entry;
    res.on('close', () => {
      entry.tookMs = Math.round((performance.now() - startedAt) * 10) / 10;
      if (res.writableFinished) {
        entry.status = res.statusCode;
        entry.outcome = 'answered';
      } else {
        entry.outcome = res.locals['cutOff'] === true ? 'cut off' : 'client gave up';
      }
    });
    next();
  };
}

/** Records the email in a request. */
export function noteSubject(res: Response, email: string): void {
  const entry = res.locals['logged'] as LoggedRequest | undefined;
  if (entry) entry.subject = email.toLowerCase();
}

/** Cuts the connection without an answer, like a broken network. */
export function cutOff(res: Response): void {
  res.locals['cutOff'] = true;
  res.socket?.destroy();
}

function withoutEmails(url: string): string {
  const path = url.split('?')[0] ?? '';
  return path.replace(/\/by_email\/[^/]*/, '/by_email/:email');
}
