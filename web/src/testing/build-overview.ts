// Builds complete and valid answers to the calls of the overview and the set-up.
import type { OverviewAnswer } from '@site/schema/calls/overview';
import type { SetUpAnswer } from '@site/schema/calls/set-up';

const AT = '2025-12-03T09:30:00Z';

/** Everything is set up. */
export const buildSetUp = (given: Partial<SetUpAnswer> = {}): SetUpAnswer => ({
  stripe: { fault: null, isLive: true },
  lastEventAt: AT,
  beehiiv: { answer: 'accepted', checkedAt: AT },
  missingFields: [],
  isMailSetUp: true,
  firstSentAt: AT,
  ...given,
});

export function buildOverview(given: Partial<OverviewAnswer> = {}): OverviewAnswer {
  const steps = { people: 0, checkouts: 0, trials: 0, paying: 0, monthlyPence: 0 };
  const flows = {
    paidPence: 0,
    heldPence: 0,
    refundedPence: 0,
    lostPence: 0,
    newPayers: 0,
    cancelled: 0,
  };
  return {
    month: { startDate: '2025-12-01', endDate: '2025-12-18', ...flows },
    monthBefore: { startDate: '2025-11-01', endDate: '2025-11-18', ...flows },
    reasons: [],
    mrr: { pence: 0, count: 0 },
    list: { onList: 0, left: 0 },
    atMonthStart: { mrrPence: null, onList: null },
    week: [18, 19, 20, 21, 22, 23, 24].map((day) => ({
      day: `2025-12-${day}`,
      trials: 0,
      renewals: 0,
      pence: 0,
    })),
    trials: { ended: 0, becamePayers: 0 },
    funnel: {
      startDate: '2025-09-20',
      endDate: '2025-12-18',
      ...steps,
      inTrial: 0,
      isCapped: false,
      channels: [],
      buttons: [],
    },
    ...given,
  };
}
