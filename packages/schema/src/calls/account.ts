import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { count, instant, tidyText } from './request-parts.ts';

const password = z.string().min(1, 'Required').max(1_000);

const code = z.string().min(1, 'Required').max(40);

/** `GET /api/admin/account`: an operator's own account. */
export const accountAnswer = z.object({
  twoStepLogin: z.object({
    isOn: z.boolean(),
    isRequired: z.boolean(),
    recoveryCodesLeft: count,
  }),
  /** The operator's sessions, the latest first. */
  sessions: z.array(
    z.object({
      id: z.string(),
      startedAt: instant,
      usedAt: instant,
      browser: z.string().nullable(),
      isThis: z.boolean(),
    }),
  ),
  /** The latest logins to the account, failed ones included. */
  signIns: z.array(
    z.object({
      at: instant,
      isFailed: z.boolean(),
      /** True if the operator was logged in already, and confirmed who they are. */
      isAskedAgain: z.boolean(),
      browser: z.string().nullable(),
      network: z.string().nullable(),
    }),
  ),
});
export type AccountAnswer = z.infer<typeof accountAnswer>;

/** The call needs the password again, so that a stolen session alone is not enough. */
const passwordBody = z.object({ password });

/** An authenticator app's input: its URI, and the same secret to type. */
export const twoStepLoginAnswer = z.object({ otpauthUri: z.string(), secret: z.string() });
export type TwoStepLoginAnswer = z.infer<typeof twoStepLoginAnswer>;

/** Shown once. */
const recoveryCodesAnswer = z.object({ recoveryCodes: z.array(z.string()) });

export const loginBody = z.object({
  username: z.string().min(1, 'Required').max(200),
  password: z.string().min(1, 'Required').max(1_000),
  /**
   * A code of the authenticator app, or a recovery code. Only for an operator with two-step login.
   */
  code: z.string().max(40).optional(),
});
export type LoginBody = z.infer<typeof loginBody>;

/** An owner does everything. A viewer looks, and changes only their own account. */
const role = z.enum(['owner', 'viewer']);
export type OperatorRole = z.infer<typeof role>;

/** A duty, such as a new password, is present while the operator may do nothing else. */
export const operatorAnswer = z.object({
  username: z.string(),
  isViewer: z.literal(true).optional(),
  /** A login at `/admin-leads` opens Overview instead of Leads. */
  opensOverview: z.literal(true).optional(),
  mustChangePassword: z.literal(true).optional(),
  mustSetUpTwoStepLogin: z.literal(true).optional(),
});
export type OperatorAnswer = z.infer<typeof operatorAnswer>;

/** A one-time password ends after this. */
export const ONE_TIME_HOURS = 72;

const colleague = z.object({
  id: z.uuid(),
  username: z.string(),
  role,
  createdAt: instant,
  hasTwoStepLogin: z.boolean(),
  lastLoginAt: instant.nullable(),
  /** When the one-time password ends or ended. Null once the operator has chosen a password. */
  passwordEndsAt: instant.nullable(),
  isSelf: z.boolean(),
});
export type Colleague = z.infer<typeof colleague>;

/** A one-time password, shown only in this answer. */
const oneTimePassword = z.object({
  id: z.uuid(),
  username: z.string(),
  password: z.string(),
  endsAt: instant,
});
export type OneTimePassword = z.infer<typeof oneTimePassword>;

const colleagueParams = z.object({ id: z.uuid().describe('As in the list of operators') });

export const accountCalls = {
  'GET /api/admin/operators': {
    id: 'listOperators',
    isForViewer: true,
    summary: 'The operators',
    answers: { 200: { schema: z.object({ operators: z.array(colleague) }) } },
  },
  'POST /api/admin/operators': {
    id: 'addOperator',
    needsConfirmation: 'add an operator',
    summary: 'Add an operator',
    description:
      `The one-time password is shown only here, and ends after ${ONE_TIME_HOURS} hours. Until ` +
      'it is changed, and two-step login is set up where that is required, every other call ' +
      'of the operator is refused.',
    body: z.object({
      username: z.preprocess(tidyText, z.string().min(1, 'Required').max(200)),
      role,
    }),
    answers: { 201: { schema: oneTimePassword } },
    problems: ['confirmation-required'],
  },
  'POST /api/admin/operators/:id/password': {
    id: 'renewOneTimePassword',
    needsConfirmation: 'give a colleague a new password',
    summary: 'Give another operator a new one-time password, and end their sessions',
    description: 'Their two-step login stays.',
    params: colleagueParams,
    answers: { 200: { schema: oneTimePassword } },
    problems: ['confirmation-required', 'not-found', 'own-login'],
  },
  'DELETE /api/admin/operators/:id': {
    id: 'removeOperator',
    needsConfirmation: 'remove an operator',
    summary: 'Remove another operator, and end their sessions',
    params: colleagueParams,
    answers: { 204: {} },
    problems: ['confirmation-required', 'not-found', 'own-login'],
  },

  'POST /api/admin/login': {
    id: 'logIn',
    summary: 'Sign in',
    description:
      'With two-step login, the right password alone gets `two-step-login-needed`. Then send ' +
      'all three: name, password, and a code of the app or a recovery code.',
    isPublic: true,
    body: loginBody,
    answers: {
      200: {
        schema: operatorAnswer,
      },
    },
    problems: [
      'scheme-unknown',
      'login-wrong',
      'two-step-login-needed',
      'two-step-login-wrong',
      'too-many-requests',
    ],
  },
  'POST /api/admin/logout': {
    id: 'logOut',
    summary: 'Sign out',
    isPublic: true,
    answers: { 204: {} },
  },
  'GET /api/admin/me': {
    id: 'readOperator',
    isForViewer: true,
    summary: 'Who is signed in',
    isBeforeSetUp: true,
    answers: { 200: { schema: operatorAnswer } },
  },
  'POST /api/admin/confirm': {
    id: 'confirmOperator',
    isForViewer: true,
    summary: 'Confirm the operator by password or code',
    description:
      'A refund, an erasure, the export of a person, the end of a session, and adding or ' +
      'removing an operator need this within the 15 minutes before.',
    isBeforeSetUp: true,
    body: z.union([z.object({ password }), z.object({ code })]),
    answers: { 204: { description: 'Confirmed for 15 minutes' } },
    problems: ['password-wrong', 'too-many-requests'],
  },
  'GET /api/admin/account': {
    id: 'readAccount',
    isForViewer: true,
    summary: 'The operator’s own account',
    isBeforeSetUp: true,
    answers: { 200: { schema: accountAnswer } },
  },
  'POST /api/admin/account/password': {
    id: 'changePassword',
    isForViewer: true,
    summary: 'Change the password',
    description:
      'Ends all other sessions. The new one has at least 12 characters and is not a common one.',
    isBeforeSetUp: true,
    problems: ['password-wrong', 'too-many-requests'],
    body: z.object({ currentPassword: password, newPassword: password }),
    answers: { 204: {} },
  },
  'POST /api/admin/account/opening-view': {
    id: 'chooseOpeningView',
    isForViewer: true,
    summary: 'Choose the view that the operator’s next login opens',
    body: z.object({ view: z.enum(['leads', 'overview']) }),
    answers: { 204: {} },
  },
  'POST /api/admin/account/two-step-login/start': {
    id: 'startTwoStepLogin',
    isForViewer: true,
    summary: 'Begin to set up an authenticator app',
    description:
      'The secret takes effect with its first correct code. Until then an earlier one stays.',
    isBeforeSetUp: true,
    problems: ['password-wrong', 'too-many-requests'],
    body: passwordBody,
    answers: { 200: { schema: twoStepLoginAnswer } },
  },
  'POST /api/admin/account/two-step-login/confirm': {
    id: 'confirmTwoStepLogin',
    isForViewer: true,
    summary: 'Turn two-step login on, with a code of the app',
    description: 'Ends all other sessions. The recovery codes are shown only here.',
    isBeforeSetUp: true,
    body: z.object({ code }),
    answers: { 200: { schema: recoveryCodesAnswer } },
  },
  'POST /api/admin/account/two-step-login/recovery-codes': {
    id: 'renewRecoveryCodes',
    isForViewer: true,
    summary: 'Replace the recovery codes',
    problems: ['password-wrong', 'too-many-requests'],
    body: passwordBody,
    answers: { 200: { schema: recoveryCodesAnswer } },
  },
  'POST /api/admin/account/two-step-login/remove': {
    id: 'removeTwoStepLogin',
    isForViewer: true,
    summary: 'Turn two-step login off',
    body: passwordBody,
    answers: { 204: {} },
    problems: ['password-wrong', 'two-step-login-stays', 'too-many-requests'],
  },
  'POST /api/admin/mail/test': {
    id: 'sendTestMail',
    summary: 'Send a test message to the emails in ALERT_EMAIL',
    answers: {
      200: {
        schema: z.object({ to: z.array(z.string()) }),
      },
    },
    problems: ['mail-failed'],
  },
  'DELETE /api/admin/account/sessions/:id': {
    id: 'endSession',
    isForViewer: true,
    summary: 'End one of the operator’s other sessions',
    isBeforeSetUp: true,
    needsConfirmation: 'end a session',
    params: z.object({ id: z.uuid().describe('As in the account') }),
    answers: { 204: { description: 'Ended, now or before' } },
    problems: ['confirmation-required', 'not-found'],
  },
  'POST /api/admin/account/sign-out-others': {
    id: 'signOutOthers',
    isForViewer: true,
    summary: 'End all of the operator’s other sessions',
    isBeforeSetUp: true,
    needsConfirmation: 'log out the others',
    answers: { 204: {} },
    problems: ['confirmation-required'],
  },
  'POST /api/admin/account/sign-out-everywhere': {
    id: 'signOutEverywhere',
    isForViewer: true,
    summary: 'End all of the operator’s sessions, this one included',
    isBeforeSetUp: true,
    needsConfirmation: 'log out everywhere',
    answers: { 204: {} },
    problems: ['confirmation-required'],
  },
} satisfies Record<CallName, Call>;
