import type { Lead } from '@site/schema/lead';
import type { Selection } from './use-selection.ts';

/** What both the table and the cards need to show leads. */
export type LeadRows = {
  leads: readonly Lead[];
  isLoading: boolean;
  now: Date;
  isPaused: boolean;
  currentId: string | undefined;
  /** Leads whose retry the server has not answered yet. */
  retrying: ReadonlySet<string>;
  onRetry: (lead: Lead) => void;
  openId: string | undefined;
  selection: Selection;
};
