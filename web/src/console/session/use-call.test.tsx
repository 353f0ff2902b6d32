import { act, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { buildBulkRetry } from '../../testing/build-console.ts';
import { show, test } from '../../testing/component-test.tsx';
import { SessionGate } from './SessionGate.tsx';
import { useCall } from './use-call.ts';

const STOP = 'POST /api/admin/bulk-retries/:id/stop';

function Stops({ onDone = () => undefined }: { onDone?: (() => unknown) | undefined }) {
  const { send, failure, isPending, reset } = useCall(STOP, { notice: 'Stop failed', onDone });
  const stop = (id: string) => void send({ params: { id } });
  return (
    <>
      <button type="button" onClick={() => stop('a')}>
        Stop a
      </button>
      <button type="button" onClick={() => stop('b')}>
        Stop b
      </button>
      <button type="button" onClick={reset}>
        Reset
      </button>
      <p data-testid="state">{isPending ? 'Under way' : (failure ?? 'Calm')}</p>
    </>
  );
}

async function open(onDone?: () => unknown): Promise<void> {
  show(
    <SessionGate title="Leads">
      <Stops onDone={onDone} />
    </SessionGate>,
  );
  await isShown('Calm');
}

function createFollowUp() {
  let finish = () => {};
  const promise = new Promise<void>((resolve) => (finish = resolve));
  return { promise, finish };
}

const isShown = (text: string) =>
  waitFor(() => expect(screen.getByTestId('state').textContent).toBe(text));
const press = (name: string) => act(() => screen.getByRole('button', { name }).click());

test.beforeEach(async ({ api, logged: _ }) => {
  api.answer('GET /api/admin/me', { username: 'admin' });
  api.refuse(STOP, 409, { title: 'This bulk retry has already ended' });
});

test('a failed request is repeated with its key, and another request has another key', async ({
  api,
}) => {
  await open();

  for (const name of ['Stop a', 'Stop a', 'Stop b']) {
    press(name);
    await isShown('Under way');
    await isShown('This bulk retry has already ended.');
  }

  const [first, second, third] = api
    .calls(STOP)
    .map(({ headers }) => headers.get('Idempotency-Key'));
  expect(first).toMatch(/^[\w-]{10,}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('a request after a success has a new key', async ({ api }) => {
  api.answer(STOP, buildBulkRetry());
  await open();

  for (const count of [1, 2]) {
    press('Stop a');
    await waitFor(() => expect(api.calls(STOP)).toHaveLength(count));
    await isShown('Calm');
  }

  const [first, second] = api.calls(STOP).map(({ headers }) => headers.get('Idempotency-Key'));
  expect(second).not.toBe(first);
});

test('each failure is logged and shown, although another request was sent meanwhile', async ({
  logged,
}) => {
  await open();

  press('Stop a');
  press('Stop b');

  await waitFor(() =>
    expect(logged.mock.calls.map(([title]) => title)).toEqual(['Stop failed', 'Stop failed']),
  );
  await screen.findByText('Stop failed');
});

test('a failure is forgotten on request', async () => {
  await open();
  press('Stop a');
  await isShown('This bulk retry has already ended.');

  press('Reset');

  await isShown('Calm');
});

test('a call is under way until its follow-up is done', async ({ api }) => {
  const { promise, finish } = createFollowUp();
  api.answer(STOP, buildBulkRetry());
  await open(() => promise);

  press('Stop a');
  await waitFor(() => expect(api.calls(STOP)).toHaveLength(1));
  await isShown('Under way');
  finish();

  await isShown('Calm');
});

test('a call that meets the end of the session shows the login and no toast', async ({ api }) => {
  await open();
  api.refuse(STOP, 401);

  press('Stop a');

  await screen.findByRole('heading', { name: 'Log in' });
  expect(screen.queryByText('Stop failed')).toBeNull();
});
