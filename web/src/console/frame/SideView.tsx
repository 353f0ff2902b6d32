import { formatLongDate } from '@site/schema/calendar';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { AccountView } from '../account/AccountView.tsx';
import { ActivityHead } from '../activity/ActivityHead.tsx';
import { ActivityView } from '../activity/ActivityView.tsx';
import { PersonDrawer } from '../person/PersonDrawer.tsx';
import { ViewHead } from '../shared/heads.tsx';
import { MoneyHead, MoneyView } from '../money/MoneyView.tsx';
import { VIEW_NAMES } from '../navigation.ts';
import type { ConsoleView } from '../navigation.ts';
import { OverviewView } from '../overview/OverviewView.tsx';
import { PeopleView } from '../people/PeopleView.tsx';
import { PersonPage } from '../person/PersonPanel.tsx';
import { SyncView } from '../sync/SyncView.tsx';
import { useNow } from '../shared/use-now.ts';
import styles from './SideView.module.css';

const VIEWS: Record<ConsoleView, ComponentType> = {
  overview: OverviewView,
  money: MoneyView,
  people: PeopleView,
  person: PersonPage,
  sync: SyncView,
  activity: ActivityView,
  account: AccountView,
  unknown: () => <Link to={{ search: '' }}>Leads</Link>,
};

/** The heads of the views that have more than a title, or that have their own. */
const HEADS: Partial<
  Record<ConsoleView, ComponentType<{ title: string; range?: string | undefined }> | null>
> = {
  overview: OverviewHead,
  money: MoneyHead,
  activity: ActivityHead,
  people: null,
  person: null,
};

function OverviewHead({ title }: { title: string }) {
  return <ViewHead title={title} range={formatLongDate(useNow(false))} />;
}

/** What the others are about. */
const RANGES: Partial<Record<ConsoleView, string>> = {
  sync: 'from our forms and Stripe to Beehiiv',
  account: 'Two-step login, password and sessions',
  unknown: 'the console has no such view',
};

/** A view other than the list of leads. All of them are one download, fetched when the first is opened. */
export function SideView({ view }: { view: ConsoleView }) {
  const View = VIEWS[view];
  const { [view]: Head = ViewHead } = HEADS;
  return (
    <>
      {Head && <Head title={VIEW_NAMES[view]} range={RANGES[view]} />}
      <div className={styles.view}>
        <View />
      </div>
      <PersonDrawer />
    </>
  );
}
