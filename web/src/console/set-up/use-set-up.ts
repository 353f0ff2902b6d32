import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { useState } from 'react';
import { useApiData } from '../api/data.tsx';
import { useCall } from '../session/use-call.ts';

const AGAIN_MS = 30_000;
/** While a worker checks. */
const SOON_MS = 2_000;
const MAX_WAIT_MS = 20_000;

/** Loads what has to work before the first visitor comes, and has it checked again on request. */
export function useSetUp() {
  const [asked, setAsked] = useState<{ before: string | null; at: number }>();
  const { data, fault, reload } = useApiData(
    'GET /api/admin/set-up',
    {},
    {
      refreshInterval: (answer) =>
        asked && answer?.beehiiv.checkedAt === asked.before ? SOON_MS : AGAIN_MS,
    },
  );
  const { send } = useCall('POST /api/admin/set-up/check', {
    failure: 'The check was not asked for',
  });
  const check = async () => {
    setAsked({ before: data?.beehiiv.checkedAt ?? null, at: Date.now() });
    await send();
    await reload();
    // Without a worker nobody answers.
    window.setTimeout(() => setAsked(undefined), MAX_WAIT_MS);
  };
  return {
    setUp: data,
    fault,
    reload,
    check,
    isChecking: asked !== undefined && data?.beehiiv.checkedAt === asked.before,
  };
}

/** Returns what is known of the set-up. Only in the first run it is asked for: later the strip says how the sync is. */
export function useKnownSetUp({ isFirstRun }: SyncHealthAnswer) {
  const options = isFirstRun ? {} : { revalidateOnMount: false, revalidateIfStale: false };
  const { data, fault } = useApiData('GET /api/admin/set-up', {}, options);
  return { setUp: data, isAwaited: isFirstRun && !data && fault === undefined };
}

/** Tells whether hardly a lead has come yet, and whether none was ever sent, as far as the strip knows. */
export function useFirstRun() {
  const { data } = useApiData('GET /api/admin/sync', {}, { revalidateIfStale: false });
  const isFirstRun = data?.isFirstRun ?? false;
  return {
    isKnown: data !== undefined,
    isFirstRun,
    isUnsent: isFirstRun && data?.lastAcceptedAt === null,
  };
}
