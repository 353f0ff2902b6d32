import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { Link } from 'react-router-dom';
import { HttpError } from '../../http.ts';
import { useApiData } from '../api/use-api-data.ts';
import { LoadState } from '../shared/LoadState.tsx';
import {
  FORM_TYPE_NAMES,
  HALTS,
  describePlace,
  progressOf,
  describeStatus,
  needsCorrection,
  shownStatus,
} from '../lead/lead-labels.ts';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import { useLiveEvents } from '../api/live.tsx';
import { judgeMoney } from './judge-money.ts';
import { useCorrection, useOpenLead } from '../navigation/open-lead.ts';
import type { InvalidLeads } from '../navigation/open-lead.ts';
import { useHalt } from '../lead/use-halt.ts';
import { describeMoment } from '../shared/london-time.ts';
import { useNow } from '../shared/use-now.ts';
import styles from './Drawer.module.css';
import { DrawerActions } from './DrawerActions.tsx';
import { DrawerShell } from './DrawerShell.tsx';
import { LeadFacts } from './LeadFacts.tsx';
import { Timeline } from './Timeline.tsx';

type LeadDrawerProps = {
  /** The open lead as the list shows it, which is there sooner and may be newer. */
  listed?: ListedLead | undefined;
  invalid?: InvalidLeads;
};

/** The drawer of the lead in the address: its status and history, and what the operator can do about it. */
export function LeadDrawer({ listed, invalid = { ids: [], hasMore: false } }: LeadDrawerProps) {
  const { openId, closeLead } = useOpenLead();
  const { isCorrected } = useCorrection();
  const {
    data: detail,
    fault,
    reload,
  } = useApiData('GET /api/admin/leads/:id', openId ? { params: { id: openId } } : null, {
    // A correction leads from a lead to its copy, which is much the same.
    keepPreviousData: openId !== undefined && isCorrected(openId),
  });
  useLiveEvents(({ isReload, leads, gone }) => {
    const isChanged =
      openId !== undefined && (leads.some(({ id }) => id === openId) || gone.includes(openId));
    return isReload || isChanged ? reload() : undefined;
  });
  const isGone = fault instanceof HttpError && fault.status === 404;
  const shown = detail && !isGone && detail;
  const lead = shown ? shown.lead : isGone ? undefined : listed;
  const place = lead && describePlace(lead);
  return (
    <DrawerShell
      leadId={openId}
      title={lead?.fullName ?? lead?.email ?? 'Lead'}
      onClose={closeLead}
    >
      {lead && (
        <p className={styles.under}>
          {/* Without a name, the address is the title. */}
          {lead.fullName !== null && (
            <>
              <bdi>{lead.email}</bdi>
              {' · '}
            </>
          )}
          <bdi className="nowrap">{FORM_TYPE_NAMES[lead.formType]}</bdi>
          {place !== undefined && (
            <>
              {' · '}
              <bdi className="nowrap">{place}</bdi>
            </>
          )}
        </p>
      )}
      {shown ? (
        <Detail detail={shown} invalid={invalid} onReload={reload} />
      ) : (
        <LoadState of="lead" data={detail} fault={fault} reload={reload} />
      )}
    </DrawerShell>
  );
}

type DetailProps = {
  detail: LeadDetailAnswer;
  invalid: InvalidLeads;
  onReload: () => Promise<unknown>;
};

function Detail({ detail, invalid, onReload }: DetailProps) {
  const { lead } = detail;
  const { linkTo } = useOpenLead();
  const halt = useHalt();
  const now = useNow(lead.beehiivStatus === 'pending');
  const status = shownStatus(lead);
  const {
    what,
    at = status === 'quarantined' ? describeMoment(lead.submittedAt, now) : undefined,
  } = progressOf(lead, now, halt, now);
  const Icon = STATUS_ICONS[status];
  const money = judgeMoney(detail, now);
  const MoneyIcon = STATUS_ICONS[money?.tone ?? status];
  const isGraver = status === 'sent' && money?.tone !== 'sent';
  const ofMoney = money && (
    <p className={styles.verdict} data-tone={money.tone}>
      <MoneyIcon />
      <strong>{money.name}</strong> <span>{money.sentence}</span>
    </p>
  );
  return (
    <>
      <DrawerActions
        key={lead.id}
        detail={detail}
        halt={halt}
        invalid={invalid}
        onReload={onReload}
      >
        {isGraver && ofMoney}
        <p className={styles.verdict} data-tone={status}>
          <Icon />
          <strong>{describeStatus(lead)}</strong>{' '}
          <span>
            {detail.correctedTo ? (
              <>
                {at !== undefined &&
                  (status === 'sent' ? `${at}. The address was corrected ` : `${at}, `)}
                to{' '}
                <Link to={{ search: linkTo(detail.correctedTo.id) }}>
                  <bdi>{detail.correctedTo.email}</bdi>
                </Link>
              </>
            ) : (
              <>
                {at !== undefined && `${at}. `}
                {what}
              </>
            )}
            .{status === 'pending' && halt && ` It is sent automatically when ${HALTS[halt].end}.`}
            {status === 'failed' &&
              ` It will not be retried${detail.correctedTo ? '' : ' automatically'}.`}
            {needsCorrection(lead) &&
              (detail.correctedFrom
                ? ' Beehiiv refuses the new address too.'
                : ' Retrying the same address will fail again.')}
          </span>
        </p>
        {!isGraver && ofMoney}
      </DrawerActions>
      <Timeline detail={detail} now={now} halt={halt} />
      <LeadFacts detail={detail} />
    </>
  );
}
