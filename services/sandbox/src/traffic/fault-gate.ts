import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import type { Fault, Faults } from './faults.ts';
import { cutOff } from './log-requests.ts';
import type { Target } from './request-log.ts';

export type RefuseAs = (res: Response, fault: Fault) => void;

/**
 * Applies the current fault. `refuse` answers in the service's own error shape. Every mode except
 * `slow` and `reset` stops the request before it has any effect.
 */
export function faultGate(faults: Faults, target: Target, refuse: RefuseAs): RequestHandler {
  return (_req, res, next) => {
    const fault = faults.take(target);
    if (!fault) {
      next();
      return;
    }
    switch (fault.mode) {
      case 'ok':
        next();
        return;
      case 'status':
      case 'rate-limit':
        refuse(res, fault);
        return;
      case 'hang':
        return;
      case 'before-reset':
        cutOff(res);
        return;
      case 'garbage':
        res.status(200).type('html').send('<html><body><h1>Bad gateway</h1></body></html>');
        return;
      case 'half-json':
        res.status(200).type('json').send('{"data":{"id":"sub_0000');
        return;
      case 'reset':
        // The request is processed in full, but its answer is never sent.
        res.end = (() => {
          cutOff(res);
          return res;
        }) as Response['end'];
        next();
        return;
      case 'slow':
        res.locals['slowMs'] = fault.delayMs;
        next();
    }
  };
}

/** Waits if the fault is `slow`. Each service calls this where the real one would be busy. */
export async function waitIfSlow(res: Response): Promise<void> {
  const slowMs: unknown = res.locals['slowMs'];
  if (typeof slowMs === 'number') await delay(slowMs, undefined, { ref: false });
}
