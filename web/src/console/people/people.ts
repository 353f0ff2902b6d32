import type { CallAnswer } from '@site/schema/calls/calls';
import { PEOPLE_GROUPS, PEOPLE_SORTS } from '@site/schema/people-order';
import type { FoundPerson, PeopleSearch } from '@site/schema/calls/people';
import { BILLING_INTERVALS } from '@site/schema/offer';
import { PEOPLE_LISTS } from '@site/schema/person-state';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import useSWRInfinite, { unstable_serialize as serializeList } from 'swr/infinite';
import { CURRENT_DATA, usePagedList } from '../api/data.tsx';
import { toReasonText } from '../person/labels.ts';
import { useSession } from '../session/session.ts';
import { readFilter } from '../shared/filter.ts';

export const IS_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

type Found = CallAnswer<'POST /api/admin/people/search'> & { words: string };
type Key = readonly [
  call: 'admin/people',
  words: string,
  filter: PeopleFilter,
  cursor: number | undefined,
];
export type PeopleFilter = Omit<PeopleSearch, 'text' | 'cursor'>;

/** Returns the search text, which is kept beside the URL, and the filter in the URL. */
export function usePeopleSearch() {
  const [params] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const { text = '' } = (location.state ?? {}) as { text?: string };
  const find = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === params.get(name));
  const { startDate, endDate } = readFilter(params);
  const filter: PeopleFilter = {
    state: find('state', PEOPLE_LISTS),
    group: find('group', PEOPLE_GROUPS),
    plan: find('plan', BILLING_INTERVALS),
    startDate,
    endDate,
    sort: find('sort', PEOPLE_SORTS),
  };
  const search = (wanted: string) =>
    void navigate({ search: location.search }, { replace: text !== '', state: { text: wanted } });
  return { text, filter, search };
}

/** Writes the query of a filter. */
export function toPeopleQuery(filter: PeopleFilter): string {
  const params = new URLSearchParams({ view: 'people' });
  for (const [name, value] of Object.entries(filter)) if (value) params.set(name, value);
  return params.toString();
}

/**
 * Loads the people whom a text finds, page by page, and keeps the current rows while others load.
 */
export function usePeople(text: string, filter: PeopleFilter) {
  const { call } = useSession();
  const toKey = (_index: number, previous: Found | null): Key | null =>
    previous?.nextCursor === null ? null : ['admin/people', text, filter, previous?.nextCursor];
  const { data, error, mutate, size, setSize } = useSWRInfinite<Found, unknown>(
    toKey,
    async ([, words, chosen, cursor]: Key) => ({
      ...(await call('POST /api/admin/people/search', {
        body: { text: words, ...chosen, cursor },
      })),
      words,
    }),
    { ...CURRENT_DATA, keepPreviousData: true },
  );
  usePagedList(serializeList(toKey), mutate);
  const isOwn = data?.[0]?.words === text;
  // Drops the rows of another search if this search fails.
  const pages = error === undefined || isOwn ? data : undefined;
  const people = new Map(pages?.flatMap((page) => page.people).map((each) => [each.email, each]));
  return {
    people: pages && Array.from(people.values()),
    /** True once the rows are those of the text. */
    isOwn,
    counts: pages?.[0]?.counts,
    isCapped: pages?.[0]?.isCapped ?? false,
    hasMore: pages !== undefined && pages.at(-1)?.nextCursor !== null,
    loadMore: () => setSize(size + 1),
    reload: () => mutate(),
    failure: error,
  };
}

const FOUND_IN: Partial<Record<string, string>> = { email: 'Email', stripe: 'Stripe id' };

/**
 * Returns the place where a search found a person: `Company: Engines`, or
 * `Former email, now ada@gmail.com`.
 */
export function toFoundPlace({ foundIn, email }: FoundPerson): string | undefined {
  if (foundIn === null) return undefined;
  const { kind, text } = foundIn;
  if (kind === 'former-email') return `Former email, now ${email}`;
  return [FOUND_IN[kind] ?? toReasonText(kind), text].filter(Boolean).join(': ');
}
