import type { LeadStage } from '@site/schema/money';
import type { useSession } from '../session/session.tsx';

/** A subscription that has not ended, and the lead in whose drawer it can be cancelled. */
export type Running = { leadId: string; stage: LeadStage };

/** Finds the running subscription of an address, which an erasure waits for. */
export async function findRunning(
  call: ReturnType<typeof useSession>['call'],
  email: string,
): Promise<Running | undefined> {
  const { leads, stages } = await call('GET /api/admin/leads', { query: { search: email } });
  for (const lead of leads) {
    const stage = stages[lead.id];
    if (lead.email.toLowerCase() === email.toLowerCase() && stage !== undefined && isRunning(stage)) {
      return { leadId: lead.id, stage };
    }
  }
  return undefined;
}

/** A first payment that never came is not a subscription: Stripe lets it expire. Complimentary access is none either. */
const isRunning = (stage: LeadStage) => stage !== 'ended' && stage !== 'incomplete' && stage !== 'complimentary';
