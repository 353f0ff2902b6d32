const early = new Map<string, Promise<Response | null>>();

/** Asks for data before the code that shows it has loaded. Resolves to whether the answer was a success. */
export async function fetchEarly(url: string): Promise<boolean> {
  const asked = fetch(url, { credentials: 'include', headers: { 'X-Background': '1' } });
  const answer = asked.catch(() => null);
  early.set(url, answer);
  return (await answer)?.ok ?? false;
}

/** Takes the answer of an early request, once. Returns null if there is none. */
export function takeEarly(url: string): Promise<Response | null> | null {
  const answer = early.get(url) ?? null;
  early.delete(url);
  return answer;
}
