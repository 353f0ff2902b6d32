import type { LeadListAnswer } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import type { Halt } from '../lead/lead-labels.ts';
import type { Selection } from './use-selection.ts';

export type LeadRows = {
  leads: readonly ListedLead[];
  stages: LeadListAnswer['stages'];
  endings: LeadListAnswer['endings'];
  /** Only leads are listed that abandoned their checkout. */
  areAbandoned: boolean;
  /** Leads that arrived while the list was open. */
  isNew: (lead: ListedLead) => boolean;
  isLoading: boolean;
  now: Date;
  halt: Halt;
  currentId: string | undefined;
  /** Leads whose retry the server has not answered yet. */
  retrying: ReadonlySet<string>;
  onRetry: (lead: ListedLead) => void;
  openId: string | undefined;
  selection: Selection;
};
