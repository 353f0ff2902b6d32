import type { LiveEvent } from '@site/schema/calls/sync';

export type LiveStream = {
  /** Replaces the browser's `EventSource`. */
  EventSource: typeof EventSource;
  /** The URLs of the open connections. */
  open(): string[];
  /** Sends a change to every open connection. */
  tell(...changed: LiveEvent['changed']): void;
  /** Closes every connection, like a server that stops or is unreachable. */
  fail(): void;
};

/** Creates fake live events, sent by the test. Connections open at once. */
export function createLiveStream(): LiveStream {
  const sources = new Set<FakeEventSource>();

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
    tell(...changed) {
      const data = JSON.stringify({ changed } satisfies LiveEvent);
      for (const source of sources) source.dispatchEvent(new MessageEvent('change', { data }));
    },
    fail() {
      for (const source of sources) {
        source.close();
        source.dispatchEvent(new Event('error'));
      }
    },
  };
}
