import { BrowserRouter } from 'react-router-dom';
import { AdminLeadsPage } from './AdminLeadsPage.tsx';

/** The console with the router that reads its address. The site does without one. */
export function RoutedConsole() {
  return (
    <BrowserRouter>
      <AdminLeadsPage />
    </BrowserRouter>
  );
}
