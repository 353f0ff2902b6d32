import type { LeadDetailAnswer } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { describeFault } from '../call-fault.ts';
import { AttemptList } from './AttemptList.tsx';
import { DrawerActions } from './DrawerActions.tsx';
import { DrawerShell } from './DrawerShell.tsx';
import styles from './Drawer.module.css';
import { FORM_TYPE_NAMES, STATUS_NAMES, describePlace, describeProgress } from '../list/lead-labels.ts';
import { LeadFacts } from './LeadFacts.tsx';
import { LinkButton } from '../LinkButton.tsx';
import { FailedIcon, PendingIcon, SentIcon } from '../../../ui/icons.tsx';
import { newest } from '../live/newest-lead.ts';

export type DrawerLinks = {
  onOpen: (leadId: string) => void;
  onPerson: (email: string) => void;
};

type LeadDrawerProps = DrawerLinks & {
  leadId: string | undefined;
  detail: LeadDetailAnswer | undefined;
  fault: unknown;
  /** The same lead in the list, where it may be newer. */
  listed: Lead | undefined;
  now: Date;
  isPaused: boolean;
  onClose: () => void;
  onRetry: (lead: Lead) => Promise<void>;
  onReload: () => Promise<unknown>;
  onSignedOut: () => void;
};

const SHAPES = { pending: PendingIcon, sent: SentIcon, failed: FailedIcon };

/** Everything about one lead: why it stands where it does, and what can be done about it. */
export function LeadDrawer(props: LeadDrawerProps) {
  const { leadId, fault, listed, onClose, onReload } = props;
  const detail = props.detail?.lead.id === leadId ? props.detail : undefined;
  const lead = detail ? newest(detail.lead, listed) : listed;
  return (
    <DrawerShell leadId={leadId} title={lead?.fullName ?? lead?.email ?? 'Lead'} onClose={onClose}>
      {lead && (
        <p className={styles.under}>
          <bdi>{[lead.email, FORM_TYPE_NAMES[lead.formType], describePlace(lead)].join(' · ')}</bdi>
        </p>
      )}
      {detail && lead ? (
        <Detail {...props} detail={{ ...detail, lead }} />
      ) : fault === undefined ? (
        <output>Loading lead...</output>
      ) : (
        <p role="alert">
          {describeFault(fault)} <LinkButton onClick={() => void onReload()}>Try again</LinkButton>
        </p>
      )}
    </DrawerShell>
  );
}

function Detail({ detail, now, isPaused, ...rest }: Omit<LeadDrawerProps, 'detail'> & { detail: LeadDetailAnswer }) {
  const { lead } = detail;
  const Shape = SHAPES[lead.beehiivStatus];
  return (
    <>
      <DrawerActions {...rest} detail={detail} now={now} isPaused={isPaused} />
      <p className={styles.verdict}>
        <span className={styles.mark} data-tone={lead.beehiivStatus}>
          <Shape />
        </span>
        <strong>{STATUS_NAMES[lead.beehiivStatus]}</strong>
        <span>
          {describeProgress(lead, now, isPaused)}.
          {lead.beehiivStatus === 'failed' && ` It will not be tried again${detail.correctedTo ? '' : ' by itself'}.`}
        </span>
      </p>
      <AttemptList detail={detail} now={now} isPaused={isPaused} />
      <LeadFacts detail={detail} now={now} onOpen={rest.onOpen} />
    </>
  );
}
