import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Elapsed } from './elapsed.tsx';
import type { SuperviseAction } from './supervise.tsx';
import type { TalkCall, TalkMode, TalkPhase } from './talk-call.ts';

interface CallControlsProps {
  readonly call: TalkCall;
  readonly mode: TalkMode;
  readonly keypad: Signal<boolean>;
  /** There is an assistant to call. */
  readonly ready: boolean;
  readonly onStart: () => void;
  readonly onSupervise: (type: SuperviseAction) => void;
  /** Choice of the assistant to call. */
  readonly children: ComponentChildren;
}

/** Controls of the call: start, end, mute, keypad, operator actions. */
export function CallControls(props: CallControlsProps) {
  const { call, mode, keypad, ready, onStart, onSupervise, children } = props;
  const phase = call.phase.value;
  const inCall = call.inCall.value;
  const live = phase === 'live';
  return (
    <section class="controls" aria-label="Controls">
      {children}
      <p class="status">
        <span id="status" role="status">
          {statusText(phase, call.forwarded.value, ready)}
        </span>
        <Elapsed since={call.startedAt.value} running={inCall} />
      </p>
      <div class="buttons">
        {phase === 'ended' && call.callId.value !== undefined && (
          <LinkButton href={`/calls/${call.callId.value}`} kind="quiet">
            View call
          </LinkButton>
        )}
        {inCall && (
          <>
            <Menu
              label="Supervise the call"
              text="Supervise"
              disabled={!live}
              items={[
                { value: 'say', label: 'Say …', onSelect: () => onSupervise('say') },
                { value: 'note', label: 'Whisper …', onSelect: () => onSupervise('add-message') },
                { value: 'forward', label: 'Transfer …', onSelect: () => onSupervise('forward') },
              ]}
            />
            <Button
              icon="keypad"
              aria-label="Keypad"
              aria-expanded={keypad.value}
              onClick={() => {
                keypad.value = !keypad.value;
              }}
            />
          </>
        )}
        {mode === 'text' ? <SoundButton call={call} /> : <MuteButton call={call} />}
        <CallButton call={call} mode={mode} ready={ready} onStart={onStart} />
      </div>
    </section>
  );
}

function MuteButton({ call }: { readonly call: TalkCall }) {
  const muted = call.muted.value;
  return (
    <Button
      id="mute"
      icon={muted ? 'muted' : 'talk'}
      aria-pressed={muted}
      aria-keyshortcuts="m"
      disabled={!call.inCall.value}
      onClick={() => call.setMuted(!muted)}
    >
      Mute
    </Button>
  );
}

function SoundButton({ call }: { readonly call: TalkCall }) {
  const on = call.sound.value;
  return (
    <Button
      id="sound"
      icon={on ? 'sound' : 'silent'}
      aria-pressed={!on}
      onClick={() => call.setSound(!on)}
    >
      Mute replies
    </Button>
  );
}

type CallButtonProps = Pick<CallControlsProps, 'call' | 'mode' | 'ready' | 'onStart'>;

function CallButton({ call, mode, ready, onStart }: CallButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const inCall = call.inCall.value;
  const opening = call.phase.value === 'opening';
  useEffect(() => {
    // In voice mode the next step is to call; in text mode the text field takes the focus.
    if (ready && mode === 'voice') button.current?.focus({ preventScroll: true });
  }, [ready, mode]);
  return (
    <button
      ref={button}
      type="button"
      id="call"
      class={`button ${inCall ? 'danger' : 'primary'}`}
      data-does={inCall ? 'hang-up' : 'call'}
      disabled={!ready}
      aria-disabled={opening || undefined}
      onClick={() => (inCall ? call.hangUp() : opening || onStart())}
    >
      <Icon name="handset" />
      <span class="label">{inCall ? 'Hang up' : mode === 'text' ? 'Start' : 'Call'}</span>
    </button>
  );
}

function statusText(phase: TalkPhase, forwarded: boolean, ready: boolean): string {
  switch (phase) {
    case 'opening':
      return 'Opening the call';
    case 'connecting':
      return 'Connecting';
    case 'live':
      return forwarded ? 'Transferred' : 'In call';
    case 'reconnecting':
      return 'Connection lost, reconnecting';
    case 'ended':
      return 'Call ended';
    default:
      return ready ? 'Ready to call' : 'No assistant yet';
  }
}
