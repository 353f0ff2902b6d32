export type StripeFaultBody = {
  type: 'invalid_request_error' | 'api_error' | 'card_error' | 'idempotency_error';
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
};

/** A refusal. Endpoints throw it, and the answer has Stripe's error shape. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: StripeFaultBody;

  constructor(status: number, message: string, body: StripeFaultBody) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

export function invalidRequest(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, message, { type: 'invalid_request_error', param, code });
}

/** Refuses parameters that exclude each other. */
export function onlyOneOf(...params: string[]): StripeFault {
  return invalidRequest(
    `You may only specify one of these parameters: ${params.join(', ')}.`,
    params[0],
  );
}

/** Refuses an unknown id: with 404 in the path and, like Stripe, with 400 in a parameter. */
export function missing(kind: string, id: string, param = 'id'): StripeFault {
  return new StripeFault(param === 'id' ? 404 : 400, `No such ${kind}: '${id}'`, {
    type: 'invalid_request_error',
    param,
    code: 'resource_missing',
  });
}

export function cardDeclined(): StripeFault {
  return new StripeFault(402, 'Your card was declined.', {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
}

/** The answer to a fault that a person has set. The request itself is not examined. */
export function edgeFault(status: number): StripeFault {
  if (status === 401) {
    return new StripeFault(401, 'Invalid API Key provided: sk_test_*****', {
      type: 'invalid_request_error',
    });
  }
  if (status === 402) return cardDeclined();
  if (status === 429) {
    const message = 'Request rate limit exceeded.';
    return new StripeFault(429, message, { type: 'invalid_request_error', code: 'rate_limit' });
  }
  if (status >= 500)
    return new StripeFault(status, 'An unknown error occurred', { type: 'api_error' });
  return new StripeFault(status, 'The request was refused', { type: 'invalid_request_error' });
}
