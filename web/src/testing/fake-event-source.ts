import { liveEvent } from '@site/schema/console';
import type { LiveEvent } from '@site/schema/console';

const NOTHING: LiveEvent = {
  leads: [],
  gone: [],
  hasNew: false,
  isReload: false,
  hasSyncChanged: false,
  haveRunsChanged: false,
  hasMoneyChanged: false,
};

export type LiveStream = {
  /** Takes the place of the browser's `EventSource`. */
  EventSource: typeof EventSource;
  /** The addresses of the connections that are open now. */
  open(): string[];
  /** Tells every open connection of a change. */
  tell(change: Partial<LiveEvent>): void;
  /** Closes every connection, as a server does that refuses to go on, or that cannot be reached. */
  fail(): void;
};

/** The live events of the API, told by the test. A connection opens as soon as it is asked for. */
export function createLiveStream(): LiveStream {
  const sources = new Set<FakeEventSource>();
  let lastId = 0;

  class FakeEventSource extends EventTarget {
    static readonly CLOSED = 2;
    readyState = 1;
    readonly url: string;

    constructor(url: string) {
      super();
      this.url = url;
      sources.add(this);
      queueMicrotask(() => this.dispatchEvent(new Event('open')));
    }

    close(): void {
      this.readyState = FakeEventSource.CLOSED;
      sources.delete(this);
    }
  }

  return {
    EventSource: FakeEventSource as unknown as typeof EventSource,
    open: () => [...sources].map(({ url }) => url),
    tell(change) {
      const data = JSON.stringify(liveEvent.parse({ ...NOTHING, ...change }));
      lastId += 1;
      for (const source of sources) {
        source.dispatchEvent(new MessageEvent('change', { data, lastEventId: String(lastId) }));
      }
    },
    fail() {
      for (const source of sources) {
        source.close();
        source.dispatchEvent(new Event('error'));
      }
    },
  };
}
