import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/*
 * Text that only this system can read or write. The keys come from SESSION_SECRET. The first secret
 * seals, and each of them unseals.
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
      // Sealed with another secret, or changed.
    }
  }
  return null;
}
