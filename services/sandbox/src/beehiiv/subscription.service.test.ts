// @module-tag long
import { listCustomFields } from '@site/schema/lead-fields';
import { describe, expect, test } from 'vitest';
import { beehiivClient, startSandbox } from '../testing/fixtures.ts';

async function subscribeMany(
  sandbox: Awaited<ReturnType<typeof startSandbox>>,
  count: number,
): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, index) => `reader${index}@example.com`);
  for (const email of emails) await beehiivClient(sandbox).post('/subscriptions', { email });
  return emails;
}

describe('listing subscriptions', () => {
  test('the list’s cursor leads through all of it, each subscriber once, oldest first', async () => {
    const sandbox = await startSandbox();
    const emails = await subscribeMany(sandbox, 25);
    const beehiiv = beehiivClient(sandbox);

    const seen: string[] = [];
    let cursor: string | null | undefined;
    let pages = 0;
    do {
      const { data } = await beehiiv.get('/subscriptions', {
        params: { limit: 10, ...(cursor && { cursor }) },
      });
      seen.push(...data.data.map(({ email }: { email: string }) => email));
      cursor = data.has_more ? data.next_cursor : null;
      pages += 1;
    } while (cursor);

    expect(seen).toEqual(emails);
    expect(pages).toBe(3);
  });

  test('the list’s pages have ten subscribers by default, or start with the newest', async () => {
    const sandbox = await startSandbox();
    await subscribeMany(sandbox, 11);

    const { data } = await beehiivClient(sandbox).get('/subscriptions?direction=desc');

    expect(data).toMatchObject({
      limit: 10,
      has_more: true,
      next_cursor: expect.any(String),
    });
    expect(data.data[0].email).toBe('reader10@example.com');
  });

  test('the list is filtered by email', async () => {
    const sandbox = await startSandbox();
    await subscribeMany(sandbox, 2);

    const { data } = await beehiivClient(sandbox).get('/subscriptions?email=READER1%40example.com');

    expect(data.data).toMatchObject([{ email: 'reader1@example.com' }]);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'expand[]=secrets',
    'surprise=1',
    'cursor=nonsense',
  ])('the query %s is refused with 400', async (query) => {
    const { status } = await beehiivClient(await startSandbox()).get(`/subscriptions?${query}`);

    expect(status).toBe(400);
  });
});

describe('custom fields', () => {
  test('the product’s custom fields exist, ten of them on the first page', async () => {
    const beehiiv = beehiivClient(await startSandbox());
    const ours = listCustomFields();

    const first = await beehiiv.get('/custom_fields');
    const second = await beehiiv.get('/custom_fields?page=2');

    expect(first.data).toMatchObject({
      limit: 10,
      page: 1,
      total_results: ours.length,
      total_pages: 2,
    });
    expect(first.data.data).toHaveLength(10);
    expect(second.data.data).toMatchObject(
      ours.slice(10).map((display) => ({ kind: 'string', display })),
    );
  });
});
