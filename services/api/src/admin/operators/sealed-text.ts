import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/*
 * Text that only this system can read or have written. The keys come from SESSION_SECRET: the first
 * of several seals, and each of them opens.
 */

const keyOf = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));

export function seal([secret = '']: readonly string[], purpose: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts a text. Returns null if none of the secrets sealed it. */
export function unseal(secrets: readonly string[], purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  for (const secret of secrets) {
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyOf(secret, purpose),
        bytes.subarray(0, 12),
      );
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      // Another secret's, or changed.
    }
  }
  return null;
}

const macOf = (secret: string, purpose: string, text: string) =>
  createHmac('sha256', keyOf(secret, purpose)).update(text).digest('base64url');

/** Signs a text, which stays readable. */
export function sign([secret = '']: readonly string[], purpose: string, text: string): string {
  return `${text}.${macOf(secret, purpose, text)}`;
}

/** Returns the text of a signed one, or null if none of the secrets signed it. */
export function unsign(secrets: readonly string[], purpose: string, signed: string): string | null {
  const at = signed.lastIndexOf('.');
  const text = signed.slice(0, Math.max(0, at));
  const mac = Buffer.from(signed.slice(at + 1));
  const isOurs = secrets.some((secret) => {
    const expected = Buffer.from(macOf(secret, purpose, text));
    return expected.length === mac.length && timingSafeEqual(expected, mac);
  });
  return isOurs ? text : null;
}
