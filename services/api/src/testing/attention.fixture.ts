import { CONDITION_KINDS } from '@site/schema/conditions';
import type { AttentionItem } from '@site/schema/calls/money';
import type { Api } from './api.fixture.ts';

const OTHERS: string[] = [...CONDITION_KINDS.filter((kind) => kind !== 'leads-failed'), 'offer'];

/** Lists the items that need attention, without the test system's own failures. */
export async function listMatters(
  api: Pick<Api, 'call'>,
  headers: Record<string, string>,
): Promise<AttentionItem[]> {
  const { json } = await api.call('GET', '/api/admin/attention', { headers });
  return (json.items as AttentionItem[]).filter(({ kind }) => !OTHERS.includes(kind));
}
