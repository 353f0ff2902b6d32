import { useEffect, useState } from 'react';
import { holdIfLeaving } from '../../http.ts';
import { usePolling } from '../api/use-polling.ts';

const AGAIN_MS = 5_000;

type FetchCode<Code extends object> = () => Promise<Code>;

/** The server answers but the file is gone, because a newer release replaced it. Only a new page helps. */
export class CodeReplaced extends Error {}

const fetched = new WeakMap<FetchCode<object>, object>();

/**
 * Fetches code as soon as the server answers. It asks first whether it does, because a browser remembers a file that it
 * could not fetch, and refuses it from then on.
 */
export async function fetchWhenUp<Code extends object>(fetchCode: FetchCode<Code>): Promise<Code> {
  try {
    const answer = await fetch('/livez', { cache: 'no-store' });
    if (!answer.ok) throw new TypeError(`The server answered ${answer.status}`);
  } catch (error) {
    await holdIfLeaving();
    throw error;
  }
  try {
    const code = await fetchCode();
    fetched.set(fetchCode, code);
    return code;
  } catch (cause) {
    await holdIfLeaving();
    throw new CodeReplaced('The file could not be fetched', { cause });
  }
}

/**
 * Fetches code when it is first needed, and again until it arrives; null needs none. Unlike `lazy` it never throws, so
 * the frame around the missing part stays.
 */
export function useCode<Code extends object>(fetchCode: FetchCode<Code> | null) {
  const [code, setCode] = useState(() =>
    fetchCode ? (fetched.get(fetchCode) as Code | undefined) : undefined,
  );
  const [fault, setFault] = useState<unknown>();
  const isMissing = fetchCode !== null && code === undefined;
  const load = async () => {
    if (!fetchCode) return;
    try {
      setCode(await fetchWhenUp(fetchCode));
      setFault(undefined);
    } catch (error) {
      setFault(error);
    }
  };
  useEffect(() => {
    if (isMissing) fetchWhenUp(fetchCode).then(setCode, setFault);
  }, [fetchCode, isMissing]);
  usePolling(fault === undefined || fault instanceof CodeReplaced ? null : AGAIN_MS, load);
  return { code, fault, reload: load };
}
