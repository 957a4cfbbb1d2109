import { useState } from 'preact/hooks';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { BaseFields, faultsOfNames } from './base-fields.tsx';

/** Creates a knowledge base and opens its page. */
export function NewKnowledgeBaseDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [names, setNames] = useState({ title: '', description: '' });
  return (
    <FormDialog
      title="New knowledge base"
      action="Create"
      check={() => faultsOfNames(names)}
      onSubmit={async () => {
        const { id } = await client.call('createKnowledgeBase', { body: names });
        navigate(`/knowledge-bases/${id}`);
      }}
      onClose={onClose}
    >
      {(faults) => <BaseFields value={names} onChange={setNames} faults={faults} />}
    </FormDialog>
  );
}
