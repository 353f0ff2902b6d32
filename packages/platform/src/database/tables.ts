import type { AttemptClass } from '@site/schema/admin';
import type { LeadValues } from '@site/schema/lead';
import type { BillingInterval } from '@site/schema/offer';

type Text = string | null;

/** A lead: the declared fields, and what only the sync and the database write. */
export type LeadRow = LeadValues & {
  /** Computed by the database. */
  emailNormalised: string;
  subscriberId: Text;
  subscriberCheckedAt: Date | null;
  subscriberCheckDueAt: Date | null;
  syncRound: number;
  syncAttempts: number;
  roundStartedAt: Date | null;
  nextAttemptAt: Date | null;
  outcomeUnknown: boolean;
  claim: Text;
  claimedUntil: Date | null;
};

export type SyncAttemptRow = {
  id: string;
  leadId: string;
  kind: 'push' | 'probe' | 'repair' | 'tier';
  round: number;
  number: number;
  startedAt: Date;
  tookMs: number | null;
  httpStatus: number | null;
  class: AttemptClass | null;
  message: Text;
  requestId: Text;
  worker: string;
};

export type SubscriptionRow = {
  id: string;
  /** Null once the person was erased: Stripe goes on telling what was paid. */
  email: Text;
  name: Text;
  company: Text;
  phone: Text;
  createdAt: Date;
  updatedAt: Date;
  leadId: Text;
  stripeSubscriptionId: string;
  stripeCustomerId: string;
  stripeCheckoutSessionId: Text;
  status: string;
  plan: BillingInterval;
  coupon: Text;
  amountPence: number;
  trialEndsAt: Date | null;
  periodEndsAt: Date | null;
  cancelAt: Date | null;
  snapshotAt: Date;
  stripePriceId: Text;
  startedAt: Date | null;
  canceledAt: Date | null;
  endedAt: Date | null;
  cancellationFeedback: Text;
  isCollectionPaused: boolean;
  latestInvoiceId: Text;
  latestInvoiceStatus: Text;
  /** Of the latest invoice. */
  paymentAttempts: number;
  nextPaymentAttemptAt: Date | null;
  /** Where an open invoice can be paid. */
  paymentUrl: Text;
  /** Another subscription of the same address was live before this one. */
  secondLiveSince: Date | null;
  /** Somebody looked at that. */
  secondLiveReviewedAt: Date | null;
  /** Computed by the database, as is `stage`. */
  isLive: boolean;
  stage: 'trial' | 'paying' | 'ending' | 'dunning' | 'suspended' | 'ended' | 'incomplete';
};

export type Tier = 'premium' | 'free';

export type UserRow = { id: string; username: string; password: string; createdAt: Date };
