import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ConsoleView } from '../navigation/console-views.ts';
import { readFilter, toQuery, toSearch } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';

/** The filter in the address, as the same object until it changes, and a way to show another in the same view. */
export function useFilter(view?: ConsoleView) {
  const [params, setParams] = useSearchParams();
  const query = toQuery(readFilter(params));
  const filter = useMemo(() => readFilter(new URLSearchParams(query)), [query]);
  return {
    filter,
    showFilter: (wanted: ListFilter, how?: { replace: boolean }) =>
      setParams(toSearch(wanted, view), how),
  };
}
