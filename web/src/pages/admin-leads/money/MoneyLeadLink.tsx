import { Link } from 'react-router-dom';
import type { ConsoleView } from '../console-params.ts';

/** An address that leads to its lead's drawer, beside the view; plain text where there is no lead. */
export function MoneyLeadLink({ leadId, email }: { leadId: string | null; email: string | null }) {
  const name =
    email === null ? leadId === null ? 'An address that Stripe was not told' : 'Its lead' : <bdi>{email}</bdi>;
  if (leadId === null) return name;
  const search = new URLSearchParams({ view: 'money' satisfies ConsoleView, lead: leadId }).toString();
  return <Link to={{ search }}>{name}</Link>;
}
