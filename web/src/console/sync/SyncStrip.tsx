import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { REMEDIES } from '@site/schema/sync-state';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { classNames } from '../../ui/class-names.ts';
import { FailedIcon, PendingIcon, SentIcon } from '../../ui/icons.tsx';
import { formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { useNarrow } from '../elements/use-media.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import { describeWait, formatDuration } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { Fact, Strip } from './Strip.tsx';
import { ProbeNow } from './ProbeNow.tsx';
import styles from './SyncStrip.module.css';
import { describeMoment, describeRate, describeWaiting, findRemedy, isAnySetting, STOPPED } from './sync-labels.ts';
import { UnknownStrip } from './UnknownStrip.tsx';
import { useProbe } from './use-probe.ts';
import { useSyncHealth } from './use-sync-health.ts';

/** Shows whether leads are reaching Beehiiv, and if not, why not and what to do. */
export function SyncStrip() {
  const { health, unknown, reload } = useSyncHealth();
  const [isRetryOpen, setRetryOpen] = useState(false);
  if (unknown) return <UnknownStrip {...unknown} onTryAgain={reload} />;
  if (health === undefined) return <div className={styles.strip} />;
  return (
    <>
      <SyncHealth health={health} onProbed={reload} onRetryRejected={() => setRetryOpen(true)} />
      {isRetryOpen && (
        <RetryDialog
          request={{ title: 'Retry leads rejected in a row', filter: { failedInRefusalPause: true } }}
          onClose={() => setRetryOpen(false)}
        />
      )}
    </>
  );
}

type SyncHealthProps = {
  health: SyncHealthAnswer;
  onProbed: () => Promise<unknown>;
  onRetryRejected: () => void;
};

function SyncHealth({ health, onProbed, onRetryRejected }: SyncHealthProps) {
  const now = useNow(health.state !== 'running' || health.pending > 0);
  const probe = useProbe(health, now, onProbed);
  const isNarrow = useNarrow();
  const { linkTo } = useOpenLead();
  const { oldestPendingAt, pending, lastAcceptedAt, pause, outage, rate, lastError, statusesAsOf } = health;
  const waiting = !isNarrow && <Fact name="Waiting" value={`${formatCount(pending)}, nothing lost`} />;
  const waitingBrief = `${formatCount(pending)} waiting, nothing lost`;
  const lastAccepted = lastAcceptedAt && <Fact name="Last accepted" value={describeMoment(lastAcceptedAt, now)} last />;
  const missing = health.missingFields.length > 0 && (
    <Fact name="Custom fields missing at Beehiiv" value={health.missingFields.join(', ')} long />
  );
  const verdict = STOPPED[health.state];
  const [condition] = health.conditions;
  if (verdict && condition) {
    return (
      <Strip tone="stopped" icon={<FailedIcon />} verdict={verdict} rest={`. ${describeWaiting(pending)}`}>
        <Fact name="Since" value={describeMoment(condition.since, now)} />
        <p className={classNames(styles.item, styles.remedy)}>{REMEDIES[condition.kind]}</p>
        {lastAccepted}
      </Strip>
    );
  }
  if (pause) {
    return (
      <Strip
        tone="stopped"
        icon={<FailedIcon />}
        verdict={`Paused since ${describeMoment(pause.since, now)}`}
        brief={waitingBrief}
      >
        {isAnySetting(pause.setting) ? (
          <Fact name="Check" value="the settings whose names begin with BEEHIIV_" />
        ) : (
          <Fact name="Setting" value={pause.setting} />
        )}
        <Fact name="Reason" value={pause.reason} long />
        {waiting}
        {health.failedInRefusalPause && (
          <p className={styles.item}>
            <span>{formatCount(health.failedInRefusalPause.count)} rejected in a row</span>
            <LinkButton onClick={onRetryRejected}>
              Retry these {formatCount(health.failedInRefusalPause.count)}…
            </LinkButton>
          </p>
        )}
        <p className={classNames(styles.item, styles.remedy)}>{findRemedy(pause.setting)}</p>
        <p className={classNames(styles.item, styles.last, styles.probe)}>
          <ProbeNow {...probe} />
          <span className={styles.name}>Next probe</span> <strong>{describeWait(pause.nextProbeAt, now)}</strong>
        </p>
      </Strip>
    );
  }
  if (outage) {
    return (
      <Strip
        tone="waiting"
        icon={<PendingIcon />}
        verdict={`Beehiiv outage since ${describeMoment(outage.since, now)}`}
        brief={waitingBrief}
      >
        {waiting}
        {missing}
        <p className={styles.item}>
          {outage.nextAttemptAt && (
            <>
              <span className={styles.name}>Next attempt</span>{' '}
              <strong>{describeWait(outage.nextAttemptAt, now)}</strong>
            </>
          )}
          <ProbeNow {...probe} />
        </p>
        {lastAccepted}
      </Strip>
    );
  }
  const isLong = health.conditions.some(({ kind }) => kind === 'pending-too-long');
  const queue = pending === 0 ? 'empty' : `${formatCount(pending)} pending`;
  const oldest = oldestPendingAt === null ? '' : formatDuration(now.getTime() - Date.parse(oldestPendingAt));
  const brief = isLong ? `${queue}, oldest ${oldest}` : missing ? 'custom fields missing at Beehiiv' : `queue ${queue}`;
  return (
    <Strip
      tone={isLong ? 'waiting' : 'running'}
      icon={isLong ? <PendingIcon /> : <SentIcon />}
      verdict={isLong ? 'Leads are waiting' : 'Sync running'}
      brief={probe.outcome?.toLowerCase() ?? brief}
    >
      {!isNarrow && <Fact name="Queue" value={queue} />}
      {!isNarrow && probe.outcome !== undefined && (
        <p className={styles.item}>
          <output>{probe.outcome}</output>
        </p>
      )}
      {oldest !== '' && <Fact name="Oldest" value={oldest} />}
      {isLong && (
        <p className={styles.item}>
          <Link to={{ search: 'status=pending&sort=oldest' }}>Show the oldest</Link>
        </p>
      )}
      <Fact name="Rate" value={describeRate(rate)} />
      {statusesAsOf !== null && <Fact name="Statuses compared" value={describeMoment(statusesAsOf, now)} />}
      {missing}
      {lastError ? (
        <p className={classNames(styles.item, styles.last, styles.long)} title={lastError.message}>
          <span className={styles.name}>Last error</span>
          <Link className={styles.error} to={{ search: linkTo(lastError.leadId) }}>
            {describeMoment(lastError.at, now)}, {lastError.message}
          </Link>
        </p>
      ) : (
        lastAccepted
      )}
    </Strip>
  );
}
