// @module-tag long
import { describe, expect, test } from 'vitest';
import { beehiivClient, startSandbox } from '../testing/fixtures.ts';

describe('adding an email', () => {
  test.each([
    ['a boolean sent as text', { email: 'a@b.io', reactivate_existing: 'true' }, 'VALIDATE_ERROR'],
    ['an unknown key', { email: 'a@b.io', tags: ['x'] }, 'NOT_EXIST_PROPERTY_DEFINITION'],
    [
      'a value outside the list',
      { email: 'a@b.io', double_opt_override: 'maybe' },
      'NOT_ENUM_INCLUDE',
    ],
  ])(
    'a new subscriber with %s is refused with 400 and the error body of the service',
    async (_name, body, code) => {
      const sandbox = await startSandbox();

      const { status, data } = await beehiivClient(sandbox).post('/subscriptions', body);

      expect(status).toBe(400);
      expect(data).toEqual({
        status: 400,
        statusText: 'bad_request',
        errors: [
          { message: expect.stringContaining('#/components/schemas/subscriptionrequest'), code },
        ],
      });
      expect(sandbox.beehiiv.subscriptions()).toEqual([]);
    },
  );
});
