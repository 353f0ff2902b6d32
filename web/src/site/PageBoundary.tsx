import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { PageHead } from './PageHead.tsx';

/** Shows an error and a reload button for a page that failed or could not be fetched. */
export class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="page">
        <PageHead heading="This page did not load">
          <p>
            Your connection may have dropped, or we have just released a new version of this site.
          </p>
          <Button onClick={() => window.location.reload()}>Load it again</Button>
        </PageHead>
      </main>
    );
  }
}
