import { useState } from 'preact/hooks';
import type { NumberWebhooks, Number as PhoneNumber } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { Facts } from '../ui/facts.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useAction } from '../use-action.ts';
import { CARRIERS } from './carriers.ts';

interface AtTheCarrierProps {
  readonly number: PhoneNumber;
  /** The carrier was told where calls go. */
  readonly onTold: () => void;
}

/** How calls arrive from the carrier, with a button to configure the carrier again if they do not. */
export function AtTheCarrier({ number, onTold }: AtTheCarrierProps) {
  const { name } = number.provider;
  const { calls, isConfiguredByService } = CARRIERS[name];
  return (
    <section class="section" aria-labelledby="number-carrier-title">
      <h2 id="number-carrier-title">At the carrier</h2>
      <div class="card stack">
        <p>{calls}</p>
        {isConfiguredByService && <Webhooks number={number} onTold={onTold} />}
        {name === 'emulator' && (
          <p class="soft">
            Called numbers are emulated too, and answer. A number that ends in 01 is busy, one in 02
            does not answer, and one in 03 fails.
          </p>
        )}
      </div>
    </section>
  );
}

function Webhooks({ number: { _id: id, provider }, onTold }: AtTheCarrierProps) {
  const client = useClient();
  const [set, setSet] = useState<NumberWebhooks>();
  const { title } = CARRIERS[provider.name];
  const configure = useAction(async () => {
    setSet(undefined);
    setSet(await client.call('configureNumberWebhooks', { path: { id } }));
    onTold();
  });
  return (
    <>
      <div class="row">
        <Button id="set-webhooks" busy={configure.busy} onClick={() => configure.run()}>
          Tell {title} again
        </Button>
        <span class="soft">
          Needed if calls do not arrive, or after the service’s address has changed.
        </span>
      </div>
      <div aria-live="polite">
        {configure.error !== undefined && (
          <Callout tone="bad">
            <p>
              {title} could not be configured. {faultText(configure.error)}
            </p>
          </Callout>
        )}
        {set && (
          <Callout tone="good">
            <p>{title} sends the calls and texts of this number to:</p>
            <Facts
              items={[
                ['Calls', <code key="voice">{set.voiceUrl}</code>],
                ['Texts', <code key="sms">{set.smsUrl}</code>],
              ]}
            />
          </Callout>
        )}
      </div>
    </>
  );
}
