import { epochSeconds } from '../clock.ts';
import { advanceTo } from './billing.service.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { pageParameters, toPage } from './list.ts';
import { integer, text } from './parameters.ts';
import { invalidRequest, missing } from './stripe-fault.ts';
import type { StripeDeps } from './stripe.store.ts';
import type { TestClock } from './test-clock.store.ts';
import { buildTestClock } from './test-clock.store.ts';
import { addInterval } from './subscription.store.ts';

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Test clocks, over the one clock that this account has: the real service moves only the customers made
 * with a clock, this stand-in moves everybody. A clock is ready as soon as it was moved.
 */
export function testClockEndpoints(deps: StripeDeps): Endpoint[] {
  const { store, clock } = deps;
  const find = (id: string): TestClock => {
    const found = store.testClocks.find(id);
    if (!found) throw missing('test clock', id);
    return found;
  };

  return [
    endpoint(
      'post',
      '/test_helpers/test_clocks',
      { frozen_time: integer(0), name: text(300).optional() },
      ({ frozen_time: frozenTime, name }) => {
        if (frozenTime < epochSeconds(clock) - DAY_SECONDS) {
          throw invalidRequest('This stand-in has one clock, which only moves on: start from now.', 'frozen_time');
        }
        advanceTo(deps, frozenTime);
        return store.testClocks.insert(buildTestClock(clock, { frozenTime, name: name ?? null }));
      },
    ),

    endpoint('get', '/test_helpers/test_clocks', { ...pageParameters }, (params) =>
      toPage('/v1/test_helpers/test_clocks', store.testClocks.newestFirst(), params),
    ),

    endpoint('get', '/test_helpers/test_clocks/:id', {}, (_params, path) => find(path['id'] ?? '')),

    endpoint('post', '/test_helpers/test_clocks/:id/advance', { frozen_time: integer(0) }, (params, path) => {
      const moved = find(path['id'] ?? '');
      const { frozen_time: target } = params;
      if (target <= moved.frozen_time) {
        throw invalidRequest('A test clock can only be advanced to a later time.', 'frozen_time');
      }
      if (target > latestTarget(deps, moved.frozen_time)) {
        throw invalidRequest(
          'A test clock can be advanced by at most two intervals of its shortest subscription at once.',
          'frozen_time',
        );
      }
      advanceTo(deps, target);
      moved.frozen_time = target;
      return moved;
    }),

    endpoint('delete', '/test_helpers/test_clocks/:id', {}, (_params, path) => {
      const { id } = find(path['id'] ?? '');
      store.testClocks.remove(id);
      return { id, object: 'test_helpers.test_clock', deleted: true };
    }),
  ];
}

/** Two billing intervals of the shortest subscription, or two years where there is none. */
function latestTarget({ store }: StripeDeps, from: number): number {
  const ends = store.subscriptions
    .snapshot()
    .filter(({ status }) => status !== 'canceled')
    .flatMap(({ items }) => items.data.map(({ price }) => price.recurring))
    .map((recurring) => addInterval(addInterval(from, recurring), recurring));
  return ends.length > 0 ? Math.min(...ends) : from + 2 * 366 * DAY_SECONDS;
}
