import { toAnswerText } from '@site/schema/beehiiv-answers';
import type { CallAnswer } from '@site/schema/calls/calls';
import type { FoundPerson } from '@site/schema/calls/people';
import { PEOPLE_LISTS } from '@site/schema/person-state';
import type { PeopleList } from '@site/schema/person-state';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import useSWRInfinite, { unstable_serialize as serializeList } from 'swr/infinite';
import { CURRENT_DATA, usePagedList } from '../api/data.tsx';
import {
  toListStatus,
  toStateReasonName,
  toFormName,
  shownStatus,
  STATE_NAMES,
} from '@site/schema/labels';
import { toRateText, toReasonText, toneOf } from '../person/labels.ts';
import { useSession } from '../session/session.ts';
import { formatDate, formatDay } from '../shared/format.ts';

export const IS_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

type Found = CallAnswer<'POST /api/admin/people/search'> & { words: string };
type Key = readonly [
  call: 'admin/people',
  words: string,
  state: PeopleList | undefined,
  cursor: number | undefined,
];

/** Returns the search text, which is kept beside the URL, and the chosen list. */
export function usePeopleSearch() {
  const [params] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const { text = '' } = (location.state ?? {}) as { text?: string };
  const state = PEOPLE_LISTS.find((each) => each === params.get('state'));
  const search = (wanted: string) =>
    void navigate({ search: location.search }, { replace: text !== '', state: { text: wanted } });
  return { text, state, search };
}

/**
 * Loads the people whom a text finds, page by page, and keeps the current rows while others load.
 */
export function usePeople(text: string, state: PeopleList | undefined) {
  const { call } = useSession();
  const toKey = (_index: number, previous: Found | null): Key | null =>
    previous?.nextCursor === null ? null : ['admin/people', text, state, previous?.nextCursor];
  const { data, error, mutate, size, setSize } = useSWRInfinite<Found, unknown>(
    toKey,
    async ([, words, wanted, cursor]: Key) => ({
      ...(await call('POST /api/admin/people/search', {
        body: { text: words, state: wanted, cursor },
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

/** Returns a person's state in a word, and its start or end. */
export function toStateText(
  person: FoundPerson,
  now: Date,
): { name: string; more: string; tone?: 'failed' | 'pending' | undefined } {
  const { state, lead } = person;
  if (state !== 'none')
    return {
      name: STATE_NAMES[state],
      more: toStateDetail(person, now).filter(Boolean).join('. '),
      tone: toneOf(person),
    };
  if (lead === null) return { name: 'Not on the list', more: '' };
  const isFailed = shownStatus(lead) === 'failed';
  const why = isFailed && lead.beehiivReason !== null && toAnswerText(lead.beehiivReason);
  return {
    name: toListStatus(lead),
    more: [why, `${toFormName(lead)}, ${formatDate(new Date(lead.submittedAt))}`]
      .filter(Boolean)
      .join('. '),
    tone: isFailed ? 'failed' : undefined,
  };
}

function toStateDetail(person: FoundPerson, now: Date) {
  const { state, reason, since, until, subscription, freeReason } = person;
  const price = subscription ? toRateText(subscription) : '';
  const began = since === null ? '' : formatDate(new Date(since));
  const end = until === null ? '' : formatDay(new Date(until), now);
  const why = reason && toStateReasonName(reason);
  if (state === 'free-access')
    return [end ? `Until ${end}` : 'As long as a subscription runs', freeReason];
  if (state === 'ended') return [began];
  if (reason === 'cancelled') return [why, `Receives until ${end}`];
  if (state === 'paying') return [began ? `${price} since ${began}` : price];
  if (state === 'trial') return [end ? `Trial ends ${end}, then ${price}` : price];
  return [why, price];
}
