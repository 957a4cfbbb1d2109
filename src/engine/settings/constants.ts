/** What turn-taking uses beside the assistant's own settings. Durations are in ms. Overridable in tests. */
export const CONSTANTS = {
  dictationHoldMs: 1800,
  /** The same for a value of unknown length that seems to be over: below this probability of more. */
  dictationDoubtMs: 1300,
  dictationOverProbability: 0.25,
  /** "Um" is never an ending: it asks for time. */
  hesitationHoldMs: 2200,
  /** No pause, however meant, is waited out for longer. */
  maxWaitMs: 10_000,
  holdConfirmMs: 700,
  resumeMinMs: 500,
  /** Overlap so near a reply's edge is read otherwise. */
  edgeMs: 1000,
  /** A reply as near its end as this is let finish. */
  finishingMs: 600,
  /** Words from a reply's very first moment show that the caller was not done. */
  earlyWordsMs: 250,
  /** Content said under speech that goes on still counts when it ended this short before its end. */
  contentExpiryMs: 4000,
  /** A caller who goes on this soon after a commit was cut off, and gets more time. */
  cutInWindowMs: 1000,
  cutInStepMs: 250,
  cutInMaxMs: 750,
  cutInTurns: 3,
  /** No hold by voice alone this early in a web call: its echo canceller is still learning. */
  echoWarmUpMs: 1000,
  noisyMinHolds: 3,
  noisyWindowMs: 20_000,
  noisyForMs: 60_000,
  mergeHeardMs: 300,
  lateWindowMs: 3000,
  clearTimeoutMs: 300,
  stallMs: 2000,
  llmFirstMs: 5000,
  hangMs: 5000,
  thinkMaxMs: 8000,
  giveUpMs: 20_000,
  heldMaxMs: 6000,
  voiceSilenceMs: 2000,
  noTextExtraMs: 500,
  welcomePauseMs: 1200,
  outboundWelcomeMs: 300,
  outboundSilenceMs: 2000,
  /** A pause this likely to go on is one to acknowledge an interruption in. */
  ackMinProbability: 0.5,
  /** After the usual wait, how long an interrupted answer may take until it is acknowledged. */
  ackWaitMs: 600,
  /** A predictor outside is asked after so much silence, and has so long to answer. */
  predictAtMs: [200, 500, 1200],
  predictTimeoutMs: 150,
  /** A draft begins below this probability that the caller goes on, and is voiced ahead below the other. */
  draftMaxProbability: 0.5,
  draftVoicedMaxProbability: 0.2,
  /** An interim text that has not changed for so long may be answered. */
  draftStableMs: 250,
  /** After this much silence whatever was said may be answered; later where more is all but certain. */
  draftAfterMs: 700,
  draftLateMs: 1200,
  draftCertainProbability: 0.7,
  draftMaxSpeechMs: 10_000,
  draftMaxTries: 3,
  /** A called party whose first speech lasts this long may be a machine, and is listened to for so long. */
  screenAfterMs: 2500,
  screenMaxMs: 20_000,
  beepSilenceMs: 1500,
  beepMaxMs: 30_000,
  /** Sound without a word that lasts this long is music. */
  musicAfterMs: 8000,
  callerHoldMaxMs: 300_000,
  callerHoldIdleFactor: 6,
  /** A muted reply is kept for so long. */
  mutedMaxMs: 5000,
  /** A backchannel comes in a pause of a caller who has spoken so long, and will probably go on. */
  backchannelAfterMs: 5000,
  backchannelPauseMs: { from: 250, to: 700 },
  backchannelMinProbability: 0.6,
  backchannelEveryMs: 6000,
  backchannelsPerTurn: 3,
  dtmfGapMs: 2000,
  dtmfMaxKeys: 32,
  /** A recogniser that judges the end of turns itself gets this long to do so. */
  judgeTimeoutMs: 5000,
  farewellMaxMs: 10_000,
  recordEveryMs: 1000,
  maxDurationGraceMs: 5000,
  mediaLostWebMs: 15_000,
  mediaLostPhoneMs: 5000,
  toolGateMs: 250,
  toolHoldMs: 2500,
  toolDelayMs: 3000,
  realUtteranceMs: 1200,
  /** An operator who has answered waits so long for the summary of the call. */
  summaryWaitMs: 3000,
  /** The briefing's own limits end it before. */
  briefingMaxMs: 130_000,
  /** Nothing that two people talk about takes longer. */
  bridgedMaxMs: 4 * 3_600_000,
  backFromHoldMs: 1000,
  holdRemarkMinWords: 3,
  holdRemarks: 2,
  /** Tries that the model has in one call. */
  maxTransfers: 2,
} as const;

/** Longest that the recogniser's last word is waited for after the end of speech. */
export function sttGraceMs(sttP99Ms: number): number {
  return sttP99Ms + 100;
}
