import { Link } from 'react-router-dom';
import { useOpenLead } from '../navigation/open-lead.ts';

type MoneyLeadLinkProps = { leadId: string | null; email: string | null; name?: string | null };

/** A name, or else an address, that opens its lead's drawer, or plain text if there is no lead. */
export function MoneyLeadLink({ leadId, email, name = null }: MoneyLeadLinkProps) {
  const { linkTo } = useOpenLead();
  const shown = name ?? email;
  const words = shown === null ? leadId === null ? 'No address given' : 'The lead' : <bdi>{shown}</bdi>;
  return leadId === null ? words : <Link to={{ search: linkTo(leadId) }}>{words}</Link>;
}
