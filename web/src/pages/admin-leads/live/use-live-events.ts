import type { LiveEvent } from '@site/schema/console';
import { useEffect, useEffectEvent, useState } from 'react';
import { callApi } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';

const EVENTS = '/api/admin/events';
const OPEN_AGAIN_MS = 5_000;

/**
 * Follows changes as they happen while the tab is looked at. A tab that was hidden, or cut off, goes on where
 * it was. Answers whether the connection stands.
 */
export function useLiveEvents(onEvent: (event: LiveEvent) => void, onSignedOut: () => void): boolean {
  const [isLive, setLive] = useState(false);
  const tell = useEffectEvent(onEvent);
  const leave = useEffectEvent(onSignedOut);

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
      source = new EventSource(lastId === '' ? EVENTS : `${EVENTS}?after=${encodeURIComponent(lastId)}`);
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
        // A connection that was lost comes back by itself; one that was refused does not.
        if (source?.readyState === EventSource.CLOSED) void askWhy();
      });
    };
    const askWhy = async () => {
      try {
        await callApi('GET', '/api/admin/me');
      } catch (error) {
        if (isSignedOut(error)) return leave();
      }
      timer = setTimeout(open, OPEN_AGAIN_MS);
    };
    const look = () => {
      if (document.visibilityState === 'visible') open();
      else close();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      close();
    };
  }, []);
  return isLive;
}
