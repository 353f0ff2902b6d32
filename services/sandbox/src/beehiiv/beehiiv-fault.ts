import { BEEHIIV_ANSWERS, findReason } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';
import type { Response } from 'express';
import { STATUS_CODES } from 'node:http';

/** `too_many_requests`, as Beehiiv writes a status. */
const toStatusText = (status: number) => STATUS_CODES[status]?.toLowerCase().replaceAll(' ', '_');

/** A refusal. Routes throw it, and the answer has Beehiiv's error shape. */
export class BeehiivFault extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, message?: string, code?: string) {
    const reason = findReason(status);
    const answer: BeehiivAnswer | undefined = reason && BEEHIIV_ANSWERS[reason];
    const fallback = answer?.error ?? { message: 'Request failed', code: 'ERROR' };
    super(message ?? fallback.message);
    this.status = status;
    this.code = code ?? fallback.code;
  }
}

export function sendBeehiivFault(res: Response, fault: BeehiivFault): void {
  res.status(fault.status).json({
    status: fault.status,
    statusText:
      toStatusText(fault.status) ?? (fault.status >= 500 ? 'internal_server_error' : 'bad_request'),
    errors: [{ message: fault.message, code: fault.code }],
  });
}
