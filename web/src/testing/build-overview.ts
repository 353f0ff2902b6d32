import type { OverviewAnswer } from '@site/schema/calls/overview';
import type { SetUpAnswer } from '@site/schema/calls/set-up';

// Builds complete and valid answers to the calls of the overview and the set-up.

const AT = '2025-12-03T09:30:00Z';

/** Everything is set up. */
export const buildSetUp = (given: Partial<SetUpAnswer> = {}): SetUpAnswer => ({
  stripe: { failure: null, isLive: true },
  lastEventAt: AT,
  beehiiv: { answer: 'accepted', checkedAt: AT },
  missingFields: [],
  isMailSetUp: true,
  firstSentAt: AT,
  backup: { isElsewhere: true },
  hasTwoStepLogin: true,
  ...given,
});

export function buildOverview(given: Partial<OverviewAnswer> = {}): OverviewAnswer {
  const steps = { people: 0, checkouts: 0, trials: 0, paying: 0, monthlyPence: 0 };
  return {
    week: {
      startDate: '2025-12-19',
      endDate: '2025-12-25',
      trials: 0,
      renewals: 0,
      pence: 0,
      currency: 'gbp',
    },
    cancelledTrials: { count: 0, reasons: [] },
    funnel: {
      startDate: '2025-09-20',
      endDate: '2025-12-18',
      ...steps,
      visits: 0,
      inTrial: 0,
      countedSince: null,
      channels: [],
      buttons: [],
      campaigns: [],
    },
    ...given,
  };
}
