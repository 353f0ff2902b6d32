import { useRef, useState } from 'react';
import { newId } from '../../../new-id.ts';
import { describeRefusal } from '../api/call-fault.ts';
import { useSession } from '../session/session.tsx';

/** Sends a confirmed change once: a repeat after a failure has the same key, so nothing happens twice. */
export function useConfirmedCall(path: string, onDone: (answer: unknown) => void) {
  const { call } = useSession();
  const [fault, setFault] = useState<string>();
  const [isPending, setPending] = useState(false);
  const intent = useRef({ id: '', of: '' });

  async function send(body: object): Promise<void> {
    const of = JSON.stringify(body);
    if (intent.current.of !== of) intent.current = { id: newId(), of };
    setPending(true);
    setFault(undefined);
    try {
      const response = await call('POST', path, body, { headers: { 'Idempotency-Key': intent.current.id } });
      intent.current = { id: '', of: '' };
      onDone(await response.json());
    } catch (error) {
      setFault(describeRefusal(error));
    } finally {
      setPending(false);
    }
  }
  return { send, fault, isPending };
}
