const early = new Map<string, Promise<Response | null>>();

/** Asks for data before the code that shows it has loaded. An answer that is not a success is not used. */
export function fetchEarly(url: string): void {
  const answer = fetch(url, { credentials: 'include', headers: { 'X-Background': '1' } });
  early.set(
    url,
    answer.then(
      (response) => (response.ok ? response : null),
      () => null,
    ),
  );
}

/** Takes the answer of an early request, once. Returns null if there is none, or if it was no success. */
export async function takeEarly(url: string): Promise<Response | null> {
  const answer = early.get(url) ?? null;
  early.delete(url);
  return answer;
}
