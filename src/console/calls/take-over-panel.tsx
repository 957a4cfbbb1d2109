import { useEffect, useMemo } from 'preact/hooks';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { useLeavingGuard } from '../use-leaving-guard.ts';
import { TakeOver } from './take-over.ts';

interface TakeOverPanelProps {
  readonly callId: string;
  /** Called when one begins or ends to speak: what else plays the call would be heard twice. */
  readonly onSpeaking?: (speaking: boolean) => void;
}

const SPEAKING = {
  title: 'Give the call back?',
  text: 'You speak with the caller. If you leave, the assistant goes on.',
  action: 'Give back and leave',
};

/** Takes the call over by one's own microphone, and gives it back. */
export function TakeOverPanel({ callId, onSpeaking }: TakeOverPanelProps) {
  const client = useClient();
  const takeOver = useMemo(() => new TakeOver(client, callId), [client, callId]);
  useEffect(() => () => takeOver.close(), [takeOver]);
  const state = takeOver.state.value;
  const notice = takeOver.notice.value;
  useLeavingGuard(state === 'speaking' ? SPEAKING : undefined);
  useEffect(() => onSpeaking?.(state === 'speaking'), [state]);
  return (
    <div class="stack take-over">
      <div class="row">
        {state === 'speaking' ? (
          <Button icon="talk" aria-pressed={true} onClick={() => takeOver.giveBack()}>
            Give the call back
          </Button>
        ) : (
          <Button icon="talk" busy={state === 'opening'} onClick={() => void takeOver.start()}>
            Take over by microphone
          </Button>
        )}
        <span class="soft" role="status">
          {state === 'speaking' && 'The caller hears you. The assistant is silent.'}
        </span>
      </div>
      <div role="alert">
        {notice && (
          <Callout tone="bad">
            <strong>{notice.title}.</strong> {notice.text}
          </Callout>
        )}
      </div>
    </div>
  );
}
