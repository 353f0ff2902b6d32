import { z } from 'zod';

const instant = z.iso.datetime();
const password = z.string().min(1, 'Required').max(1_000);
const code = z.string().min(1, 'Required').max(40);

/** `GET /api/admin/account`: what an operator sees of their own account. */
export const accountAnswer = z.object({
  username: z.string(),
  secondFactor: z.object({ isOn: z.boolean(), isRequired: z.boolean(), recoveryCodesLeft: z.number().int() }),
  /** Where the operator is signed in, the latest first. */
  sessions: z.array(
    z.object({ startedAt: instant, usedAt: instant, browser: z.string().nullable(), isThis: z.boolean() }),
  ),
  /** The latest logins to the account, failed ones included. */
  signIns: z.array(z.object({ at: instant, isFailed: z.boolean(), browser: z.string().nullable() })),
});
export type AccountAnswer = z.infer<typeof accountAnswer>;

export const passwordChangeBody = z.object({ currentPassword: password, newPassword: password });

/** The password again, for what a stolen session must not do. */
export const passwordBody = z.object({ password });

/** What an authenticator app needs: its address, and the same secret to type. */
export const secondFactorAnswer = z.object({ otpauthUri: z.string(), secret: z.string() });
export type SecondFactorAnswer = z.infer<typeof secondFactorAnswer>;

export const secondFactorCodeBody = z.object({ code });

/** Shown once. */
export const recoveryCodesAnswer = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodesAnswer = z.infer<typeof recoveryCodesAnswer>;
