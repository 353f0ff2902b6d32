import { useLocation, useSearchParams } from 'react-router-dom';

/** Whom a search found, for going through them. Kept beside the address, which holds no personal data. */
export type FoundList = { text: string; ids: readonly string[]; total: string };

/** The query of a person's page. Any lead of their address opens it. */
export const toPerson = (leadId: string) => `view=person&id=${leadId}`;

/** The lead whose person is shown, and the search that led there. */
export function useShownPerson() {
  const [params] = useSearchParams();
  const state = useLocation().state as { found?: FoundList } | null;
  return { id: params.get('id') ?? '', found: state?.found };
}
