import {
  accountAnswer,
  passwordBody,
  passwordChangeBody,
  recoveryCodesAnswer,
  secondFactorAnswer,
  secondFactorCodeBody,
} from '@site/schema/account';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorCookies } from '../../http/session.ts';
import { endSession } from '../operators/operator-session.ts';
import {
  changeOwnPassword,
  confirmOwnSecondFactor,
  readAccount,
  removeOwnSecondFactor,
  renewOwnRecoveryCodes,
  signOutEverywhere,
  startSecondFactor,
} from './account.service.ts';

/** An operator's own account: password, second factor, sessions and the latest logins. */
export function accountRoutes(deps: Pick<AppDeps, 'db' | 'clock' | 'settings'>): Route[] {
  const cookies = operatorCookies(deps.settings.publicUrl);
  const beforeSecondFactor = { isBeforeSecondFactor: true };
  const withPassword = { problems: ['password-wrong', 'too-many-requests'] } as const;
  return [
    route({
      call: 'GET /api/admin/account',
      id: 'readAccount',
      summary: 'The operator’s own account',
      ...beforeSecondFactor,
      answers: { 200: { description: 'The account', schema: accountAnswer } },
      async handle({ req, res }) {
        res.json(await readAccount(deps, req));
      },
    }),
    route({
      call: 'POST /api/admin/account/password',
      id: 'changePassword',
      summary: 'Change the password',
      description: 'Ends all other sessions. The new one has at least 12 characters and is not a common one.',
      ...beforeSecondFactor,
      ...withPassword,
      body: passwordChangeBody,
      answers: { 204: { description: 'Changed' } },
      async handle({ body, req, res }) {
        await changeOwnPassword(deps, req, body);
        res.status(204).end();
      },
    }),
    route({
      call: 'POST /api/admin/account/second-factor/start',
      id: 'startSecondFactor',
      summary: 'Begin to set up an authenticator app',
      description: 'The secret counts from the first right code on. Until then an earlier second factor stays.',
      ...beforeSecondFactor,
      ...withPassword,
      body: passwordBody,
      answers: { 200: { description: 'What the app needs', schema: secondFactorAnswer } },
      async handle({ body, req, res }) {
        res.json(await startSecondFactor(deps, req, body.password));
      },
    }),
    route({
      call: 'POST /api/admin/account/second-factor/confirm',
      id: 'confirmSecondFactor',
      summary: 'Turn the second factor on, with a code of the app',
      description: 'Ends all other sessions. The recovery codes are shown only here.',
      ...beforeSecondFactor,
      body: secondFactorCodeBody,
      answers: { 200: { description: 'The recovery codes', schema: recoveryCodesAnswer } },
      async handle({ body, req, res }) {
        res.json({ recoveryCodes: await confirmOwnSecondFactor(deps, req, body.code) });
      },
    }),
    route({
      call: 'POST /api/admin/account/second-factor/recovery-codes',
      id: 'renewRecoveryCodes',
      summary: 'Replace the recovery codes',
      ...withPassword,
      body: passwordBody,
      answers: { 200: { description: 'The new codes', schema: recoveryCodesAnswer } },
      async handle({ body, req, res }) {
        res.json({ recoveryCodes: await renewOwnRecoveryCodes(deps, req, body.password) });
      },
    }),
    route({
      call: 'POST /api/admin/account/second-factor/remove',
      id: 'removeSecondFactor',
      summary: 'Turn the second factor off',
      body: passwordBody,
      answers: { 204: { description: 'It is off' } },
      problems: ['password-wrong', 'second-factor-stays', 'too-many-requests'],
      async handle({ body, req, res }) {
        await removeOwnSecondFactor(deps, req, body.password);
        res.status(204).end();
      },
    }),
    route({
      call: 'POST /api/admin/account/sign-out-everywhere',
      id: 'signOutEverywhere',
      summary: 'End all of the operator’s sessions, this one included',
      ...beforeSecondFactor,
      answers: { 204: { description: 'They are over' } },
      async handle({ req, res }) {
        await signOutEverywhere(deps, req);
        await endSession(req);
        res.clearCookie(cookies.session, cookies.options);
        res.status(204).end();
      },
    }),
  ];
}
