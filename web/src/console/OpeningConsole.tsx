import { OFFER } from '@site/schema/offer';
import { Brand } from '../ui/Brand.tsx';

/** Renders the console while its code loads: its bar, and an empty line for the sync's state. */
export function OpeningConsole() {
  return (
    <div className="opening" data-density="tool">
      <Brand name={OFFER.productName} />
      <p>
        Opening the console…{' '}
        <span className="late">
          It needs JavaScript, and Chrome, Edge, Firefox or Safari of the last two years.
        </span>
      </p>
    </div>
  );
}
