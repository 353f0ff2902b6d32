import { MAX_NOTE_CHARS } from '@site/schema/calls/request-parts';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { useApiData } from '../api/data.tsx';
import { useCall } from '../session/use-call.ts';
import { useDraft } from '../session/session.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { LinkButton } from '../shared/fields.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { formatMoment } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './Person.module.css';

/** Lists operators' notes about a person, with a field for another. */
export function Notes({ leadId, now }: { leadId: string; now: Date }) {
  const params = { id: leadId };
  const { data, failure, reload } = useApiData('GET /api/admin/leads/:id/notes', { params });
  const [text, setText] = useDraft(`note ${leadId}`);
  const [deletedId, setDeletedId] = useState<string>();
  const writing = useCall('POST /api/admin/leads/:id/notes', {
    onDone() {
      setText('');
      return reload();
    },
  });
  const deleting = useCall('DELETE /api/admin/leads/:id/notes/:noteId', {
    onDone() {
      setDeletedId(undefined);
      return reload();
    },
  });
  const save = async (form: HTMLFormElement) => {
    if (!(await writing.send({ params, body: { text } }))) form.querySelector('textarea')?.focus();
  };
  const deleted = data?.notes.find(({ id }) => id === deletedId);
  return (
    <section aria-label="Notes" className={styles.notes}>
      <SectionHead title="Notes" aside={data && data.notes.length > 0 && data.notes.length} />
      <LoadState of="notes" data={data} failure={failure} reload={reload} />
      <ul aria-live="polite">
        {data?.notes.map((note) => (
          <li key={note.id}>
            <bdi>{note.text}</bdi>
            <small>
              <bdi>{note.operator}</bdi>, {formatMoment(new Date(note.createdAt), now)}{' '}
              {!writing.isViewer && (
                <LinkButton onClick={() => setDeletedId(note.id)}>Delete</LinkButton>
              )}
            </small>
          </li>
        ))}
      </ul>
      {!writing.isViewer && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save(event.currentTarget);
          }}
        >
          <Field
            label="New note"
            hint="Part of this person’s export and erasure."
            error={writing.failure}
          >
            {(control) => (
              <textarea
                {...control}
                rows={3}
                maxLength={MAX_NOTE_CHARS}
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                  writing.reset();
                }}
              />
            )}
          </Field>
          <Button
            type="submit"
            look="line"
            size="small"
            pending={writing.isPending}
            pendingLabel="Saving..."
          >
            Save note
          </Button>
        </form>
      )}
      {deleted && (
        <ConfirmDialog
          title="Delete this note?"
          submit="Delete"
          isFinal
          isPending={deleting.isPending}
          failure={deleting.failure}
          onSubmit={() => void deleting.send({ params: { ...params, noteId: deleted.id } })}
          onClose={() => setDeletedId(undefined)}
        >
          <p>
            <bdi>{deleted.text}</bdi>
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
