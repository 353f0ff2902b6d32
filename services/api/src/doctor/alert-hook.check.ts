import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/process/logged-error';
import type { ApiSettings } from '../settings.ts';

const TIMEOUT_MS = 5_000;

/** Checks that the alert hook can be reached. Sends no alert. Without a hook, production needs emails. */
export async function examineAlertHook({
  alertWebhookUrl: url,
  mail,
  isProduction,
}: Pick<ApiSettings, 'alertWebhookUrl' | 'mail' | 'isProduction'>): Promise<Finding[]> {
  if (url === null) {
    const isAlone = isProduction && mail === null;
    return isAlone ? [warning('alerts', 'no fault is reported to anybody', 'Set ALERT_WEBHOOK_URL, or SMTP_URL.')] : [];
  }
  try {
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return [ok('alerts', 'the hook answers')];
  } catch (fault) {
    const cause = fault instanceof Error && fault.cause ? fault.cause : fault;
    return [error('alerts', `the hook cannot be reached: ${errorMessage(cause)}`, 'Check ALERT_WEBHOOK_URL.')];
  }
}
