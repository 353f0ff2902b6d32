import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { readFilter, toQuery } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';

/** The filter in the address, as the same object until it changes, and a way to show another. */
export function useFilter() {
  const [params, setParams] = useSearchParams();
  const query = toQuery(readFilter(params));
  const filter = useMemo(() => readFilter(new URLSearchParams(query)), [query]);
  return {
    filter,
    showFilter: (wanted: ListFilter, how?: { replace: boolean }) => setParams(toQuery(wanted), how),
  };
}
