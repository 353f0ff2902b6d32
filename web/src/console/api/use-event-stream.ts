import type { LiveEvent } from '@site/schema/calls/sync';
import { useEffect, useEffectEvent, useState } from 'react';
import { toUrl } from '../../http.ts';
import { isSignedOut } from './call-fault.ts';

const OPEN_AGAIN_MS = 5_000;

/**
 * Follows the server's events while the tab is visible, and after a gap resumes where it left off. Returns whether
 * the connection is open.
 */
export function useEventStream(
  onEvent: (event: LiveEvent) => void,
  askSession: () => Promise<unknown>,
): boolean {
  const [isLive, setLive] = useState(false);
  const tell = useEffectEvent(onEvent);
  const ask = useEffectEvent(askSession);

  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastId = '';

    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    };
    const open = () => {
      close();
      source = new EventSource(toUrl('GET /api/admin/events', { query: { after: lastId } }));
      const note = (message: MessageEvent<string>) => {
        if (message.lastEventId !== '') lastId = message.lastEventId;
      };
      source.addEventListener('open', () => setLive(true));
      source.addEventListener('place', note);
      source.addEventListener('change', (message: MessageEvent<string>) => {
        note(message);
        tell(JSON.parse(message.data) as LiveEvent);
      });
      source.addEventListener('error', () => {
        setLive(false);
        // The browser reopens a lost connection, but not one that the server refused.
        if (source?.readyState === EventSource.CLOSED) void openAgain();
      });
    };
    const openAgain = async () => {
      try {
        await ask();
      } catch (error) {
        if (isSignedOut(error)) return;
      }
      // The tab may have been hidden meanwhile.
      if (source !== undefined) timer = setTimeout(open, OPEN_AGAIN_MS);
    };
    const follow = () => {
      if (document.visibilityState === 'visible') open();
      else close();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
    };
  }, []);
  return isLive;
}
