// Builds what the console's calls answer about people. A test gives only the fields it is about.
import type { CallAnswer } from '@site/schema/calls/calls';
import { PEOPLE_LISTS } from '@site/schema/calls/people';
import type { FoundPerson, PeopleList, PersonAnswer } from '@site/schema/calls/people';
import type { Lead } from '@site/schema/lead';
import { buildDetail } from './build-console.ts';

/** Builds what the person's page shows of somebody with one lead. */
export function buildPerson(lead: Lead, changes: Partial<PersonAnswer> = {}): PersonAnswer {
  return {
    ...buildDetail(lead),
    leads: [lead],
    notReceiving: null,
    differences: [],
    subscriber: null,
    others: [],
    ...changes,
  };
}

/** Builds somebody on the list, as a search finds them. */
export function buildFound(lead: Lead, changes: Partial<FoundPerson> = {}): FoundPerson {
  return {
    email: lead.email,
    name: lead.fullName,
    leadIds: [lead.id],
    standing: 'listed',
    lead: { ...lead, subscriberStatus: 'active', correctedTo: null },
    subscription: null,
    complimentaryUntil: null,
    paidPence: null,
    foundIn: null,
    ...changes,
  };
}

export function buildPeople(people: FoundPerson[]): CallAnswer<'POST /api/admin/people/search'> {
  const counts = Object.fromEntries(
    PEOPLE_LISTS.map((each) => [each, people.filter(({ standing }) => standing === each).length]),
  ) as Record<PeopleList, number>;
  return { people, counts, isCapped: false, nextCursor: null };
}
