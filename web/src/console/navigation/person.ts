import type { PeopleList } from '@site/schema/calls/people';
import { useLocation, useSearchParams } from 'react-router-dom';

/** What was searched for. Kept beside the address, which holds no personal data. */
export type Found = { text: string; state?: PeopleList | undefined };

/** The query of a list of people. */
export const toPeopleList = (state: PeopleList | undefined) =>
  `view=people${state === undefined ? '' : `&state=${state}`}`;

/** The query of a person's page. Any lead of their address opens it. */
export const toPerson = (leadId: string) => `view=person&id=${leadId}`;

/** The lead whose person is shown, and the search that led there. */
export function useShownPerson() {
  const [params] = useSearchParams();
  const state = useLocation().state as { found?: Found } | null;
  return { id: params.get('id') ?? '', found: state?.found };
}
