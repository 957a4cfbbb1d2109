import type { Values } from '../form/value-path.ts';

/** One page of the editor: its topic, and its fields from top to bottom. */
export interface FieldGroup {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** What every assistant needs; the other groups have defaults that suit most. */
  readonly basic?: true;
  /** The group is shown only while this returns true. */
  readonly when?: (value: Values) => boolean;
  readonly sections: readonly { readonly title?: string; readonly paths: readonly string[] }[];
}

/** All fields of the contract, each in the group where a user would look for it. */
export const ASSISTANT_GROUPS: readonly [FieldGroup, ...FieldGroup[]] = [
  {
    id: 'conversation',
    basic: true,
    title: 'Conversation',
    lead: 'The purpose of the assistant, and how a call begins.',
    sections: [
      { paths: ['name', 'assistantType', 'assistantSystemPrompt'] },
      {
        title: 'Welcome',
        paths: ['welcomeMessage', 'welcomeMessageMode', 'welcomeMessageInterruptionsEnabled'],
      },
    ],
  },
  {
    id: 'workflow',
    basic: true,
    title: 'Workflow',
    lead: 'The steps of a call and the transitions between them.',
    when: ({ assistantType }) => assistantType === 'workflow_based',
    sections: [{ paths: ['assistantWorkflow'] }],
  },
  {
    id: 'model',
    basic: true,
    title: 'Model',
    lead: 'The language model that writes the replies.',
    sections: [
      {
        paths: [
          'assistantProvider',
          'assistantModel',
          'assistantLLMUrl',
          'assistantTemperature',
          'assistantMaxTokens',
          'assistantResponseSplitter',
        ],
      },
    ],
  },
  {
    id: 'voice',
    basic: true,
    title: 'Voice',
    lead: 'The voice of the assistant, and the background sound.',
    sections: [
      { paths: ['config.speech.ttsData'] },
      { title: 'Background', paths: ['backgroundSound', 'backgroundSoundVolume'] },
      {
        title: 'Cache and failures',
        paths: ['ttsCacheEnabled', 'ttsAudioCacheScope', 'maxConsecutiveTtsFailures'],
      },
    ],
  },
  {
    id: 'transcription',
    title: 'Transcription',
    lead: 'Speech-to-text for the caller’s words.',
    sections: [
      { paths: ['config.speech.stt', 'config.speech.sttFallback'] },
      { title: 'Vocabulary', paths: ['hints'] },
    ],
  },
  {
    id: 'turns',
    title: 'Turn-taking',
    lead: 'When the assistant answers, when it stops speaking, and how it reacts to silence.',
    sections: [
      { paths: ['startSpeakingOptions', 'stopSpeakingOptions'] },
      {
        title: 'While the caller speaks',
        paths: ['assistantBackchannelingEnabled', 'userInterruptionAckPlan'],
      },
      { title: 'Silence', paths: ['idleTimeout', 'maxIdleMessagesInSequence'] },
    ],
  },
  {
    id: 'tools',
    basic: true,
    title: 'Tools and knowledge',
    lead: 'What the assistant may do, and where it finds answers.',
    sections: [
      { paths: ['assistantKnowledgeBaseIds', 'assistantToolIds', 'assistantPredefinedTools'] },
    ],
  },
  {
    id: 'telephone',
    title: 'Telephone',
    lead: 'Transfers, keypad input, and how a call ends.',
    sections: [
      {
        title: 'Ending',
        paths: ['maxCallDuration', 'endCallMessage', 'endCallToolDescription', 'endCallPhrases'],
      },
      {
        title: 'Transfer',
        paths: [
          'callForwardData',
          'warmTransferEnabled',
          'warmTransferConversational',
          'warmTransferTimeout',
          'holdMusicUrl',
        ],
      },
      { title: 'Keypad', paths: ['dtmfInputEnabled'] },
      { title: 'Calling out', paths: ['callingHours'] },
    ],
  },
  {
    id: 'analysis',
    title: 'After the call',
    lead: 'Recordings, transcripts and analysis.',
    sections: [
      {
        title: 'Recording',
        paths: ['recordingEnabled', 'recordAfterTransfer', 'postCallTranscriptsEnabled'],
      },
      {
        title: 'Analysis',
        paths: [
          'assistantAnalysis.summary',
          'assistantAnalysis.successEvaluation',
          'assistantAnalysis.structuredData',
          'assistantOutcome',
        ],
      },
    ],
  },
  {
    id: 'texts',
    title: 'Texts and memory',
    lead: 'Text messages, memory of earlier conversations, and for how long calls are kept.',
    sections: [{ paths: ['smsConfiguration', 'persistHistory', 'retentionDays'] }],
  },
  {
    id: 'privacy',
    title: 'Privacy',
    lead: 'What is removed from the record of a call before it is stored.',
    sections: [
      { title: 'Redaction', paths: ['redaction'] },
      { title: 'Consent', paths: ['recordingConsent'] },
    ],
  },
  {
    id: 'server',
    title: 'Webhooks',
    lead: 'Webhooks sent to your server about each call.',
    sections: [{ paths: ['assistantServer'] }],
  },
  {
    id: 'advanced',
    title: 'Variables',
    lead: 'Variables and overrides for every call.',
    sections: [{ paths: ['assistantOverrides'] }],
  },
];

/** The group that contains a field. */
export function groupOf(path: string): FieldGroup {
  const holds = ({ sections }: FieldGroup) =>
    sections.some(({ paths }) => paths.some((it) => `${path}.`.startsWith(`${it}.`)));
  return ASSISTANT_GROUPS.find(holds) ?? ASSISTANT_GROUPS[0];
}
