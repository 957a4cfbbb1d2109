import { useState } from 'preact/hooks';
import type { Call } from '../../client/api.generated.ts';
import { HoldDialog } from '../privacy/hold-dialog.tsx';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { showToast } from '../ui/toasts.tsx';

interface KeepMenuProps {
  readonly call: Call;
  readonly onChanged: () => void;
}

/** Puts an ended call on hold, releases it, or deletes it. */
export function KeepMenu({ call, onChanged }: KeepMenuProps) {
  const client = useClient();
  const [asked, setAsked] = useState<'hold' | 'release' | 'delete'>();
  const path = { id: call.id };
  const close = () => setAsked(undefined);
  const isHeld = call.hold !== undefined;
  return (
    <>
      <Menu
        label="Keep or delete the call"
        items={[
          isHeld
            ? { value: 'release', label: 'Release the hold', onSelect: () => setAsked('release') }
            : { value: 'hold', label: 'Put on hold', onSelect: () => setAsked('hold') },
          {
            value: 'delete',
            label: 'Delete',
            icon: 'trash',
            danger: true,
            disabled: isHeld,
            onSelect: () => setAsked('delete'),
          },
        ]}
      />
      {asked === 'hold' && (
        <HoldDialog
          what="call"
          onHold={async ({ reason }) => {
            await client.call('holdCall', { path, body: { reason } });
            onChanged();
          }}
          onClose={close}
        />
      )}
      {asked === 'release' && (
        <ConfirmDialog
          title="Release the hold?"
          action="Release"
          onConfirm={async () => {
            await client.call('releaseCall', { path });
            showToast('The call is no longer on hold.');
            onChanged();
          }}
          onClose={close}
        >
          <p>The call can be deleted again: by you, and by retention rules.</p>
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title="Delete this call?"
          action="Delete"
          onConfirm={async () => {
            await client.call('deleteCall', { path });
            showToast('The call is deleted.');
            navigate('/calls', { replace: true });
          }}
          onClose={close}
        >
          <p>
            Its recording, transcript, events, analysis and webhooks are deleted too. This cannot be
            undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
