import { expect, test } from 'vitest';
import { HttpError } from '../../http.ts';
import { toFailureText } from './failure.ts';

test('a problem document’s own words follow the status', () => {
  const body = JSON.stringify({
    type: 'urn:problem:fields-invalid',
    title: 'Some fields are not valid',
    status: 422,
    errors: [{ field: 'endDate', message: 'The end date is before the start date' }],
  });

  expect(toFailureText(new HttpError(422, body, ''))).toBe(
    'The end date is before the start date.',
  );
});

test('a failure of the server is described by its status alone', () => {
  const body = JSON.stringify({
    type: 'urn:problem:internal-error',
    title: 'Something went wrong',
    status: 500,
  });

  expect(toFailureText(new HttpError(500, body, ''))).toBe('The server answered 500.');
});

test('anything else that a server says is left out', () => {
  expect(toFailureText(new HttpError(503, '<html>', 'Service Unavailable'))).toBe(
    'The server answered 503.',
  );
});

test('a call without an answer is described as such', () => {
  expect(toFailureText(new TypeError('Failed to fetch'))).toBe('The server could not be reached.');
});
