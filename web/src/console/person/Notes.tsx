import { MAX_NOTE_CHARS } from '@site/schema/calls/people';
import { useState } from 'react';
import { CallButton } from '../shared/CallButton.tsx';
import { Field } from '../../ui/Field.tsx';
import type { useApiData } from '../api/use-api-data.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { CallLink } from '../shared/LinkButton.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { useCall } from '../session/use-call.ts';
import { formatDay, formatMoment } from '../shared/london-time.ts';
import { Folded } from './Folded.tsx';
import styles from './PersonView.module.css';

export type NotesProps = {
  leadId: string;
  noted: ReturnType<typeof useApiData<'GET /api/admin/leads/:id/notes'>>;
  now: Date;
  onDone: () => void;
};

/** What operators wrote about a person, and a field to write more. */
export function Notes({ leadId, noted: { data, fault, reload }, now, onDone }: NotesProps) {
  const params = { id: leadId };
  const [text, setText] = useState('');
  const [opened, setOpened] = useState<{ id: string; text: string } | null>(null);
  const writing = useCall('POST /api/admin/leads/:id/notes', {
    onDone() {
      setText('');
      onDone();
      return reload();
    },
  });
  const deleting = useCall('DELETE /api/admin/leads/:id/notes/:noteId', {
    onDone() {
      setOpened(null);
      onDone();
      return reload();
    },
  });
  const save = async (form: HTMLFormElement) => {
    if (!(await writing.send({ params, body: { text } }))) form.querySelector('textarea')?.focus();
  };
  const [latest] = data?.notes ?? [];
  const aside =
    latest && `${data?.notes.length}, latest ${formatDay(new Date(latest.createdAt), now)}`;
  return (
    <Folded title="Notes" aside={aside} isOpen={latest !== undefined}>
      <LoadState of="notes" data={data} fault={fault} reload={reload} />
      <form
        className={styles.note}
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <Field
          label="New note"
          hint="Part of this person’s export and erasure."
          error={writing.fault}
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
        <CallButton
          type="submit"
          look="line"
          size="small"
          pending={writing.isPending}
          pendingLabel="Saving..."
        >
          Save note
        </CallButton>
      </form>
      <ul aria-live="polite">
        {data?.notes.map((note) => (
          <li key={note.id}>
            <bdi>{note.text}</bdi>
            <small>
              <bdi>{note.operator}</bdi>, {formatMoment(new Date(note.createdAt), now)}
              <CallLink onClick={() => setOpened(note)}>Delete</CallLink>
            </small>
          </li>
        ))}
      </ul>
      {opened && (
        <ConfirmDialog
          title="Delete this note?"
          submit="Delete"
          isFinal
          isPending={deleting.isPending}
          fault={deleting.fault}
          onSubmit={() => void deleting.send({ params: { ...params, noteId: opened.id } })}
          onClose={() => setOpened(null)}
        >
          <p>
            <bdi>{opened.text}</bdi>
          </p>
        </ConfirmDialog>
      )}
    </Folded>
  );
}
