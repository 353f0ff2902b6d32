import type { ReactNode } from 'react';
import { joinUnbroken } from './unbroken.ts';
import styles from './ReservedSpace.module.css';

type HeldRoomProps = {
  /** The longest text that is usual here. */
  room: string;
  /** Another stage is another element: text that stayed and merely moved on its line would count as having moved. */
  stage: string;
  children: ReactNode;
};

/** Holds the room of a text that is still to come, so that nothing around it moves when it does. */
export function ReservedSpace({ room, stage, children }: HeldRoomProps) {
  return (
    <div className={styles.held} data-room={joinUnbroken(room)}>
      <div key={stage}>{children}</div>
    </div>
  );
}
