import type { Lead } from '@site/schema/lead';
import type { useSelection } from './use-selection.ts';

/** What the table and the cards need to show leads. */
export type LeadRows = {
  leads: readonly Lead[];
  isLoading: boolean;
  now: Date;
  isPaused: boolean;
  currentId: string | undefined;
  /** Leads whose retry is on its way to the server. */
  retrying: ReadonlySet<string>;
  onRetry: (lead: Lead) => void;
  /** The address at which this lead's drawer is open. */
  toDrawer: (lead: Lead) => string;
  openId: string | undefined;
  selection: Pick<ReturnType<typeof useSelection>, 'ids' | 'isAll' | 'toggle' | 'toggleAll'>;
};
