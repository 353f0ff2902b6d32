// Third-party scripts can read the page's URL. While they run, its query is in the history entry
// instead.

function hiddenQuery(): string | undefined {
  const { query } = (window.history.state ?? {}) as { query?: unknown };
  return typeof query === 'string' ? query : undefined;
}

export function hideQuery(): void {
  const { pathname, search, hash } = window.location;
  if (search === '') return;
  window.history.replaceState(
    { ...(window.history.state as object | null), query: search },
    '',
    pathname + hash,
  );
}

/** Returns the query of the URL, or else the hidden query. */
export function readQuery(search: string): URLSearchParams {
  const isHidden = search === '' && typeof window !== 'undefined';
  return new URLSearchParams(isHidden ? hiddenQuery() : search);
}

/**
 * Loads a receipt with a hidden session id at its whole URL, because the server renders another
 * page without the id. Returns false if no reload is needed.
 */
export function loadWithQuery(): boolean {
  const { pathname, search, hash } = window.location;
  const query = hiddenQuery();
  if (search !== '' || query === undefined || !new URLSearchParams(query).has('session_id'))
    return false;
  window.location.replace(pathname + query + hash);
  return true;
}
