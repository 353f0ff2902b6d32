import { Outlet } from 'react-router-dom';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';

/** What every page stands in: where toasts appear. */
export function Site() {
  return (
    <>
      <Outlet />
      <ToastOutlet />
    </>
  );
}
