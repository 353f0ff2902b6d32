import { useRef, useState } from 'react';
import type { CallAnswer, CallRequest, KnownCall } from '@site/schema/calls/calls';
import type { CallOptions, RequestOf } from '../../../http.ts';
import { newId } from '../../../new-id.ts';
import { describeRefusal } from '../api/call-fault.ts';
import { useSession } from '../session/session.tsx';

/** Sends a confirmed change once: a repeat after a failure has the same key, so nothing happens twice. */
export function useConfirmedCall<Name extends KnownCall>(name: Name, onDone: (answer: CallAnswer<Name>) => void) {
  const { call } = useSession();
  const [fault, setFault] = useState<string>();
  const [isPending, setPending] = useState(false);
  const intent = useRef({ id: '', of: '' });

  async function send(request: CallRequest<Name>): Promise<void> {
    const of = JSON.stringify(request);
    if (intent.current.of !== of) intent.current = { id: newId(), of };
    setPending(true);
    setFault(undefined);
    try {
      const headers = { 'Idempotency-Key': intent.current.id };
      const sent = [{ ...(request as object), headers }] as unknown as RequestOf<Name, CallOptions>;
      const answer = (await call(name, ...sent)) as CallAnswer<Name>;
      intent.current = { id: '', of: '' };
      onDone(answer);
    } catch (error) {
      setFault(describeRefusal(error));
    } finally {
      setPending(false);
    }
  }
  return { send, fault, isPending };
}
