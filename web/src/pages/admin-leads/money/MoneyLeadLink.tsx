import { Link } from 'react-router-dom';
import type { ConsoleView } from '../navigation/console-views.ts';

/** An address that opens its lead's drawer, or plain text if there is no lead. */
export function MoneyLeadLink({ leadId, email }: { leadId: string | null; email: string | null }) {
  const name = email === null ? leadId === null ? 'No address given' : 'The lead' : <bdi>{email}</bdi>;
  if (leadId === null) return name;
  const search = new URLSearchParams({ view: 'money' satisfies ConsoleView, lead: leadId }).toString();
  return <Link to={{ search }}>{name}</Link>;
}
