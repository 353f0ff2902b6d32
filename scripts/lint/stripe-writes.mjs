/** The files that may write at Stripe: acts (rule 3.17), corrections, and the set-up. */
const MAY_WRITE = [
  'services/api/src/acts/',
  'services/api/src/admin/subscriptions/cancel.service.ts',
  'services/api/src/admin/subscriptions/refund.service.ts',
  'services/api/src/checkout/open-session.ts',
  'services/api/src/stripe/expire-session.ts',
  'services/api/src/corrections/',
  'services/api/src/stripe/set-up.ts',
];
const PRODUCT = /^services\/(?:api|worker)\/src\/(?!testing\/)(?!.*\.test\.ts$)/;

const RESOURCES =
  'charges|configurations|coupons|creditNotes|customers|disputes|invoiceItems|invoicePayments|' +
  'invoices|paymentIntents|paymentMethods|prices|products|promotionCodes|refunds|sessions|' +
  'setupIntents|subscriptionItems|subscriptionSchedules|subscriptions|webhookEndpoints';
const VERBS =
  'create|update|cancel|del|expire|resume|pause|pay|capture|confirm|migrate|finalizeInvoice|' +
  'voidInvoice|voidCreditNote|markUncollectible|sendInvoice|attach|detach|deleteDiscount';
const WRITE = new RegExp(
  `(?:\\bstripe(?:\\?|!)?\\.(?:\\w+\\.)*|(?:^|\\.)(?:${RESOURCES})\\.)(?:${VERBS})$`,
);

/** Returns the failure of a call that writes at Stripe outside the files that may. */
export function findStripeWrite(file, callee) {
  if (!PRODUCT.test(file) || MAY_WRITE.some((allowed) => file.startsWith(allowed)))
    return undefined;
  return WRITE.test(callee.replaceAll(/\s/gu, ''))
    ? 'A call that writes at Stripe belongs into an act (services/api/src/acts/act.ts)'
    : undefined;
}
