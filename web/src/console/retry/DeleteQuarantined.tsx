import type { QuarantineChoice } from '@site/schema/calls/leads';
import { toasts } from '../../ui/toast-store.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import dialog from '../shared/dialog.module.css';
import { countOf, formatCount } from '../shared/format.ts';
import { toFilterText } from '../lead/filter-labels.ts';
import { useCall } from '../session/use-call.ts';

type DeleteQuarantinedProps = {
  choice: QuarantineChoice;
  count: number;
  /** The email of a single lead. */
  person?: string | undefined;
  onClose: () => void;
  onDeleted?: () => void;
};

/** Deletes leads that look automated, after the operator confirms it. */
export function DeleteQuarantined({
  choice,
  count,
  person,
  onClose,
  onDeleted,
}: DeleteQuarantinedProps) {
  const { send, failure, isPending } = useCall('POST /api/admin/leads/delete-quarantined', {
    onDone({ count: deleted }) {
      toasts.add({
        title: 'Deleted',
        description: `${countOf(deleted, 'lead', 'leads')} that looked automated.`,
      });
      onDeleted?.();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${countOf(count, 'quarantined lead')}?`}
      person={person}
      submit={`Delete ${formatCount(count)}`}
      isFinal
      isPending={isPending}
      failure={failure}
      onSubmit={() => void send({ body: choice })}
      onClose={onClose}
    >
      <p className={dialog.words}>
        {count === 1
          ? 'It is deleted here for good. Other leads of the same person stay, and Beehiiv has ' +
            'never received this one.'
          : 'They are deleted here for good. Other leads of the same people stay, and Beehiiv ' +
            'has never received these. If one was paid for, it is kept.'}
      </p>
      {choice.filter && (
        <p className={dialog.words}>
          Filter: <bdi>{toFilterText(choice.filter)}</bdi>.
        </p>
      )}
    </ConfirmDialog>
  );
}
