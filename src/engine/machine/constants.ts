/** What turn-taking uses beside the assistant's own settings; milliseconds. Overridable in tests. */
export const CONSTANTS = {
  vadStop: 200,
  dictationHold: 1800,
  /** The same for a value of unknown length that seems to be over: below this probability of more. */
  dictationDoubt: 1300,
  dictationOver: 0.25,
  /** Nobody ends with an "um": it asks for time. */
  hesitationHold: 2200,
  /** No pause, however meant, is waited out for longer. */
  maxWait: 10_000,
  holdConfirm: 700,
  resumeMin: 500,
  /** Overlap so near a reply's edge is read otherwise. */
  edge: 1000,
  /** A reply as near its end as this is let finish. */
  finishing: 600,
  /** Words from a reply's very first moment show that the caller was not done. */
  earlyWords: 250,
  /** Content said under speech that goes on still counts when it ended this short before its end. */
  unheeded: 4000,
  /** A caller who goes on this soon after a commit was cut in on, and gets more time. */
  cutIn: 1000,
  cutInStep: 250,
  cutInMax: 750,
  cutInTurns: 3,
  /** No hold by voice alone this early in a web call: its echo canceller is still learning. */
  echoWarmUp: 1000,
  noisyHolds: 3,
  noisyWindow: 20_000,
  noisyFor: 60_000,
  mergeHeard: 300,
  lateWindow: 3000,
  clearTimeout: 300,
  stall: 2000,
  llmFirst: 5000,
  hang: 5000,
  thinkMax: 8000,
  giveUp: 20_000,
  heldMax: 6000,
  voiceSilence: 2000,
  noTextExtra: 500,
  welcomePause: 1200,
  outboundWelcome: 300,
  outboundSilence: 2000,
  /** A pause this likely to go on is one to acknowledge an interruption in. */
  ackUnfinished: 0.5,
  /** After the usual wait, how long an interrupted answer may take until it is acknowledged. */
  ackWait: 600,
  /** A predictor outside is asked after so much silence, and has so long to answer. */
  predictAt: [200, 500, 1200],
  predictTimeout: 150,
  /** A draft begins below this probability that the caller goes on, and is voiced ahead below the other. */
  draftUnfinished: 0.5,
  draftVoiced: 0.2,
  /** An interim text that has not changed for so long may be answered. */
  draftStable: 250,
  /** After this much silence whatever was said may be answered; later where more is all but certain. */
  draftAfter: 700,
  draftLate: 1200,
  draftCertain: 0.7,
  draftMaxSpeech: 10_000,
  draftMaxTries: 3,
  /** A called party whose first speech lasts this long may be a machine, and is listened to for so long. */
  screenAfter: 2500,
  screenMax: 20_000,
  beepSilence: 1500,
  beepMax: 30_000,
  /** Sound without a word that lasts this long is music. */
  musicAfter: 8000,
  parkedMax: 300_000,
  parkedIdle: 6,
  /** A muted reply is kept for so long. */
  mutedMax: 5000,
  /** A murmur comes in a pause of a caller who has spoken so long, and will probably go on. */
  murmurAfter: 5000,
  murmurPause: { from: 250, to: 700 },
  murmurUnfinished: 0.6,
  murmurEvery: 6000,
  murmursATurn: 3,
  dtmfGap: 2000,
  dtmfMax: 32,
  /** A recogniser that judges the end of turns itself gets this long to do so. */
  judgeTimeout: 5000,
  farewellMax: 10_000,
  recordEvery: 1000,
  maxDurationGrace: 5000,
  mediaLostWeb: 15_000,
  mediaLostPhone: 5000,
  toolGate: 250,
  toolHold: 2500,
  toolDelay: 3000,
  realUtterance: 1200,
  /** An operator who has answered waits so long for the summary of the call. */
  summaryWait: 3000,
  /** The briefing's own limits end it before. */
  briefingMax: 130_000,
  /** Nothing that two people talk about takes longer. */
  bridgedMax: 4 * 3_600_000,
  backFromHold: 1000,
  holdRemarkWords: 3,
  holdRemarks: 2,
  /** Tries that the model has in one call. */
  maxTransfers: 2,
} as const;

/** Longest that the recogniser's last word is waited for after the end of speech. */
export function sttGraceMs(sttP99Ms: number): number {
  return sttP99Ms + 100;
}
