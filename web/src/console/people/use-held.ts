import useSWR from 'swr';
import { describeRefusal } from '../api/call-fault.ts';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { countRows } from '../elements/format-count.ts';
import { useSession } from '../session/session.tsx';

/** Counts what is held of an address: `1 lead, 1 subscription and 3 invoices`, which is empty for nothing. */
export function useHeld(email: string) {
  const { call } = useSession();
  const { data, error } = useSWR<string, unknown>(
    ['held', email],
    async () => countRows((await call('POST /api/admin/people/lookup', { body: { email } })).rows),
    CURRENT_DATA,
  );
  return { held: data, fault: error === undefined ? undefined : describeRefusal(error) };
}
