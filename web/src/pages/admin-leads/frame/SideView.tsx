import type { ComponentType } from 'react';
import { AccountView } from '../account/AccountView.tsx';
import { ActivityView } from '../activity/ActivityView.tsx';
import { FiguresHead } from '../charts/FiguresHead.tsx';
import { FiguresView } from '../charts/FiguresView.tsx';
import { LeadDrawer } from '../drawer/LeadDrawer.tsx';
import { MoneyPeriod } from '../money/MoneyPeriod.tsx';
import { MoneyView } from '../money/MoneyView.tsx';
import { VIEW_NAMES } from '../navigation/console-views.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { PrivacyView } from '../privacy/PrivacyView.tsx';
import { RunsView } from '../retry/RunsView.tsx';
import styles from './SideView.module.css';

const VIEWS: Record<ConsoleView, ComponentType> = {
  figures: FiguresView,
  money: MoneyView,
  runs: RunsView,
  people: PrivacyView,
  activity: ActivityView,
  account: AccountView,
};

/** What a view has beside its title: the range it is about. */
const HEADS: Partial<Record<ConsoleView, ComponentType>> = { figures: FiguresHead, money: MoneyPeriod };

/** A view other than the list of leads. All of them are one download, fetched when the first is opened. */
export function SideView({ view }: { view: ConsoleView }) {
  const View = VIEWS[view];
  const Head = HEADS[view];
  return (
    <>
      <div className={styles.view}>
        <div className={styles.head}>
          <h1 className={styles.title}>{VIEW_NAMES[view]}</h1>
          {Head && <Head />}
        </div>
        <View />
      </div>
      <LeadDrawer />
    </>
  );
}
