import { useState } from 'preact/hooks';
import type { KnowledgeBase } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Menu } from '../ui/menu.tsx';
import { Select } from '../ui/select.tsx';
import { useAction } from '../use-action.ts';
import type { ChangeBase } from './change-base.ts';
import { retrainOptions } from './retrain.ts';
import { faultOfSource, isUnderway } from './training-status.ts';
import { docOf, draftOfDoc, REACHES, reachOf, withDoc } from './web-doc.ts';
import { WebDocDialog } from './web-doc-dialog.tsx';

type Doc = KnowledgeBase['docs'][number];

interface WebPanelProps {
  readonly base: KnowledgeBase;
  readonly change: ChangeBase;
}

/** Web sites that are read into the base, and how often. */
export function WebPanel({ base, change }: WebPanelProps) {
  /** Index of the web site being edited; the length of the list for a new one. */
  const [edited, setEdited] = useState<number>();
  const [leaving, setLeaving] = useState<number>();
  const { docs } = base;
  const put = (index: number, next: readonly Doc[]): Promise<void> =>
    change((current) => ({ ...current, docs: withDoc(current.docs, docs[index], next) }));
  const add = (
    <Button icon="plus" onClick={() => setEdited(docs.length)}>
      Add a web site
    </Button>
  );
  return (
    <div class="stack">
      {docs.length === 0 ? (
        <EmptyState icon="knowledge" title="Add your web site" action={add}>
          Its pages become searchable like files, and can be read again on a schedule.
        </EmptyState>
      ) : (
        <>
          <ul id="web-sites" class="kb-sites" aria-label="Web sites">
            {docs.map((doc, index) => (
              <li key={index} class="card kb-site">
                <SiteFacts base={base} doc={doc} />
                <Menu
                  label={`Actions for ${nameOf(doc)}`}
                  items={[
                    {
                      value: 'edit',
                      label: 'Edit',
                      icon: 'edit',
                      onSelect: () => setEdited(index),
                    },
                    {
                      value: 'remove',
                      label: 'Remove',
                      icon: 'trash',
                      danger: true,
                      onSelect: () => setLeaving(index),
                    },
                  ]}
                />
              </li>
            ))}
          </ul>
          <div class="kb-web-foot">
            <RetrainField base={base} change={change} />
            {add}
          </div>
        </>
      )}
      {edited !== undefined && (
        <WebDocDialog
          edited={docs[edited] && draftOfDoc(docs[edited])}
          onSave={(draft) => put(edited, [docOf(draft) as Doc])}
          onClose={() => setEdited(undefined)}
        />
      )}
      {leaving !== undefined && docs[leaving] && (
        <ConfirmDialog
          title={`Remove ${nameOf(docs[leaving])}?`}
          action="Remove"
          onConfirm={() => put(leaving, [])}
          onClose={() => setLeaving(undefined)}
        >
          <p>After the next training, assistants no longer find its content.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function nameOf({ payload }: Doc): string {
  return payload.urls_to_include.map(({ url }) => url.replace(/^https?:\/\//, '')).join(', ');
}

function SiteFacts({ base, doc }: { readonly base: KnowledgeBase; readonly doc: Doc }) {
  const { urls_to_include: included, urls_to_exclude: excluded } = doc.payload;
  return (
    <div class="kb-site-text">
      {included.map((it) => {
        const fault = faultOfSource(base, it.url);
        const reach = REACHES.find(({ value }) => value === reachOf(it))?.label;
        return (
          <div key={it.url}>
            <p class="row">
              <a href={it.url} target="_blank" rel="noopener noreferrer">
                {it.url}
              </a>
              <SiteStatus base={base} faulty={fault !== undefined} />
            </p>
            {fault !== undefined && <p class="field-fault">{fault}</p>}
            <p class="help">{reach}</p>
          </div>
        );
      })}
      {excluded.length > 0 && <p class="help">Without {excluded.join(', ')}</p>}
    </div>
  );
}

function SiteStatus({ base, faulty }: { readonly base: KnowledgeBase; readonly faulty: boolean }) {
  if (faulty) return <Badge tone="bad">Not read</Badge>;
  if (isUnderway(base))
    return (
      <Badge tone="info" live>
        Reading
      </Badge>
    );
  return base.status === 'trained' ? (
    <Badge tone="good">Searchable</Badge>
  ) : (
    <Badge>Not trained</Badge>
  );
}

function RetrainField({ base, change }: WebPanelProps) {
  const minutes = base.retrain_frequency_minutes;
  const save = useAction(
    async (value: string) =>
      change((now) => ({ ...now, retrain_frequency_minutes: Number(value) })),
    { done: 'Saved.' },
  );
  return (
    <Select
      id="kb-retrain"
      label="Read the pages again"
      value={String(minutes)}
      onChange={(value) => void save.run(value)}
      options={retrainOptions(minutes)}
      disabled={save.busy}
      error={save.error === undefined ? undefined : faultText(save.error)}
    />
  );
}
