import { useState } from 'react';
import { describeRefusal, isSignedOut } from '../api/call-fault.ts';

/** Runs an action of a form: whether it is under way, and what was wrong with the last one. */
export function useAction() {
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();
  const run = async (action: () => Promise<void>) => {
    setPending(true);
    setFault(undefined);
    try {
      await action();
    } catch (error) {
      // After the end of a session the login appears instead.
      if (!isSignedOut(error)) setFault(describeRefusal(error));
    } finally {
      setPending(false);
    }
  };
  return { isPending, fault, run };
}
