import { Outlet } from 'react-router-dom';
import { Consent } from './Consent.tsx';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';

/** What every page stands in: the question about consent, and where toasts appear. */
export function Site() {
  return (
    <>
      <Consent />
      <Outlet />
      <ToastOutlet />
    </>
  );
}
