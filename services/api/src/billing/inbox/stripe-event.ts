import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { z } from 'zod';
import { toRequest } from '../../acts/act.ts';
import { problem } from '../../http/problem.ts';
import type { Arrival, StripeEvent } from '../storing/event.repository.ts';

/** Postgres text cannot hold NUL. */
const name = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => !text.includes('\0'));

const envelope = z.object({
  id: name,
  type: name,
  livemode: z.boolean(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
  request: z.object({ idempotency_key: z.string().nullish() }).nullish().catch(null),
});

/** The object of an event. */
export const named = z.object({ id: name });

/**
 * A delivery with a valid signature. `readable` is null if it is not an event of the known shape.
 */
export type Delivery = StripeEvent & {
  readable: { isLive: boolean; object: Record<string, unknown> } | null;
};

/** Older deliveries are refused, so that nobody can replay a recorded delivery. */
const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature over the exact bytes and reads the envelope. Throws 400 for a wrong or old
 * signature.
 */
export function openDelivery(
  stripe: Stripe,
  body: unknown,
  signature: string | undefined,
  secret: string,
): Delivery {
  if (!Buffer.isBuffer(body) || signature === undefined) throw problem('signature-invalid');
  return toDelivery(
    parseSigned(stripe, body, signature, secret),
    body.toString('utf8'),
    'delivery',
  );
}

/** Reads the envelope of an event known to be Stripe's. */
export function toDelivery(event: unknown, rawBody: string, arrivedBy: Arrival): Delivery {
  const parsed = envelope.safeParse(event);
  if (parsed.success) {
    const { id, type, livemode, data, request } = parsed.data;
    const readable = { isLive: livemode, object: data.object };
    return { id, type, arrivedBy, readable, request: toRequest(request?.idempotency_key) };
  }
  // The digest of its bytes is its id, so that a redelivery is recognised.
  const digest = createHash('sha256').update(rawBody).digest('hex');
  return { id: `unreadable_${digest}`, type: 'unreadable', arrivedBy, readable: null };
}

/** Returns the delivery that tries a parked event again. */
export const toRetry = (
  { objectId, ...parked }: { id: string; type: string; objectId: string },
  isLive: boolean,
): Delivery => ({ ...parked, arrivedBy: 'replay', readable: { isLive, object: { id: objectId } } });

function parseSigned(stripe: Stripe, body: Buffer, signature: string, secret: string): unknown {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) {
      throw problem('signature-invalid', {
        detail: 'The signature is wrong, or older than five minutes.',
      });
    }
    // Signed, but not JSON or not an event of the known shape.
    return null;
  }
}
