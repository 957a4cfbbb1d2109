import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import { useClient } from '../session.ts';
import { type Action, useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import {
  changeOf,
  changesOf,
  draftOf,
  type FaqDraft,
  markGone,
  markSaved,
  newEntryOf,
} from './faq-draft.ts';

/** The questions of a knowledge base being edited. */
export interface FaqEditor {
  /** Undefined while loading. */
  readonly draft: FaqDraft | undefined;
  readonly error: unknown;
  /** Loads them again; unsaved changes are lost. */
  readonly reload: () => void;
  readonly edit: (change: (draft: FaqDraft) => FaqDraft) => void;
  readonly save: Action<[]>;
}

/** Loads the questions of a base, holds the edits and saves them. */
export function useFaq(id: string, onSaved: () => void): FaqEditor {
  const client = useClient();
  const loaded = useLoad(
    (signal) => client.call('listFaq', { path: { id }, signal }),
    [client, id],
  );
  const [draft, setDraft] = useState<FaqDraft>();
  useEffect(() => {
    if (loaded.data) setDraft(draftOf(loaded.data.faq));
  }, [loaded.data]);
  const edit: FaqEditor['edit'] = (change) => setDraft((old) => old && change(old));
  const save = useAction(
    async () => {
      try {
        if (draft) await saveDraft(client, { id, draft, edit });
      } finally {
        onSaved();
      }
    },
    { done: 'Saved.' },
  );
  return { draft, error: loaded.error, reload: loaded.reload, edit, save };
}

interface Saving extends Pick<FaqEditor, 'edit'> {
  readonly id: string;
  readonly draft: FaqDraft;
}

/** Marks each batch as saved at once, so that a retry after an error sends only the rest. */
async function saveDraft(client: Client, { id, draft, edit }: Saving): Promise<void> {
  const path = { id };
  const { added, changed, removed } = changesOf(draft);
  for (const rows of slices(changed)) {
    const { faq } = await client.call('updateFaq', { path, body: { faq: rows.map(changeOf) } });
    edit((now) => markSaved(now, rows, faq));
  }
  for (const rows of slices(added)) {
    const { faq } = await client.call('addFaq', { path, body: { faq: rows.map(newEntryOf) } });
    edit((now) => markSaved(now, rows, faq));
  }
  for (const { key, saved } of removed) {
    if (saved) await removeEntry(client, { id, faqId: saved.id });
    edit((now) => markGone(now, key));
  }
}

async function removeEntry(
  client: Client,
  path: { readonly id: string; readonly faqId: string },
): Promise<void> {
  try {
    await client.call('deleteFaq', { path });
  } catch (error) {
    // Somebody else has already deleted it.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

const AT_ONCE = 1000;

function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) yield items.slice(at, at + AT_ONCE);
}
