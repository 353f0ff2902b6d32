import { describe, expect, test } from 'vitest';
import { HttpError } from '../../http.ts';
import { describeFault } from './call-fault.ts';

describe('describeFault', () => {
  test('a problem document’s own words stand after the status', () => {
    const body = JSON.stringify({
      type: 'urn:problem:fields-invalid',
      title: 'Some fields are not valid',
      status: 422,
      errors: [{ field: 'endDate', message: 'The end date is before the start date' }],
    });

    expect(describeFault(new HttpError(422, body, ''))).toBe('The end date is before the start date.');
  });

  test('a fault of the server’s own needs no more than its status', () => {
    const body = JSON.stringify({ type: 'urn:problem:internal-error', title: 'Something went wrong', status: 500 });

    expect(describeFault(new HttpError(500, body, ''))).toBe('The server answered 500.');
  });

  test('anything else a server says is left out', () => {
    expect(describeFault(new HttpError(503, '<html>', 'Service Unavailable'))).toBe('The server answered 503.');
  });

  test('no answer at all is told apart', () => {
    expect(describeFault(new TypeError('Failed to fetch'))).toBe('The server could not be reached.');
  });
});
