import { useState } from 'react';
import { showFailure } from '../api/call-fault.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { useSession } from '../session/session.tsx';

/** Asks for the probe that ends a pause or an outage, without waiting for its time. */
export function ProbeNow({ onAsked }: { onAsked: () => Promise<unknown> }) {
  const { call } = useSession();
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    try {
      await call('POST', '/api/admin/sync/probe');
      await onAsked();
    } catch (error) {
      showFailure('Probe failed', error);
    } finally {
      setAsking(false);
    }
  };
  return (
    <LinkButton
      aria-disabled={isAsking || undefined}
      onClick={() => {
        if (!isAsking) void ask();
      }}
    >
      {isAsking ? 'Asking...' : 'Probe now'}
    </LinkButton>
  );
}
