/** By the start of the state, or by what they paid. */
export const PEOPLE_SORTS = ['newest', 'oldest', 'most', 'least'] as const;
export const PEOPLE_GROUPS = ['payers', 'trials-due', 'renewals-due'] as const;
export type PeopleGroup = (typeof PEOPLE_GROUPS)[number];

/** Payers with access, and those charged in the seven days after today, if every trial stays. */
export const GROUP_NAMES: Record<PeopleGroup, string> = {
  payers: 'Payers with access',
  'trials-due': 'Trials that end in the next seven days',
  'renewals-due': 'Renewals in the next seven days',
};
