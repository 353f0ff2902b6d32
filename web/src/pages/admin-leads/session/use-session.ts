import type { LoginBody, OperatorAnswer } from '@site/schema/admin';
import { useRef, useState } from 'react';
import useSWR from 'swr';
import { callApi, createFetcher } from '../../../http.ts';
import { toasts } from '../../../ui/toast-store.ts';
import { describeFault, isSignedOut } from '../call-fault.ts';

const whoOrNull = createFetcher<OperatorAnswer>({ on401: 'null' });

/** Who is logged in: undefined while that is being asked, null for nobody. */
export function useSession() {
  const { data: operator, error, mutate } = useSWR<OperatorAnswer | null, unknown>('/api/admin/me', whoOrNull);
  const [hasEnded, setEnded] = useState(false);
  const isLeaving = useRef(false);
  return {
    operator,
    /** It was there, and ended without being asked to. */
    hasEnded,
    error,
    askAgain: () => mutate(),
    /** The server no longer knows this session; the page stays at its address and asks for the login. */
    forget: () => {
      // Calls that are still on their way meet the end that the operator asked for.
      setEnded(!isLeaving.current);
      void mutate(null, { revalidate: false });
    },
    logIn: async (credentials: LoginBody) => {
      await callApi('POST', '/api/admin/login', credentials);
      isLeaving.current = false;
      await mutate();
      setEnded(false);
    },
    logOut: async () => {
      isLeaving.current = true;
      try {
        await callApi('POST', '/api/admin/logout');
      } catch (error) {
        // Whoever is no longer known is out already; anyone else must hear that they are still in.
        if (!isSignedOut(error)) {
          isLeaving.current = false;
          console.error('The session could not be ended', error);
          toasts.add({ title: 'Sign out failed', description: describeFault(error), tone: 'destructive' });
          return;
        }
      }
      await mutate(null, { revalidate: false });
    },
  };
}
