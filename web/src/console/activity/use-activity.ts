import { useSearchParams } from 'react-router-dom';
import { useApiPages } from '../api/data.tsx';
import { useDateFault } from '../shared/FilterForm.tsx';

const NAMES = ['operator', 'action', 'startDate', 'endDate'] as const;
export type ActivityFilter = Record<(typeof NAMES)[number], string>;
export const ALL_ACTIVITY: ActivityFilter = {
  operator: '',
  action: '',
  startDate: '',
  endDate: '',
};

/** Loads what operators did, as the address filters it, and can show something else. */
export function useActivity() {
  const [params, setParams] = useSearchParams();
  const dateFault = useDateFault();
  const asked = Object.fromEntries(
    NAMES.map((name) => [name, params.get(name) ?? '']),
  ) as ActivityFilter;
  const chosen = dateFault === undefined ? asked : { ...asked, startDate: '', endDate: '' };
  const { data: pages, ...rest } = useApiPages('GET /api/admin/audit', (previous) =>
    previous?.nextBefore === null ? null : { query: { ...chosen, before: previous?.nextBefore } },
  );
  return {
    chosen,
    dateFault,
    choose: (wanted: Record<string, string>) =>
      setParams(new URLSearchParams(toSearch({ view: 'activity', ...wanted }))),
    pages,
    ...rest,
  };
}

export const toSearch = (values: Record<string, string>) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
