import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Posts leads at a fixed rate until stopped, each from its own client IP address. The ledger has
 * the ids from the answers, and the failures.
 */
export function startTrickle(url, { perSecond }) {
  const stop = new AbortController();
  const ledger = { accepted: [], answeredAt: [], failures: [] };
  const underWay = new Set();

  async function post() {
    try {
      const answer = await fetch(`${url}/api/lead/subscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          email: `drill-${randomUUID()}@example.com`,
          fullName: 'Dora Drill',
          formType: 'pre_buy',
        }),
        signal: AbortSignal.timeout(15_000),
      });
      // 200: the process that stored the lead died before it answered, and the proxy retried on
      // another.
      if (answer.ok) {
        ledger.accepted.push((await answer.json()).id);
        ledger.answeredAt.push(Date.now());
      } else ledger.failures.push(`${answer.status} ${(await answer.text()).slice(0, 80)}`);
    } catch (error) {
      ledger.failures.push(error.cause?.code ?? error.name);
    }
  }

  const posting = (async () => {
    while (!stop.signal.aborted) {
      const request = post().finally(() => underWay.delete(request));
      underWay.add(request);
      await delay(1_000 / perSecond, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();

  return {
    ledger,
    async stop() {
      stop.abort();
      await posting;
      await Promise.all(underWay);
      return ledger;
    },
  };
}

/** Counts how often each word occurs, for one line of the report. */
export function tally(words) {
  const counts = Map.groupBy?.(words, (word) => word) ?? groupWords(words);
  return [...counts].map(([word, all]) => `${word} × ${all.length}`).join(', ') || 'none';
}

function groupWords(words) {
  const groups = new Map();
  for (const word of words) groups.set(word, [...(groups.get(word) ?? []), word]);
  return groups;
}
