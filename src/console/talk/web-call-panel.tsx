import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Loaded } from '../use-load.ts';
import { AnswersView } from './answers-view.tsx';
import { AssistantChoice, type TalkAssistant } from './assistant-choice.tsx';
import { CallControls } from './call-controls.tsx';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { Keypad } from './keypad.tsx';
import { Notice } from './notice.tsx';
import { Stage } from './stage.tsx';
import { type SuperviseAction, SuperviseDialog } from './supervise.tsx';
import type { TalkCall, TalkMode } from './talk-call.ts';

interface WebCallPanelProps {
  readonly head: ComponentChildren;
  readonly call: TalkCall;
  readonly mode: TalkMode;
  readonly assistant: Loaded<TalkAssistant | null>;
  readonly chosen: string | undefined;
  /** A version of the chosen one; undefined: the published one. */
  readonly version: string | undefined;
  readonly onChoose: (assistantId: string) => void;
}

const EMPTY = {
  voice: 'Press Call and speak. The transcript appears here.',
  text: 'Type what you would say. The assistant replies in speech and text; you can interrupt it.',
} as const;

/** A web call, by voice or in text. */
export function WebCallPanel(props: WebCallPanelProps) {
  const { head, call, mode, assistant, chosen, version, onChoose } = props;
  const keypad = useSignal(false);
  const supervising = useSignal<SuperviseAction>();
  // Not the one before, while another is being loaded.
  const assistantId = assistant.loading ? undefined : assistant.data?._id;
  const start = (): void => {
    if (assistantId === undefined) return;
    const named = assistantId === chosen && version !== undefined;
    void call.start({ assistantId, ...(named ? { assistantVersion: version } : {}) }, mode);
  };
  useMuteKey(call);
  const { value: phase } = call.phase;
  const live = phase === 'live';
  const canType = live || (mode === 'text' && assistantId !== undefined && phase !== 'opening');
  return (
    <>
      <div id="workspace" class="workspace" data-phase={phase} data-keypad={keypad.value}>
        {head}
        <Stage
          states={call.states.value}
          running={live || phase === 'reconnecting'}
          onMeter={(meter) => {
            call.onLevels = (levels) => meter?.add(levels);
          }}
        />
        <Conversation lines={call.lines.value} empty={EMPTY[mode]}>
          <Composer
            label={mode === 'text' ? 'Type to the assistant' : 'Type instead of speaking'}
            disabled={!canType}
            onSend={(text) => {
              if (!call.inCall.value) start();
              call.type(text);
            }}
          />
        </Conversation>
        <div class="talk-side">
          {keypad.value && (
            <Keypad
              disabled={!live}
              unheard={assistant.data?.dtmfInputEnabled === false}
              onPress={(digit) => call.pressKey(digit)}
            />
          )}
          <AnswersView answers={call.answers.value} />
        </div>
        <CallControls
          call={call}
          mode={mode}
          keypad={keypad}
          ready={assistantId !== undefined}
          onStart={start}
          onSupervise={(type) => {
            supervising.value = type;
          }}
        >
          <AssistantChoice
            assistant={assistant}
            disabled={call.inCall.value || phase === 'opening'}
            onChange={onChoose}
          />
        </CallControls>
      </div>
      <Notice
        message={call.notice.value}
        onClose={() => {
          call.notice.value = undefined;
        }}
      />
      {supervising.value && (
        <SuperviseDialog
          type={supervising.value}
          onControl={(type, message) => call.control(type, message)}
          onClose={() => {
            supervising.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** Toggles mute with the key m, unless an input has the focus. */
function useMuteKey(call: TalkCall): void {
  useEffect(() => {
    const onKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void => {
      const typing =
        target instanceof HTMLInputElement ||
        target instanceof HTMLSelectElement ||
        target instanceof HTMLTextAreaElement;
      if (key !== 'm' || ctrlKey || metaKey || altKey || typing || !call.inCall.value) return;
      call.setMuted(!call.muted.value);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [call]);
}
