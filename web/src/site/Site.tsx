import { Outlet } from 'react-router-dom';
import { Consent } from './Consent.tsx';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';

/** The frame of every page: the cookie notice and the toasts. */
export function Site() {
  return (
    <>
      <Consent />
      <Outlet />
      <ToastOutlet />
    </>
  );
}
