import { useEffect, useState } from 'react';
import { usePolling } from '../time/use-polling.ts';

const AGAIN_MS = 5_000;

/**
 * Fetches code when it is first needed, and again until it arrives; null needs none. Unlike `lazy` it never throws, so the frame around
 * the missing part stays.
 */
export function useCode<Code extends object>(fetchCode: (() => Promise<Code>) | null) {
  const [code, setCode] = useState<Code>();
  const [fault, setFault] = useState<unknown>();
  const load = async () => {
    try {
      setCode(await fetchCode?.());
      setFault(undefined);
    } catch (error) {
      setFault(error);
    }
  };
  useEffect(() => {
    fetchCode?.().then(setCode, setFault);
  }, [fetchCode]);
  usePolling(fault === undefined ? null : AGAIN_MS, load);
  return { code, fault, reload: load };
}
