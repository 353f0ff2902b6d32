import { describe, test } from 'vitest';
import { readPath } from '../read-path.ts';
import { CASE_OPTIONS, lookUp, openTarget, targetsOf } from '../testing/contract.ts';
import type { Answer, Calls } from '../testing/contract.ts';

/*
 * The product's requests to Beehiiv, with one throw-away email that is deleted after each case. The
 * suite refuses a subscriber's email.
 */

const at = (answer: Answer, ...path: (string | number)[]): unknown => readPath(answer.body, path);

const has = (status: string) => (answer: Answer) => at(answer, 'data', 'status') === status;

/** Adds the email as the product does, and deletes it after the case. */
async function add(
  calls: Calls,
  email: string,
  more: object = {},
): Promise<{ id: string; answer: Answer }> {
  const answer = await calls.call('add', {
    method: 'POST',
    path: '/subscriptions',
    params: {
      email,
      reactivate_existing: false,
      send_welcome_email: false,
      double_opt_override: 'off',
      utm_source: 'top_sub',
      utm_medium: 'page',
      utm_campaign: 'hero_subscription',
      referring_site: 'https://example.com/',
      custom_fields: [{ name: 'full_name', value: 'Contract Suite' }],
      ...more,
    },
  });
  const id = String(at(answer, 'data', 'id'));
  calls.cleanUp({ method: 'DELETE', path: `/subscriptions/${id}` });
  calls.expect(answer.status >= 200 && answer.status < 300, 'a new email is accepted');
  return { id, answer };
}

/** Returns the path of a subscriber who has unsubscribed. */
async function addAndUnsubscribe(calls: Calls, email: string): Promise<string> {
  await add(calls, email);
  const { path } = lookUp(email);
  await calls.until('until active', lookUp(email), has('active'));
  await calls.call('unsubscribe', { method: 'PUT', path, params: { unsubscribe: true } });
  await calls.until('until inactive', lookUp(email), has('inactive'));
  return path;
}

describe.each(targetsOf('beehiiv'))('Beehiiv’s contract, $name', CASE_OPTIONS, (target) => {
  const contract = openTarget(target);

  test(
    'Beehiiv adds an email and looks it up',
    contract(async (calls) => {
      const { email } = calls;
      const missing = await calls.call('look up an email that is not there', lookUp(email));
      calls.expect(missing.status === 404, 'an unknown email is answered with 404');
      const { id } = await add(calls, email, {
        custom_fields: [{ name: 'contract_no_such_field', value: 'x' }],
      });
      await calls.until('look up until it is active', lookUp(email), has('active'));
      const again = await calls.call('add again', {
        method: 'POST',
        path: '/subscriptions',
        params: { email },
      });
      calls.expect(at(again, 'data', 'id') === id, 'a second addition makes no second subscriber');
      await calls.call('read with its fields', lookUp(email, '?expand[]=custom_fields'));
      const listed = await calls.call('list by email', {
        method: 'GET',
        path: `/subscriptions?limit=1&email=${encodeURIComponent(email)}`,
      });
      calls.expect(at(listed, 'data', 0, 'id') === id, 'the list filters by email');
      await calls.call('custom fields', { method: 'GET', path: '/custom_fields?limit=50&page=1' });
    }),
  );

  test(
    'Beehiiv refuses what is not valid',
    contract(async (calls) => {
      await calls.call('an invalid email', {
        method: 'POST',
        path: '/subscriptions',
        params: { email: 'none' },
      });
      await calls.call('no email', { method: 'POST', path: '/subscriptions', params: {} });
      const params = { email: `contract-${calls.tag}@example.com`, reactivate_existing: 'true' };
      await calls.call('a wrong type', { method: 'POST', path: '/subscriptions', params });
      const wrong = { authorization: 'Bearer wrong' };
      await calls.call('a wrong key', { method: 'GET', path: '/custom_fields', headers: wrong });
    }),
  );

  test(
    'Beehiiv updates a subscriber',
    contract(async (calls) => {
      const { email } = calls;
      await add(calls, email);
      const params = { custom_fields: [{ name: 'full_name', value: 'Contract Suite, changed' }] };
      const { path } = lookUp(email);
      await calls.call('change a custom field', { method: 'PUT', path, params });
      const isChanged = (answer: Answer) => {
        const fields = at(answer, 'data', 'custom_fields');
        return (
          Array.isArray(fields) &&
          fields.some((field) => readPath(field, ['value']) === 'Contract Suite, changed')
        );
      };
      await calls.until('read the field', lookUp(email, '?expand[]=custom_fields'), isChanged);
    }),
  );

  test(
    'Beehiiv unsubscribes and reactivates',
    contract(async (calls) => {
      const { email } = calls;
      const path = await addAndUnsubscribe(calls, email);
      await calls.call('take it back by an update', {
        method: 'PUT',
        path,
        params: { unsubscribe: false },
      });
      const same = await calls.call('which changes nothing', lookUp(email));
      calls.expect(has('inactive')(same), 'an update does not reactivate');
      await calls.call('add without reactivation', {
        method: 'POST',
        path: '/subscriptions',
        params: { email, reactivate_existing: false },
      });
      const still = await calls.call('which changes nothing either', lookUp(email));
      calls.expect(has('inactive')(still), 'only reactivate_existing reactivates');
      const params = { email, reactivate_existing: true, double_opt_override: 'off' };
      await calls.call('add with reactivation', { method: 'POST', path: '/subscriptions', params });
      await calls.until('until active again', lookUp(email), has('active'));
    }),
  );

  test(
    'Beehiiv asks for a confirmation of a reactivation with a double opt-in',
    contract(async (calls) => {
      const { email } = calls;
      await addAndUnsubscribe(calls, email);
      const params = { email, reactivate_existing: true, double_opt_override: 'on' };
      await calls.call('add with reactivation', { method: 'POST', path: '/subscriptions', params });
      const isSettled = (found: Answer) => has('pending')(found) || has('active')(found);
      const answer = await calls.until('until pending or active', lookUp(email), isSettled);
      // Beehiiv has then sent a confirmation. Otherwise the product must not count on one.
      calls.expect(
        has('pending')(answer),
        'somebody who unsubscribed must confirm before they are active again',
      );
    }),
  );

  test(
    'Beehiiv’s bulk status call makes a pending subscriber active',
    contract(async (calls) => {
      const { email } = calls;
      const { id } = await add(calls, email, { double_opt_override: 'on' });
      await calls.until('until pending', lookUp(email), has('pending'));
      await calls.call('bulk status', {
        method: 'PUT',
        path: '/subscriptions',
        params: { subscription_ids: [id], new_status: 'active' },
      });
      await calls.until('until active', lookUp(email), has('active'));
    }),
  );

  test(
    'Beehiiv changes a tier',
    contract(async (calls) => {
      const { email } = calls;
      await add(calls, email);
      const { path } = lookUp(email);
      for (const tier of ['premium', 'free']) {
        const answer = await calls.call(`to ${tier}`, { method: 'PUT', path, params: { tier } });
        calls.expect(
          at(answer, 'data', 'subscription_tier') === tier,
          `the answer names the tier ${tier}`,
        );
      }
    }),
  );

  test(
    'Beehiiv deletes a subscriber',
    contract(async (calls) => {
      const { email } = calls;
      const { id } = await add(calls, email);
      await calls.call('delete', { method: 'DELETE', path: `/subscriptions/${id}` });
      await calls.until('until it is gone', lookUp(email), ({ status }) => status === 404);
      await calls.call('delete again', { method: 'DELETE', path: `/subscriptions/${id}` });
    }),
  );
});
