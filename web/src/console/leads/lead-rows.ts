import type { LeadListAnswer } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { describeStage } from '../lead/lead-labels.ts';
import { findMarks } from '../shared/Marked.tsx';
import type { Halt } from '../lead/lead-labels.ts';
import type { Selection } from './use-selection.ts';

export type LeadRows = {
  leads: readonly ListedLead[];
  /** What was searched for. */
  words: string;
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

/** The company of a lead that only it explains. */
export const foundCompany = ({ fullName, company }: ListedLead, { words }: LeadRows) =>
  fullName !== null && company !== null && findMarks(company, words).length > 0 ? company : null;

/** The stage of a lead's subscription, or of the checkout that it abandoned. */
export const stageOf = ({ id }: ListedLead, { stages, endings, areAbandoned, now }: LeadRows) =>
  describeStage(stages[id], endings[id], now) ?? (areAbandoned ? 'Abandoned' : undefined);
