import type { LiveEvent } from '@site/schema/calls/sync';
import { createContext, use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { SWRConfig, useSWRConfig } from 'swr';
import { toUrl } from '../../http.ts';
import { isAway, isSignedOut } from './failure.ts';
import { pagedLists, SYNC } from './data.tsx';

/** The data that a change affects, by the URL that loads it. */
const CHANGES: Record<LiveEvent['changed'][number], RegExp> = {
  leads: /admin\/(?:leads|charts|sync|overview|set-up|money|attention|people)/u,
  sync: /admin\/(?:sync|set-up|differences)/u,
  'bulk-retry': /admin\/bulk-retries/u,
  money: /admin\/(?:money|subscriptions|checkouts|attention|overview|leads|set-up|people)/u,
};
const EVERYTHING = /./u;

/** The first of several events waits this long for others. */
const TOGETHER_MS = 250;
/** The data on screen is reloaded at most this often. */
const REST_MS = 2_000;
const AGAIN_MS = 30_000;
const WITHOUT_STREAM_MS = 5_000;
const OPEN_AGAIN_MS = 5_000;

/** Without an event, anything may have changed. */
type Listener = (event?: LiveEvent) => unknown;
type Live = {
  /** True if changes arrive as they happen. */
  isLive: boolean;
  /** When anything was last loaded. */
  loadedAt: Date | undefined;
  /** The time since when the API has not answered. */
  staleSince: Date | undefined;
  /** Loads everything on screen again. */
  refresh: () => Promise<unknown>;
};

const LiveContext = createContext<Live>({
  isLive: false,
  loadedAt: undefined,
  staleSince: undefined,
  refresh: async () => undefined,
});

export const useLive = (): Live => use(LiveContext);

const wait = async (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type LiveUpdatesProps = { askSession: () => Promise<unknown>; children: ReactNode };

/** Follows the server's events, and reloads the data that they affect. */
export function LiveUpdates({ askSession, children }: LiveUpdatesProps) {
  const { mutate, onError } = useSWRConfig();
  const [loadedAt, setLoadedAt] = useState<Date>();
  const [staleSince, setStaleSince] = useState<Date>();
  const queue = useRef({ waiting: new Set<RegExp>(), isBusy: false });
  const reloadSoon = async (keys: RegExp) => {
    const { current } = queue;
    current.waiting.add(keys);
    if (current.isBusy) return;
    current.isBusy = true;
    while (current.waiting.size > 0) {
      await wait(TOGETHER_MS);
      const due = [...current.waiting];
      current.waiting.clear();
      await reload(mutate, due);
      await wait(REST_MS);
    }
    current.isBusy = false;
  };
  const isLive = useEventStream((event) => {
    for (const keys of event?.changed.map((change) => CHANGES[change]) ?? [EVERYTHING])
      void reloadSoon(keys);
  }, askSession);

  const live = useMemo(
    () => ({ isLive, loadedAt, staleSince, refresh: async () => reload(mutate, [EVERYTHING]) }),
    [isLive, loadedAt, staleSince, mutate],
  );
  const dataLoading = useMemo(
    () => ({
      refreshInterval: isLive ? AGAIN_MS : WITHOUT_STREAM_MS,
      revalidateOnReconnect: true,
      shouldRetryOnError: isAway,
      onErrorRetry: (...[, , , load, options]: Parameters<RetryAfterError>) =>
        onceVisible(() => void load(options)),
      onSuccess: (_: unknown, key: string) => {
        setLoadedAt(new Date());
        if (key === SYNC) setStaleSince(undefined);
      },
      onError: (...[error, key, config]: Parameters<typeof onError>) => {
        onError(error, key, config);
        if (key === SYNC && isAway(error)) setStaleSince((known) => known ?? new Date());
      },
    }),
    [isLive, onError],
  );
  return (
    <LiveContext value={live}>
      <SWRConfig value={dataLoading}>{children}</SWRConfig>
    </LiveContext>
  );
}

/** Reloads the data on screen whose keys match. */
async function reload(
  mutate: ReturnType<typeof useSWRConfig>['mutate'],
  keys: readonly RegExp[],
): Promise<void> {
  const isMeant = (key: string) => keys.some((each) => each.test(key));
  const lists = [...pagedLists].filter(({ key }) => isMeant(key));
  // The filter skips paged lists.
  await Promise.all([
    mutate((key) => typeof key === 'string' && isMeant(key)),
    ...lists.map(async (list) => list.reload()),
  ]).catch(() => undefined);
}

/** Waits, and continues to wait while the tab is hidden. */
function onceVisible(act: () => void): void {
  setTimeout(
    () => (document.visibilityState === 'visible' ? act() : onceVisible(act)),
    WITHOUT_STREAM_MS,
  );
}

type RetryAfterError = ReturnType<typeof useSWRConfig>['onErrorRetry'];

/**
 * Follows the server's events while the tab is visible. Also reports a gap. Returns true while the
 * connection is open.
 */
function useEventStream(onEvent: Listener, askSession: () => Promise<unknown>): boolean {
  const [isLive, setLive] = useState(false);
  const tell = useEffectEvent(onEvent);
  const ask = useEffectEvent(askSession);
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasOpen = false;
    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    };
    const open = () => {
      close();
      source = new EventSource(toUrl('GET /api/admin/events'));
      source.addEventListener('open', () => {
        setLive(true);
        if (wasOpen) tell();
        wasOpen = true;
      });
      source.addEventListener('change', (message: MessageEvent<string>) =>
        tell(JSON.parse(message.data) as LiveEvent),
      );
      source.addEventListener('error', () => {
        setLive(false);
        // The browser reopens a lost connection, but not a connection that the server refused.
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
