/** Constants of turn-taking, besides the assistant's settings. Durations are in ms. */
export const CONSTANTS = {
  /** R4: the longest gap of a take-over that needs no words. */
  gapWithoutWordsMs: 1000,
  /** Voice this far below the caller's level is not theirs; the first over a reply, before a word of theirs. */
  farVoiceDb: 13,
  farVoiceInTurnDb: 17,
  /** The first level of a voice is lower than its word by so much. */
  onsetRiseDb: 6,
  /** Words this far below the caller's level may be, and are, somebody else's: without and with a model to judge. */
  farWordsDb: { perhaps: 15, surely: 15 },
  askedWordsDb: { perhaps: 13, surely: 18 },
  /** Voice at most this far below the caller's level may always be theirs. */
  surelyNearDb: 4,
  /** A voice in the background is at most this much louder than it was, for so long. */
  backgroundMarginDb: 6,
  backgroundMs: 30_000,
  /** It is known after so long without words, and followed by this share of each difference. */
  backgroundAfterMs: 2000,
  backgroundShare: 0.1,
  /** Words that are too soft count from the third in a row. */
  farWordsInARow: 2,
  /** How much of a difference is learnt from words that are louder or softer than the caller's level. */
  louderShare: 0.4,
  softerShare: 0.25,
  levelMemoryMs: 10_000,
  /** Voice without a new word for this long is a pause; the second if it is as loud as the caller. */
  wordlessMs: 700,
  wordlessNearMs: 1500,
  /** The same while a value is dictated. */
  wordlessDictationMs: 3000,
  /** A slower recogniser gets the difference. */
  quickSttMs: 400,
  /** Below this probability that the caller goes on, `waitSeconds` counts from the end of speech. */
  surelyOverProbability: 0.2,
  /** What may become a voice puts off a reply that has not begun by so much, and at most so often. */
  putOffMs: 120,
  putOffMost: 3,
  /** Longer than the silences between the groups of a number. */
  dictationHoldMs: 1750,
  /** A shorter hold for a value of unknown length, below this probability that the caller goes on. */
  dictationDoubtMs: 1300,
  dictationOverProbability: 0.25,
  /** A caller who ends with "um" asks for time. */
  hesitationHoldMs: 2600,
  /** The longest wait after any pause. */
  maxWaitMs: 10_000,
  holdConfirmMs: 700,
  resumeMinMs: 500,
  /** Speech that begins this close to the end of a reply counts as a turn, whatever its words. */
  edgeMs: 1000,
  /** A reply this close to its end may finish. */
  finishingMs: 400,
  /** Words this soon after the start of a reply mean that the caller had not finished. */
  earlyWordsMs: 250,
  /** A backchannel that stands in no list has no more voice than this. */
  backchannelMaxMs: 1150,
  /** Words that were passed over as a backchannel and come again within this time are meant. */
  insistWithinMs: 8000,
  /** How long the model may take, from the end of the words, to tell for whom they were. */
  addresseeMaxMs: 3000,
  /** Words said during a reply still count if the reply ends within this time after them. */
  contentExpiryMs: 4000,
  /** A caller who goes on this soon after a commit was cut off and gets more time. */
  cutInWindowMs: 1000,
  /** A caller who goes on after a silence this long was nearly cut off, unless going on was likelier than this. */
  survivedPauseMs: 600,
  survivedMaxProbability: 0.5,
  cutInStepMs: 250,
  cutInMaxMs: 750,
  cutInTurns: 3,
  /** In a web call, voice alone holds no reply at first, while the echo canceller adapts. */
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
  /** An interruption is acknowledged in a pause from this probability that the caller goes on. */
  ackMinProbability: 0.5,
  /** How much later than usual the answer to an interruption may be until it is acknowledged. */
  ackWaitMs: 600,
  /** When the external predictor is asked, in ms of silence, and how long it may take. */
  predictAtMs: [200, 500, 1200],
  predictTimeoutMs: 150,
  /** A draft begins below the first probability that the caller goes on, and is synthesised below the second. */
  draftMaxProbability: 0.5,
  draftVoicedMaxProbability: 0.2,
  /** It is synthesised after this much silence in any case. */
  draftVoicedAfterMs: 1100,
  /** An interim text may be answered by a draft after it was unchanged for this long. */
  draftStableMs: 250,
  /** A draft begins after this much silence in any case; later if the caller will almost certainly go on. */
  draftAfterMs: 500,
  draftLateMs: 900,
  draftCertainProbability: 0.6,
  draftMaxSpeechMs: 10_000,
  draftMaxTries: 3,
  /** A called party whose first speech lasts this long may be a machine; how long it is screened. */
  screenAfterMs: 2500,
  screenMaxMs: 20_000,
  beepSilenceMs: 1500,
  beepMaxMs: 30_000,
  /** Sound without words that lasts this long is taken for hold music. */
  musicAfterMs: 8000,
  callerHoldMaxMs: 300_000,
  callerHoldIdleFactor: 6,
  /** How long a muted reply is kept. */
  mutedMaxMs: 5000,
  /** A backchannel comes in a pause of a caller who has spoken this long and will probably go on. */
  backchannelAfterMs: 5000,
  backchannelPauseMs: { from: 250, to: 700 },
  backchannelMinProbability: 0.6,
  backchannelEveryMs: 6000,
  backchannelsPerTurn: 3,
  dtmfGapMs: 2000,
  dtmfMaxKeys: 32,
  /** How long to wait for a turn-aware recogniser to end the turn. */
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
  /** How long an operator who has answered waits for the summary. */
  summaryWaitMs: 3000,
  /** A last resort; the limits of the briefing itself are shorter. */
  briefingMaxMs: 130_000,
  /** The longest conversation with an operator. */
  bridgedMaxMs: 4 * 3_600_000,
  /** Within which an operator whose process died is back; as long as the service itself looks for the leg, and a beat. */
  operatorBackMs: 15_000,
  backFromHoldMs: 1000,
  holdRemarkMinWords: 3,
  holdRemarks: 2,
  /** Transfers that the model may attempt in one call. */
  maxTransfers: 2,
} as const;

/** How long to wait, after the end of speech, for the recogniser's last words. */
export function sttGraceMs(sttP99Ms: number): number {
  return sttP99Ms + 100;
}
