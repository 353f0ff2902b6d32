import type { CallAnswer } from '@site/schema/calls/calls';
import { PEOPLE_LISTS } from '@site/schema/calls/people';
import type { PeopleList } from '@site/schema/calls/people';
import { useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import useSWRInfinite from 'swr/infinite';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { useLiveEvents } from '../api/live.tsx';
import { useSession } from '../session/session.tsx';

type Found = CallAnswer<'POST /api/admin/people/search'> & { words: string };

/** What is searched for, which is kept beside the address, and the state that the list is narrowed to. */
export function usePeopleSearch() {
  const [params] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const { text = '', focus = false } = (location.state ?? {}) as { text?: string; focus?: boolean };
  const state = PEOPLE_LISTS.find((each) => each === params.get('state'));
  const search = (wanted: string) =>
    void navigate({ search: location.search }, { replace: text !== '', state: { text: wanted } });
  return { text, state, search, isFocused: focus };
}

/** Loads the people whom a text finds, page by page, and keeps what is shown while others load. */
export function usePeople(text: string, state: PeopleList | undefined) {
  const { call } = useSession();
  const { data, error, mutate, size, setSize } = useSWRInfinite<Found, unknown>(
    (_index: number, previous: Found | null) =>
      previous?.nextCursor === null
        ? null
        : (['people', text, state, previous?.nextCursor] as const),
    async ([, words, wanted, cursor]: readonly [
      string,
      string,
      PeopleList | undefined,
      number | undefined,
    ]) => ({
      ...(await call('POST /api/admin/people/search', {
        body: { text: words, state: wanted, cursor },
      })),
      words,
    }),
    { ...CURRENT_DATA, keepPreviousData: true },
  );
  const shown = `${text} ${state}`;
  const [outdated, setOutdated] = useState<string>();
  useLiveEvents(({ hasNew, hasMoneyChanged, gone }) => {
    // What a search finds is seldom among it.
    if (text === '' && (hasNew || hasMoneyChanged || gone.length > 0)) setOutdated(shown);
  });
  // Not those of another search, if none come for this one.
  const pages = error === undefined || data?.[0]?.words === text ? data : undefined;
  const first = pages?.[0];
  const people = new Map(
    pages?.flatMap((page) => page.people).map((person) => [person.email, person]),
  );
  return {
    people: pages && Array.from(people.values()),
    counts: first?.counts,
    isCapped: first?.isCapped ?? false,
    hasMore: pages !== undefined && pages.at(-1)?.nextCursor !== null,
    loadMore: () => setSize(size + 1),
    /** Since it was loaded, somebody came or went, or paid. */
    isOutdated: pages !== undefined && outdated === shown,
    reload: async () => {
      setOutdated(undefined);
      await mutate();
    },
    fault: error,
  };
}
