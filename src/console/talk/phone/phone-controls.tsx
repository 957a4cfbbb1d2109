import type { Number as PhoneNumber } from '../../../client/api.generated.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Elapsed } from '../elapsed.tsx';
import type { Telephone, TelephoneState } from './telephone.ts';

interface PhoneControlsProps {
  readonly phone: Telephone;
  readonly numbers: readonly PhoneNumber[];
  /** The number to call. */
  readonly number: PhoneNumber | undefined;
  readonly nameOf: (assistantId: string | undefined) => string;
  readonly onPick: (id: string) => void;
  /** Makes the assistant of a number call this phone. */
  readonly onCallMe: (id: string) => void;
  readonly asking: boolean;
}

/** Buttons of the phone, depending on its state. */
export function PhoneControls(props: PhoneControlsProps) {
  const { phone, numbers, number, nameOf, onPick } = props;
  const { value: state } = phone.state;
  return (
    <section class="controls" aria-label="Controls">
      <div class="choose">
        <label for="phone-number">Number</label>
        <select
          id="phone-number"
          class="input"
          value={number?._id}
          disabled={numbers.length === 0}
          onChange={(event) => onPick(event.currentTarget.value)}
        >
          {numbers.map(({ _id, number: digits, assistantId }) => (
            <option key={_id} value={_id}>
              {digits} · {nameOf(assistantId)}
            </option>
          ))}
        </select>
      </div>
      <p class="status">
        <span id="status" role="status">
          {phone.returning.value
            ? 'Connection lost, reconnecting'
            : statusText(state, phone.number.value, phone.ended.value)}
        </span>
        <Elapsed since={phone.startedAt.value} running={state.kind === 'talking'} />
      </p>
      <div class="buttons">
        {state.kind === 'idle' && phone.callId.value !== undefined && (
          <LinkButton href={`/calls/${phone.callId.value}`} kind="quiet">
            View call
          </LinkButton>
        )}
        <StateButtons {...props} />
      </div>
    </section>
  );
}

function StateButtons({ phone, number, onCallMe, asking }: PhoneControlsProps) {
  const { kind } = phone.state.value;
  if (kind === 'off' || kind === 'opening') {
    return (
      <Button
        kind="primary"
        icon="handset"
        busy={kind === 'opening'}
        onClick={() => phone.switchOn()}
      >
        Switch on
      </Button>
    );
  }
  if (kind === 'idle') {
    return (
      <>
        <Button kind="quiet" onClick={() => phone.switchOff()}>
          Switch off
        </Button>
        <Button disabled={!number} busy={asking} onClick={() => number && onCallMe(number._id)}>
          Call me
        </Button>
        <Button
          kind="primary"
          icon="handset"
          disabled={!number}
          onClick={() => number && phone.dial(number.number)}
        >
          Call
        </Button>
      </>
    );
  }
  return (
    <>
      {kind === 'talking' && (
        <Button
          icon={phone.muted.value ? 'muted' : 'talk'}
          aria-pressed={phone.muted.value}
          onClick={() => phone.setMuted(!phone.muted.value)}
        >
          Mute
        </Button>
      )}
      <Button kind="danger" icon="handset" onClick={() => phone.hangUp()}>
        {kind === 'ringing' ? 'Decline' : 'Hang up'}
      </Button>
      {kind === 'ringing' && (
        <Button kind="primary" icon="handset" onClick={() => phone.answer()}>
          Answer
        </Button>
      )}
    </>
  );
}

const ENDS: Readonly<Record<string, string>> = {
  busy: 'Busy',
  'no-answer': 'Not answered',
  failed: 'The call failed',
  canceled: 'Cancelled',
};

function statusText(
  state: TelephoneState,
  number: string | undefined,
  ended: string | undefined,
): string {
  switch (state.kind) {
    case 'off':
      return 'The telephone is off';
    case 'opening':
      return 'Switching on';
    case 'idle':
      return ended === undefined ? `On, as ${number}` : (ENDS[ended] ?? 'Call ended');
    case 'dialling':
      return `Calling ${state.to}`;
    case 'ringing':
      return `${state.from} is calling`;
    case 'talking':
      return 'In call';
  }
}
