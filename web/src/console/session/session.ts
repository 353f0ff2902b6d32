import type { OperatorAnswer } from '@site/schema/calls/account';
import { createContext, use, useState } from 'react';
import type { CallApi } from '../../http.ts';

type Session = {
  operator: OperatorAnswer;
  logOut: () => Promise<void>;
  /**
   * Calls the API as `callApi` does. A 401 also ends the session, which shows the login. If the API
   * needs a confirmation, asks the operator, and then makes the call.
   */
  call: CallApi;
  reload: () => Promise<unknown>;
  drafts: Map<string, string>;
};

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('There is no session outside of SessionGate');
  return session;
}

/** Returns true for an operator who may change nothing but their own account. */
export const useIsViewer = (): boolean => useSession().operator.isViewer === true;

/**
 * Returns a text that is saved nowhere. It survives changes of the view, and the browser asks
 * before it is lost.
 */
export function useDraft(name: string) {
  const { drafts } = useSession();
  const [text, setText] = useState(drafts.get(name) ?? '');
  const change = (changed: string) => {
    setText(changed);
    drafts.set(name, changed);
    if (changed === '') drafts.delete(name);
  };
  return [text, change] as const;
}
