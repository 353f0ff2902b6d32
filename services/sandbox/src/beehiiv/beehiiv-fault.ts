import type { Response } from 'express';

const STATUS_TEXTS: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'payload_too_large',
  422: 'unprocessable_entity',
  429: 'too_many_requests',
  500: 'internal_server_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
};

const DEFAULT_ERRORS: Record<number, { message: string; code: string }> = {
  401: { message: 'Invalid API key', code: 'UNAUTHORIZED' },
  403: { message: 'Your plan does not include this', code: 'FORBIDDEN' },
  404: { message: 'Not found', code: 'NOT_FOUND' },
  422: { message: 'Email is invalid', code: 'INVALID' },
  429: { message: 'Rate limit exceeded', code: 'RATE_LIMIT' },
  500: { message: 'Internal server error', code: 'INTERNAL' },
};

/** A refusal. Routes throw it; the answer has Beehiiv's error shape. */
export class BeehiivFault extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, message?: string, code?: string) {
    const fallback = DEFAULT_ERRORS[status] ?? { message: 'Request failed', code: 'ERROR' };
    super(message ?? fallback.message);
    this.status = status;
    this.code = code ?? fallback.code;
  }
}

export function sendBeehiivFault(res: Response, fault: BeehiivFault): void {
  res.status(fault.status).json({
    status: fault.status,
    statusText: STATUS_TEXTS[fault.status] ?? (fault.status >= 500 ? 'internal_server_error' : 'bad_request'),
    errors: [{ message: fault.message, code: fault.code }],
  });
}
