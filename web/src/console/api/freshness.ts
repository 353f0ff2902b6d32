import { createContext, use } from 'react';

/** When data was last loaded, and since when what is shown has not been refreshed although it should have been. */
type Freshness = {
  loadedAt: Date | undefined;
  staleSince: Date | undefined;
  isUnreachable: boolean;
};

export const FreshnessContext = createContext<Freshness>({
  loadedAt: undefined,
  staleSince: undefined,
  isUnreachable: false,
});

/** What a press on a grey button says. It goes when the server can be reached again. */
export const UNREACHABLE = 'The server cannot be reached';

export function useFreshness(): Freshness {
  return use(FreshnessContext);
}

/** Says why a button that calls the API cannot work now. Undefined while the API can be reached. */
export function useUnavailable(): string | undefined {
  return useFreshness().isUnreachable ? UNREACHABLE : undefined;
}
