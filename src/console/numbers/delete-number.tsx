import { useState } from 'preact/hooks';
import type { Number as PhoneNumber } from '../../client/api.generated.ts';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { CARRIERS } from './carriers.ts';

interface DeleteNumberProps {
  readonly number: PhoneNumber;
  readonly onClose: () => void;
}

const GIVEN_BACK = 'You lose the number, and others can buy it.';

/** Removes a number from the service and, if wanted, releases it at the carrier. */
export function DeleteNumber({ number, onClose }: DeleteNumberProps) {
  const client = useClient();
  const [release, setRelease] = useState(false);
  const { title, sells } = CARRIERS[number.provider.name];
  return (
    <ConfirmDialog
      title={`Delete ${number.number}?`}
      action={release ? 'Release and delete' : 'Delete'}
      onConfirm={async () => {
        await client.call('deleteNumber', {
          path: { id: number._id },
          query: { release: release ? 'true' : 'false' },
        });
        showToast(`${number.number} is ${release ? 'released' : 'deleted'}.`);
        navigate('/numbers', { replace: true });
      }}
      onClose={onClose}
    >
      <p>It can no longer receive or make calls. Past calls stay.</p>
      {sells && (
        <Checkbox
          id="number-release"
          label={`Also release it at ${title}`}
          help={release ? GIVEN_BACK : keptText(number)}
          checked={release}
          onChange={setRelease}
        />
      )}
    </ConfirmDialog>
  );
}

function keptText({ provider: { name } }: PhoneNumber): string {
  const charges = name === 'emulator' ? '' : ', which continues to charge for it';
  return `It stays yours at ${CARRIERS[name].title}${charges}. It can be imported again.`;
}
