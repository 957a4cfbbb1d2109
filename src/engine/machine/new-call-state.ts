import type { CallSettings } from '../settings/settings.ts';
import type { CallState } from '../state/call-state.ts';
import { startWorkflow } from '../workflow/workflow.ts';

/** The data of a call before its first event. */
export function newCallState(settings: CallSettings): CallState {
  const { workflow } = settings;
  return {
    settings,
    entries: [],
    user: {
      turn: undefined,
      committed: undefined,
      voiced: false,
      heard: {
        activeSince: undefined,
        near: false,
        maybeAt: 0,
        onsetAt: 0,
        endAt: 0,
        levels: [],
        callerDb: undefined,
        background: undefined,
        wordlessDb: undefined,
        wordsAt: 0,
        interims: false,
        ignored: 0,
      },
      muted: false,
      keys: '',
      onHold: false,
      misheard: 0,
      cutInMs: 0,
      cutInTurns: 0,
      falseHolds: [],
      noisyUntil: 0,
      passedOver: undefined,
      sttDown: false,
    },
    assistant: {
      reply: undefined,
      draft: undefined,
      textsToSay: [],
      lateResults: [],
      welcomed: false,
      muted: false,
      supervisor: undefined,
      volumeDb: 0,
      firstAudioAt: undefined,
      lastHeard: '',
      played: [],
      idlePrompts: 0,
      ackDue: false,
      acks: 0,
      backchannels: 0,
      backchannelAt: undefined,
      isAwaited: false,
      modelFailures: 0,
      ttsFailures: 0,
    },
    tools: { awaited: [], async: [], gateAt: 0, since: 0, delayMessages: 0, mustTellModel: false },
    transfer: { current: undefined, requested: undefined, count: 0 },
    progress: workflow && startWorkflow(workflow, workflow.variables),
    counters: {},
    answeredAt: undefined,
    ending: undefined,
  };
}
