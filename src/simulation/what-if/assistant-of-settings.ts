import { NO_ENDPOINTING } from '../../contract/assistant-behaviour.ts';
import type { CallSettings } from '../../engine/settings/settings.ts';

/**
 * What a journal without its call's record tells of the assistant: the fields that become settings. Workflows and tools are not among them.
 */
export function assistantOfSettings(settings: CallSettings): Readonly<Record<string, unknown>> {
  const { welcome, startSpeaking, stopSpeaking, interruptionAck, idle, endCall, transfer } =
    settings;
  return {
    name: 'recorded',
    assistantSystemPrompt: settings.systemPrompt,
    welcomeMessage: welcome.message,
    welcomeMessageMode: welcome.mode,
    welcomeMessageInterruptionsEnabled: welcome.interruptible,
    hints: [...settings.hints],
    startSpeakingOptions: {
      waitSeconds: startSpeaking.waitMs / 1000,
      onPunctuationSeconds: startSpeaking.onPunctuationMs / 1000,
      onNoPunctuationSeconds: startSpeaking.onNoPunctuationMs / 1000,
      onNumberSeconds: startSpeaking.onNumberMs / 1000,
      EngineBaseValue: startSpeaking.engineBaseMs,
      EngineScaleValue: startSpeaking.engineScaleMs,
      ...(startSpeaking.smartEndpointing === 'off' ? { smartEndpointing: NO_ENDPOINTING } : {}),
    },
    stopSpeakingOptions: {
      numberOfWords: stopSpeaking.numberOfWords,
      voiceSeconds: stopSpeaking.voiceMs / 1000,
    },
    userInterruptionAckPlan: { ...interruptionAck, phrases: [...interruptionAck.phrases] },
    assistantBackchannelingEnabled: settings.backchanneling,
    dtmfInputEnabled: settings.dtmfInput,
    idleTimeout: idle.timeoutMs / 1000,
    maxIdleMessagesInSequence: idle.maxMessages,
    maxCallDuration: settings.maxDurationMs / 60_000,
    assistantResponseSplitter: settings.responseSplitter,
    maxConsecutiveTtsFailures: settings.maxConsecutiveTtsFailures,
    assistantPredefinedTools: {
      endCall: endCall.enabled,
      volumeControl: settings.volumeControl,
      callForward: transfer.toolEnabled,
    },
    endCallMessage: endCall.message,
    endCallPhrases: [...endCall.phrases],
    endCallToolDescription: endCall.toolDescription,
  };
}
