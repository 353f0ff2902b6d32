import { useApiData } from '../api/use-api-data.ts';
import { LoadState } from '../shared/LoadState.tsx';
import styles from './AccountView.module.css';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';
import { TestMail } from './TestMail.tsx';

/** The operator's own account: password, second factor, sessions and the latest logins. */
export function AccountView() {
  const { data, fault, reload } = useApiData('GET /api/admin/account');
  if (!data) return <LoadState of="Your account" fault={fault} reload={reload} />;
  const onChanged = () => void reload();
  return (
    <div className={styles.columns}>
      <div>
        <SecondFactor state={data.secondFactor} onChanged={onChanged} />
        <PasswordForm onChanged={onChanged} />
        <TestMail />
      </div>
      <div>
        <Sessions account={data} onEnded={onChanged} />
      </div>
    </div>
  );
}
