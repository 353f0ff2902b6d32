import type { SyncHealthAnswer } from '@site/schema/admin';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { classNames } from '../../../ui/class-names.ts';
import { FailedIcon, PendingIcon, SentIcon } from '../../../ui/icons.tsx';
import { formatCount } from '../elements/format-count.ts';
import { describeFault } from '../api/call-fault.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { useOpenLead } from '../navigation/open-lead.ts';
import { RetryDialog } from '../retry/RetryDialog.tsx';
import { formatDuration, formatMoment, formatTime, isSameDay } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import styles from './SyncStrip.module.css';
import { useSyncHealth } from './use-sync-health.ts';

/** Shows whether leads are reaching Beehiiv, and if not, why not. */
export function SyncStrip() {
  const { health, fault, reload } = useSyncHealth();
  const [isRetryOpen, setRetryOpen] = useState(false);
  return (
    <>
      <SyncHealth health={health} fault={fault} onTryAgain={reload} onRetryRejected={() => setRetryOpen(true)} />
      <RetryDialog
        request={
          isRetryOpen ? { title: 'Retry leads rejected in a row', filter: { failedInRefusalPause: true } } : undefined
        }
        onClose={() => setRetryOpen(false)}
      />
    </>
  );
}

type SyncHealthProps = {
  health: SyncHealthAnswer | undefined;
  fault: unknown;
  onTryAgain: () => Promise<unknown>;
  onRetryRejected: () => void;
};

function SyncHealth({ health, fault, onTryAgain, onRetryRejected }: SyncHealthProps) {
  const now = useNow(health !== undefined && (health.pause !== null || health.pending > 0));
  const { linkTo } = useOpenLead();
  if (fault !== undefined) {
    return (
      <Strip tone="unknown" icon={<FailedIcon />} verdict="Sync status could not be loaded">
        <div className={styles.item}>
          <span>{describeFault(fault)}</span>
          <LinkButton onClick={() => void onTryAgain()}>Try again</LinkButton>
        </div>
      </Strip>
    );
  }
  if (health === undefined) return <div className={styles.strip} />;
  const {
    oldestPendingAt,
    pending,
    lastAcceptedAt,
    pause,
    outage,
    rate,
    lastOutage,
    lastError,
    missingFields,
    statusesAsOf,
  } = health;
  const waiting = <Fact name="Waiting" value={`${formatCount(pending)}, nothing lost`} />;
  const lastAccepted = lastAcceptedAt && <Fact name="Last accepted" value={describeMoment(lastAcceptedAt, now)} last />;
  const rejected = health.failedInRefusalPause && (
    <p className={styles.item}>
      <span>{formatCount(health.failedInRefusalPause.count)} rejected in a row</span>
      <LinkButton onClick={onRetryRejected}>Retry these {formatCount(health.failedInRefusalPause.count)}…</LinkButton>
    </p>
  );
  const missing = missingFields.length > 0 && (
    <Fact name="Custom fields missing at Beehiiv" value={missingFields.join(', ')} long />
  );
  if (pause) {
    return (
      <Strip tone="paused" icon={<PendingIcon />} verdict={`Paused since ${describeMoment(pause.since, now)}`}>
        <Fact name="Setting" value={pause.setting} />
        <Fact name="Reason" value={pause.reason} long />
        {waiting}
        {rejected}
        <Fact name="Next probe" value={describeProbe(pause.nextProbeAt, now)} last />
      </Strip>
    );
  }
  if (outage) {
    return (
      <Strip tone="paused" icon={<PendingIcon />} verdict={`Beehiiv outage since ${describeMoment(outage.since, now)}`}>
        {waiting}
        {missing}
        {lastAccepted}
      </Strip>
    );
  }
  return (
    <Strip tone="running" icon={<SentIcon />} verdict="Sync running">
      <Fact name="Queue" value={pending === 0 ? 'empty' : `${formatCount(pending)} pending`} />
      {oldestPendingAt !== null && (
        <Fact name="Oldest" value={formatDuration(now.getTime() - Date.parse(oldestPendingAt))} />
      )}
      <Fact name="Rate" value={describeRate(rate)} />
      {statusesAsOf !== null && <Fact name="Statuses compared" value={describeMoment(statusesAsOf, now)} />}
      {lastOutage && (
        <Fact
          name="Last outage"
          value={`${describeMoment(lastOutage.from, now)} to ${describeMoment(lastOutage.to, now)}, nothing lost`}
        />
      )}
      {missing}
      {rejected}
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

function describeRate({ lastMinute, allowed }: SyncHealthAnswer['rate']): string {
  return allowed === null
    ? `${formatCount(lastMinute)} per minute`
    : `${formatCount(lastMinute)} of ${allowed} per minute`;
}

type Tone = 'running' | 'paused' | 'unknown';

function Strip({
  tone,
  icon,
  verdict,
  children,
}: {
  tone: Tone;
  icon: ReactNode;
  verdict: string;
  children: ReactNode;
}) {
  return (
    <section className={styles.strip} data-tone={tone} aria-label="Sync to Beehiiv">
      <output className={classNames(styles.item, styles.verdict)}>
        {icon}
        {verdict}
      </output>
      {children}
    </section>
  );
}

type FactProps = { name: string; value: string; last?: boolean; long?: boolean };

function Fact({ name, value, last = false, long = false }: FactProps) {
  return (
    <p className={classNames(styles.item, last && styles.last, long && styles.long)} title={long ? value : undefined}>
      <span className={styles.name}>{name}</span> <strong>{value}</strong>
    </p>
  );
}

function describeMoment(instant: string, now: Date): string {
  const at = new Date(instant);
  return isSameDay(at, now) ? formatTime(at) : formatMoment(at, now);
}

function describeProbe(nextProbeAt: string, now: Date): string {
  const waitMs = Date.parse(nextProbeAt) - now.getTime();
  return waitMs > 0 ? `in ${formatDuration(waitMs)}` : 'now';
}
