import './talk.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Loss, useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { useLeavingGuard } from '../use-leaving-guard.ts';
import { useTitle } from '../use-title.ts';
import { useTalkAssistant } from './assistant-choice.tsx';
import { type Mode, ModeChoice, modeNamed } from './mode-choice.tsx';
import { PhoneCallPanel } from './phone/phone-call-panel.tsx';
import { TalkCall } from './talk-call.ts';
import { WebCallPanel } from './web-call-panel.tsx';

const CALL_GOES_ON: Loss = {
  title: 'Hang up and leave?',
  text: 'You are in a call. It ends when you leave this page.',
  action: 'Hang up',
};

/** Page for calling an assistant: by microphone, in text, or on a phone of the built-in carrier. */
export function TalkPage() {
  useTitle('Talk');
  const client = useClient();
  const [query, changeQuery] = useQuery();
  const mode = modeNamed(query.get('mode'));
  const call = useMemo(() => new TalkCall(client), [client]);
  const phoning = useSignal(false);
  const inCall = call.inCall.value || phoning.value;
  useLeavingGuard(inCall ? CALL_GOES_ON : undefined);
  useEffect(() => {
    const leave = (): void => call.hangUp();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      call.dispose();
    };
  }, [call]);
  const head = (
    <header class="talk-head">
      <h1 id="page-title" class="talk-title" tabIndex={-1}>
        Talk
      </h1>
      <ModeChoice
        value={mode}
        disabled={inCall}
        onChange={(next: Mode) => changeQuery({ mode: next === 'voice' ? undefined : next })}
      />
    </header>
  );
  const chosen = query.get('assistantId') ?? undefined;
  const assistant = useTalkAssistant(chosen);
  const choose = (assistantId: string): void =>
    changeQuery({ assistantId, assistantVersion: undefined });
  if (mode === 'phone') {
    return (
      <PhoneCallPanel
        head={head}
        assistant={assistant}
        chosen={chosen}
        chosenNumber={query.get('phoneNumberId') ?? undefined}
        onPhoning={(isInCall) => {
          phoning.value = isInCall;
        }}
      />
    );
  }
  return (
    <WebCallPanel
      head={head}
      call={call}
      mode={mode}
      assistant={assistant}
      chosen={chosen}
      version={query.get('assistantVersion') ?? undefined}
      onChoose={choose}
    />
  );
}
