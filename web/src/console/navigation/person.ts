import { useLocation, useNavigate } from 'react-router-dom';
import type { ConsoleView } from './console-views.ts';

const PRIVACY: { search: string } = { search: `view=${'people' satisfies ConsoleView}` };

/** Opens the privacy view for an address. The address travels beside the URL, which holds no personal data. */
export function useShowPerson(): (email: string) => void {
  const navigate = useNavigate();
  return (email) => void navigate(PRIVACY, { state: { email } });
}

/** Returns the address that the privacy view was opened for, and a way to forget it. */
export function usePerson() {
  const state: unknown = useLocation().state;
  const navigate = useNavigate();
  const email = typeof state === 'object' && state !== null && 'email' in state ? String(state.email) : '';
  return { email, forget: () => void navigate(PRIVACY, { replace: true }) };
}
