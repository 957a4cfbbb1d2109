import { useState } from 'preact/hooks';
import type { Call, Control } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { faultText } from '../ui/fault-text.ts';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import { TakeOverPanel } from './take-over-panel.tsx';

interface SupervisePanelProps {
  readonly call: Pick<Call, 'id' | 'callType'>;
  /** Called when one begins or ends to speak with the caller. */
  readonly onSpeaking?: (speaking: boolean) => void;
  readonly muted: { readonly user: boolean; readonly assistant: boolean };
}

type Asking = 'forward' | 'end';

/** Controls for a live call. */
export function SupervisePanel({ call, muted, onSpeaking }: SupervisePanelProps) {
  const client = useClient();
  const [asking, setAsking] = useState<Asking>();
  const control = async (body: Control): Promise<void> => {
    await client.call('controlCall', { path: { id: call.id }, body });
  };
  const phone = call.callType === 'phone';
  return (
    <section class="supervise card" aria-labelledby="supervise-title">
      <h2 id="supervise-title">Supervise</h2>
      <TakeOverPanel callId={call.id} {...(onSpeaking ? { onSpeaking } : {})} />
      <Words control={control} phone={phone} />
      {phone && <Tones control={control} />}
      <div class="row">
        <Mute who="assistant" muted={muted.assistant} control={control} />
        <Mute who="user" muted={muted.user} control={control} />
        <Button small icon="forward" onClick={() => setAsking('forward')}>
          Transfer …
        </Button>
        <Button small kind="danger" onClick={() => setAsking('end')}>
          End the call …
        </Button>
      </div>
      {asking === 'forward' && <Transfer control={control} onClose={() => setAsking(undefined)} />}
      {asking === 'end' && <End control={control} onClose={() => setAsking(undefined)} />}
    </section>
  );
}

type Controlling = (body: Control) => Promise<void>;

const SAID = {
  say: 'Queued: spoken at the next pause.',
  'add-message': 'The assistant received the message.',
  sms: 'The text message is being sent.',
} as const;

function Words({ control, phone }: { readonly control: Controlling; readonly phone: boolean }) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const send = useAction(
    async (type: 'say' | 'add-message' | 'sms') => {
      await control({ type, message: text.trim() });
      setText('');
    },
    { done: (type) => SAID[type] },
  );
  const run = (type: 'say' | 'add-message' | 'sms') => (): void => {
    if (text.trim() === '') setFault('Enter a message.');
    else void send.run(type);
  };
  return (
    <form
      class="stack supervise-words"
      onSubmit={(event) => {
        event.preventDefault();
        run('say')();
      }}
    >
      <TextArea
        id="supervise-text"
        label="Message"
        help="Spoken to the caller, or whispered to the assistant only."
        rows={2}
        maxLength={5000}
        value={text}
        error={fault || (send.error === undefined ? undefined : faultText(send.error))}
        onChange={(value) => {
          setText(value);
          setFault('');
          send.forget();
        }}
      />
      <div class="row">
        <Button type="submit" kind="primary" small busy={send.busy}>
          Say to caller
        </Button>
        <Button small busy={send.busy} onClick={run('add-message')}>
          Whisper to assistant
        </Button>
        {phone && (
          <Button small busy={send.busy} onClick={run('sms')}>
            Send as a text message
          </Button>
        )}
      </div>
    </form>
  );
}

function Tones({ control }: { readonly control: Controlling }) {
  const [digits, setDigits] = useState('');
  const send = useAction(
    async () => {
      await control({ type: 'dtmf', message: digits });
      setDigits('');
    },
    { done: 'The tones were sent.' },
  );
  return (
    <form
      class="supervise-tones"
      onSubmit={(event) => {
        event.preventDefault();
        void send.run();
      }}
    >
      <TextField
        id="supervise-tones"
        label="Tones"
        type="tel"
        placeholder="0–9 * #"
        maxLength={64}
        value={digits}
        error={send.error === undefined ? undefined : faultText(send.error)}
        onChange={setDigits}
      />
      <Button type="submit" icon="keypad" busy={send.busy} disabled={digits === ''}>
        Send
      </Button>
    </form>
  );
}

interface MuteProps {
  readonly who: 'user' | 'assistant';
  readonly muted: boolean;
  readonly control: Controlling;
}

function Mute({ who, muted, control }: MuteProps) {
  const name = who === 'user' ? 'caller' : 'assistant';
  const toggle = useAction(() =>
    control({ type: muted ? (`unmute-${who}` as const) : (`mute-${who}` as const) }),
  );
  return (
    <>
      <Button small busy={toggle.busy} aria-pressed={muted} onClick={() => void toggle.run()}>
        {muted ? `Unmute ${name}` : `Mute ${name}`}
      </Button>
      {toggle.error !== undefined && (
        <span class="field-fault" role="alert">
          {faultText(toggle.error)}
        </span>
      )}
    </>
  );
}

interface AskProps {
  readonly control: Controlling;
  readonly onClose: () => void;
}

function Transfer({ control, onClose }: AskProps) {
  const [number, setNumber] = useState('');
  return (
    <ConfirmDialog
      title="Transfer the call?"
      action="Transfer"
      onConfirm={() => control({ type: 'forward', message: dialled(number) })}
      onClose={onClose}
    >
      <TextField
        id="transfer-number"
        label="Number"
        type="tel"
        optional
        placeholder="+14155550123"
        help="Leave empty for the assistant’s own transfer number."
        value={number}
        onChange={setNumber}
      />
    </ConfirmDialog>
  );
}

/** The number as it is dialled, without formatting characters. */
function dialled(number: string): string {
  const plain = number.replaceAll(/[\s()./-]/g, '');
  if (plain === '' || /^\+[1-9]\d{1,14}$/.test(plain)) return plain;
  throw new Error('Enter the full number with the country code, such as +14155550123');
}

function End({ control, onClose }: AskProps) {
  const [farewell, setFarewell] = useState('');
  return (
    <ConfirmDialog
      title="End the call?"
      action="End the call"
      onConfirm={() => control({ type: 'end', message: farewell.trim() })}
      onClose={onClose}
    >
      <TextField
        id="farewell"
        label="Farewell"
        optional
        help="Spoken before the call ends. Leave empty to end it at once."
        maxLength={5000}
        value={farewell}
        onChange={setFarewell}
      />
    </ConfirmDialog>
  );
}
