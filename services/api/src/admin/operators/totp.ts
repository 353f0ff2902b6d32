import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * Time-based one-time passwords (RFC 6238) with what every authenticator app expects: SHA-1, 30 seconds, six digits.
 */

const STEP_SECONDS = 30;
/** A phone's clock may be one step ahead or behind. */
const DRIFT_STEPS = [0, -1, 1];
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the code of a secret at a time step. Pure. */
export function codeAt(secret: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** Returns the time step whose code this is, or null if the code is not valid now. */
export function findStep(secret: Buffer, code: string, now: Date): number | null {
  const current = Math.floor(now.getTime() / 1_000 / STEP_SECONDS);
  const given = Buffer.from(code);
  const isCode = (expected: string) =>
    expected.length === given.length && timingSafeEqual(Buffer.from(expected), given);
  return DRIFT_STEPS.map((drift) => current + drift).find((step) => isCode(codeAt(secret, step))) ?? null;
}

/** Writes bytes in base32 (RFC 4648), as a person types them into an app. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** Returns the address that an authenticator app opens, or reads from a QR code. */
export function toOtpauthUri(secret: Buffer, { issuer, username }: { issuer: string; username: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
