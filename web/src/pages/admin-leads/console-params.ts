/** What the console shows in the place of the list. */
export const CONSOLE_VIEWS = ['figures', 'money', 'runs', 'people', 'activity'] as const;
export type ConsoleView = (typeof CONSOLE_VIEWS)[number];

export const VIEW_NAMES: Record<ConsoleView, string> = {
  figures: 'Figures',
  money: 'Money',
  runs: 'Retry runs',
  people: 'Privacy',
  activity: 'Activity',
};

const leadId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** The lead whose drawer is open, if any. */
export function readOpenLead(params: URLSearchParams): string | undefined {
  const id = params.get('lead') ?? '';
  return leadId.test(id) ? id : undefined;
}

/** Which view is shown; undefined is the list. */
export function readView(params: URLSearchParams): ConsoleView | undefined {
  return CONSOLE_VIEWS.find((view) => view === params.get('view'));
}

/** The same address with another lead open, or none. */
export function withLead(params: URLSearchParams, id: string | undefined): string {
  const next = new URLSearchParams(params);
  if (id === undefined) next.delete('lead');
  else next.set('lead', id);
  return next.toString();
}
