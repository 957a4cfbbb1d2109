import './numbers.css';
import { useState } from 'preact/hooks';
import type { NumberChange, Number as PhoneNumber } from '../../client/api.generated.ts';
import type { PageProps } from '../lazy-page.tsx';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';
import { AtTheCarrier } from './at-the-carrier.tsx';
import { CallFromNumber } from './call-from-number.tsx';
import { CARRIERS } from './carriers.ts';
import { DeleteNumber } from './delete-number.tsx';
import { NumberSetup } from './number-setup.tsx';
import { NumberSwitches } from './number-switches.tsx';

const BACK = { href: '/numbers', name: 'Numbers' };

/** Page of one number: its assistant, the calls it accepts, and its carrier. */
export function NumberPage({ params: { id } }: PageProps<'id'>) {
  const client = useClient();
  const number = useLoad(
    (signal) => client.call('getNumber', { path: { id }, signal }),
    [client, id],
  );
  const { error } = number;
  return (
    <section class="page" aria-labelledby="page-title">
      {number.data ? (
        <OpenNumber key={id} number={number.data} onChanged={number.set} onFailed={number.reload} />
      ) : (
        <>
          <PageHeader title="Number" back={BACK} />
          {error === undefined ? (
            <div class="late">
              <Skeleton lines={4} />
            </div>
          ) : (
            <ErrorState
              title="The number could not be loaded"
              error={error}
              onRetry={number.reload}
            />
          )}
        </>
      )}
    </section>
  );
}

interface OpenNumberProps {
  readonly number: PhoneNumber;
  readonly onChanged: (number: PhoneNumber) => void;
  /** A change failed, so the data shown may be out of date. */
  readonly onFailed: () => void;
}

function OpenNumber({ number, onChanged, onFailed }: OpenNumberProps) {
  const client = useClient();
  const [open, setOpen] = useState<'call' | 'delete'>();
  const { _id: id, label, provider, assistantId } = number;
  const carrier = CARRIERS[provider.name];
  const close = (): void => setOpen(undefined);
  const change = async (body: NumberChange): Promise<void> => {
    try {
      onChanged(await client.call('updateNumber', { path: { id }, body }));
    } catch (error) {
      onFailed();
      throw error;
    }
  };
  const canCall = assistantId !== '';
  const isBuilder = may('builder');
  // Each change of the number changes what is open.
  const setup = useLoad(
    async (signal) =>
      isBuilder ? client.call('checkNumberSetup', { path: { id }, signal }) : undefined,
    [client, id, number, isBuilder],
  );
  return (
    <>
      <PageHeader
        title={number.number}
        lead={label === '' ? carrier.title : `${label} · ${carrier.title}`}
        back={BACK}
        actions={
          <>
            {provider.name === 'emulator' && canCall && number.inboundEnabled && (
              <LinkButton kind="primary" icon="calls" href={`/talk?mode=phone&phoneNumberId=${id}`}>
                Call this number
              </LinkButton>
            )}
            <Button
              icon="forward"
              disabled={!canCall || !number.outboundEnabled}
              onClick={() => setOpen('call')}
            >
              Call someone
            </Button>
            <Menu
              label={`Actions for ${number.number}`}
              items={[
                {
                  value: 'delete',
                  label: 'Delete …',
                  icon: 'trash',
                  danger: true,
                  onSelect: () => setOpen('delete'),
                },
              ]}
            />
          </>
        }
      />
      <NumberSwitches number={number} change={change} />
      {isBuilder && <NumberSetup setup={setup} />}
      <AtTheCarrier number={number} onTold={setup.reload} />
      {open === 'call' && <CallFromNumber number={number} onClose={close} />}
      {open === 'delete' && <DeleteNumber number={number} onClose={close} />}
    </>
  );
}
