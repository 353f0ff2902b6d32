import type { PeopleList } from '@site/schema/calls/people';
import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** Whom a search found, for going through them. Kept beside the address, which holds no personal data. */
export type FoundList = {
  text: string;
  state?: PeopleList | undefined;
  ids: readonly string[];
  total: string;
};

/** The query of a list of people. */
export const toPeopleList = (state: PeopleList | undefined) =>
  `view=people${state === undefined ? '' : `&state=${state}`}`;

/** The query of a person's page. Any lead of their address opens it. */
export const toPerson = (leadId: string) => `view=person&id=${leadId}`;

let shown: string | undefined;

/** The lead whose person was shown last, once, for the list that the operator comes back to. */
export function takeShownPerson(): string | undefined {
  const id = shown;
  shown = undefined;
  return id;
}

/** The lead whose person is shown, and the search that led there. */
export function useShownPerson() {
  const [params] = useSearchParams();
  const state = useLocation().state as { found?: FoundList } | null;
  const id = params.get('id') ?? '';
  useEffect(() => {
    shown = id;
  }, [id]);
  return { id, found: state?.found };
}
