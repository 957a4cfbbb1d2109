import type { AssistantConfig } from '../../contract/assistant.ts';
import { BUILT_IN_ENDPOINTING, NO_ENDPOINTING } from '../../contract/assistant-behaviour.ts';
import type { CallDirection, CallType } from '../../contract/call.ts';
import type { Stt } from '../../ports/stt.ts';
import { stockLinesOf } from '../language/language.ts';
import { wordsOf } from '../language/words.ts';
import { openingMessages, resolveWorkflow } from '../workflow/resolve-workflow.ts';
import { renderTemplate } from './render-template.ts';
import type { CallSettings, CallTool, TransferMode } from './settings.ts';

export interface ResolveInput {
  /** With all overrides applied. */
  readonly assistant: AssistantConfig;
  readonly variables: Readonly<Record<string, string>>;
  readonly callType: CallType;
  readonly direction: CallDirection;
  readonly tools: readonly CallTool[];
  /** Names of tools by their ids, because a workflow refers to them by id. */
  readonly toolNames?: ReadonlyMap<string, readonly string[]>;
  /** Whole sentences that callers are expected to say. */
  readonly expected?: readonly string[];
  readonly stt: Pick<Stt, 'finalLatencyP99Ms' | 'turnAware' | 'sparseInterims'>;
  /** The model may answer before a turn is certain to be over. @defaultValue true */
  readonly drafts?: boolean;
  /** An external model judges whether the caller has finished. @defaultValue false */
  readonly outsidePredictor?: boolean;
  readonly seed: number;
  readonly onUnknownVariable?: (name: string) => void;
}

/** A scale up to this value is in seconds. */
const SECONDS_BELOW = 20;

/** The settings of one call: durations in ms, variables filled in, stock lines in its language. */
export function resolveCallSettings(input: ResolveInput): CallSettings {
  const { assistant, callType, direction, tools, stt, seed } = input;
  const { stt: hearing } = assistant.config.speech;
  const start = assistant.startSpeakingOptions;
  const fill = (text: string) => renderTemplate(text, input.variables, input.onUnknownVariable);
  const workflow = resolveWorkflow(assistant, input.variables, input.toolNames ?? new Map());
  const languages = hearing.languages.split(',').map((tag) => tag.trim());
  const { idle, acknowledgements, ...lines } = stockLinesOf(languages);
  const endCallEnabled = assistant.assistantPredefinedTools.endCall;
  return {
    callType,
    direction,
    systemPrompt: fill(assistant.assistantSystemPrompt),
    languages,
    hints: assistant.hints,
    expected: (input.expected ?? []).map((sentence) => wordsOf(sentence).join(' ')),
    welcome: {
      message: [fill(assistant.welcomeMessage), ...openingMessages(workflow)]
        .filter((text) => text !== '')
        .join(' '),
      mode: assistant.welcomeMessageMode,
      interruptible: assistant.welcomeMessageInterruptionsEnabled,
    },
    startSpeaking: {
      waitMs: start.waitSeconds * 1000,
      smartEndpointing: judge(start.smartEndpointing, stt.turnAware ?? false),
      onPunctuationMs: start.onPunctuationSeconds * 1000,
      onNoPunctuationMs: start.onNoPunctuationSeconds * 1000,
      onNumberMs: start.onNumberSeconds * 1000,
      engineBaseMs: start.EngineBaseValue,
      engineScaleMs:
        start.EngineScaleValue <= SECONDS_BELOW
          ? start.EngineScaleValue * 1000
          : start.EngineScaleValue,
    },
    stopSpeaking: {
      numberOfWords: assistant.stopSpeakingOptions.numberOfWords,
      voiceMs: assistant.stopSpeakingOptions.voiceSeconds * 1000,
    },
    interruptionAck: {
      ...assistant.userInterruptionAckPlan,
      phrases:
        assistant.userInterruptionAckPlan.phrases.length > 0
          ? assistant.userInterruptionAckPlan.phrases
          : acknowledgements,
    },
    backchanneling: assistant.assistantBackchannelingEnabled,
    drafts: input.drafts ?? true,
    predictor: input.outsidePredictor ? 'outside' : 'text',
    dtmfInput: assistant.dtmfInputEnabled,
    idle: {
      timeoutMs: assistant.idleTimeout * 1000,
      maxMessages: assistant.maxIdleMessagesInSequence,
      messages: idle,
    },
    maxDurationMs: assistant.maxCallDuration * 60_000,
    responseSplitter: assistant.assistantResponseSplitter,
    endCall: {
      enabled: endCallEnabled,
      message: fill(assistant.endCallMessage),
      phrases: assistant.endCallPhrases,
      toolDescription: fill(assistant.endCallToolDescription),
    },
    maxConsecutiveTtsFailures: assistant.maxConsecutiveTtsFailures,
    ...(workflow ? { workflow } : {}),
    volumeControl: assistant.assistantPredefinedTools.volumeControl,
    tools: tools.map((tool) => ({
      ...tool,
      lines: tool.lines.map((line) => ({ ...line, content: fill(line.content) })),
    })),
    transfer: {
      toolEnabled: assistant.assistantPredefinedTools.callForward,
      mode: transferMode(assistant),
      ...assistant.callForwardData,
      timeoutMs: assistant.warmTransferTimeout * 1000,
      holdMusicUrl: assistant.holdMusicUrl,
      recordAfter: assistant.recordAfterTransfer,
    },
    sttP99Ms: stt.finalLatencyP99Ms,
    sttTurnAware: stt.turnAware ?? false,
    ...(stt.sparseInterims ? { sttSparseInterims: true } : {}),
    lines,
    seed,
  };
}

/** How the assistant puts callers through. */
export function transferMode(
  assistant: Pick<AssistantConfig, 'warmTransferEnabled' | 'warmTransferConversational'>,
): TransferMode {
  if (!assistant.warmTransferEnabled) return 'blind';
  return assistant.warmTransferConversational ? 'conversational' : 'announced';
}

function judge(
  named: string,
  turnAware: boolean,
): CallSettings['startSpeaking']['smartEndpointing'] {
  if (named === NO_ENDPOINTING) return 'off';
  return named === BUILT_IN_ENDPOINTING || !turnAware ? 'predictor' : 'recogniser';
}
