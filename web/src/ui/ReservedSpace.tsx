import type { ReactNode } from 'react';
import { joinUnbroken } from './unbroken.ts';
import styles from './ReservedSpace.module.css';

type HeldRoomProps = {
  room: string;
  /** Used as the element's key. Text that moves within an existing element counts as a layout shift. */
  stage: string;
  children: ReactNode;
};

/** Reserves room for text that comes later, so that nothing around it moves. */
export function ReservedSpace({ room, stage, children }: HeldRoomProps) {
  return (
    <div className={styles.held} data-room={joinUnbroken(room)}>
      <div key={stage}>{children}</div>
    </div>
  );
}
