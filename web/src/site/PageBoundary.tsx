import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import page from './page.module.css';
import styles from './PageBoundary.module.css';
import { PageHead } from './PageHead.tsx';

/** Stands in for a page that broke or could not be fetched: says so, and offers the one thing that helps. */
export class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className={page.page}>
        <PageHead heading="This page did not load">
          <p>Your connection may have dropped, or we have just put up a newer version of this site.</p>
          <Button className={styles.again} onClick={() => window.location.reload()}>
            Load it again
          </Button>
        </PageHead>
      </main>
    );
  }
}
