import type { LiveEvent } from '@site/schema/calls/sync';
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ReactNode } from 'react';
import { SWRConfig, useSWRConfig } from 'swr';
import type { SWRConfiguration } from 'swr';
import { isAway, isUnreachable, loadedBefore } from './call-fault.ts';
import { SYNC } from './use-api-data.ts';
import { usePolling } from './use-polling.ts';
import { toasts } from '../../ui/toast-store.ts';
import { FreshnessContext, UNREACHABLE } from './freshness.ts';
import { useEventStream } from './use-event-stream.ts';

type Listener = (event: LiveEvent) => unknown;
type Updates = {
  isLive: boolean;
  listen: (listener: Listener) => () => void;
  /** Has every component load its data again. */
  refresh: () => Promise<unknown>;
  setStaleSince: (at: Date | undefined) => void;
};
const LOAD_AGAIN_MS = 5_000;

const UpdatesContext = createContext<Updates | undefined>(undefined);
const RELOAD: LiveEvent = {
  leads: [],
  gone: [],
  hasNew: false,
  isReload: true,
  hasSyncChanged: true,
  haveRunsChanged: true,
  hasMoneyChanged: true,
};

/** Hands the server's live events to every component that listens. */
export function LiveUpdates({
  askSession,
  children,
}: {
  askSession: () => Promise<unknown>;
  children: ReactNode;
}) {
  const listeners = useRef(new Set<Listener>());
  const [loadedAt, setLoadedAt] = useState<Date>();
  const [staleSince, setStaleSince] = useState<Date>();
  const last = useRef<Date>(undefined);
  const publish = useCallback(
    (event: LiveEvent) =>
      Promise.all(
        [...listeners.current].map((listener) => listener(event.isReload ? RELOAD : event)),
      ),
    [],
  );
  const isLive = useEventStream((event) => {
    // An event changes what is shown without loading it.
    last.current = new Date();
    setLoadedAt(last.current);
    void publish(event);
  }, askSession);
  const updates = useMemo(() => {
    const listen = (listener: Listener) => {
      listeners.current.add(listener);
      return () => listeners.current.delete(listener);
    };
    return { isLive, listen, refresh: () => publish(RELOAD), setStaleSince };
  }, [isLive, publish]);
  const { mutate, onError } = useSWRConfig();
  const failed = useRef(new Set<string>());
  const loaded = useRef(new Map<string, Date>());
  const [awaySince, setAwaySince] = useState<Date>();
  const [isOutOfReach, setOutOfReach] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const { dataLoading, loadFailedAgain } = useMemo(() => {
    const again = () => {
      const keys = [...failed.current];
      failed.current.clear();
      setHasFailed(false);
      for (const key of keys) void mutate(key);
    };
    const options: SWRConfiguration = {
      onSuccess: (_, key) => {
        last.current = new Date();
        loaded.current.set(key, last.current);
        setLoadedAt(last.current);
        const isBack = key === SYNC && failed.current.has(SYNC);
        failed.current.delete(key);
        setHasFailed(failed.current.size > 0);
        if (key === SYNC) {
          setAwaySince(undefined);
          setOutOfReach(false);
          for (const { id, title } of toasts.current())
            if (title === UNREACHABLE) toasts.dismiss(id);
        }
        if (isBack) again();
      },
      onError: (error, key, config) => {
        onError(error, key, config);
        const before = loaded.current.get(key);
        if (before && error instanceof Error) loadedBefore.set(error, before);
        if (!isAway(error)) return;
        failed.current.add(key);
        setHasFailed(true);
        if (key === SYNC) {
          setAwaySince((known) => known ?? last.current);
          setOutOfReach(isUnreachable(error));
        }
      },
    };
    return { dataLoading: options, loadFailedAgain: again };
  }, [mutate, onError]);
  // The strip says the same time, and the list may have been loaded earlier.
  const since = awaySince ?? staleSince;
  const freshness = useMemo(
    () => ({ loadedAt, staleSince: since, isUnreachable: isOutOfReach }),
    [loadedAt, since, isOutOfReach],
  );
  useEffect(() => {
    if (isLive) loadFailedAgain();
  }, [isLive, loadFailedAgain]);
  // A call can fail while the event stream stays open. Without the stream, the return of the sync's state comes first.
  usePolling(isLive && hasFailed ? LOAD_AGAIN_MS : null, async () => loadFailedAgain());
  return (
    <UpdatesContext value={updates}>
      <FreshnessContext value={freshness}>
        <SWRConfig value={dataLoading}>{children}</SWRConfig>
      </FreshnessContext>
    </UpdatesContext>
  );
}

export function useUpdates(): Updates {
  const updates = use(UpdatesContext);
  if (updates === undefined) throw new Error('There are no updates outside of LiveUpdates');
  return updates;
}

/** Calls the listener for each live event. An event with `isReload` says that everything has to be loaded again. */
export function useLiveEvents(listener: Listener): void {
  const { listen } = useUpdates();
  const hear = useEffectEvent(listener);
  useEffect(() => listen((event) => hear(event)), [listen]);
}
