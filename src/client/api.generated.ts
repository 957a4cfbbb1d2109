// Generated from the contract by `npm run client`; a test fails when it is behind. Not to be edited.

export type Acceptance = {
  readonly token: string;
  /** Needed if the invitation names none. */
  readonly email?: string;
  /** What the person is called. */
  readonly name: string;
  /** At least 12 characters, any of them. */
  readonly password: string;
};

export type Account = {
  /** Opaque identifier. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** Whether a second factor is asked for at sign-in. */
  readonly secondFactor: boolean;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly lastSignInAt?: string;
  readonly hasPassword: boolean;
  /** Whether a provider of OpenID Connect knows the person. */
  readonly openId: boolean;
  /** Whether the provider has confirmed within the last five minutes who has this session. */
  readonly confirmed: boolean;
  readonly recoveryCodesLeft: number;
};

export type AnalysisStep = {
  readonly step: 'summary' | 'successEvaluation' | 'structuredData' | 'outcome';
  readonly state: 'done' | 'skipped' | 'failed';
  /** Why it was skipped or failed. */
  readonly reason?: string;
};

export type ApiKey = {
  /** Opaque identifier. */
  readonly id: string;
  readonly name: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** The first characters of the key, to recognise it by. */
  readonly prefix: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt?: string;
  /** Known to the minute. */
  readonly lastUsedAt?: string;
  /** The address that last used it. */
  readonly lastUsedFrom?: string;
  /** Who made it; absent for keys of earlier versions. */
  readonly origin?: {
    readonly type: 'first-start' | 'environment' | 'api-key' | 'person' | 'operator';
    /** The name of the API key or the person that made it. */
    readonly name?: string;
  };
};

export type ApiKeyInput = {
  /** What the key is for. */
  readonly name: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role?: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** From then on the key is rejected. ISO 8601. */
  readonly expiresAt?: string;
};

export type ApiKeyPatch = {
  /** What the key is for. */
  readonly name?: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role?: 'viewer' | 'reviewer' | 'builder' | 'admin';
  readonly expiresAt?: string | null;
};

export type Appointment = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly calendarId: string;
  /** A reference for callers. */
  readonly reference: string;
  readonly status: 'booked' | 'cancelled';
  /** ISO 8601, UTC, milliseconds. */
  readonly startAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly endAt: string;
  readonly name: string;
  readonly phone: string;
  readonly notes: string;
  /** The call that booked it. */
  readonly callId?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
};

export type AppointmentInput = {
  /** The start of a free slot. */
  readonly startAt: string;
  readonly name: string;
  readonly phone?: string;
  readonly notes?: string;
};

export type AppointmentMove = {
  /** The start of a free slot. */
  readonly startAt: string;
};

export type Assistant = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  readonly name: string;
  /** Spoken first; empty: the model opens the conversation. */
  readonly welcomeMessage: string;
  readonly welcomeMessageMode: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic';
  /** false: the caller cannot interrupt the welcome message. */
  readonly welcomeMessageInterruptionsEnabled: boolean;
  /** The model host. Absent at creation: the first one that has a key, else `offline`. */
  readonly assistantProvider: string;
  /** Any model name the provider accepts; empty: the provider's default model. */
  readonly assistantModel: string;
  /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
  readonly assistantLLMUrl: string;
  readonly assistantSystemPrompt: string;
  readonly assistantTemperature: number;
  readonly assistantMaxTokens: number;
  /** Delimiter that splits a reply into separate lines; empty: by sentence. */
  readonly assistantResponseSplitter: string;
  readonly config: {
    readonly speech: {
      readonly stt: {
        readonly vendor: string;
        /** Language tag; several separated by commas, the likeliest first. */
        readonly languages: string;
      };
      /** Takes over if the first recogniser fails, or returns no text for audible speech. */
      readonly sttFallback: {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly languages: string;
      };
      /** Voices in order of preference; disabled ones are skipped. */
      readonly ttsData: readonly {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly language: string;
        /** The vendor's voice id; empty: its default voice. */
        readonly voice: string;
        /** Voice settings. A vendor ignores those it has no notion of. */
        readonly config: {
          /** The vendor's voice model; empty: its default. */
          readonly modelId: string;
          readonly stability: number;
          readonly similarityBoost: number;
          readonly speakerBoost: boolean;
          readonly styleExaggeration: number;
          /** Same seed, same rendering, where the vendor can; 0: none. */
          readonly seed: number;
          readonly speed: number;
          /** Numbers, dates and abbreviations are spoken as a person would. */
          readonly applyTextNormalization: boolean;
        };
      }[];
    };
  };
  /** Words and names that the recogniser should favour. */
  readonly hints: readonly string[];
  /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
  readonly backgroundSound: string;
  readonly backgroundSoundVolume: number;
  readonly ttsCacheEnabled: boolean;
  /** `global` is deprecated and will be removed. */
  readonly ttsAudioCacheScope: 'assistant' | 'team' | 'global';
  /** Consecutive turns without a voice after which the call is ended; 0: never. */
  readonly maxConsecutiveTtsFailures: number;
  readonly recordingEnabled: boolean;
  /** Recording continues after a forward or a warm transfer. */
  readonly recordAfterTransfer: boolean;
  /** A transcript file is stored beside the recording. */
  readonly postCallTranscriptsEnabled: boolean;
  readonly assistantBackchannelingEnabled: boolean;
  readonly dtmfInputEnabled: boolean;
  /** Minutes. */
  readonly maxCallDuration: number;
  /** Seconds of silence before an idle message. */
  readonly idleTimeout: number;
  readonly maxIdleMessagesInSequence: number;
  readonly startSpeakingOptions: {
    /** Minimum time from the end of the turn to the first audio of the reply. */
    readonly waitSeconds: number;
    /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
    readonly smartEndpointing: string;
    readonly onPunctuationSeconds: number;
    readonly onNoPunctuationSeconds: number;
    readonly onNumberSeconds: number;
    /** Milliseconds of waiting in any case. */
    readonly EngineBaseValue: number;
    /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
    readonly EngineScaleValue: number;
  };
  readonly stopSpeakingOptions: {
    /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
    readonly numberOfWords: number;
    /** Duration of voice that holds the reply. */
    readonly voiceSeconds: number;
  };
  readonly userInterruptionAckPlan: {
    readonly enabled: boolean;
    /** Maximum number of acknowledgements in one call. */
    readonly count: number;
    /** An interruption counts as early until more words of the reply than this were heard. */
    readonly words: number;
    /** Spoken in turn; empty: stock phrases in the call's language. */
    readonly phrases: readonly string[];
  };
  readonly assistantToolIds: readonly string[];
  readonly assistantPredefinedTools: {
    readonly knowledgeBase: boolean;
    readonly endCall: boolean;
    readonly appointment: boolean;
    readonly volumeControl: boolean;
    readonly waitList: boolean;
    readonly callForward: boolean;
    readonly sendSms: boolean;
    /** Who asks not to be called again is put on the list of numbers that are not called. */
    readonly doNotCall: boolean;
  };
  readonly assistantType: 'single_prompt' | 'workflow_based';
  /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
  readonly assistantWorkflow?: {
    readonly start: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      /** Added to the system prompt while in this node. */
      readonly prompt: string;
      /** Spoken on entering the node. */
      readonly message: string;
      /** Tools of this node alone, beside the assistant's own. */
      readonly toolIds: readonly string[];
      /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
      readonly variables: readonly {
        readonly name: string;
        readonly description: string;
      }[];
      /** The call ends after this node. */
      readonly end: boolean;
    }[];
    readonly edges: readonly ({
      readonly from: string;
      readonly to: string;
      readonly condition: {
        readonly type: 'model';
        /** A condition that the model evaluates. */
        readonly description: string;
      } | {
        readonly type: 'variable';
        readonly name: string;
        readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
        /** Compared ignoring case. */
        readonly value: string;
      };
    })[];
  };
  /** Only with assistantPredefinedTools.knowledgeBase. */
  readonly assistantKnowledgeBaseIds: readonly string[];
  /** Said when ending the call; only with assistantPredefinedTools.endCall. */
  readonly endCallMessage: string;
  /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
  readonly endCallToolDescription: string;
  /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
  readonly endCallPhrases: readonly string[];
  readonly callForwardData: {
    readonly phoneNumber: '' | string;
    readonly extension: string;
    readonly name: string;
  };
  readonly warmTransferEnabled: boolean;
  /** The assistant briefs the operator, who accepts or declines. */
  readonly warmTransferConversational: boolean;
  /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
  readonly holdMusicUrl: string;
  /** Seconds to wait for an answer after dialling. */
  readonly warmTransferTimeout: number;
  readonly assistantAnalysis: {
    readonly summary: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
    };
    readonly successEvaluation: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      readonly rubric: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail';
    };
    readonly structuredData: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      /** JSON Schema of the data wanted. */
      readonly schema: Readonly<Record<string, unknown>>;
    };
  };
  readonly assistantOverrides: AssistantOverrides;
  readonly assistantServer: {
    readonly url: string;
    readonly timeoutSeconds: number;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly enabled: boolean;
    /** The kinds of webhook to send. */
    readonly messages: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[];
  };
  readonly assistantOutcome: readonly ({
    readonly type: 'string' | 'number' | 'boolean' | 'date';
    /** A path into structuredData, such as booking.date. */
    readonly field: string;
  })[];
  readonly smsConfiguration: {
    readonly enabled: boolean;
    /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
    readonly sameAsAssistant: boolean;
    readonly smsPrompt: string;
  };
  readonly persistHistory: {
    readonly enabled: boolean;
    readonly call: boolean;
    readonly sms: boolean;
    /** Days. */
    readonly retentionPeriod: number;
  };
  /** For how long its calls are kept; the team’s rule holds if it is shorter. */
  readonly retentionDays: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  readonly redaction: {
    /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
    readonly kinds: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[];
    /** Words and phrases that are taken out as well, in any spelling of case and accents. */
    readonly words: readonly string[];
    /** What the recording has in place of the words: a tone, silence, or the words. */
    readonly sound: 'tone' | 'silence' | 'keep';
    /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
    readonly originals: 'discard' | 'sealed';
    /** The language model, too, gets the earlier turns of the call without it. */
    readonly model: boolean;
    readonly service: {
      /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
      readonly url: string;
      readonly minScore: number;
      readonly timeoutSeconds: number;
      /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
      readonly onFailure: 'withhold' | 'rules';
    };
  };
  readonly recordingConsent: {
    /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
    readonly announce: 'never' | 'by-region' | 'always';
    /** What is said, before the welcome message; empty: a sentence in the call’s language. */
    readonly text: string;
    /** Nothing is recorded until the other side has agreed in words. */
    readonly ask: boolean;
    /** What was recorded before the refusal: deleted, or kept up to that word. */
    readonly onRefusal: 'delete' | 'cut';
  };
  /** When it may call somebody; a call outside of these hours is refused. */
  readonly callingHours: {
    readonly enabled: boolean;
    readonly days: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    readonly from: string;
    /** Calls begin before this time. */
    readonly to: string;
    /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
    readonly timeZone: string;
  };
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
};

export type AssistantConfig = {
  readonly name: string;
  /** Spoken first; empty: the model opens the conversation. */
  readonly welcomeMessage: string;
  readonly welcomeMessageMode: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic';
  /** false: the caller cannot interrupt the welcome message. */
  readonly welcomeMessageInterruptionsEnabled: boolean;
  /** The model host. Absent at creation: the first one that has a key, else `offline`. */
  readonly assistantProvider: string;
  /** Any model name the provider accepts; empty: the provider's default model. */
  readonly assistantModel: string;
  /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
  readonly assistantLLMUrl: string;
  readonly assistantSystemPrompt: string;
  readonly assistantTemperature: number;
  readonly assistantMaxTokens: number;
  /** Delimiter that splits a reply into separate lines; empty: by sentence. */
  readonly assistantResponseSplitter: string;
  readonly config: {
    readonly speech: {
      readonly stt: {
        readonly vendor: string;
        /** Language tag; several separated by commas, the likeliest first. */
        readonly languages: string;
      };
      /** Takes over if the first recogniser fails, or returns no text for audible speech. */
      readonly sttFallback: {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly languages: string;
      };
      /** Voices in order of preference; disabled ones are skipped. */
      readonly ttsData: readonly {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly language: string;
        /** The vendor's voice id; empty: its default voice. */
        readonly voice: string;
        /** Voice settings. A vendor ignores those it has no notion of. */
        readonly config: {
          /** The vendor's voice model; empty: its default. */
          readonly modelId: string;
          readonly stability: number;
          readonly similarityBoost: number;
          readonly speakerBoost: boolean;
          readonly styleExaggeration: number;
          /** Same seed, same rendering, where the vendor can; 0: none. */
          readonly seed: number;
          readonly speed: number;
          /** Numbers, dates and abbreviations are spoken as a person would. */
          readonly applyTextNormalization: boolean;
        };
      }[];
    };
  };
  /** Words and names that the recogniser should favour. */
  readonly hints: readonly string[];
  /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
  readonly backgroundSound: string;
  readonly backgroundSoundVolume: number;
  readonly ttsCacheEnabled: boolean;
  /** `global` is deprecated and will be removed. */
  readonly ttsAudioCacheScope: 'assistant' | 'team' | 'global';
  /** Consecutive turns without a voice after which the call is ended; 0: never. */
  readonly maxConsecutiveTtsFailures: number;
  readonly recordingEnabled: boolean;
  /** Recording continues after a forward or a warm transfer. */
  readonly recordAfterTransfer: boolean;
  /** A transcript file is stored beside the recording. */
  readonly postCallTranscriptsEnabled: boolean;
  readonly assistantBackchannelingEnabled: boolean;
  readonly dtmfInputEnabled: boolean;
  /** Minutes. */
  readonly maxCallDuration: number;
  /** Seconds of silence before an idle message. */
  readonly idleTimeout: number;
  readonly maxIdleMessagesInSequence: number;
  readonly startSpeakingOptions: {
    /** Minimum time from the end of the turn to the first audio of the reply. */
    readonly waitSeconds: number;
    /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
    readonly smartEndpointing: string;
    readonly onPunctuationSeconds: number;
    readonly onNoPunctuationSeconds: number;
    readonly onNumberSeconds: number;
    /** Milliseconds of waiting in any case. */
    readonly EngineBaseValue: number;
    /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
    readonly EngineScaleValue: number;
  };
  readonly stopSpeakingOptions: {
    /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
    readonly numberOfWords: number;
    /** Duration of voice that holds the reply. */
    readonly voiceSeconds: number;
  };
  readonly userInterruptionAckPlan: {
    readonly enabled: boolean;
    /** Maximum number of acknowledgements in one call. */
    readonly count: number;
    /** An interruption counts as early until more words of the reply than this were heard. */
    readonly words: number;
    /** Spoken in turn; empty: stock phrases in the call's language. */
    readonly phrases: readonly string[];
  };
  readonly assistantToolIds: readonly string[];
  readonly assistantPredefinedTools: {
    readonly knowledgeBase: boolean;
    readonly endCall: boolean;
    readonly appointment: boolean;
    readonly volumeControl: boolean;
    readonly waitList: boolean;
    readonly callForward: boolean;
    readonly sendSms: boolean;
    /** Who asks not to be called again is put on the list of numbers that are not called. */
    readonly doNotCall: boolean;
  };
  readonly assistantType: 'single_prompt' | 'workflow_based';
  /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
  readonly assistantWorkflow?: {
    readonly start: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      /** Added to the system prompt while in this node. */
      readonly prompt: string;
      /** Spoken on entering the node. */
      readonly message: string;
      /** Tools of this node alone, beside the assistant's own. */
      readonly toolIds: readonly string[];
      /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
      readonly variables: readonly {
        readonly name: string;
        readonly description: string;
      }[];
      /** The call ends after this node. */
      readonly end: boolean;
    }[];
    readonly edges: readonly ({
      readonly from: string;
      readonly to: string;
      readonly condition: {
        readonly type: 'model';
        /** A condition that the model evaluates. */
        readonly description: string;
      } | {
        readonly type: 'variable';
        readonly name: string;
        readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
        /** Compared ignoring case. */
        readonly value: string;
      };
    })[];
  };
  /** Only with assistantPredefinedTools.knowledgeBase. */
  readonly assistantKnowledgeBaseIds: readonly string[];
  /** Said when ending the call; only with assistantPredefinedTools.endCall. */
  readonly endCallMessage: string;
  /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
  readonly endCallToolDescription: string;
  /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
  readonly endCallPhrases: readonly string[];
  readonly callForwardData: {
    readonly phoneNumber: '' | string;
    readonly extension: string;
    readonly name: string;
  };
  readonly warmTransferEnabled: boolean;
  /** The assistant briefs the operator, who accepts or declines. */
  readonly warmTransferConversational: boolean;
  /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
  readonly holdMusicUrl: string;
  /** Seconds to wait for an answer after dialling. */
  readonly warmTransferTimeout: number;
  readonly assistantAnalysis: {
    readonly summary: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
    };
    readonly successEvaluation: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      readonly rubric: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail';
    };
    readonly structuredData: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      /** JSON Schema of the data wanted. */
      readonly schema: Readonly<Record<string, unknown>>;
    };
  };
  readonly assistantOverrides: AssistantOverrides;
  readonly assistantServer: {
    readonly url: string;
    readonly timeoutSeconds: number;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly enabled: boolean;
    /** The kinds of webhook to send. */
    readonly messages: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[];
  };
  readonly assistantOutcome: readonly ({
    readonly type: 'string' | 'number' | 'boolean' | 'date';
    /** A path into structuredData, such as booking.date. */
    readonly field: string;
  })[];
  readonly smsConfiguration: {
    readonly enabled: boolean;
    /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
    readonly sameAsAssistant: boolean;
    readonly smsPrompt: string;
  };
  readonly persistHistory: {
    readonly enabled: boolean;
    readonly call: boolean;
    readonly sms: boolean;
    /** Days. */
    readonly retentionPeriod: number;
  };
  /** For how long its calls are kept; the team’s rule holds if it is shorter. */
  readonly retentionDays: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  readonly redaction: {
    /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
    readonly kinds: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[];
    /** Words and phrases that are taken out as well, in any spelling of case and accents. */
    readonly words: readonly string[];
    /** What the recording has in place of the words: a tone, silence, or the words. */
    readonly sound: 'tone' | 'silence' | 'keep';
    /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
    readonly originals: 'discard' | 'sealed';
    /** The language model, too, gets the earlier turns of the call without it. */
    readonly model: boolean;
    readonly service: {
      /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
      readonly url: string;
      readonly minScore: number;
      readonly timeoutSeconds: number;
      /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
      readonly onFailure: 'withhold' | 'rules';
    };
  };
  readonly recordingConsent: {
    /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
    readonly announce: 'never' | 'by-region' | 'always';
    /** What is said, before the welcome message; empty: a sentence in the call’s language. */
    readonly text: string;
    /** Nothing is recorded until the other side has agreed in words. */
    readonly ask: boolean;
    /** What was recorded before the refusal: deleted, or kept up to that word. */
    readonly onRefusal: 'delete' | 'cut';
  };
  /** When it may call somebody; a call outside of these hours is refused. */
  readonly callingHours: {
    readonly enabled: boolean;
    readonly days: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    readonly from: string;
    /** Calls begin before this time. */
    readonly to: string;
    /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
    readonly timeZone: string;
  };
};

export type AssistantDraftInput = {
  /** What is changed; absent: the published version. */
  readonly from?: string;
  readonly changes: AssistantPatch;
  /** What has changed and why. */
  readonly note?: string;
};

export type AssistantInput = {
  readonly name: string;
  /** Spoken first; empty: the model opens the conversation. */
  readonly welcomeMessage?: string;
  readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic';
  /** false: the caller cannot interrupt the welcome message. */
  readonly welcomeMessageInterruptionsEnabled?: boolean;
  /** The model host. Absent at creation: the first one that has a key, else `offline`. */
  readonly assistantProvider?: string;
  /** Any model name the provider accepts; empty: the provider's default model. */
  readonly assistantModel?: string;
  /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
  readonly assistantLLMUrl?: string;
  readonly assistantSystemPrompt?: string;
  readonly assistantTemperature?: number;
  readonly assistantMaxTokens?: number;
  /** Delimiter that splits a reply into separate lines; empty: by sentence. */
  readonly assistantResponseSplitter?: string;
  readonly config?: {
    readonly speech?: {
      readonly stt?: {
        readonly vendor?: string;
        /** Language tag; several separated by commas, the likeliest first. */
        readonly languages?: string;
      };
      /** Takes over if the first recogniser fails, or returns no text for audible speech. */
      readonly sttFallback?: {
        readonly enabled?: boolean;
        readonly vendor?: string;
        readonly languages?: string;
      };
      /** Voices in order of preference; disabled ones are skipped. */
      readonly ttsData?: readonly {
        readonly enabled?: boolean;
        readonly vendor?: string;
        readonly language?: string;
        /** The vendor's voice id; empty: its default voice. */
        readonly voice?: string;
        /** Voice settings. A vendor ignores those it has no notion of. */
        readonly config?: {
          /** The vendor's voice model; empty: its default. */
          readonly modelId?: string;
          readonly stability?: number;
          readonly similarityBoost?: number;
          readonly speakerBoost?: boolean;
          readonly styleExaggeration?: number;
          /** Same seed, same rendering, where the vendor can; 0: none. */
          readonly seed?: number;
          readonly speed?: number;
          /** Numbers, dates and abbreviations are spoken as a person would. */
          readonly applyTextNormalization?: boolean;
        };
      }[];
    };
  };
  /** Words and names that the recogniser should favour. */
  readonly hints?: readonly string[];
  /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
  readonly backgroundSound?: string;
  readonly backgroundSoundVolume?: number;
  readonly ttsCacheEnabled?: boolean;
  /** `global` is deprecated and will be removed. */
  readonly ttsAudioCacheScope?: 'assistant' | 'team' | 'global';
  /** Consecutive turns without a voice after which the call is ended; 0: never. */
  readonly maxConsecutiveTtsFailures?: number;
  readonly recordingEnabled?: boolean;
  /** Recording continues after a forward or a warm transfer. */
  readonly recordAfterTransfer?: boolean;
  /** A transcript file is stored beside the recording. */
  readonly postCallTranscriptsEnabled?: boolean;
  readonly assistantBackchannelingEnabled?: boolean;
  readonly dtmfInputEnabled?: boolean;
  /** Minutes. */
  readonly maxCallDuration?: number;
  /** Seconds of silence before an idle message. */
  readonly idleTimeout?: number;
  readonly maxIdleMessagesInSequence?: number;
  readonly startSpeakingOptions?: {
    /** Minimum time from the end of the turn to the first audio of the reply. */
    readonly waitSeconds?: number;
    /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
    readonly smartEndpointing?: string;
    readonly onPunctuationSeconds?: number;
    readonly onNoPunctuationSeconds?: number;
    readonly onNumberSeconds?: number;
    /** Milliseconds of waiting in any case. */
    readonly EngineBaseValue?: number;
    /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
    readonly EngineScaleValue?: number;
  };
  readonly stopSpeakingOptions?: {
    /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
    readonly numberOfWords?: number;
    /** Duration of voice that holds the reply. */
    readonly voiceSeconds?: number;
  };
  readonly userInterruptionAckPlan?: {
    readonly enabled?: boolean;
    /** Maximum number of acknowledgements in one call. */
    readonly count?: number;
    /** An interruption counts as early until more words of the reply than this were heard. */
    readonly words?: number;
    /** Spoken in turn; empty: stock phrases in the call's language. */
    readonly phrases?: readonly string[];
  };
  readonly assistantToolIds?: readonly string[];
  readonly assistantPredefinedTools?: {
    readonly knowledgeBase?: boolean;
    readonly endCall?: boolean;
    readonly appointment?: boolean;
    readonly volumeControl?: boolean;
    readonly waitList?: boolean;
    readonly callForward?: boolean;
    readonly sendSms?: boolean;
    /** Who asks not to be called again is put on the list of numbers that are not called. */
    readonly doNotCall?: boolean;
  };
  readonly assistantType?: 'single_prompt' | 'workflow_based';
  /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
  readonly assistantWorkflow?: {
    readonly start: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly name?: string;
      /** Added to the system prompt while in this node. */
      readonly prompt?: string;
      /** Spoken on entering the node. */
      readonly message?: string;
      /** Tools of this node alone, beside the assistant's own. */
      readonly toolIds?: readonly string[];
      /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
      readonly variables?: readonly {
        readonly name: string;
        readonly description?: string;
      }[];
      /** The call ends after this node. */
      readonly end?: boolean;
    }[];
    readonly edges?: readonly ({
      readonly from: string;
      readonly to: string;
      readonly condition: {
        readonly type: 'model';
        /** A condition that the model evaluates. */
        readonly description: string;
      } | {
        readonly type: 'variable';
        readonly name: string;
        readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
        /** Compared ignoring case. */
        readonly value?: string;
      };
    })[];
  };
  /** Only with assistantPredefinedTools.knowledgeBase. */
  readonly assistantKnowledgeBaseIds?: readonly string[];
  /** Said when ending the call; only with assistantPredefinedTools.endCall. */
  readonly endCallMessage?: string;
  /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
  readonly endCallToolDescription?: string;
  /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
  readonly endCallPhrases?: readonly string[];
  readonly callForwardData?: {
    readonly phoneNumber?: '' | string;
    readonly extension?: string;
    readonly name?: string;
  };
  readonly warmTransferEnabled?: boolean;
  /** The assistant briefs the operator, who accepts or declines. */
  readonly warmTransferConversational?: boolean;
  /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
  readonly holdMusicUrl?: string;
  /** Seconds to wait for an answer after dialling. */
  readonly warmTransferTimeout?: number;
  readonly assistantAnalysis?: {
    readonly summary?: {
      readonly enabled?: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt?: string;
      readonly timeoutSeconds?: number;
    };
    readonly successEvaluation?: {
      readonly enabled?: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt?: string;
      readonly timeoutSeconds?: number;
      readonly rubric?: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail';
    };
    readonly structuredData?: {
      readonly enabled?: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt?: string;
      readonly timeoutSeconds?: number;
      /** JSON Schema of the data wanted. */
      readonly schema?: Readonly<Record<string, unknown>>;
    };
  };
  readonly assistantOverrides?: AssistantOverrides;
  readonly assistantServer?: {
    readonly url?: string;
    readonly timeoutSeconds?: number;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly enabled?: boolean;
    /** The kinds of webhook to send. */
    readonly messages?: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[];
  };
  readonly assistantOutcome?: readonly ({
    readonly type: 'string' | 'number' | 'boolean' | 'date';
    /** A path into structuredData, such as booking.date. */
    readonly field: string;
  })[];
  readonly smsConfiguration?: {
    readonly enabled?: boolean;
    /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
    readonly sameAsAssistant?: boolean;
    readonly smsPrompt?: string;
  };
  readonly persistHistory?: {
    readonly enabled?: boolean;
    readonly call?: boolean;
    readonly sms?: boolean;
    /** Days. */
    readonly retentionPeriod?: number;
  };
  /** For how long its calls are kept; the team’s rule holds if it is shorter. */
  readonly retentionDays?: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  readonly redaction?: {
    /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
    readonly kinds?: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[];
    /** Words and phrases that are taken out as well, in any spelling of case and accents. */
    readonly words?: readonly string[];
    /** What the recording has in place of the words: a tone, silence, or the words. */
    readonly sound?: 'tone' | 'silence' | 'keep';
    /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
    readonly originals?: 'discard' | 'sealed';
    /** The language model, too, gets the earlier turns of the call without it. */
    readonly model?: boolean;
    readonly service?: {
      /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
      readonly url?: string;
      readonly minScore?: number;
      readonly timeoutSeconds?: number;
      /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
      readonly onFailure?: 'withhold' | 'rules';
    };
  };
  readonly recordingConsent?: {
    /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
    readonly announce?: 'never' | 'by-region' | 'always';
    /** What is said, before the welcome message; empty: a sentence in the call’s language. */
    readonly text?: string;
    /** Nothing is recorded until the other side has agreed in words. */
    readonly ask?: boolean;
    /** What was recorded before the refusal: deleted, or kept up to that word. */
    readonly onRefusal?: 'delete' | 'cut';
  };
  /** When it may call somebody; a call outside of these hours is refused. */
  readonly callingHours?: {
    readonly enabled?: boolean;
    readonly days?: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    readonly from?: string;
    /** Calls begin before this time. */
    readonly to?: string;
    /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
    readonly timeZone?: string;
  };
};

export type AssistantOverrides = {
  /** Spoken first; empty: the model opens the conversation. */
  readonly welcomeMessage?: string;
  readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic';
  /** false: the caller cannot interrupt the welcome message. */
  readonly welcomeMessageInterruptionsEnabled?: boolean;
  readonly recordingEnabled?: boolean;
  /** Recording continues after a forward or a warm transfer. */
  readonly recordAfterTransfer?: boolean;
  /** A transcript file is stored beside the recording. */
  readonly postCallTranscriptsEnabled?: boolean;
  /** Consecutive turns without a voice after which the call is ended; 0: never. */
  readonly maxConsecutiveTtsFailures?: number;
  readonly warmTransferEnabled?: boolean;
  /** The assistant briefs the operator, who accepts or declines. */
  readonly warmTransferConversational?: boolean;
  /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
  readonly holdMusicUrl?: string;
  /** Seconds to wait for an answer after dialling. */
  readonly warmTransferTimeout?: number;
  /** Folder of the recording within the storage. */
  readonly recordingPath?: string;
  /** Values of `{{name}}` in spoken texts and prompts. */
  readonly dynamicVariables?: Readonly<Record<string, string>>;
};

export type AssistantPart = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly teamId?: string;
  readonly name: string;
  /** Spoken first; empty: the model opens the conversation. */
  readonly welcomeMessage?: string;
  readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic';
  /** false: the caller cannot interrupt the welcome message. */
  readonly welcomeMessageInterruptionsEnabled?: boolean;
  /** The model host. Absent at creation: the first one that has a key, else `offline`. */
  readonly assistantProvider?: string;
  /** Any model name the provider accepts; empty: the provider's default model. */
  readonly assistantModel?: string;
  /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
  readonly assistantLLMUrl?: string;
  readonly assistantSystemPrompt?: string;
  readonly assistantTemperature?: number;
  readonly assistantMaxTokens?: number;
  /** Delimiter that splits a reply into separate lines; empty: by sentence. */
  readonly assistantResponseSplitter?: string;
  readonly config?: {
    readonly speech: {
      readonly stt: {
        readonly vendor: string;
        /** Language tag; several separated by commas, the likeliest first. */
        readonly languages: string;
      };
      /** Takes over if the first recogniser fails, or returns no text for audible speech. */
      readonly sttFallback: {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly languages: string;
      };
      /** Voices in order of preference; disabled ones are skipped. */
      readonly ttsData: readonly {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly language: string;
        /** The vendor's voice id; empty: its default voice. */
        readonly voice: string;
        /** Voice settings. A vendor ignores those it has no notion of. */
        readonly config: {
          /** The vendor's voice model; empty: its default. */
          readonly modelId: string;
          readonly stability: number;
          readonly similarityBoost: number;
          readonly speakerBoost: boolean;
          readonly styleExaggeration: number;
          /** Same seed, same rendering, where the vendor can; 0: none. */
          readonly seed: number;
          readonly speed: number;
          /** Numbers, dates and abbreviations are spoken as a person would. */
          readonly applyTextNormalization: boolean;
        };
      }[];
    };
  };
  /** Words and names that the recogniser should favour. */
  readonly hints?: readonly string[];
  /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
  readonly backgroundSound?: string;
  readonly backgroundSoundVolume?: number;
  readonly ttsCacheEnabled?: boolean;
  /** `global` is deprecated and will be removed. */
  readonly ttsAudioCacheScope?: 'assistant' | 'team' | 'global';
  /** Consecutive turns without a voice after which the call is ended; 0: never. */
  readonly maxConsecutiveTtsFailures?: number;
  readonly recordingEnabled?: boolean;
  /** Recording continues after a forward or a warm transfer. */
  readonly recordAfterTransfer?: boolean;
  /** A transcript file is stored beside the recording. */
  readonly postCallTranscriptsEnabled?: boolean;
  readonly assistantBackchannelingEnabled?: boolean;
  readonly dtmfInputEnabled?: boolean;
  /** Minutes. */
  readonly maxCallDuration?: number;
  /** Seconds of silence before an idle message. */
  readonly idleTimeout?: number;
  readonly maxIdleMessagesInSequence?: number;
  readonly startSpeakingOptions?: {
    /** Minimum time from the end of the turn to the first audio of the reply. */
    readonly waitSeconds: number;
    /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
    readonly smartEndpointing: string;
    readonly onPunctuationSeconds: number;
    readonly onNoPunctuationSeconds: number;
    readonly onNumberSeconds: number;
    /** Milliseconds of waiting in any case. */
    readonly EngineBaseValue: number;
    /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
    readonly EngineScaleValue: number;
  };
  readonly stopSpeakingOptions?: {
    /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
    readonly numberOfWords: number;
    /** Duration of voice that holds the reply. */
    readonly voiceSeconds: number;
  };
  readonly userInterruptionAckPlan?: {
    readonly enabled: boolean;
    /** Maximum number of acknowledgements in one call. */
    readonly count: number;
    /** An interruption counts as early until more words of the reply than this were heard. */
    readonly words: number;
    /** Spoken in turn; empty: stock phrases in the call's language. */
    readonly phrases: readonly string[];
  };
  readonly assistantToolIds?: readonly string[];
  readonly assistantPredefinedTools?: {
    readonly knowledgeBase: boolean;
    readonly endCall: boolean;
    readonly appointment: boolean;
    readonly volumeControl: boolean;
    readonly waitList: boolean;
    readonly callForward: boolean;
    readonly sendSms: boolean;
    /** Who asks not to be called again is put on the list of numbers that are not called. */
    readonly doNotCall: boolean;
  };
  readonly assistantType?: 'single_prompt' | 'workflow_based';
  /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
  readonly assistantWorkflow?: {
    readonly start: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      /** Added to the system prompt while in this node. */
      readonly prompt: string;
      /** Spoken on entering the node. */
      readonly message: string;
      /** Tools of this node alone, beside the assistant's own. */
      readonly toolIds: readonly string[];
      /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
      readonly variables: readonly {
        readonly name: string;
        readonly description: string;
      }[];
      /** The call ends after this node. */
      readonly end: boolean;
    }[];
    readonly edges: readonly ({
      readonly from: string;
      readonly to: string;
      readonly condition: {
        readonly type: 'model';
        /** A condition that the model evaluates. */
        readonly description: string;
      } | {
        readonly type: 'variable';
        readonly name: string;
        readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
        /** Compared ignoring case. */
        readonly value: string;
      };
    })[];
  };
  /** Only with assistantPredefinedTools.knowledgeBase. */
  readonly assistantKnowledgeBaseIds?: readonly string[];
  /** Said when ending the call; only with assistantPredefinedTools.endCall. */
  readonly endCallMessage?: string;
  /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
  readonly endCallToolDescription?: string;
  /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
  readonly endCallPhrases?: readonly string[];
  readonly callForwardData?: {
    readonly phoneNumber: '' | string;
    readonly extension: string;
    readonly name: string;
  };
  readonly warmTransferEnabled?: boolean;
  /** The assistant briefs the operator, who accepts or declines. */
  readonly warmTransferConversational?: boolean;
  /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
  readonly holdMusicUrl?: string;
  /** Seconds to wait for an answer after dialling. */
  readonly warmTransferTimeout?: number;
  readonly assistantAnalysis?: {
    readonly summary: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
    };
    readonly successEvaluation: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      readonly rubric: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail';
    };
    readonly structuredData: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      /** JSON Schema of the data wanted. */
      readonly schema: Readonly<Record<string, unknown>>;
    };
  };
  readonly assistantOverrides?: AssistantOverrides;
  readonly assistantServer?: {
    readonly url: string;
    readonly timeoutSeconds: number;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly enabled: boolean;
    /** The kinds of webhook to send. */
    readonly messages: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[];
  };
  readonly assistantOutcome?: readonly ({
    readonly type: 'string' | 'number' | 'boolean' | 'date';
    /** A path into structuredData, such as booking.date. */
    readonly field: string;
  })[];
  readonly smsConfiguration?: {
    readonly enabled: boolean;
    /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
    readonly sameAsAssistant: boolean;
    readonly smsPrompt: string;
  };
  readonly persistHistory?: {
    readonly enabled: boolean;
    readonly call: boolean;
    readonly sms: boolean;
    /** Days. */
    readonly retentionPeriod: number;
  };
  /** For how long its calls are kept; the team’s rule holds if it is shorter. */
  readonly retentionDays?: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  readonly redaction?: {
    /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
    readonly kinds: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[];
    /** Words and phrases that are taken out as well, in any spelling of case and accents. */
    readonly words: readonly string[];
    /** What the recording has in place of the words: a tone, silence, or the words. */
    readonly sound: 'tone' | 'silence' | 'keep';
    /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
    readonly originals: 'discard' | 'sealed';
    /** The language model, too, gets the earlier turns of the call without it. */
    readonly model: boolean;
    readonly service: {
      /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
      readonly url: string;
      readonly minScore: number;
      readonly timeoutSeconds: number;
      /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
      readonly onFailure: 'withhold' | 'rules';
    };
  };
  readonly recordingConsent?: {
    /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
    readonly announce: 'never' | 'by-region' | 'always';
    /** What is said, before the welcome message; empty: a sentence in the call’s language. */
    readonly text: string;
    /** Nothing is recorded until the other side has agreed in words. */
    readonly ask: boolean;
    /** What was recorded before the refusal: deleted, or kept up to that word. */
    readonly onRefusal: 'delete' | 'cut';
  };
  /** When it may call somebody; a call outside of these hours is refused. */
  readonly callingHours?: {
    readonly enabled: boolean;
    readonly days: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    readonly from: string;
    /** Calls begin before this time. */
    readonly to: string;
    /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
    readonly timeZone: string;
  };
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt?: string;
};

export type AssistantPatch = {
  readonly name?: string;
  /** Spoken first; empty: the model opens the conversation. */
  readonly welcomeMessage?: string | null;
  readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
  /** false: the caller cannot interrupt the welcome message. */
  readonly welcomeMessageInterruptionsEnabled?: boolean | null;
  /** The model host. Absent at creation: the first one that has a key, else `offline`. */
  readonly assistantProvider?: string | null;
  /** Any model name the provider accepts; empty: the provider's default model. */
  readonly assistantModel?: string | null;
  /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
  readonly assistantLLMUrl?: string | null;
  readonly assistantSystemPrompt?: string | null;
  readonly assistantTemperature?: number | null;
  readonly assistantMaxTokens?: number | null;
  /** Delimiter that splits a reply into separate lines; empty: by sentence. */
  readonly assistantResponseSplitter?: string | null;
  readonly config?: {
    readonly speech?: {
      readonly stt?: {
        readonly vendor?: string | null;
        /** Language tag; several separated by commas, the likeliest first. */
        readonly languages?: string | null;
      } | null;
      /** Takes over if the first recogniser fails, or returns no text for audible speech. */
      readonly sttFallback?: {
        readonly enabled?: boolean | null;
        readonly vendor?: string | null;
        readonly languages?: string | null;
      } | null;
      /** Voices in order of preference; disabled ones are skipped. */
      readonly ttsData?: readonly {
        readonly enabled?: boolean;
        readonly vendor?: string;
        readonly language?: string;
        /** The vendor's voice id; empty: its default voice. */
        readonly voice?: string;
        /** Voice settings. A vendor ignores those it has no notion of. */
        readonly config?: {
          /** The vendor's voice model; empty: its default. */
          readonly modelId?: string;
          readonly stability?: number;
          readonly similarityBoost?: number;
          readonly speakerBoost?: boolean;
          readonly styleExaggeration?: number;
          /** Same seed, same rendering, where the vendor can; 0: none. */
          readonly seed?: number;
          readonly speed?: number;
          /** Numbers, dates and abbreviations are spoken as a person would. */
          readonly applyTextNormalization?: boolean;
        };
      }[] | null;
    } | null;
  } | null;
  /** Words and names that the recogniser should favour. */
  readonly hints?: readonly string[] | null;
  /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
  readonly backgroundSound?: string | null;
  readonly backgroundSoundVolume?: number | null;
  readonly ttsCacheEnabled?: boolean | null;
  /** `global` is deprecated and will be removed. */
  readonly ttsAudioCacheScope?: 'assistant' | 'team' | 'global' | null;
  /** Consecutive turns without a voice after which the call is ended; 0: never. */
  readonly maxConsecutiveTtsFailures?: number | null;
  readonly recordingEnabled?: boolean | null;
  /** Recording continues after a forward or a warm transfer. */
  readonly recordAfterTransfer?: boolean | null;
  /** A transcript file is stored beside the recording. */
  readonly postCallTranscriptsEnabled?: boolean | null;
  readonly assistantBackchannelingEnabled?: boolean | null;
  readonly dtmfInputEnabled?: boolean | null;
  /** Minutes. */
  readonly maxCallDuration?: number | null;
  /** Seconds of silence before an idle message. */
  readonly idleTimeout?: number | null;
  readonly maxIdleMessagesInSequence?: number | null;
  readonly startSpeakingOptions?: {
    /** Minimum time from the end of the turn to the first audio of the reply. */
    readonly waitSeconds?: number | null;
    /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
    readonly smartEndpointing?: string | null;
    readonly onPunctuationSeconds?: number | null;
    readonly onNoPunctuationSeconds?: number | null;
    readonly onNumberSeconds?: number | null;
    /** Milliseconds of waiting in any case. */
    readonly EngineBaseValue?: number | null;
    /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
    readonly EngineScaleValue?: number | null;
  } | null;
  readonly stopSpeakingOptions?: {
    /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
    readonly numberOfWords?: number | null;
    /** Duration of voice that holds the reply. */
    readonly voiceSeconds?: number | null;
  } | null;
  readonly userInterruptionAckPlan?: {
    readonly enabled?: boolean | null;
    /** Maximum number of acknowledgements in one call. */
    readonly count?: number | null;
    /** An interruption counts as early until more words of the reply than this were heard. */
    readonly words?: number | null;
    /** Spoken in turn; empty: stock phrases in the call's language. */
    readonly phrases?: readonly string[] | null;
  } | null;
  readonly assistantToolIds?: readonly string[] | null;
  readonly assistantPredefinedTools?: {
    readonly knowledgeBase?: boolean | null;
    readonly endCall?: boolean | null;
    readonly appointment?: boolean | null;
    readonly volumeControl?: boolean | null;
    readonly waitList?: boolean | null;
    readonly callForward?: boolean | null;
    readonly sendSms?: boolean | null;
    /** Who asks not to be called again is put on the list of numbers that are not called. */
    readonly doNotCall?: boolean | null;
  } | null;
  readonly assistantType?: 'single_prompt' | 'workflow_based' | null;
  /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
  readonly assistantWorkflow?: {
    readonly start?: string;
    readonly nodes?: readonly {
      readonly id: string;
      readonly name?: string;
      /** Added to the system prompt while in this node. */
      readonly prompt?: string;
      /** Spoken on entering the node. */
      readonly message?: string;
      /** Tools of this node alone, beside the assistant's own. */
      readonly toolIds?: readonly string[];
      /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
      readonly variables?: readonly {
        readonly name: string;
        readonly description?: string;
      }[];
      /** The call ends after this node. */
      readonly end?: boolean;
    }[];
    readonly edges?: readonly ({
      readonly from: string;
      readonly to: string;
      readonly condition: {
        readonly type: 'model';
        /** A condition that the model evaluates. */
        readonly description: string;
      } | {
        readonly type: 'variable';
        readonly name: string;
        readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
        /** Compared ignoring case. */
        readonly value?: string;
      };
    })[] | null;
  } | null;
  /** Only with assistantPredefinedTools.knowledgeBase. */
  readonly assistantKnowledgeBaseIds?: readonly string[] | null;
  /** Said when ending the call; only with assistantPredefinedTools.endCall. */
  readonly endCallMessage?: string | null;
  /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
  readonly endCallToolDescription?: string | null;
  /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
  readonly endCallPhrases?: readonly string[] | null;
  readonly callForwardData?: {
    readonly phoneNumber?: '' | string | null;
    readonly extension?: string | null;
    readonly name?: string | null;
  } | null;
  readonly warmTransferEnabled?: boolean | null;
  /** The assistant briefs the operator, who accepts or declines. */
  readonly warmTransferConversational?: boolean | null;
  /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
  readonly holdMusicUrl?: string | null;
  /** Seconds to wait for an answer after dialling. */
  readonly warmTransferTimeout?: number | null;
  readonly assistantAnalysis?: {
    readonly summary?: {
      readonly enabled?: boolean | null;
      /** Empty: the built-in prompt. */
      readonly prompt?: string | null;
      readonly timeoutSeconds?: number | null;
    } | null;
    readonly successEvaluation?: {
      readonly enabled?: boolean | null;
      /** Empty: the built-in prompt. */
      readonly prompt?: string | null;
      readonly timeoutSeconds?: number | null;
      readonly rubric?: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail' | null;
    } | null;
    readonly structuredData?: {
      readonly enabled?: boolean | null;
      /** Empty: the built-in prompt. */
      readonly prompt?: string | null;
      readonly timeoutSeconds?: number | null;
      /** JSON Schema of the data wanted. */
      readonly schema?: Readonly<Record<string, unknown>> | null;
    } | null;
  } | null;
  readonly assistantOverrides?: {
    /** Spoken first; empty: the model opens the conversation. */
    readonly welcomeMessage?: string | null;
    readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
    /** false: the caller cannot interrupt the welcome message. */
    readonly welcomeMessageInterruptionsEnabled?: boolean | null;
    readonly recordingEnabled?: boolean | null;
    /** Recording continues after a forward or a warm transfer. */
    readonly recordAfterTransfer?: boolean | null;
    /** A transcript file is stored beside the recording. */
    readonly postCallTranscriptsEnabled?: boolean | null;
    /** Consecutive turns without a voice after which the call is ended; 0: never. */
    readonly maxConsecutiveTtsFailures?: number | null;
    readonly warmTransferEnabled?: boolean | null;
    /** The assistant briefs the operator, who accepts or declines. */
    readonly warmTransferConversational?: boolean | null;
    /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
    readonly holdMusicUrl?: string | null;
    /** Seconds to wait for an answer after dialling. */
    readonly warmTransferTimeout?: number | null;
    /** Folder of the recording within the storage. */
    readonly recordingPath?: string | null;
    /** Values of `{{name}}` in spoken texts and prompts. */
    readonly dynamicVariables?: Readonly<Record<string, string | null>> | null;
  } | null;
  readonly assistantServer?: {
    readonly url?: string | null;
    readonly timeoutSeconds?: number | null;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret?: string | null;
    readonly headers?: Readonly<Record<string, string | null>> | null;
    readonly enabled?: boolean | null;
    /** The kinds of webhook to send. */
    readonly messages?: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[] | null;
  } | null;
  readonly assistantOutcome?: readonly ({
    readonly type: 'string' | 'number' | 'boolean' | 'date';
    /** A path into structuredData, such as booking.date. */
    readonly field: string;
  })[] | null;
  readonly smsConfiguration?: {
    readonly enabled?: boolean | null;
    /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
    readonly sameAsAssistant?: boolean | null;
    readonly smsPrompt?: string | null;
  } | null;
  readonly persistHistory?: {
    readonly enabled?: boolean | null;
    readonly call?: boolean | null;
    readonly sms?: boolean | null;
    /** Days. */
    readonly retentionPeriod?: number | null;
  } | null;
  /** For how long its calls are kept; the team’s rule holds if it is shorter. */
  readonly retentionDays?: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number | null;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number | null;
  } | null;
  readonly redaction?: {
    /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
    readonly kinds?: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[] | null;
    /** Words and phrases that are taken out as well, in any spelling of case and accents. */
    readonly words?: readonly string[] | null;
    /** What the recording has in place of the words: a tone, silence, or the words. */
    readonly sound?: 'tone' | 'silence' | 'keep' | null;
    /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
    readonly originals?: 'discard' | 'sealed' | null;
    /** The language model, too, gets the earlier turns of the call without it. */
    readonly model?: boolean | null;
    readonly service?: {
      /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
      readonly url?: string | null;
      readonly minScore?: number | null;
      readonly timeoutSeconds?: number | null;
      /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
      readonly onFailure?: 'withhold' | 'rules' | null;
    } | null;
  } | null;
  readonly recordingConsent?: {
    /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
    readonly announce?: 'never' | 'by-region' | 'always' | null;
    /** What is said, before the welcome message; empty: a sentence in the call’s language. */
    readonly text?: string | null;
    /** Nothing is recorded until the other side has agreed in words. */
    readonly ask?: boolean | null;
    /** What was recorded before the refusal: deleted, or kept up to that word. */
    readonly onRefusal?: 'delete' | 'cut' | null;
  } | null;
  /** When it may call somebody; a call outside of these hours is refused. */
  readonly callingHours?: {
    readonly enabled?: boolean | null;
    readonly days?: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[] | null;
    readonly from?: string | null;
    /** Calls begin before this time. */
    readonly to?: string | null;
    /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
    readonly timeZone?: string | null;
  } | null;
};

export type AssistantTestResult = {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not-judged' | 'broken' | 'not-run';
  /** Why it is broken or was not run. */
  readonly reason?: string;
  readonly conditions: readonly ({
    /** The turn of the caller, from 1; absent: the whole call. */
    readonly turn?: number;
    /** The condition in words. */
    readonly condition: string;
    readonly verdict: 'met' | 'unmet' | 'not-judged';
    /** What was there instead, or why nobody judged. */
    readonly detail?: string;
  })[];
  readonly transcript: readonly ({
    readonly role: 'user' | 'assistant' | 'tool' | 'system';
    readonly text: string;
    readonly atMs: number;
  })[];
  readonly tools: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly ok: boolean;
    readonly turn: number;
    readonly atMs: number;
  }[];
  /** Times to answer, in the order of the turns. */
  readonly answersMs: readonly number[];
  readonly endReason?: string;
  readonly durationMs: number;
  readonly notes: readonly string[];
  /** In which condition it was spoken; absent: it was not. */
  readonly condition?: 'clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence';
  /** What was measured of a spoken call. */
  readonly figures?: {
    readonly wordsSaid: number;
    /** Words of the caller that are in the call’s record. */
    readonly wordsHeard: number;
    readonly turns: number;
    readonly answered: number;
    /** From the end of the caller’s words to the first sound of the answer, as heard. */
    readonly answersMs: readonly number[];
    /** From an interruption to the last sound of the answer. */
    readonly stopsMs: readonly number[];
    /** Answers that began before the caller was done. */
    readonly cutIns: number;
    /** Answers that stopped though nobody interrupted them. */
    readonly lostReplies: number;
  };
};

export type AssistantUses = {
  /** Of the assistant. */
  readonly _id: string;
  /** Its calls, past and live. */
  readonly calls: number;
  /** The numbers that it answers. */
  readonly numbers: number;
  /** The one that came first. */
  readonly firstNumber?: {
    /** Opaque identifier. */
    readonly _id: string;
    readonly number: string;
  };
};

export type AssistantVersion = {
  /** Opaque identifier. */
  readonly assistantId: string;
  /** From 1 on; each save has the next one. */
  readonly version: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** Who saved it; absent: the service. */
  readonly author?: {
    readonly type: string;
    readonly id?: string;
    readonly name?: string;
  };
  /** What has changed and why. */
  readonly note: string;
  /** Calls use it unless they name another one. */
  readonly published: boolean;
  readonly labels: readonly string[];
};

export type AssistantVersionDetail = {
  /** Opaque identifier. */
  readonly assistantId: string;
  /** From 1 on; each save has the next one. */
  readonly version: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** Who saved it; absent: the service. */
  readonly author?: {
    readonly type: string;
    readonly id?: string;
    readonly name?: string;
  };
  /** What has changed and why. */
  readonly note: string;
  /** Calls use it unless they name another one. */
  readonly published: boolean;
  readonly labels: readonly string[];
  readonly assistant: AssistantConfig;
};

export type AssistantWarning = {
  readonly code: 'vendor-not-ready' | 'workflow-missing' | 'language-without-words';
  /** The field it is about. */
  readonly path: string;
  readonly message: string;
};

export type AsteriskNumberImport = {
  /** Phone number in E.164 form. */
  readonly number: string;
  readonly label?: string;
  /** Absent: the service's own account. Sealed when stored, never returned. */
  readonly credentials?: {
    readonly ariUrl: string;
    readonly user: string;
    readonly password: string;
    /** Where to dial, such as `PJSIP/{number}@trunk`. */
    readonly dialEndpoint?: string;
    readonly websocketClient?: string;
    readonly application?: string;
    /** Audio format between Asterisk and this service. Default: `ulaw`. */
    readonly mediaFormat?: 'ulaw' | 'alaw' | 'slin' | 'slin16';
    /** SIP URI for blind transfers by SIP REFER, such as `sip:{number}@carrier.example`. Absent: this service dials the other telephone and connects the two. */
    readonly referUri?: string;
  };
};

export type AuditCheck = {
  /** Those that are as they were written, from the first one on. */
  readonly entries: number;
  /** What is wrong with the next one; absent: the log is whole. */
  readonly fault?: string;
};

export type AuditEntry = {
  /** From 1 on, without a gap. */
  readonly seq: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  /** With the name at that time. */
  readonly actor: {
    /** nobody: who has not proved who they are. service: the service itself. */
    readonly type: 'person' | 'api-key' | 'operator' | 'token' | 'nobody' | 'service';
    readonly id?: string;
    readonly name?: string;
  };
  /** The id of the operation, or what it was besides. */
  readonly action: string;
  /** The id of what it was done to. */
  readonly subject?: string;
  readonly outcome: 'done' | 'refused';
  readonly address?: string;
  readonly requestId?: string;
  /** SHA-256 over this entry and the hash of the one before. */
  readonly hash: string;
};

export type AvailableNumber = {
  /** E.164. */
  readonly number: string;
  readonly country: string;
  readonly region?: string;
  readonly locality?: string;
  readonly capabilities: {
    readonly voice: boolean;
    readonly sms: boolean;
  };
};

export type Calendar = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  readonly name: string;
  /** The assistants that book here; empty: all of the team that no other calendar names. */
  readonly assistantIds: readonly string[];
  readonly timezone: string;
  /** Duration of an appointment. */
  readonly slotMinutes: number;
  /** Appointments at the same time. */
  readonly capacity: number;
  /** How long before its start an appointment can be booked at the latest. */
  readonly leadMinutes: number;
  /** How far ahead an appointment can be booked. */
  readonly horizonDays: number;
  /** In the time zone of the calendar. */
  readonly openingHours: {
    readonly monday: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly tuesday: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly wednesday: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly thursday: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly friday: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly saturday: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly sunday: readonly {
      readonly from: string;
      readonly to: string;
    }[];
  };
  /** Days that are closed. */
  readonly closedDates: readonly string[];
  /** URL of an iCalendar feed of the appointments. Anyone who knows it can read them. */
  readonly feedUrl: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
};

export type CalendarInput = {
  readonly name: string;
  /** The assistants that book here; empty: all of the team that no other calendar names. */
  readonly assistantIds?: readonly string[];
  readonly timezone?: string;
  /** Duration of an appointment. */
  readonly slotMinutes?: number;
  /** Appointments at the same time. */
  readonly capacity?: number;
  /** How long before its start an appointment can be booked at the latest. */
  readonly leadMinutes?: number;
  /** How far ahead an appointment can be booked. */
  readonly horizonDays?: number;
  /** In the time zone of the calendar. */
  readonly openingHours?: {
    readonly monday?: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly tuesday?: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly wednesday?: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly thursday?: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly friday?: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly saturday?: readonly {
      readonly from: string;
      readonly to: string;
    }[];
    readonly sunday?: readonly {
      readonly from: string;
      readonly to: string;
    }[];
  };
  /** Days that are closed. */
  readonly closedDates?: readonly string[];
};

export type CalendarPatch = {
  readonly name?: string;
  /** The assistants that book here; empty: all of the team that no other calendar names. */
  readonly assistantIds?: readonly string[] | null;
  readonly timezone?: string | null;
  /** Duration of an appointment. */
  readonly slotMinutes?: number | null;
  /** Appointments at the same time. */
  readonly capacity?: number | null;
  /** How long before its start an appointment can be booked at the latest. */
  readonly leadMinutes?: number | null;
  /** How far ahead an appointment can be booked. */
  readonly horizonDays?: number | null;
  /** In the time zone of the calendar. */
  readonly openingHours?: {
    readonly monday?: readonly {
      readonly from: string;
      readonly to: string;
    }[] | null;
    readonly tuesday?: readonly {
      readonly from: string;
      readonly to: string;
    }[] | null;
    readonly wednesday?: readonly {
      readonly from: string;
      readonly to: string;
    }[] | null;
    readonly thursday?: readonly {
      readonly from: string;
      readonly to: string;
    }[] | null;
    readonly friday?: readonly {
      readonly from: string;
      readonly to: string;
    }[] | null;
    readonly saturday?: readonly {
      readonly from: string;
      readonly to: string;
    }[] | null;
    readonly sunday?: readonly {
      readonly from: string;
      readonly to: string;
    }[] | null;
  } | null;
  /** Days that are closed. */
  readonly closedDates?: readonly string[] | null;
};

export type Call = {
  /** `WC-…` for a web call, `CC-…` for a phone call. */
  readonly id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  /** Absent for an inline assistant. */
  readonly assistantId?: string;
  /** The version of the assistant. */
  readonly assistantVersion?: number;
  readonly callType: 'web' | 'phone';
  readonly direction: 'inbound' | 'outbound';
  /** ISO 8601, UTC, milliseconds. */
  readonly startAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly endAt?: string;
  readonly userNumber?: string;
  readonly assistantNumber?: string;
  readonly status: 'queued' | 'ongoing' | 'forwarded' | 'finished';
  /** Phone calls only. */
  readonly phoneCallStatus?: 'trying' | 'early-media' | 'ringing' | 'in-progress' | 'busy' | 'no-answer' | 'failed' | 'completed';
  readonly callEndTriggerBy?: 'user' | 'assistant';
  /** A stable code: user-hung-up, user-said-end-phrase, assistant-said-end-phrase, assistant-ended-call, tool-ended-call, workflow-ended, ended-by-control, transferred, voicemail, idle-timeout, max-duration, ended, vendor-not-ready, over-limit, dialling-failed, busy, no-answer, failed, never-connected, no-media, connection-lost, model-failed, recogniser-failed, voice-failed, internal-error, team-suspended, service-stopped, service-restarted. */
  readonly endReason?: string;
  readonly failure?: CallFailure;
  readonly monitor: {
    readonly controlUrl: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly analysis?: CallAnalysis;
  readonly metrics: readonly TurnMetrics[];
  readonly consent?: CallConsent;
  readonly playback?: CallPlayback;
  /** Usage of each vendor; empty until the call is over. */
  readonly usage: readonly UsageLine[];
  readonly cost?: CallCost;
  readonly recording?: CallRecording;
  /** Keeps the call from being deleted. */
  readonly hold?: {
    /** ISO 8601, UTC, milliseconds. */
    readonly since: string;
    readonly reason: string;
  };
  /** What went wrong in it, from its event log; absent when nothing did. */
  readonly alerts?: readonly CallAlert[];
  /** Absent when there are none. */
  readonly tags?: readonly string[];
  readonly review?: CallReview;
  readonly messages: readonly CallMessage[];
  /** Attempts to transfer the caller; only if the call is read by its id. */
  readonly transfers?: readonly CallTransfer[];
  /** What was looked up in knowledge bases, with its sources; only if the call is read by its id. */
  readonly lookups?: readonly KnowledgeLookup[];
  /** What people wrote about it; only if the call is read by its id. */
  readonly notes?: readonly CallNote[];
};

export type CallAlert = {
  /** long-silence: a reply was due for five seconds and had not begun. */
  readonly kind: 'long-silence' | 'tool-failed' | 'transfer-failed' | 'model-failed' | 'speech-failed' | 'playback-failed';
  /** The last time, in milliseconds since the start of the call. */
  readonly atMs: number;
};

export type CallAnalysis = {
  readonly summary?: string;
  readonly successEvaluation?: string;
  readonly structuredData?: Readonly<Record<string, unknown>>;
  readonly outcome?: Readonly<Record<string, unknown>>;
  /** The outcome of each enabled step. */
  readonly steps?: readonly AnalysisStep[];
};

export type CallAsTest = {
  readonly source: string;
};

/** Whether it was announced that the call is recorded, and what was said to that. */
export type CallConsent = {
  readonly state: 'announced' | 'accepted' | 'refused';
  /** Milliseconds since the start of the call. */
  readonly atMs: number;
};

/** Only if prices are configured. */
export type CallCost = {
  readonly currency: string;
  readonly total: number;
  readonly lines: readonly {
    readonly kind: string;
    readonly vendor: string;
    readonly model?: string;
    readonly amount: number;
  }[];
  /** Vendors without a configured price, which the total does not include. */
  readonly unpriced: readonly string[];
};

/** Why it failed; absent when it did not. */
export type CallFailure = {
  readonly code: 'vendor-not-ready' | 'over-limit' | 'dialling-failed' | 'busy' | 'no-answer' | 'failed' | 'never-connected' | 'no-media' | 'connection-lost' | 'model-failed' | 'recogniser-failed' | 'voice-failed' | 'internal-error' | 'team-suspended' | 'service-stopped' | 'service-restarted';
  /** One sentence for the owner of the assistant. */
  readonly message: string;
  /** What the vendor, carrier or tool said. */
  readonly cause?: {
    readonly code: string;
    readonly message: string;
    readonly provider?: string;
  };
};

export type CallFigures = {
  readonly turns: number;
  /** Time to answer; null without any. */
  readonly gapP50Ms: number | null;
  readonly gapP95Ms: number | null;
  readonly cutIns: number;
  /** Turns with a reply whose end the caller did not hear. */
  readonly repliesLost: number;
  readonly tools: number;
  readonly toolsFailed: number;
  readonly durationMs: number;
  /** Null: the call had not ended. */
  readonly endReason: string | null;
  readonly modelRequests: number;
  /** Estimated by the length of the texts, as are output tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly spokenCharacters: number;
};

export type CallFilter = {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly assistantId?: string;
  /** Phone number in E.164 form. */
  readonly userNumber?: string;
  readonly callType?: 'web' | 'phone';
  readonly direction?: 'inbound' | 'outbound';
  readonly ids?: readonly string[];
  /** Only counts. */
  readonly dryRun?: boolean;
};

export type CallMarks = {
  /** True: somebody has looked at the call. */
  readonly reviewed?: boolean;
  /** Replaces the tags. */
  readonly tags?: readonly string[];
};

export type CallMessage = {
  readonly messageId: string;
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  /** Of the assistant: what was heard, never what was merely generated. */
  readonly text: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly timestamp: string;
};

export type CallNeighbours = {
  /** The call before it in this list. */
  readonly previous?: string;
  /** The call after it in this list. */
  readonly next?: string;
};

export type CallNote = {
  /** Opaque identifier. */
  readonly id: string;
  readonly text: string;
  /** Who wrote it: the name at that time. */
  readonly by: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
};

export type CallNoteInput = {
  readonly text: string;
};

export type CallPage = {
  readonly totalCount: number;
  readonly conversations: readonly CallSummary[];
};

/** Quality of playback: the latest `stats` of a web call whose client sends them. */
export type CallPlayback = {
  /** Duration of the assistant's audio that was played. */
  readonly playedMs: number;
  /** Duration of gaps within speech, where audio arrived too late. */
  readonly concealedMs: number;
  /** Number of such gaps. */
  readonly concealments: number;
  /** Silence added to pauses to increase the delay. */
  readonly stretchedMs: number;
  /** Silence removed from pauses to reduce the delay again. */
  readonly cutMs: number;
  /** Last delay of playback, as needed for the line. */
  readonly delayMs: number;
};

export type CallRecording = {
  readonly url: string;
  readonly contentType: 'audio/wav';
  readonly sampleRateHz: number;
  readonly durationMs: number;
  readonly bytes: number;
  /** The disk was full or failed: the recording ends at this time. */
  readonly incompleteSince?: string;
};

/** That somebody has looked at it. */
export type CallReview = {
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  /** The name at that time. */
  readonly by: string;
};

export type CallStatistics = {
  /** ISO 8601, UTC, milliseconds. */
  readonly startDate: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly endDate: string;
  /** Calls in progress now. */
  readonly live: number;
  readonly calls: number;
  /** Calls that ended because of a failure of the service, a vendor or the line. */
  readonly failed: number;
  /** From answer to end, for calls that have ended. */
  readonly talkSeconds: number;
  /** Number of measured answers. */
  readonly turns: number;
  /** Median time from the end of the caller's speech to the answer. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** One for each hour or day, those without calls too, the oldest first. */
  readonly intervals: readonly {
    /** ISO 8601, UTC, milliseconds. */
    readonly startAt: string;
    readonly calls: number;
    /** Calls that ended because of a failure of the service, a vendor or the line. */
    readonly failed: number;
    /** From answer to end, for calls that have ended. */
    readonly talkSeconds: number;
    /** Number of measured answers. */
    readonly turns: number;
    /** Median time from the end of the caller's speech to the answer. */
    readonly p50Ms?: number;
    readonly p95Ms?: number;
  }[];
  /** Why the calls ended, the commonest first. */
  readonly endReasons: readonly {
    readonly endReason: string;
    readonly calls: number;
    readonly failed: number;
  }[];
};

export type CallSummary = {
  /** `WC-…` for a web call, `CC-…` for a phone call. */
  readonly id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  /** Absent for an inline assistant. */
  readonly assistantId?: string;
  /** The version of the assistant. */
  readonly assistantVersion?: number;
  readonly callType: 'web' | 'phone';
  readonly direction: 'inbound' | 'outbound';
  /** ISO 8601, UTC, milliseconds. */
  readonly startAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly endAt?: string;
  readonly userNumber?: string;
  readonly assistantNumber?: string;
  readonly status: 'queued' | 'ongoing' | 'forwarded' | 'finished';
  /** Phone calls only. */
  readonly phoneCallStatus?: 'trying' | 'early-media' | 'ringing' | 'in-progress' | 'busy' | 'no-answer' | 'failed' | 'completed';
  readonly callEndTriggerBy?: 'user' | 'assistant';
  /** A stable code: user-hung-up, user-said-end-phrase, assistant-said-end-phrase, assistant-ended-call, tool-ended-call, workflow-ended, ended-by-control, transferred, voicemail, idle-timeout, max-duration, ended, vendor-not-ready, over-limit, dialling-failed, busy, no-answer, failed, never-connected, no-media, connection-lost, model-failed, recogniser-failed, voice-failed, internal-error, team-suspended, service-stopped, service-restarted. */
  readonly endReason?: string;
  readonly failure?: CallFailure;
  readonly monitor: {
    readonly controlUrl: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly analysis?: CallAnalysis;
  readonly metrics: readonly TurnMetrics[];
  readonly consent?: CallConsent;
  readonly playback?: CallPlayback;
  /** Usage of each vendor; empty until the call is over. */
  readonly usage: readonly UsageLine[];
  readonly cost?: CallCost;
  readonly recording?: CallRecording;
  /** Keeps the call from being deleted. */
  readonly hold?: {
    /** ISO 8601, UTC, milliseconds. */
    readonly since: string;
    readonly reason: string;
  };
  /** What went wrong in it, from its event log; absent when nothing did. */
  readonly alerts?: readonly CallAlert[];
  /** Absent when there are none. */
  readonly tags?: readonly string[];
  readonly review?: CallReview;
};

export type CallTransfer = {
  readonly to: string;
  readonly name?: string;
  readonly mode: 'blind' | 'announced' | 'conversational';
  readonly outcome: 'pending' | 'transferred' | 'failed';
  /** Why it failed: `busy`, `no-answer`, `timeout` (nobody answered in time), `declined`, `voicemail`, `line-error`, `operator-left`, `caller-stopped-waiting`, or the reason the call ended. */
  readonly reason?: string;
  /** The carrier's own code, such as `q850-17`. */
  readonly cause?: string;
  readonly steps: readonly ({
    readonly step: 'dialled' | 'ringing' | 'answered' | 'briefed' | 'accepted' | 'declined' | 'failed' | 'hung-up' | 'joined' | 'let-go';
    /** Milliseconds since the start of the call. */
    readonly atMs: number;
  })[];
};

export type CallerData = {
  readonly number: string;
  /** What there is, by place. */
  readonly found: {
    readonly calls: number;
    readonly recordings: number;
    readonly messages: number;
    readonly notes: number;
    readonly events: number;
    readonly webhooks: number;
    readonly knowledgeQuestions: number;
    readonly texts: number;
    readonly appointments: number;
    readonly waitListEntries: number;
    readonly telephones: number;
  };
  /** What was deleted; absent in a dry run. */
  readonly deleted?: {
    readonly calls: number;
    readonly recordings: number;
    readonly messages: number;
    readonly notes: number;
    readonly events: number;
    readonly webhooks: number;
    readonly knowledgeQuestions: number;
    readonly texts: number;
    readonly appointments: number;
    readonly waitListEntries: number;
    readonly telephones: number;
  };
  /** What is not deleted, and why. */
  readonly kept: readonly {
    readonly what: string;
    readonly count: number;
    readonly reason: string;
  }[];
};

export type CodeInput = {
  /** The six digits that the authenticator app shows, or a recovery code. */
  readonly code: string;
};

export type ConnectInput = {
  readonly direction: 'inbound' | 'outbound';
  /** Absent: a web call. */
  readonly phoneNumberId?: string;
  readonly customer?: {
    /** Phone number in E.164 form. */
    readonly number?: string;
    readonly name?: string;
  };
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly assistant?: AssistantInput;
  /** Opaque identifier. */
  readonly assistantId?: string;
  /** A version of `assistantId` or of the number’s assistant, by its number or a label; absent: the published one. */
  readonly assistantVersion?: string;
  readonly assistantOverrides?: AssistantOverrides;
};

export type ConnectedCall = {
  /** `WC-…` for a web call, `CC-…` for a phone call. */
  readonly id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  /** Absent for an inline assistant. */
  readonly assistantId?: string;
  /** The version of the assistant. */
  readonly assistantVersion?: number;
  readonly callType: 'web' | 'phone';
  readonly direction: 'inbound' | 'outbound';
  /** ISO 8601, UTC, milliseconds. */
  readonly startAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly endAt?: string;
  readonly userNumber?: string;
  readonly assistantNumber?: string;
  readonly status: 'queued' | 'ongoing' | 'forwarded' | 'finished';
  /** Phone calls only. */
  readonly phoneCallStatus?: 'trying' | 'early-media' | 'ringing' | 'in-progress' | 'busy' | 'no-answer' | 'failed' | 'completed';
  readonly callEndTriggerBy?: 'user' | 'assistant';
  /** A stable code: user-hung-up, user-said-end-phrase, assistant-said-end-phrase, assistant-ended-call, tool-ended-call, workflow-ended, ended-by-control, transferred, voicemail, idle-timeout, max-duration, ended, vendor-not-ready, over-limit, dialling-failed, busy, no-answer, failed, never-connected, no-media, connection-lost, model-failed, recogniser-failed, voice-failed, internal-error, team-suspended, service-stopped, service-restarted. */
  readonly endReason?: string;
  readonly failure?: CallFailure;
  readonly monitor: {
    readonly controlUrl: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly analysis?: CallAnalysis;
  readonly metrics: readonly TurnMetrics[];
  readonly consent?: CallConsent;
  readonly playback?: CallPlayback;
  /** Usage of each vendor; empty until the call is over. */
  readonly usage: readonly UsageLine[];
  readonly cost?: CallCost;
  readonly recording?: CallRecording;
  /** Keeps the call from being deleted. */
  readonly hold?: {
    /** ISO 8601, UTC, milliseconds. */
    readonly since: string;
    readonly reason: string;
  };
  /** What went wrong in it, from its event log; absent when nothing did. */
  readonly alerts?: readonly CallAlert[];
  /** Absent when there are none. */
  readonly tags?: readonly string[];
  readonly review?: CallReview;
  readonly messages: readonly CallMessage[];
  /** Attempts to transfer the caller; only if the call is read by its id. */
  readonly transfers?: readonly CallTransfer[];
  /** What was looked up in knowledge bases, with its sources; only if the call is read by its id. */
  readonly lookups?: readonly KnowledgeLookup[];
  /** What people wrote about it; only if the call is read by its id. */
  readonly notes?: readonly CallNote[];
  readonly webCall?: {
    /** The media socket, described in `docs/media-socket.md`. */
    readonly url: string;
    /** Single use, short lived; the last part of the address. */
    readonly token: string;
    /** ISO 8601, UTC, milliseconds. */
    readonly expiresAt: string;
  };
};

export type Control = {
  readonly type: 'say';
  readonly message: string;
} | {
  readonly type: 'end';
  readonly message?: string;
} | {
  readonly type: 'forward';
  readonly message?: '' | string;
} | {
  readonly type: 'dtmf';
  readonly message: string;
} | {
  readonly type: 'sms';
  readonly message: string;
} | {
  readonly type: 'add-message';
  readonly message: string;
} | {
  readonly type: 'mute-assistant';
  readonly message?: '';
} | {
  readonly type: 'unmute-assistant';
  readonly message?: '';
} | {
  readonly type: 'mute-user';
  readonly message?: '';
} | {
  readonly type: 'unmute-user';
  readonly message?: '';
};

export type ControlRefused = {
  readonly message: string;
  readonly data: {
    readonly success: false;
  };
};

export type Controlled = {
  readonly message: string;
  readonly data: {
    readonly success: boolean;
  };
};

export type ConversationUpdateMessage = {
  readonly type: 'conversation-update';
  /** When it happened, Unix time in milliseconds. */
  readonly timestamp: number;
  readonly call: CallSummary;
  readonly assistant: WebhookAssistant;
  /** The conversation so far. */
  readonly messages: readonly CallMessage[];
  /** The assistant's number. */
  readonly phone?: {
    readonly id?: string;
    readonly number?: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  /** The message that was completed. */
  readonly messageId: string;
};

export type DeletedCall = {
  /** Opaque identifier. */
  readonly id: string;
  /** `request`: by its id or a filter; `caller`: with all data of its caller; `retention`: by a rule; `restored-backup`: it was deleted before, and a backup had brought it back. */
  readonly cause: 'request' | 'caller' | 'retention' | 'restored-backup';
  /** ISO 8601, UTC, milliseconds. */
  readonly deletedAt: string;
  /** When its recording and transcript file were removed; absent: a job still tries. */
  readonly filesRemovedAt?: string;
};

export type DeletedCalls = {
  readonly deleted: number;
  /** Calls that are kept because of a hold. */
  readonly held: number;
  /** Calls that have not ended. */
  readonly live: number;
  /** Calls that the next request deletes: one deletes at most 1000. */
  readonly remaining: number;
};

export type Delivery = {
  /** The `webhook-id` it is sent under. */
  readonly id: string;
  readonly type: 'status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error';
  /** `dead`: refused for good, or not taken within 24 hours. */
  readonly status: 'pending' | 'delivered' | 'dead';
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** Time when it was delivered or given up. */
  readonly settledAt?: string;
  /** While pending: not before then, and not before those ahead of it in the call. */
  readonly nextAttemptAt?: string;
  readonly attempts: readonly DeliveryAttempt[];
};

export type DeliveryAttempt = {
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly latencyMs: number;
  /** HTTP status; absent when there was no answer. */
  readonly status?: number;
  readonly error?: string;
  /** The beginning of the response's body, with secrets redacted. */
  readonly response?: string;
};

export type DeliveryList = {
  /** In the order of the call. */
  readonly deliveries: readonly Delivery[];
};

export type DetailError = {
  readonly detail: string;
};

export type DetailOverLimitError = {
  readonly detail: OverLimitError;
};

export type DetailValidationError = {
  readonly detail: {
    readonly message: string;
    readonly errors: readonly {
      readonly path: string;
      readonly message: string;
    }[];
  };
};

export type DismissedQuestions = {
  readonly questions: readonly string[];
};

export type DoNotCall = {
  readonly number: string;
  readonly note: string;
  /** `call`: the called person or caller asked for it. */
  readonly source: 'api' | 'import' | 'call';
  /** The call in which it was asked for. */
  readonly callId?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
};

export type DoNotCallImport = {
  /** A number in E.164 form at the beginning of each line, a note after a comma or semicolon; at most 5000 lines. A first line without a digit is a heading. */
  readonly csv: string;
};

export type DoNotCallImported = {
  readonly added: number;
  /** Numbers that were on the list already. */
  readonly known: number;
  /** Lines that begin with no number in E.164 form; the first hundred. */
  readonly refused: readonly {
    readonly line: number;
    readonly text: string;
  }[];
};

export type DoNotCallInput = {
  /** Phone number in E.164 form. */
  readonly number: string;
  /** Why, for people. */
  readonly note?: string;
};

export type EmulatorNumberImport = {
  /** Phone number in E.164 form. */
  readonly number: string;
  readonly label?: string;
  /** Absent: the service's own account. Sealed when stored, never returned. */
  readonly credentials?: {
    readonly accountSid: string;
    readonly authToken: string;
  };
};

export type EndOfCallReportMessage = {
  readonly type: 'end-of-call-report';
  /** When it happened, Unix time in milliseconds. */
  readonly timestamp: number;
  readonly call: CallSummary;
  readonly assistant: WebhookAssistant;
  /** The conversation so far. */
  readonly messages: readonly CallMessage[];
  /** The assistant's number. */
  readonly phone?: {
    readonly id?: string;
    readonly number?: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  readonly endReason: string;
  /** From answer to end; 0 if the call was never answered. */
  readonly durationMs: number;
  readonly analysis?: CallAnalysis;
};

export type Error = {
  readonly message: string;
};

export type ErrorMessage = {
  readonly type: 'error';
  /** When it happened, Unix time in milliseconds. */
  readonly timestamp: number;
  readonly call: CallSummary;
  readonly assistant: WebhookAssistant;
  /** The conversation so far. */
  readonly messages: readonly CallMessage[];
  /** The assistant's number. */
  readonly phone?: {
    readonly id?: string;
    readonly number?: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  readonly error: {
    /** The part of the call that failed. */
    readonly type: 'call' | 'llm' | 'stt' | 'tts' | 'tool' | 'playback' | 'transfer';
    readonly code: 'vendor-not-ready' | 'over-limit' | 'dialling-failed' | 'busy' | 'no-answer' | 'failed' | 'never-connected' | 'no-media' | 'connection-lost' | 'model-failed' | 'recogniser-failed' | 'voice-failed' | 'internal-error' | 'team-suspended' | 'service-stopped' | 'service-restarted' | 'model-error' | 'recogniser-error' | 'voice-error' | 'vendor-replaced' | 'tool-error' | 'playback-stalled' | 'transfer-failed';
    /** One sentence for the owner of the assistant. */
    readonly message: string;
    /** The vendor or the tool; empty where there is none. */
    readonly provider: string;
    readonly retryable: boolean;
    /** What the vendor, carrier or tool said. */
    readonly cause?: {
      readonly code: string;
      readonly message: string;
      readonly provider?: string;
    };
  };
};

export type ExportedCall = {
  /** `WC-…` for a web call, `CC-…` for a phone call. */
  readonly id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  /** Absent for an inline assistant. */
  readonly assistantId?: string;
  /** The version of the assistant. */
  readonly assistantVersion?: number;
  readonly callType: 'web' | 'phone';
  readonly direction: 'inbound' | 'outbound';
  /** ISO 8601, UTC, milliseconds. */
  readonly startAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly endAt?: string;
  readonly userNumber?: string;
  readonly assistantNumber?: string;
  readonly status: 'queued' | 'ongoing' | 'forwarded' | 'finished';
  /** Phone calls only. */
  readonly phoneCallStatus?: 'trying' | 'early-media' | 'ringing' | 'in-progress' | 'busy' | 'no-answer' | 'failed' | 'completed';
  readonly callEndTriggerBy?: 'user' | 'assistant';
  /** A stable code: user-hung-up, user-said-end-phrase, assistant-said-end-phrase, assistant-ended-call, tool-ended-call, workflow-ended, ended-by-control, transferred, voicemail, idle-timeout, max-duration, ended, vendor-not-ready, over-limit, dialling-failed, busy, no-answer, failed, never-connected, no-media, connection-lost, model-failed, recogniser-failed, voice-failed, internal-error, team-suspended, service-stopped, service-restarted. */
  readonly endReason?: string;
  readonly failure?: CallFailure;
  readonly monitor: {
    readonly controlUrl: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly analysis?: CallAnalysis;
  readonly metrics: readonly TurnMetrics[];
  readonly consent?: CallConsent;
  readonly playback?: CallPlayback;
  /** Usage of each vendor; empty until the call is over. */
  readonly usage: readonly UsageLine[];
  readonly cost?: CallCost;
  readonly recording?: CallRecording;
  /** Keeps the call from being deleted. */
  readonly hold?: {
    /** ISO 8601, UTC, milliseconds. */
    readonly since: string;
    readonly reason: string;
  };
  /** What went wrong in it, from its event log; absent when nothing did. */
  readonly alerts?: readonly CallAlert[];
  /** Absent when there are none. */
  readonly tags?: readonly string[];
  readonly review?: CallReview;
  /** What people wrote about it. */
  readonly notes?: readonly CallNote[];
};

export type FactorSetup = {
  /** Base32, to be typed into an authenticator app. */
  readonly secret: string;
  /** The same as an otpauth address, to be shown as a QR code. */
  readonly uri: string;
};

export type Faq = {
  readonly faq: readonly FaqEntry[];
};

export type FaqChange = {
  /** Opaque identifier. */
  readonly id: string;
  readonly question?: string;
  readonly answer?: string;
  readonly category?: string;
  /** false: changes are refused until a PUT sets it to true. */
  readonly updatable?: boolean;
};

export type FaqChanges = {
  readonly faq: readonly FaqChange[];
};

export type FaqEntry = {
  /** Opaque identifier. */
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  readonly category: string;
  /** false: changes are refused until a PUT sets it to true. */
  readonly updatable: boolean;
};

export type File = {
  /** Opaque identifier. */
  readonly id: string;
  readonly name: string;
  readonly type: 'file';
  /** Opaque identifier. */
  readonly teamId: string;
  /** What it holds, by its content. */
  readonly format: 'pdf' | 'docx' | 'txt' | 'md' | 'html' | 'csv' | 'tsv' | 'json' | 'yaml' | 'xml' | 'log';
  readonly sizeBytes: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
};

export type FileAttachedError = {
  readonly detail: {
    readonly message: string;
    readonly attachedKnowledgeBases: readonly {
      readonly id: string;
      readonly title: string;
    }[];
  };
};

export type Handset = {
  /** Phone number in E.164 form. */
  readonly number: string;
  /** The WebSocket, token included. */
  readonly url: string;
  /** Single use, short lived; the last part of the address. */
  readonly token: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt: string;
};

export type HandsetConfig = {
  /** Whom calls come from. Absent: one is chosen. */
  readonly number?: string;
};

export type HangMessage = {
  readonly type: 'hang';
  /** When it happened, Unix time in milliseconds. */
  readonly timestamp: number;
  readonly call: CallSummary;
  readonly assistant: WebhookAssistant;
  /** The conversation so far. */
  readonly messages: readonly CallMessage[];
  /** The assistant's number. */
  readonly phone?: {
    readonly id?: string;
    readonly number?: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  /** Number of the turn whose reply is due. */
  readonly turn: number;
};

export type Health = {
  /** ISO 8601, UTC, milliseconds. */
  readonly checkedAt: string;
  /** Every part. */
  readonly parts: readonly PartHealth[];
  /** Errors first. */
  readonly problems: readonly HealthProblem[];
  /** The accounts at vendors that the team’s assistants use and that have a key. */
  readonly vendors: readonly string[];
};

export type HealthProblem = {
  readonly part: 'vendors' | 'carriers' | 'webhooks' | 'jobs' | 'processes';
  /** Stable. Failures of calls have their `endReason`. */
  readonly code: string;
  /** error: calls or messages fail now; warning: something was lost or will be, or nothing can begin yet. */
  readonly severity: 'error' | 'warning';
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly help: string;
  /** Of calls, assistants, numbers, webhooks, jobs or processes. */
  readonly count: number;
  /** When it happened last, if it is something past. */
  readonly lastAt?: string;
  readonly vendor?: string;
  /** One of the assistants. */
  readonly assistantId?: string;
  /** One of the numbers. */
  readonly numberId?: string;
  /** The last of the calls. */
  readonly callId?: string;
};

export type HoldInput = {
  readonly reason: string;
};

export type InternalError = {
  readonly message: string;
  readonly error: 'INTERNAL_ERROR';
};

export type Invitation = {
  /** Opaque identifier. */
  readonly id: string;
  /** Absent: whoever has the link chooses it. */
  readonly email?: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt: string;
  readonly invitedBy?: string;
};

export type InvitationInput = {
  /** E-mail address; capitals make no difference. */
  readonly email: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
};

export type InvitationToken = {
  readonly token: string;
};

export type Judgement = {
  /** `not-judged`: the model could not be asked, or gave no usable answer. */
  readonly verdict: 'met' | 'unmet' | 'not-judged';
  readonly reason?: string;
  /** Input and output together. */
  readonly tokens: number;
  readonly cost?: CallCost;
};

export type JudgementInput = {
  /** Opaque identifier. */
  readonly callId: string;
  /** A statement about the conversation. */
  readonly statement: string;
  readonly judge: {
    readonly provider: string;
    readonly model: string;
  };
  /** Ends the run when it is spent. Needed where models of vendors are asked; `cost` needs their prices. */
  readonly budget?: {
    /** In the currency of the prices. */
    readonly cost?: number;
    /** Input and output together. */
    readonly tokens?: number;
  };
};

export type KnowledgeBase = {
  /** Opaque identifier. */
  readonly id: string;
  readonly description: string;
  readonly status: 'draft' | 'created' | 'queued' | 'training' | 'trained';
  /** Why the last training failed. */
  readonly statusReason?: string;
  readonly files: readonly {
    /** Opaque identifier. */
    readonly id: string;
  }[];
  readonly docs: readonly {
    readonly type: 'url';
    readonly payload: {
      readonly urls_to_include: readonly {
        readonly url: string;
        readonly subpaths_only: boolean;
        readonly recursive: boolean;
      }[];
      readonly urls_to_exclude: readonly string[];
    };
  }[];
  readonly retrain_frequency_minutes: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
  readonly title: string;
};

export type KnowledgeBaseInput = {
  readonly description?: string;
  readonly files?: readonly {
    /** Opaque identifier. */
    readonly id: string;
  }[];
  readonly docs?: readonly {
    readonly type: 'url';
    readonly payload: {
      readonly urls_to_include: readonly {
        readonly url: string;
        readonly subpaths_only?: boolean;
        readonly recursive?: boolean;
      }[];
      readonly urls_to_exclude?: readonly string[];
    };
  }[];
  /** 0: never retrained by itself; else a multiple of 60. */
  readonly retrain_frequency_minutes?: number;
  readonly title: string;
};

export type KnowledgeBaseReplacement = {
  readonly description?: string;
  readonly files?: readonly {
    /** Opaque identifier. */
    readonly id: string;
  }[];
  readonly docs?: readonly {
    readonly type: 'url';
    readonly payload: {
      readonly urls_to_include: readonly {
        readonly url: string;
        readonly subpaths_only?: boolean;
        readonly recursive?: boolean;
      }[];
      readonly urls_to_exclude?: readonly string[];
    };
  }[];
  /** 0: never retrained by itself; else a multiple of 60. */
  readonly retrain_frequency_minutes?: number;
  readonly title: string;
};

export type KnowledgeBaseStatus = {
  /** Opaque identifier. */
  readonly id: string;
  readonly status: 'draft' | 'created' | 'queued' | 'training' | 'trained';
  readonly description: string;
  readonly statusReason?: string;
  readonly title: string;
};

export type KnowledgeCoverage = {
  /** Questions looked up in calls. */
  readonly asked: number;
  /** Those to which an answer was found at that time. */
  readonly answered: number;
  /** Questions that still have no answer, those with the same terms as one; the most frequent first. */
  readonly unanswered: readonly UnansweredQuestion[];
};

export type KnowledgeHit = {
  /** What answers the query. */
  readonly text: string;
  /** How likely it answers; from 0.5 on it counts as an answer. */
  readonly score: number;
  readonly source: {
    readonly type: 'faq' | 'file' | 'url';
    /** Id of the FAQ entry or file; for a page, its URL. */
    readonly id: string;
    /** Headings above the passage, highest first. */
    readonly headings?: readonly string[];
    /** Page number, if the document has pages. */
    readonly page?: number;
    /** Question of the FAQ entry, name of the file or title of the page. */
    readonly title: string;
  };
};

export type KnowledgeLookup = {
  /** Milliseconds since the start of the call. */
  readonly atMs: number;
  readonly question: string;
  /** True if a source has a score of 0.5 or more. */
  readonly answered: boolean;
  readonly sources: readonly ({
    readonly type: 'faq' | 'file' | 'url';
    /** Id of the FAQ entry or file; for a page, its URL. */
    readonly id: string;
    /** Question of the FAQ entry, name of the file or title of the page. */
    readonly document: string;
    /** Headings above the passage, highest first. */
    readonly heading?: string;
    readonly page?: number;
    readonly score: number;
  })[];
};

export type KnowledgeSearch = {
  readonly query: string;
  readonly limit?: number;
};

export type ListenAddress = {
  /** The WebSocket, token included. */
  readonly url: string;
  /** Single use, short lived. */
  readonly token: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt: string;
};

export type ListenFormat = {
  /** Opaque identifier. */
  readonly callId: string;
  readonly encoding: 'pcm_s16le';
  readonly channels: 2;
};

export type ModelEstimate = {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Those that are asked and may cost money. */
  readonly vendors: readonly string[];
  readonly cost?: CallCost;
};

export type NewApiKey = {
  /** Opaque identifier. */
  readonly id: string;
  readonly name: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** The first characters of the key, to recognise it by. */
  readonly prefix: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt?: string;
  /** Known to the minute. */
  readonly lastUsedAt?: string;
  /** The address that last used it. */
  readonly lastUsedFrom?: string;
  /** Who made it; absent for keys of earlier versions. */
  readonly origin?: {
    readonly type: 'first-start' | 'environment' | 'api-key' | 'person' | 'operator';
    /** The name of the API key or the person that made it. */
    readonly name?: string;
  };
  /** The key itself; it cannot be read again. */
  readonly key: string;
};

export type NewFaq = {
  readonly faq: readonly NewFaqEntry[];
};

export type NewFaqEntry = {
  readonly question: string;
  readonly answer: string;
  readonly category?: string;
  /** false: changes are refused until a PUT sets it to true. */
  readonly updatable?: boolean;
};

export type NewInvitation = {
  /** Opaque identifier. */
  readonly id: string;
  /** Absent: whoever has the link chooses it. */
  readonly email?: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt: string;
  readonly invitedBy?: string;
  /** The link to pass on. It works once, and cannot be read again. */
  readonly url: string;
};

export type NewTeam = {
  /** Opaque identifier. */
  readonly id: string;
  readonly name: string;
  /** `deleting`: suspended for good, while all that it owns is removed. */
  readonly status: 'active' | 'suspended' | 'deleting';
  readonly suspension?: {
    /** ISO 8601, UTC, milliseconds. */
    readonly since: string;
    readonly reason: string;
  };
  readonly limits: TeamLimits;
  readonly retentionDays: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  readonly apiKey: NewApiKey;
};

export type NotCallableError = {
  readonly message: string;
  readonly error: 'do-not-call' | 'outside-calling-hours' | 'unknown-time-zone';
};

export type Number = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  /** E.164. */
  readonly number: string;
  readonly provider: {
    readonly name: 'twilio' | 'telnyx' | 'asterisk' | 'emulator';
  };
  /** The attached assistant; empty: none. */
  readonly assistantId: string;
  /** The version of it that answers; absent: the published one. */
  readonly assistantVersion?: string;
  readonly inboundEnabled: boolean;
  readonly outboundEnabled: boolean;
  readonly label: string;
};

export type NumberChange = {
  /** Attaches the assistant; empty: detaches. */
  readonly assistantId?: '' | string;
  /** The version that answers, by its number or a label; empty: the published one. */
  readonly assistantVersion?: '' | string;
  readonly inboundEnabled?: boolean;
  readonly outboundEnabled?: boolean;
};

export type NumberCheck = {
  /** Stable. Which there are depends on the carrier. */
  readonly check: 'credentials' | 'address' | 'listening' | 'number' | 'webhook' | 'assistant' | 'inbound' | 'signature' | 'arrival';
  /** todo: not done yet, or not known; failed: calls do not arrive because of it. */
  readonly state: 'ok' | 'todo' | 'failed';
  /** What was found. */
  readonly message: string;
  /** When it happened, if it is something past. */
  readonly at?: string;
  /** What to do; absent if it is ok. */
  readonly help?: string;
  /** What must be true. */
  readonly title: string;
};

export type NumberHold = {
  readonly number: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly since: string;
  readonly reason: string;
};

export type NumberPurchase = {
  readonly provider: 'twilio' | 'telnyx' | 'asterisk' | 'emulator';
  /** Phone number in E.164 form. */
  readonly number: string;
  readonly label?: string;
};

export type NumberSetup = {
  /** Opaque identifier. */
  readonly numberId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly checkedAt: string;
  /** In the order in which they are to be done. */
  readonly checks: readonly NumberCheck[];
};

export type NumberWebhooks = {
  /** URL for webhooks of the carrier about calls. */
  readonly voiceUrl: string;
  /** URL for its webhooks about text messages. */
  readonly smsUrl: string;
  /** URL for its status webhooks, if it supports one. */
  readonly statusUrl: string;
};

export type OpenIdAddress = {
  readonly url: string;
};

export type OpenIdStart = {
  /** The token of an invitation to accept by it. */
  readonly invitation?: string;
  /** Whoever is signed in confirms at the provider who they are, and is tied to the account there: a first password and a second factor without a password ask for it. */
  readonly confirm?: true;
};

export type OpenInvitation = {
  readonly teamName: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  readonly email?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt: string;
};

export type OverLimitError = {
  readonly message: string;
  readonly error: 'live-calls' | 'calls-per-second' | 'broken-calls' | 'calls-per-day' | 'minutes-per-month' | 'storage' | 'knowledge-passages';
};

export type PartHealth = {
  readonly part: 'vendors' | 'carriers' | 'webhooks' | 'jobs' | 'processes';
  readonly status: 'ok' | 'warning' | 'error';
  /** What there is, in a sentence. */
  readonly summary: string;
};

export type PasswordChange = {
  /** Needed if there is a password. */
  readonly current?: string;
  /** At least 12 characters, any of them. */
  readonly password: string;
};

export type PasswordCheck = {
  /** Needed if there is a password. */
  readonly password?: string;
};

export type Person = {
  /** Opaque identifier. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** Whether a second factor is asked for at sign-in. */
  readonly secondFactor: boolean;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly lastSignInAt?: string;
};

export type PersonPatch = {
  /** What the person is called. */
  readonly name?: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role?: 'viewer' | 'reviewer' | 'builder' | 'admin';
};

export type PublicCall = {
  /** The media socket of the call, token included. */
  readonly url: string;
  /** Until then it can be opened, once. */
  readonly expiresAt: string;
};

export type PublicCallInput = {
  /** The public key. */
  readonly key: string;
};

export type PublicError = {
  readonly message: string;
  /** What was refused, for programs. */
  readonly error: string;
};

export type PublicKey = {
  /** Opaque identifier. */
  readonly id: string;
  /** The key itself, which is no secret. */
  readonly key: string;
  /** What the key is for. */
  readonly name: string;
  /** Whom its calls are with; the key goes with the assistant. */
  readonly assistantId: string;
  /** The sites whose pages may use it: scheme, host and port, without wildcards. */
  readonly origins: readonly string[];
  /** The demo page of this service may use it, too. */
  readonly demo: boolean;
  /** Its live calls. */
  readonly callsAtOnce: number;
  /** What its calls of a day (UTC) may last together; a live call counts in full. */
  readonly minutesPerDay: number;
  /** How long one of its calls lasts at most; less if the assistant says so. */
  readonly minutesPerCall: number;
  /** A page to talk to the assistant, to be shared. */
  readonly demoUrl?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
};

export type PublicKeyInput = {
  /** What the key is for. */
  readonly name: string;
  /** Whom its calls are with; the key goes with the assistant. */
  readonly assistantId: string;
  /** The sites whose pages may use it: scheme, host and port, without wildcards. */
  readonly origins?: readonly string[];
  /** The demo page of this service may use it, too. */
  readonly demo?: boolean;
  /** Its live calls. */
  readonly callsAtOnce?: number;
  /** What its calls of a day (UTC) may last together; a live call counts in full. */
  readonly minutesPerDay?: number;
  /** How long one of its calls lasts at most; less if the assistant says so. */
  readonly minutesPerCall?: number;
};

export type PublicKeyPatch = {
  /** What the key is for. */
  readonly name?: string;
  /** Whom its calls are with; the key goes with the assistant. */
  readonly assistantId?: string;
  /** The sites whose pages may use it: scheme, host and port, without wildcards. */
  readonly origins?: readonly string[];
  /** The demo page of this service may use it, too. */
  readonly demo?: boolean;
  /** Its live calls. */
  readonly callsAtOnce?: number;
  /** What its calls of a day (UTC) may last together; a live call counts in full. */
  readonly minutesPerDay?: number;
  /** How long one of its calls lasts at most; less if the assistant says so. */
  readonly minutesPerCall?: number;
};

export type PublishGate = {
  /** A version is published only when the tests of every suite that names the assistant have passed with it. */
  readonly requireTests: boolean;
};

export type RecoveryCodes = {
  /** Each stands for the app once. They cannot be read again. */
  readonly recoveryCodes: readonly string[];
};

/** Of these and the rule of its assistant, the shortest holds for a call. */
export type Retention = {
  /** The rule of the team. */
  readonly own: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  /** What the operator of the service lets it keep at most. */
  readonly most: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
};

export type RetentionInput = {
  /** Days after a call’s end until its recording is deleted. */
  readonly sound?: number;
  /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
  readonly text?: number;
};

export type SavedAssistant = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  readonly name: string;
  /** Spoken first; empty: the model opens the conversation. */
  readonly welcomeMessage: string;
  readonly welcomeMessageMode: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic';
  /** false: the caller cannot interrupt the welcome message. */
  readonly welcomeMessageInterruptionsEnabled: boolean;
  /** The model host. Absent at creation: the first one that has a key, else `offline`. */
  readonly assistantProvider: string;
  /** Any model name the provider accepts; empty: the provider's default model. */
  readonly assistantModel: string;
  /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
  readonly assistantLLMUrl: string;
  readonly assistantSystemPrompt: string;
  readonly assistantTemperature: number;
  readonly assistantMaxTokens: number;
  /** Delimiter that splits a reply into separate lines; empty: by sentence. */
  readonly assistantResponseSplitter: string;
  readonly config: {
    readonly speech: {
      readonly stt: {
        readonly vendor: string;
        /** Language tag; several separated by commas, the likeliest first. */
        readonly languages: string;
      };
      /** Takes over if the first recogniser fails, or returns no text for audible speech. */
      readonly sttFallback: {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly languages: string;
      };
      /** Voices in order of preference; disabled ones are skipped. */
      readonly ttsData: readonly {
        readonly enabled: boolean;
        readonly vendor: string;
        readonly language: string;
        /** The vendor's voice id; empty: its default voice. */
        readonly voice: string;
        /** Voice settings. A vendor ignores those it has no notion of. */
        readonly config: {
          /** The vendor's voice model; empty: its default. */
          readonly modelId: string;
          readonly stability: number;
          readonly similarityBoost: number;
          readonly speakerBoost: boolean;
          readonly styleExaggeration: number;
          /** Same seed, same rendering, where the vendor can; 0: none. */
          readonly seed: number;
          readonly speed: number;
          /** Numbers, dates and abbreviations are spoken as a person would. */
          readonly applyTextNormalization: boolean;
        };
      }[];
    };
  };
  /** Words and names that the recogniser should favour. */
  readonly hints: readonly string[];
  /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
  readonly backgroundSound: string;
  readonly backgroundSoundVolume: number;
  readonly ttsCacheEnabled: boolean;
  /** `global` is deprecated and will be removed. */
  readonly ttsAudioCacheScope: 'assistant' | 'team' | 'global';
  /** Consecutive turns without a voice after which the call is ended; 0: never. */
  readonly maxConsecutiveTtsFailures: number;
  readonly recordingEnabled: boolean;
  /** Recording continues after a forward or a warm transfer. */
  readonly recordAfterTransfer: boolean;
  /** A transcript file is stored beside the recording. */
  readonly postCallTranscriptsEnabled: boolean;
  readonly assistantBackchannelingEnabled: boolean;
  readonly dtmfInputEnabled: boolean;
  /** Minutes. */
  readonly maxCallDuration: number;
  /** Seconds of silence before an idle message. */
  readonly idleTimeout: number;
  readonly maxIdleMessagesInSequence: number;
  readonly startSpeakingOptions: {
    /** Minimum time from the end of the turn to the first audio of the reply. */
    readonly waitSeconds: number;
    /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
    readonly smartEndpointing: string;
    readonly onPunctuationSeconds: number;
    readonly onNoPunctuationSeconds: number;
    readonly onNumberSeconds: number;
    /** Milliseconds of waiting in any case. */
    readonly EngineBaseValue: number;
    /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
    readonly EngineScaleValue: number;
  };
  readonly stopSpeakingOptions: {
    /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
    readonly numberOfWords: number;
    /** Duration of voice that holds the reply. */
    readonly voiceSeconds: number;
  };
  readonly userInterruptionAckPlan: {
    readonly enabled: boolean;
    /** Maximum number of acknowledgements in one call. */
    readonly count: number;
    /** An interruption counts as early until more words of the reply than this were heard. */
    readonly words: number;
    /** Spoken in turn; empty: stock phrases in the call's language. */
    readonly phrases: readonly string[];
  };
  readonly assistantToolIds: readonly string[];
  readonly assistantPredefinedTools: {
    readonly knowledgeBase: boolean;
    readonly endCall: boolean;
    readonly appointment: boolean;
    readonly volumeControl: boolean;
    readonly waitList: boolean;
    readonly callForward: boolean;
    readonly sendSms: boolean;
    /** Who asks not to be called again is put on the list of numbers that are not called. */
    readonly doNotCall: boolean;
  };
  readonly assistantType: 'single_prompt' | 'workflow_based';
  /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
  readonly assistantWorkflow?: {
    readonly start: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      /** Added to the system prompt while in this node. */
      readonly prompt: string;
      /** Spoken on entering the node. */
      readonly message: string;
      /** Tools of this node alone, beside the assistant's own. */
      readonly toolIds: readonly string[];
      /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
      readonly variables: readonly {
        readonly name: string;
        readonly description: string;
      }[];
      /** The call ends after this node. */
      readonly end: boolean;
    }[];
    readonly edges: readonly ({
      readonly from: string;
      readonly to: string;
      readonly condition: {
        readonly type: 'model';
        /** A condition that the model evaluates. */
        readonly description: string;
      } | {
        readonly type: 'variable';
        readonly name: string;
        readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
        /** Compared ignoring case. */
        readonly value: string;
      };
    })[];
  };
  /** Only with assistantPredefinedTools.knowledgeBase. */
  readonly assistantKnowledgeBaseIds: readonly string[];
  /** Said when ending the call; only with assistantPredefinedTools.endCall. */
  readonly endCallMessage: string;
  /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
  readonly endCallToolDescription: string;
  /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
  readonly endCallPhrases: readonly string[];
  readonly callForwardData: {
    readonly phoneNumber: '' | string;
    readonly extension: string;
    readonly name: string;
  };
  readonly warmTransferEnabled: boolean;
  /** The assistant briefs the operator, who accepts or declines. */
  readonly warmTransferConversational: boolean;
  /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
  readonly holdMusicUrl: string;
  /** Seconds to wait for an answer after dialling. */
  readonly warmTransferTimeout: number;
  readonly assistantAnalysis: {
    readonly summary: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
    };
    readonly successEvaluation: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      readonly rubric: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail';
    };
    readonly structuredData: {
      readonly enabled: boolean;
      /** Empty: the built-in prompt. */
      readonly prompt: string;
      readonly timeoutSeconds: number;
      /** JSON Schema of the data wanted. */
      readonly schema: Readonly<Record<string, unknown>>;
    };
  };
  readonly assistantOverrides: AssistantOverrides;
  readonly assistantServer: {
    readonly url: string;
    readonly timeoutSeconds: number;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly enabled: boolean;
    /** The kinds of webhook to send. */
    readonly messages: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[];
  };
  readonly assistantOutcome: readonly ({
    readonly type: 'string' | 'number' | 'boolean' | 'date';
    /** A path into structuredData, such as booking.date. */
    readonly field: string;
  })[];
  readonly smsConfiguration: {
    readonly enabled: boolean;
    /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
    readonly sameAsAssistant: boolean;
    readonly smsPrompt: string;
  };
  readonly persistHistory: {
    readonly enabled: boolean;
    readonly call: boolean;
    readonly sms: boolean;
    /** Days. */
    readonly retentionPeriod: number;
  };
  /** For how long its calls are kept; the team’s rule holds if it is shorter. */
  readonly retentionDays: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  readonly redaction: {
    /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
    readonly kinds: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[];
    /** Words and phrases that are taken out as well, in any spelling of case and accents. */
    readonly words: readonly string[];
    /** What the recording has in place of the words: a tone, silence, or the words. */
    readonly sound: 'tone' | 'silence' | 'keep';
    /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
    readonly originals: 'discard' | 'sealed';
    /** The language model, too, gets the earlier turns of the call without it. */
    readonly model: boolean;
    readonly service: {
      /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
      readonly url: string;
      readonly minScore: number;
      readonly timeoutSeconds: number;
      /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
      readonly onFailure: 'withhold' | 'rules';
    };
  };
  readonly recordingConsent: {
    /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
    readonly announce: 'never' | 'by-region' | 'always';
    /** What is said, before the welcome message; empty: a sentence in the call’s language. */
    readonly text: string;
    /** Nothing is recorded until the other side has agreed in words. */
    readonly ask: boolean;
    /** What was recorded before the refusal: deleted, or kept up to that word. */
    readonly onRefusal: 'delete' | 'cut';
  };
  /** When it may call somebody; a call outside of these hours is refused. */
  readonly callingHours: {
    readonly enabled: boolean;
    readonly days: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
    readonly from: string;
    /** Calls begin before this time. */
    readonly to: string;
    /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
    readonly timeZone: string;
  };
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
  /** Problems that keep the assistant from working as configured; absent if there are none. */
  readonly warnings?: readonly AssistantWarning[];
};

export type Session = {
  /** Opaque identifier. */
  readonly id: string;
  /** Whether it is the one that sends this request. */
  readonly current: boolean;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** Known to the minute. */
  readonly lastUsedAt: string;
  readonly lastUsedFrom: string;
  readonly userAgent: string;
};

export type SignIn = {
  /** second-factor: the password was right, and a code is awaited. The session is in a cookie. */
  readonly state: 'signed-out' | 'second-factor' | 'signed-in';
};

export type SignInInput = {
  readonly email: string;
  readonly password: string;
};

export type SignInMethods = {
  /** second-factor: the password was right, and a code is awaited. The session is in a cookie. */
  readonly state: 'signed-out' | 'second-factor' | 'signed-in';
  /** The provider of OpenID Connect, if the service has one. */
  readonly openId?: {
    readonly name: string;
  };
};

export type Slot = {
  /** ISO 8601, UTC, milliseconds. */
  readonly startAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly endAt: string;
  /** Appointments that can still be booked at that time. */
  readonly left: number;
};

export type SpokenConditionReport = {
  readonly condition: 'clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence';
  readonly calls: number;
  readonly passed: number;
  /** Share of the caller’s words that are in the calls’ records. */
  readonly recognised?: number;
  /** Share of turns after which the assistant was heard. */
  readonly answered?: number;
  /** ms */
  readonly heardP50Ms?: number;
  /** ms */
  readonly heardP95Ms?: number;
  /** ms */
  readonly heardP99Ms?: number;
  /** ms */
  readonly stopP50Ms?: number;
  readonly cutIns: number;
  readonly lostReplies: number;
};

export type StatusUpdateMessage = {
  readonly type: 'status-update';
  /** When it happened, Unix time in milliseconds. */
  readonly timestamp: number;
  readonly call: CallSummary;
  readonly assistant: WebhookAssistant;
  /** The conversation so far. */
  readonly messages: readonly CallMessage[];
  /** The assistant's number. */
  readonly phone?: {
    readonly id?: string;
    readonly number?: string;
  };
  readonly customer?: {
    readonly number?: string;
    readonly name?: string;
  };
  readonly status: 'queued' | 'ongoing' | 'forwarded' | 'finished';
  readonly phoneCallStatus?: 'trying' | 'early-media' | 'ringing' | 'in-progress' | 'busy' | 'no-answer' | 'failed' | 'completed';
};

export type SummedFigures = {
  readonly turns: number;
  /** Time to answer; null without any. */
  readonly gapP50Ms: number | null;
  readonly gapP95Ms: number | null;
  readonly cutIns: number;
  /** Turns with a reply whose end the caller did not hear. */
  readonly repliesLost: number;
  readonly tools: number;
  readonly toolsFailed: number;
  readonly durationMs: number;
};

export type SuspensionInput = {
  /** For the team, which is told it with every refusal. */
  readonly reason: string;
  /** What live calls end with; empty: a sentence in the language of the call. */
  readonly farewell?: string;
};

export type Team = {
  /** Opaque identifier. */
  readonly id: string;
  readonly name: string;
  /** `deleting`: suspended for good, while all that it owns is removed. */
  readonly status: 'active' | 'suspended' | 'deleting';
  readonly suspension?: {
    /** ISO 8601, UTC, milliseconds. */
    readonly since: string;
    readonly reason: string;
  };
  readonly limits: TeamLimits;
  readonly retentionDays: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
};

export type TeamApiKeyInput = {
  /** What the key is for. */
  readonly name: string;
};

export type TeamInput = {
  readonly name: string;
  readonly limits?: TeamLimits;
  /** For how long the team may keep its calls at most. */
  readonly retentionDays?: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number;
  };
};

export type TeamLimits = {
  /** Calls at once, those that ring or wait for their client included. */
  readonly liveCalls?: number;
  /** Calls that begin in a second, sustained, at each process; ten times as many at once. 0 counts as 1; absent: 20. */
  readonly callsPerSecond?: number;
  /** Calls that begin on one day, UTC. */
  readonly callsPerDay?: number;
  /** Minutes of calls that began in the calendar month, UTC. Live calls count as long as they have lasted; none is cut off. */
  readonly minutesPerMonth?: number;
  /** Uploaded files and recordings. Beyond it, uploads and calls that would be recorded are refused. */
  readonly storageMiB?: number;
  /** Passages of trained knowledge bases; each FAQ entry counts as one. A training beyond it fails, and the previous index stays in use. */
  readonly knowledgePassages?: number;
  /** Requests of one kind to one vendor at once, at each process; more wait. 0 counts as 1. */
  readonly vendorConcurrency?: number;
  /** Requests to the API, sustained, at each process; ten times as many at once. 0 counts as 1. */
  readonly requestsPerSecond?: number;
};

export type TeamPatch = {
  readonly name?: string;
  readonly limits?: {
    /** Calls at once, those that ring or wait for their client included. */
    readonly liveCalls?: number | null;
    /** Calls that begin in a second, sustained, at each process; ten times as many at once. 0 counts as 1; absent: 20. */
    readonly callsPerSecond?: number | null;
    /** Calls that begin on one day, UTC. */
    readonly callsPerDay?: number | null;
    /** Minutes of calls that began in the calendar month, UTC. Live calls count as long as they have lasted; none is cut off. */
    readonly minutesPerMonth?: number | null;
    /** Uploaded files and recordings. Beyond it, uploads and calls that would be recorded are refused. */
    readonly storageMiB?: number | null;
    /** Passages of trained knowledge bases; each FAQ entry counts as one. A training beyond it fails, and the previous index stays in use. */
    readonly knowledgePassages?: number | null;
    /** Requests of one kind to one vendor at once, at each process; more wait. 0 counts as 1. */
    readonly vendorConcurrency?: number | null;
    /** Requests to the API, sustained, at each process; ten times as many at once. 0 counts as 1. */
    readonly requestsPerSecond?: number | null;
  } | null;
  /** For how long the team may keep its calls at most. */
  readonly retentionDays?: {
    /** Days after a call’s end until its recording is deleted. */
    readonly sound?: number | null;
    /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
    readonly text?: number | null;
  } | null;
};

export type TeamUsage = {
  readonly now: {
    readonly liveCalls: number;
    readonly callsToday: number;
    readonly minutesThisMonth: number;
    readonly fileBytes: number;
    readonly recordingBytes: number;
    readonly knowledgePassages: number;
  };
  /** Days on which calls began, UTC, the oldest first. */
  readonly days: readonly {
    readonly day: string;
    /** Calls that began on that day. */
    readonly calls: number;
    /** From answer to end, of calls that have ended. */
    readonly minutes: number;
    /** What these calls used of each vendor. */
    readonly vendors: readonly UsageLine[];
    /** By currency; empty unless prices are configured. */
    readonly cost: Readonly<Record<string, number>>;
  }[];
};

/** The key itself is never shown. */
export type TeamVendor = {
  readonly vendor: string;
  /** Whose account the calls of the team use; `none`: the vendor cannot be used. */
  readonly account: 'team' | 'service' | 'none';
  readonly baseUrl?: string;
  /** Requests of one kind at once, at each process; absent: as its smallest paid plan. */
  readonly concurrency?: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt?: string;
};

export type TeamVendorInput = {
  readonly apiKey: string;
  /** Another server that speaks the vendor's protocol. */
  readonly baseUrl?: string;
  /** Requests of one kind at once, at each process; absent: as its smallest paid plan. */
  readonly concurrency?: number;
};

export type TelnyxNumberImport = {
  /** Phone number in E.164 form. */
  readonly number: string;
  readonly label?: string;
  /** Absent: the service's own account. Sealed when stored, never returned. */
  readonly credentials?: {
    readonly apiKey: string;
    /** Base64 public key that verifies webhooks. */
    readonly publicKey: string;
    /** The Call Control application that dials. */
    readonly connectionId: string;
    readonly messagingProfileId?: string;
  };
};

export type TestCheck = {
  /** The names of the tests. */
  readonly tests: readonly string[];
  readonly faults: readonly {
    readonly line: number;
    readonly column: number;
    /** Dotted path; empty for the whole text. */
    readonly field: string;
    readonly message: string;
  }[];
};

export type TestCheckInput = {
  /** The tests as YAML or JSON, as in a file (docs/testing-assistants.md). */
  readonly source: string;
};

export type TestRun = {
  /** Opaque identifier. */
  readonly id: string;
  /** Opaque identifier. */
  readonly suiteId?: string;
  /** Opaque identifier. */
  readonly assistantId: string;
  /** The version that was tested. */
  readonly assistantVersion?: number;
  readonly by: 'request' | 'nightly';
  /** Absent: the conversations had no sound. */
  readonly spoken?: {
    /** Once in each of these; empty: in all. */
    readonly conditions: readonly ('clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence')[];
  };
  readonly status: 'queued' | 'running' | 'finished' | 'failed';
  /** Why the run failed or ended early. */
  readonly reason?: string;
  readonly seed: number;
  readonly estimate: ModelEstimate;
  readonly summary: {
    readonly tests: number;
    readonly passed: number;
    readonly failed: number;
    readonly notJudged: number;
    readonly broken: number;
    readonly notRun: number;
  };
  /** Names of the tests that passed in the finished run of the suite before this one (for a nightly run, in the nightly one before) and fail in this one. Spoken runs are compared with spoken ones, and name the condition: `Parking (noise)`. */
  readonly regressed: readonly string[];
  readonly cost?: CallCost;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly finishedAt?: string;
  readonly results: readonly AssistantTestResult[];
  /** What was measured of a spoken run in each condition. */
  readonly conditions?: readonly SpokenConditionReport[];
};

export type TestRunInput = {
  /** Absent: the suite’s. */
  readonly assistantId?: string;
  /** The number of a version, or a label such as `production`. Absent: the published one. */
  readonly assistantVersion?: string;
  /** Opaque identifier. */
  readonly suiteId?: string;
  readonly seed?: number;
  /** Ends the run when it is spent. Needed where models of vendors are asked; `cost` needs their prices. */
  readonly budget?: {
    /** In the currency of the prices. */
    readonly cost?: number;
    /** Input and output together. */
    readonly tokens?: number;
  };
  /** The model that judges and plays callers with a goal. Absent: the assistant’s own. */
  readonly judge?: {
    readonly provider: string;
    readonly model: string;
  };
  /** The tests as YAML or JSON, as in a file (docs/testing-assistants.md). */
  readonly source?: string;
  /** Speaks the tests through whole calls in virtual time, with the offline voices and recogniser. */
  readonly spoken?: {
    /** Once in each of these; empty: in all. */
    readonly conditions?: readonly ('clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence')[];
  };
};

export type TestRunSummary = {
  /** Opaque identifier. */
  readonly id: string;
  /** Opaque identifier. */
  readonly suiteId?: string;
  /** Opaque identifier. */
  readonly assistantId: string;
  /** The version that was tested. */
  readonly assistantVersion?: number;
  readonly by: 'request' | 'nightly';
  /** Absent: the conversations had no sound. */
  readonly spoken?: {
    /** Once in each of these; empty: in all. */
    readonly conditions: readonly ('clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence')[];
  };
  readonly status: 'queued' | 'running' | 'finished' | 'failed';
  /** Why the run failed or ended early. */
  readonly reason?: string;
  readonly seed: number;
  readonly estimate: ModelEstimate;
  readonly summary: {
    readonly tests: number;
    readonly passed: number;
    readonly failed: number;
    readonly notJudged: number;
    readonly broken: number;
    readonly notRun: number;
  };
  /** Names of the tests that passed in the finished run of the suite before this one (for a nightly run, in the nightly one before) and fail in this one. Spoken runs are compared with spoken ones, and name the condition: `Parking (noise)`. */
  readonly regressed: readonly string[];
  readonly cost?: CallCost;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly finishedAt?: string;
};

export type TestSuite = {
  /** Opaque identifier. */
  readonly id: string;
  /** The assistant that it tests where no other is named. */
  readonly assistantId?: string;
  /** The tests as YAML or JSON, as in a file (docs/testing-assistants.md). */
  readonly source: string;
  /** Runs every night at 02:00 UTC. */
  readonly nightly: boolean;
  /** Its nightly runs are spoken. */
  readonly spoken?: {
    /** Once in each of these; empty: in all. */
    readonly conditions: readonly ('clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence')[];
  };
  /** How many tests it has. */
  readonly tests: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
  readonly title: string;
};

export type TestSuiteInput = {
  /** The assistant that it tests where no other is named. */
  readonly assistantId?: string;
  /** The tests as YAML or JSON, as in a file (docs/testing-assistants.md). */
  readonly source: string;
  /** Runs every night at 02:00 UTC. */
  readonly nightly?: boolean;
  /** Its nightly runs are spoken. */
  readonly spoken?: {
    /** Once in each of these; empty: in all. */
    readonly conditions?: readonly ('clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence')[];
  };
  readonly title: string;
};

export type TestSuitePatch = {
  /** The assistant that it tests where no other is named. */
  readonly assistantId?: string | null;
  /** The tests as YAML or JSON, as in a file (docs/testing-assistants.md). */
  readonly source?: string;
  /** Runs every night at 02:00 UTC. */
  readonly nightly?: boolean | null;
  /** Its nightly runs are spoken. */
  readonly spoken?: {
    /** Once in each of these; empty: in all. */
    readonly conditions?: readonly ('clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence')[] | null;
  } | null;
  readonly title?: string;
};

export type TestSuiteSummary = {
  /** Opaque identifier. */
  readonly id: string;
  /** The assistant that it tests where no other is named. */
  readonly assistantId?: string;
  /** Runs every night at 02:00 UTC. */
  readonly nightly: boolean;
  /** Its nightly runs are spoken. */
  readonly spoken?: {
    /** Once in each of these; empty: in all. */
    readonly conditions: readonly ('clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence')[];
  };
  /** How many tests it has. */
  readonly tests: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
  readonly title: string;
};

export type TestsFailedMessage = {
  readonly type: 'tests-failed';
  /** When the run ended, Unix time in milliseconds. */
  readonly timestamp: number;
  readonly assistant: WebhookAssistant;
  /** The version that was tested. */
  readonly assistantVersion?: number;
  readonly suite: {
    readonly id: string;
    readonly title: string;
  };
  readonly runId: string;
  readonly summary: {
    readonly tests: number;
    readonly passed: number;
    readonly failed: number;
    readonly notJudged: number;
    readonly broken: number;
    readonly notRun: number;
  };
  /** Those that passed in the nightly run before. */
  readonly tests: readonly ({
    readonly name: string;
    /** In which condition it was spoken; absent: it was not. */
    readonly condition?: 'clean' | 'fast' | 'slow' | 'high' | 'deep' | 'noise' | 'babble' | 'television' | 'echo' | 'loss' | 'telephone' | 'interruptions' | 'backchannels' | 'silence';
    readonly status: 'passed' | 'failed' | 'not-judged' | 'broken' | 'not-run';
    /** What was not as expected, and what was instead. */
    readonly reasons: readonly string[];
  })[];
};

export type Tool = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  /** `function`: one function, described here. `mcp`: the tools that a server of the Model Context Protocol lists, over streamable HTTP, when a call begins; `function.name` stands before names that are taken. */
  readonly type: 'function' | 'mcp';
  /** true: the assistant goes on without waiting for the server. */
  readonly async: boolean;
  readonly function: {
    readonly name: string;
    /** Tells the model when and how to use the tool. */
    readonly description: string;
    /** JSON Schema of the arguments. */
    readonly parameters: {
      readonly type: 'object';
      readonly properties: Readonly<Record<string, {
        readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null' | readonly ('string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null')[];
        readonly format?: string;
        readonly description?: string;
        readonly example?: unknown;
        readonly [key: string]: unknown;
      }>>;
      readonly required: readonly string[];
      readonly additionalProperties: boolean;
    };
    readonly strict: boolean;
  };
  readonly messages: readonly ({
    readonly type: 'request-start';
    readonly content: string;
    /** The server is not called before this has been said. */
    readonly blocking: boolean;
  } | {
    readonly type: 'request-response-delayed';
    readonly content: string;
    readonly timingMilliseconds: number;
  } | {
    readonly type: 'request-complete';
    readonly content: string;
    /** `assistant`: spoken; `system`: a hint to the model. */
    readonly role: 'assistant' | 'system';
    readonly endCallAfterSpokenEnabled: boolean;
  } | {
    readonly type: 'request-failed';
    readonly content: string;
    /** `assistant`: spoken; `system`: a hint to the model. */
    readonly role: 'assistant' | 'system';
    readonly endCallAfterSpokenEnabled: boolean;
  })[];
  readonly server: {
    readonly url: string;
    readonly timeoutSeconds: number;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The server knows a repeated request by its `idempotency-key`, so it may be asked again for an answer that was lost. */
    readonly idempotent?: boolean;
  };
  /** Of a tool of type `mcp`: which tools of the server are offered, by name; empty: all. */
  readonly mcpTools?: readonly string[];
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
};

export type ToolCall = {
  /** Comes back as `toolCallId` in the answer. */
  readonly id: string;
  readonly name: string;
  /** What the model gives, checked against `function.parameters`. */
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type ToolInput = {
  /** `function`: one function, described here. `mcp`: the tools that a server of the Model Context Protocol lists, over streamable HTTP, when a call begins; `function.name` stands before names that are taken. */
  readonly type?: 'function' | 'mcp';
  /** true: the assistant goes on without waiting for the server. */
  readonly async?: boolean;
  readonly function: {
    readonly name: string;
    /** Tells the model when and how to use the tool. */
    readonly description?: string;
    /** JSON Schema of the arguments. */
    readonly parameters?: {
      readonly type?: 'object';
      readonly properties?: Readonly<Record<string, {
        readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null' | readonly ('string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null')[];
        readonly format?: string;
        readonly description?: string;
        readonly example?: unknown;
        readonly [key: string]: unknown;
      }>>;
      readonly required?: readonly string[];
      readonly additionalProperties?: boolean;
    };
    readonly strict?: boolean;
  };
  readonly messages?: readonly ({
    readonly type: 'request-start';
    readonly content: string;
    /** The server is not called before this has been said. */
    readonly blocking?: boolean;
  } | {
    readonly type: 'request-response-delayed';
    readonly content: string;
    readonly timingMilliseconds?: number;
  } | {
    readonly type: 'request-complete';
    readonly content: string;
    /** `assistant`: spoken; `system`: a hint to the model. */
    readonly role?: 'assistant' | 'system';
    readonly endCallAfterSpokenEnabled?: boolean;
  } | {
    readonly type: 'request-failed';
    readonly content: string;
    /** `assistant`: spoken; `system`: a hint to the model. */
    readonly role?: 'assistant' | 'system';
    readonly endCallAfterSpokenEnabled?: boolean;
  })[];
  readonly server: {
    readonly url: string;
    readonly timeoutSeconds?: number;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** The server knows a repeated request by its `idempotency-key`, so it may be asked again for an answer that was lost. */
    readonly idempotent?: boolean;
  };
  /** Of a tool of type `mcp`: which tools of the server are offered, by name; empty: all. */
  readonly mcpTools?: readonly string[];
};

export type ToolPatch = {
  /** true: the assistant goes on without waiting for the server. */
  readonly async?: boolean | null;
  readonly function?: {
    readonly name?: string;
    /** Tells the model when and how to use the tool. */
    readonly description?: string | null;
    /** JSON Schema of the arguments. */
    readonly parameters?: {
      readonly type?: 'object' | null;
      readonly properties?: Readonly<Record<string, {
        readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null' | readonly ('string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null')[];
        readonly format?: string;
        readonly description?: string;
        readonly example?: unknown;
        readonly [key: string]: unknown;
      } | null>> | null;
      readonly required?: readonly string[] | null;
      readonly additionalProperties?: boolean | null;
    } | null;
    readonly strict?: boolean | null;
  };
  readonly messages?: readonly ({
    readonly type: 'request-start';
    readonly content: string;
    /** The server is not called before this has been said. */
    readonly blocking?: boolean;
  } | {
    readonly type: 'request-response-delayed';
    readonly content: string;
    readonly timingMilliseconds?: number;
  } | {
    readonly type: 'request-complete';
    readonly content: string;
    /** `assistant`: spoken; `system`: a hint to the model. */
    readonly role?: 'assistant' | 'system';
    readonly endCallAfterSpokenEnabled?: boolean;
  } | {
    readonly type: 'request-failed';
    readonly content: string;
    /** `assistant`: spoken; `system`: a hint to the model. */
    readonly role?: 'assistant' | 'system';
    readonly endCallAfterSpokenEnabled?: boolean;
  })[] | null;
  readonly server?: {
    readonly url?: string;
    readonly timeoutSeconds?: number | null;
    /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
    readonly secret?: string | null;
    readonly headers?: Readonly<Record<string, string | null>> | null;
    /** The server knows a repeated request by its `idempotency-key`, so it may be asked again for an answer that was lost. */
    readonly idempotent?: boolean | null;
  };
  /** Of a tool of type `mcp`: which tools of the server are offered, by name; empty: all. */
  readonly mcpTools?: readonly string[] | null;
};

export type ToolRequest = {
  readonly message: {
    readonly type: 'tool-calls';
    /** Unix time in milliseconds. */
    readonly timestamp: number;
    readonly call: CallSummary | TrialCall;
    readonly assistant: WebhookAssistant;
    /** One call; a list for later versions. */
    readonly toolCallList: readonly ToolCall[];
  };
};

export type ToolResults = {
  readonly results: readonly ({
    /** Optional if there is only one result. */
    readonly toolCallId?: string;
    /** Spoken as it is, instead of asking the model. */
    readonly message?: string;
    /** Given to the model. */
    readonly result: unknown;
  } | {
    /** Optional if there is only one result. */
    readonly toolCallId?: string;
    /** Spoken as it is, instead of asking the model. */
    readonly message?: string;
    /** Passed to the model as the error. */
    readonly error: unknown;
  })[];
};

export type ToolTest = {
  /** As a model would send them; they must match `function.parameters`. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Of a tool of type `mcp`: the name of the tool to call; absent: tools are listed. */
  readonly tool?: string;
};

export type ToolTrial = {
  readonly ok: boolean;
  /** What the model is given. */
  readonly result?: string;
  /** The error that the model is told. */
  readonly error?: string;
  /** Spoken instead of asking the model. */
  readonly message?: string;
  /** Of the server's answer; absent: none came. */
  readonly status?: number;
  /** The answer as it came, up to 20,000 characters. */
  readonly body?: string;
  readonly durationMs: number;
  /** What a server of the Model Context Protocol lists. */
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    /** It says that it changes nothing. */
    readonly readOnly: boolean;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
};

export type Transcript = {
  /** `WC-…` for a web call, `CC-…` for a phone call. */
  readonly id: string;
  readonly messages: readonly CallMessage[];
};

/** Replaces the call in a test of the tool. */
export type TrialCall = {
  readonly id: string;
  readonly teamId: string;
  readonly test: true;
};

/** Milliseconds from the end of the caller's speech. */
export type TurnMetrics = {
  readonly turn: number;
  /** Decision that the caller is done. */
  readonly endpointMs?: number;
  /** Last final text. */
  readonly recogniserMs?: number;
  /** First piece of text from the model. */
  readonly modelMs?: number;
  /** First audio from the voice. */
  readonly voiceMs?: number;
  /** First audio at the caller. */
  readonly totalMs?: number;
};

export type TwilioNumberImport = {
  /** Phone number in E.164 form. */
  readonly number: string;
  readonly label?: string;
  /** Absent: the service's own account. Sealed when stored, never returned. */
  readonly credentials?: {
    readonly accountSid: string;
    readonly authToken: string;
  };
};

export type UnansweredQuestion = {
  /** The wording asked most often. */
  readonly question: string;
  /** How often it was asked, in all its wordings. */
  readonly count: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly lastAskedAt: string;
  /** Opaque identifier. */
  readonly lastCallId: string;
  /** Its wordings, the most frequent first; 100 at most. */
  readonly wordings: readonly string[];
};

export type UntestedError = {
  readonly message: string;
  readonly error: 'tests-not-passed';
};

/** Tokens are estimated if an answer was cut off before the vendor counted them. */
export type UsageLine = {
  readonly kind: 'llm' | 'stt' | 'tts';
  readonly vendor: string;
  readonly model?: string;
  readonly requests: number;
  readonly inputTokens?: number;
  /** Of the input tokens. */
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  readonly characters?: number;
  readonly audioMs?: number;
};

export type UsingAssistants = {
  /** Of the tool or the knowledge base. */
  readonly id: string;
  /** How many use it. */
  readonly assistants: number;
  /** The one that came first. */
  readonly firstAssistant?: {
    /** Opaque identifier. */
    readonly _id: string;
    readonly name: string;
  };
};

export type VendorKeyInput = {
  readonly apiKey: string;
  /** Requests of one kind at once, at each process; absent: as its smallest paid plan. */
  readonly concurrency?: number;
};

export type VendorModels = {
  readonly models: readonly string[];
};

export type VendorPart = {
  readonly part: 'model' | 'recogniser' | 'voice';
  /** As assistants name it. */
  readonly name: string;
  /** The account that it uses; absent: it needs none. */
  readonly account?: string;
  readonly ready: boolean;
  /** What it needs before it can be used. */
  readonly missing?: string;
};

export type VendorTest = {
  readonly part: 'model' | 'recogniser' | 'voice';
  /** As assistants name it. */
  readonly name: string;
  readonly ok: boolean;
  /** To the first token or sound; of a recogniser, from the end of speech to its text. */
  readonly firstMs?: number;
  readonly totalMs?: number;
  /** What it answered, or why it failed. */
  readonly note: string;
};

export type VendorVoice = {
  /** As an assistant names it. */
  readonly id: string;
  readonly name: string;
  /** Language tags; empty where they are not known. */
  readonly languages: readonly string[];
  readonly gender?: 'female' | 'male' | 'neutral';
  readonly description?: string;
};

export type VendorVoices = {
  readonly voices: readonly VendorVoice[];
};

export type Vendors = {
  /** Every vendor that needs an account. */
  readonly accounts: readonly TeamVendor[];
  /** Every vendor that an assistant may name, in each part. */
  readonly parts: readonly VendorPart[];
};

export type VersionChange = {
  /** Dotted path of the field. */
  readonly path: string;
  /** Absent: there was none. */
  readonly before?: unknown;
  /** Absent: there is none any more. */
  readonly after?: unknown;
};

export type VersionLabelInput = {
  readonly version: number;
};

export type VoiceSampleInput = {
  readonly vendor: string;
  /** Empty: the vendor's default voice. */
  readonly voice?: string;
  readonly language?: string;
  readonly text: string;
};

export type WaitList = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly teamId: string;
  readonly name: string;
  /** The assistants that use it; empty: all of the team that no other wait list names. */
  readonly assistantIds: readonly string[];
  /** Further entries are rejected. */
  readonly maxEntries: number;
  /** How many wait. */
  readonly waiting: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
};

export type WaitListEntry = {
  /** Opaque identifier. */
  readonly _id: string;
  /** Opaque identifier. */
  readonly waitListId: string;
  readonly status: 'waiting' | 'taken' | 'left';
  /** 1 is next; only while waiting. */
  readonly position?: number;
  readonly name: string;
  readonly phone: string;
  readonly notes: string;
  /** The call that added it. */
  readonly callId?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
};

export type WaitListEntryInput = {
  readonly name: string;
  readonly phone?: string;
  readonly notes?: string;
};

export type WaitListInput = {
  readonly name: string;
  /** The assistants that use it; empty: all of the team that no other wait list names. */
  readonly assistantIds?: readonly string[];
  /** Further entries are rejected. */
  readonly maxEntries?: number;
};

export type WaitListPatch = {
  readonly name?: string;
  /** The assistants that use it; empty: all of the team that no other wait list names. */
  readonly assistantIds?: readonly string[] | null;
  /** Further entries are rejected. */
  readonly maxEntries?: number | null;
};

/** The assistant as used in this call, without the secret of its server. */
export type WebhookAssistant = {
  /** Absent for an inline assistant. */
  readonly _id?: string;
  readonly name: string;
  readonly [key: string]: unknown;
};

export type WhatIf = {
  /** Opaque identifier. */
  readonly callId: string;
  /** The engine that recorded the call. */
  readonly recordedVersion: string;
  readonly replayedVersion: string;
  /** The first thing that is otherwise; null: nothing would have been. */
  readonly divergence: {
    /** ms since the call was created */
    readonly atMs: number;
    /** The type of the command that differs, or `tool` for a changed answer. */
    readonly what: string;
    /** Among the commands of the recorded call. */
    readonly index: number;
  } | null;
  readonly turns: readonly ({
    /** `exact`: over before anything differed. `simulated`: everything in it is known or follows from the stated models. `unknown`: the model or a tool was asked what it was not asked in the recorded call, and something stands in. */
    readonly certainty: 'exact' | 'simulated' | 'unknown';
    readonly recorded?: WhatIfTurn;
    readonly replayed?: WhatIfTurn;
  })[];
  readonly recorded: CallFigures;
  readonly replayed: CallFigures;
  /** Only of a call that was priced. What it would have cost is estimated: each vendor’s part grows with the tokens, characters or time that it is paid for. */
  readonly cost?: {
    readonly currency: string;
    readonly recorded: number;
    readonly replayed: number;
  };
  /** Only with `askModel`: what asking the model has come to. */
  readonly asked?: {
    readonly requests: number;
    /** Input and output together. */
    readonly tokens: number;
    readonly cost?: CallCost;
    /** Why the model was asked no more; what it was not asked is `unknown`. */
    readonly stopped?: string;
  };
  /** Changed fields that the replay cannot show, such as the voice. */
  readonly notReplayed: readonly string[];
  /** What to know about this replay. */
  readonly notes: readonly string[];
};

export type WhatIfCallsInput = {
  readonly instead?: WhatIfInstead;
  /** What of the assistant is otherwise: a merge patch, as `updateAssistant` takes it. */
  readonly assistant?: {
    readonly name?: string;
    /** Spoken first; empty: the model opens the conversation. */
    readonly welcomeMessage?: string | null;
    readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
    /** false: the caller cannot interrupt the welcome message. */
    readonly welcomeMessageInterruptionsEnabled?: boolean | null;
    /** The model host. Absent at creation: the first one that has a key, else `offline`. */
    readonly assistantProvider?: string | null;
    /** Any model name the provider accepts; empty: the provider's default model. */
    readonly assistantModel?: string | null;
    /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
    readonly assistantLLMUrl?: string | null;
    readonly assistantSystemPrompt?: string | null;
    readonly assistantTemperature?: number | null;
    readonly assistantMaxTokens?: number | null;
    /** Delimiter that splits a reply into separate lines; empty: by sentence. */
    readonly assistantResponseSplitter?: string | null;
    readonly config?: {
      readonly speech?: {
        readonly stt?: {
          readonly vendor?: string | null;
          /** Language tag; several separated by commas, the likeliest first. */
          readonly languages?: string | null;
        } | null;
        /** Takes over if the first recogniser fails, or returns no text for audible speech. */
        readonly sttFallback?: {
          readonly enabled?: boolean | null;
          readonly vendor?: string | null;
          readonly languages?: string | null;
        } | null;
        /** Voices in order of preference; disabled ones are skipped. */
        readonly ttsData?: readonly {
          readonly enabled?: boolean;
          readonly vendor?: string;
          readonly language?: string;
          /** The vendor's voice id; empty: its default voice. */
          readonly voice?: string;
          /** Voice settings. A vendor ignores those it has no notion of. */
          readonly config?: {
            /** The vendor's voice model; empty: its default. */
            readonly modelId?: string;
            readonly stability?: number;
            readonly similarityBoost?: number;
            readonly speakerBoost?: boolean;
            readonly styleExaggeration?: number;
            /** Same seed, same rendering, where the vendor can; 0: none. */
            readonly seed?: number;
            readonly speed?: number;
            /** Numbers, dates and abbreviations are spoken as a person would. */
            readonly applyTextNormalization?: boolean;
          };
        }[] | null;
      } | null;
    } | null;
    /** Words and names that the recogniser should favour. */
    readonly hints?: readonly string[] | null;
    /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
    readonly backgroundSound?: string | null;
    readonly backgroundSoundVolume?: number | null;
    readonly ttsCacheEnabled?: boolean | null;
    /** `global` is deprecated and will be removed. */
    readonly ttsAudioCacheScope?: 'assistant' | 'team' | 'global' | null;
    /** Consecutive turns without a voice after which the call is ended; 0: never. */
    readonly maxConsecutiveTtsFailures?: number | null;
    readonly recordingEnabled?: boolean | null;
    /** Recording continues after a forward or a warm transfer. */
    readonly recordAfterTransfer?: boolean | null;
    /** A transcript file is stored beside the recording. */
    readonly postCallTranscriptsEnabled?: boolean | null;
    readonly assistantBackchannelingEnabled?: boolean | null;
    readonly dtmfInputEnabled?: boolean | null;
    /** Minutes. */
    readonly maxCallDuration?: number | null;
    /** Seconds of silence before an idle message. */
    readonly idleTimeout?: number | null;
    readonly maxIdleMessagesInSequence?: number | null;
    readonly startSpeakingOptions?: {
      /** Minimum time from the end of the turn to the first audio of the reply. */
      readonly waitSeconds?: number | null;
      /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
      readonly smartEndpointing?: string | null;
      readonly onPunctuationSeconds?: number | null;
      readonly onNoPunctuationSeconds?: number | null;
      readonly onNumberSeconds?: number | null;
      /** Milliseconds of waiting in any case. */
      readonly EngineBaseValue?: number | null;
      /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
      readonly EngineScaleValue?: number | null;
    } | null;
    readonly stopSpeakingOptions?: {
      /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
      readonly numberOfWords?: number | null;
      /** Duration of voice that holds the reply. */
      readonly voiceSeconds?: number | null;
    } | null;
    readonly userInterruptionAckPlan?: {
      readonly enabled?: boolean | null;
      /** Maximum number of acknowledgements in one call. */
      readonly count?: number | null;
      /** An interruption counts as early until more words of the reply than this were heard. */
      readonly words?: number | null;
      /** Spoken in turn; empty: stock phrases in the call's language. */
      readonly phrases?: readonly string[] | null;
    } | null;
    readonly assistantToolIds?: readonly string[] | null;
    readonly assistantPredefinedTools?: {
      readonly knowledgeBase?: boolean | null;
      readonly endCall?: boolean | null;
      readonly appointment?: boolean | null;
      readonly volumeControl?: boolean | null;
      readonly waitList?: boolean | null;
      readonly callForward?: boolean | null;
      readonly sendSms?: boolean | null;
      /** Who asks not to be called again is put on the list of numbers that are not called. */
      readonly doNotCall?: boolean | null;
    } | null;
    readonly assistantType?: 'single_prompt' | 'workflow_based' | null;
    /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
    readonly assistantWorkflow?: {
      readonly start?: string;
      readonly nodes?: readonly {
        readonly id: string;
        readonly name?: string;
        /** Added to the system prompt while in this node. */
        readonly prompt?: string;
        /** Spoken on entering the node. */
        readonly message?: string;
        /** Tools of this node alone, beside the assistant's own. */
        readonly toolIds?: readonly string[];
        /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
        readonly variables?: readonly {
          readonly name: string;
          readonly description?: string;
        }[];
        /** The call ends after this node. */
        readonly end?: boolean;
      }[];
      readonly edges?: readonly ({
        readonly from: string;
        readonly to: string;
        readonly condition: {
          readonly type: 'model';
          /** A condition that the model evaluates. */
          readonly description: string;
        } | {
          readonly type: 'variable';
          readonly name: string;
          readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
          /** Compared ignoring case. */
          readonly value?: string;
        };
      })[] | null;
    } | null;
    /** Only with assistantPredefinedTools.knowledgeBase. */
    readonly assistantKnowledgeBaseIds?: readonly string[] | null;
    /** Said when ending the call; only with assistantPredefinedTools.endCall. */
    readonly endCallMessage?: string | null;
    /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
    readonly endCallToolDescription?: string | null;
    /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
    readonly endCallPhrases?: readonly string[] | null;
    readonly callForwardData?: {
      readonly phoneNumber?: '' | string | null;
      readonly extension?: string | null;
      readonly name?: string | null;
    } | null;
    readonly warmTransferEnabled?: boolean | null;
    /** The assistant briefs the operator, who accepts or declines. */
    readonly warmTransferConversational?: boolean | null;
    /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
    readonly holdMusicUrl?: string | null;
    /** Seconds to wait for an answer after dialling. */
    readonly warmTransferTimeout?: number | null;
    readonly assistantAnalysis?: {
      readonly summary?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
      } | null;
      readonly successEvaluation?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
        readonly rubric?: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail' | null;
      } | null;
      readonly structuredData?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
        /** JSON Schema of the data wanted. */
        readonly schema?: Readonly<Record<string, unknown>> | null;
      } | null;
    } | null;
    readonly assistantOverrides?: {
      /** Spoken first; empty: the model opens the conversation. */
      readonly welcomeMessage?: string | null;
      readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
      /** false: the caller cannot interrupt the welcome message. */
      readonly welcomeMessageInterruptionsEnabled?: boolean | null;
      readonly recordingEnabled?: boolean | null;
      /** Recording continues after a forward or a warm transfer. */
      readonly recordAfterTransfer?: boolean | null;
      /** A transcript file is stored beside the recording. */
      readonly postCallTranscriptsEnabled?: boolean | null;
      /** Consecutive turns without a voice after which the call is ended; 0: never. */
      readonly maxConsecutiveTtsFailures?: number | null;
      readonly warmTransferEnabled?: boolean | null;
      /** The assistant briefs the operator, who accepts or declines. */
      readonly warmTransferConversational?: boolean | null;
      /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
      readonly holdMusicUrl?: string | null;
      /** Seconds to wait for an answer after dialling. */
      readonly warmTransferTimeout?: number | null;
      /** Folder of the recording within the storage. */
      readonly recordingPath?: string | null;
      /** Values of `{{name}}` in spoken texts and prompts. */
      readonly dynamicVariables?: Readonly<Record<string, string | null>> | null;
    } | null;
    readonly assistantServer?: {
      readonly url?: string | null;
      readonly timeoutSeconds?: number | null;
      /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
      readonly secret?: string | null;
      readonly headers?: Readonly<Record<string, string | null>> | null;
      readonly enabled?: boolean | null;
      /** The kinds of webhook to send. */
      readonly messages?: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[] | null;
    } | null;
    readonly assistantOutcome?: readonly ({
      readonly type: 'string' | 'number' | 'boolean' | 'date';
      /** A path into structuredData, such as booking.date. */
      readonly field: string;
    })[] | null;
    readonly smsConfiguration?: {
      readonly enabled?: boolean | null;
      /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
      readonly sameAsAssistant?: boolean | null;
      readonly smsPrompt?: string | null;
    } | null;
    readonly persistHistory?: {
      readonly enabled?: boolean | null;
      readonly call?: boolean | null;
      readonly sms?: boolean | null;
      /** Days. */
      readonly retentionPeriod?: number | null;
    } | null;
    /** For how long its calls are kept; the team’s rule holds if it is shorter. */
    readonly retentionDays?: {
      /** Days after a call’s end until its recording is deleted. */
      readonly sound?: number | null;
      /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
      readonly text?: number | null;
    } | null;
    readonly redaction?: {
      /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
      readonly kinds?: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[] | null;
      /** Words and phrases that are taken out as well, in any spelling of case and accents. */
      readonly words?: readonly string[] | null;
      /** What the recording has in place of the words: a tone, silence, or the words. */
      readonly sound?: 'tone' | 'silence' | 'keep' | null;
      /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
      readonly originals?: 'discard' | 'sealed' | null;
      /** The language model, too, gets the earlier turns of the call without it. */
      readonly model?: boolean | null;
      readonly service?: {
        /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
        readonly url?: string | null;
        readonly minScore?: number | null;
        readonly timeoutSeconds?: number | null;
        /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
        readonly onFailure?: 'withhold' | 'rules' | null;
      } | null;
    } | null;
    readonly recordingConsent?: {
      /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
      readonly announce?: 'never' | 'by-region' | 'always' | null;
      /** What is said, before the welcome message; empty: a sentence in the call’s language. */
      readonly text?: string | null;
      /** Nothing is recorded until the other side has agreed in words. */
      readonly ask?: boolean | null;
      /** What was recorded before the refusal: deleted, or kept up to that word. */
      readonly onRefusal?: 'delete' | 'cut' | null;
    } | null;
    /** When it may call somebody; a call outside of these hours is refused. */
    readonly callingHours?: {
      readonly enabled?: boolean | null;
      readonly days?: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[] | null;
      readonly from?: string | null;
      /** Calls begin before this time. */
      readonly to?: string | null;
      /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
      readonly timeZone?: string | null;
    } | null;
  };
  /** Tools that answer otherwise, by name. */
  readonly tools?: Readonly<Record<string, {
    /** Why the tool fails, for the model. */
    readonly error: string;
  } | {
    readonly result: string;
  }>>;
  /** What the caller does who is answered before they have said all. */
  readonly caller?: 'speaks-on' | 'waits' | 'repeats';
  readonly startDate?: string;
  readonly endDate?: string;
  readonly assistantId?: string;
  readonly limit?: number;
};

export type WhatIfChange = {
  readonly instead?: WhatIfInstead;
  /** What of the assistant is otherwise: a merge patch, as `updateAssistant` takes it. */
  readonly assistant?: {
    readonly name?: string;
    /** Spoken first; empty: the model opens the conversation. */
    readonly welcomeMessage?: string | null;
    readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
    /** false: the caller cannot interrupt the welcome message. */
    readonly welcomeMessageInterruptionsEnabled?: boolean | null;
    /** The model host. Absent at creation: the first one that has a key, else `offline`. */
    readonly assistantProvider?: string | null;
    /** Any model name the provider accepts; empty: the provider's default model. */
    readonly assistantModel?: string | null;
    /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
    readonly assistantLLMUrl?: string | null;
    readonly assistantSystemPrompt?: string | null;
    readonly assistantTemperature?: number | null;
    readonly assistantMaxTokens?: number | null;
    /** Delimiter that splits a reply into separate lines; empty: by sentence. */
    readonly assistantResponseSplitter?: string | null;
    readonly config?: {
      readonly speech?: {
        readonly stt?: {
          readonly vendor?: string | null;
          /** Language tag; several separated by commas, the likeliest first. */
          readonly languages?: string | null;
        } | null;
        /** Takes over if the first recogniser fails, or returns no text for audible speech. */
        readonly sttFallback?: {
          readonly enabled?: boolean | null;
          readonly vendor?: string | null;
          readonly languages?: string | null;
        } | null;
        /** Voices in order of preference; disabled ones are skipped. */
        readonly ttsData?: readonly {
          readonly enabled?: boolean;
          readonly vendor?: string;
          readonly language?: string;
          /** The vendor's voice id; empty: its default voice. */
          readonly voice?: string;
          /** Voice settings. A vendor ignores those it has no notion of. */
          readonly config?: {
            /** The vendor's voice model; empty: its default. */
            readonly modelId?: string;
            readonly stability?: number;
            readonly similarityBoost?: number;
            readonly speakerBoost?: boolean;
            readonly styleExaggeration?: number;
            /** Same seed, same rendering, where the vendor can; 0: none. */
            readonly seed?: number;
            readonly speed?: number;
            /** Numbers, dates and abbreviations are spoken as a person would. */
            readonly applyTextNormalization?: boolean;
          };
        }[] | null;
      } | null;
    } | null;
    /** Words and names that the recogniser should favour. */
    readonly hints?: readonly string[] | null;
    /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
    readonly backgroundSound?: string | null;
    readonly backgroundSoundVolume?: number | null;
    readonly ttsCacheEnabled?: boolean | null;
    /** `global` is deprecated and will be removed. */
    readonly ttsAudioCacheScope?: 'assistant' | 'team' | 'global' | null;
    /** Consecutive turns without a voice after which the call is ended; 0: never. */
    readonly maxConsecutiveTtsFailures?: number | null;
    readonly recordingEnabled?: boolean | null;
    /** Recording continues after a forward or a warm transfer. */
    readonly recordAfterTransfer?: boolean | null;
    /** A transcript file is stored beside the recording. */
    readonly postCallTranscriptsEnabled?: boolean | null;
    readonly assistantBackchannelingEnabled?: boolean | null;
    readonly dtmfInputEnabled?: boolean | null;
    /** Minutes. */
    readonly maxCallDuration?: number | null;
    /** Seconds of silence before an idle message. */
    readonly idleTimeout?: number | null;
    readonly maxIdleMessagesInSequence?: number | null;
    readonly startSpeakingOptions?: {
      /** Minimum time from the end of the turn to the first audio of the reply. */
      readonly waitSeconds?: number | null;
      /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
      readonly smartEndpointing?: string | null;
      readonly onPunctuationSeconds?: number | null;
      readonly onNoPunctuationSeconds?: number | null;
      readonly onNumberSeconds?: number | null;
      /** Milliseconds of waiting in any case. */
      readonly EngineBaseValue?: number | null;
      /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
      readonly EngineScaleValue?: number | null;
    } | null;
    readonly stopSpeakingOptions?: {
      /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
      readonly numberOfWords?: number | null;
      /** Duration of voice that holds the reply. */
      readonly voiceSeconds?: number | null;
    } | null;
    readonly userInterruptionAckPlan?: {
      readonly enabled?: boolean | null;
      /** Maximum number of acknowledgements in one call. */
      readonly count?: number | null;
      /** An interruption counts as early until more words of the reply than this were heard. */
      readonly words?: number | null;
      /** Spoken in turn; empty: stock phrases in the call's language. */
      readonly phrases?: readonly string[] | null;
    } | null;
    readonly assistantToolIds?: readonly string[] | null;
    readonly assistantPredefinedTools?: {
      readonly knowledgeBase?: boolean | null;
      readonly endCall?: boolean | null;
      readonly appointment?: boolean | null;
      readonly volumeControl?: boolean | null;
      readonly waitList?: boolean | null;
      readonly callForward?: boolean | null;
      readonly sendSms?: boolean | null;
      /** Who asks not to be called again is put on the list of numbers that are not called. */
      readonly doNotCall?: boolean | null;
    } | null;
    readonly assistantType?: 'single_prompt' | 'workflow_based' | null;
    /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
    readonly assistantWorkflow?: {
      readonly start?: string;
      readonly nodes?: readonly {
        readonly id: string;
        readonly name?: string;
        /** Added to the system prompt while in this node. */
        readonly prompt?: string;
        /** Spoken on entering the node. */
        readonly message?: string;
        /** Tools of this node alone, beside the assistant's own. */
        readonly toolIds?: readonly string[];
        /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
        readonly variables?: readonly {
          readonly name: string;
          readonly description?: string;
        }[];
        /** The call ends after this node. */
        readonly end?: boolean;
      }[];
      readonly edges?: readonly ({
        readonly from: string;
        readonly to: string;
        readonly condition: {
          readonly type: 'model';
          /** A condition that the model evaluates. */
          readonly description: string;
        } | {
          readonly type: 'variable';
          readonly name: string;
          readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
          /** Compared ignoring case. */
          readonly value?: string;
        };
      })[] | null;
    } | null;
    /** Only with assistantPredefinedTools.knowledgeBase. */
    readonly assistantKnowledgeBaseIds?: readonly string[] | null;
    /** Said when ending the call; only with assistantPredefinedTools.endCall. */
    readonly endCallMessage?: string | null;
    /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
    readonly endCallToolDescription?: string | null;
    /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
    readonly endCallPhrases?: readonly string[] | null;
    readonly callForwardData?: {
      readonly phoneNumber?: '' | string | null;
      readonly extension?: string | null;
      readonly name?: string | null;
    } | null;
    readonly warmTransferEnabled?: boolean | null;
    /** The assistant briefs the operator, who accepts or declines. */
    readonly warmTransferConversational?: boolean | null;
    /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
    readonly holdMusicUrl?: string | null;
    /** Seconds to wait for an answer after dialling. */
    readonly warmTransferTimeout?: number | null;
    readonly assistantAnalysis?: {
      readonly summary?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
      } | null;
      readonly successEvaluation?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
        readonly rubric?: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail' | null;
      } | null;
      readonly structuredData?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
        /** JSON Schema of the data wanted. */
        readonly schema?: Readonly<Record<string, unknown>> | null;
      } | null;
    } | null;
    readonly assistantOverrides?: {
      /** Spoken first; empty: the model opens the conversation. */
      readonly welcomeMessage?: string | null;
      readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
      /** false: the caller cannot interrupt the welcome message. */
      readonly welcomeMessageInterruptionsEnabled?: boolean | null;
      readonly recordingEnabled?: boolean | null;
      /** Recording continues after a forward or a warm transfer. */
      readonly recordAfterTransfer?: boolean | null;
      /** A transcript file is stored beside the recording. */
      readonly postCallTranscriptsEnabled?: boolean | null;
      /** Consecutive turns without a voice after which the call is ended; 0: never. */
      readonly maxConsecutiveTtsFailures?: number | null;
      readonly warmTransferEnabled?: boolean | null;
      /** The assistant briefs the operator, who accepts or declines. */
      readonly warmTransferConversational?: boolean | null;
      /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
      readonly holdMusicUrl?: string | null;
      /** Seconds to wait for an answer after dialling. */
      readonly warmTransferTimeout?: number | null;
      /** Folder of the recording within the storage. */
      readonly recordingPath?: string | null;
      /** Values of `{{name}}` in spoken texts and prompts. */
      readonly dynamicVariables?: Readonly<Record<string, string | null>> | null;
    } | null;
    readonly assistantServer?: {
      readonly url?: string | null;
      readonly timeoutSeconds?: number | null;
      /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
      readonly secret?: string | null;
      readonly headers?: Readonly<Record<string, string | null>> | null;
      readonly enabled?: boolean | null;
      /** The kinds of webhook to send. */
      readonly messages?: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[] | null;
    } | null;
    readonly assistantOutcome?: readonly ({
      readonly type: 'string' | 'number' | 'boolean' | 'date';
      /** A path into structuredData, such as booking.date. */
      readonly field: string;
    })[] | null;
    readonly smsConfiguration?: {
      readonly enabled?: boolean | null;
      /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
      readonly sameAsAssistant?: boolean | null;
      readonly smsPrompt?: string | null;
    } | null;
    readonly persistHistory?: {
      readonly enabled?: boolean | null;
      readonly call?: boolean | null;
      readonly sms?: boolean | null;
      /** Days. */
      readonly retentionPeriod?: number | null;
    } | null;
    /** For how long its calls are kept; the team’s rule holds if it is shorter. */
    readonly retentionDays?: {
      /** Days after a call’s end until its recording is deleted. */
      readonly sound?: number | null;
      /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
      readonly text?: number | null;
    } | null;
    readonly redaction?: {
      /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
      readonly kinds?: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[] | null;
      /** Words and phrases that are taken out as well, in any spelling of case and accents. */
      readonly words?: readonly string[] | null;
      /** What the recording has in place of the words: a tone, silence, or the words. */
      readonly sound?: 'tone' | 'silence' | 'keep' | null;
      /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
      readonly originals?: 'discard' | 'sealed' | null;
      /** The language model, too, gets the earlier turns of the call without it. */
      readonly model?: boolean | null;
      readonly service?: {
        /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
        readonly url?: string | null;
        readonly minScore?: number | null;
        readonly timeoutSeconds?: number | null;
        /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
        readonly onFailure?: 'withhold' | 'rules' | null;
      } | null;
    } | null;
    readonly recordingConsent?: {
      /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
      readonly announce?: 'never' | 'by-region' | 'always' | null;
      /** What is said, before the welcome message; empty: a sentence in the call’s language. */
      readonly text?: string | null;
      /** Nothing is recorded until the other side has agreed in words. */
      readonly ask?: boolean | null;
      /** What was recorded before the refusal: deleted, or kept up to that word. */
      readonly onRefusal?: 'delete' | 'cut' | null;
    } | null;
    /** When it may call somebody; a call outside of these hours is refused. */
    readonly callingHours?: {
      readonly enabled?: boolean | null;
      readonly days?: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[] | null;
      readonly from?: string | null;
      /** Calls begin before this time. */
      readonly to?: string | null;
      /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
      readonly timeZone?: string | null;
    } | null;
  };
  /** Tools that answer otherwise, by name. */
  readonly tools?: Readonly<Record<string, {
    /** Why the tool fails, for the model. */
    readonly error: string;
  } | {
    readonly result: string;
  }>>;
  /** What the caller does who is answered before they have said all. */
  readonly caller?: 'speaks-on' | 'waits' | 'repeats';
};

export type WhatIfInput = {
  readonly instead?: WhatIfInstead;
  /** What of the assistant is otherwise: a merge patch, as `updateAssistant` takes it. */
  readonly assistant?: {
    readonly name?: string;
    /** Spoken first; empty: the model opens the conversation. */
    readonly welcomeMessage?: string | null;
    readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
    /** false: the caller cannot interrupt the welcome message. */
    readonly welcomeMessageInterruptionsEnabled?: boolean | null;
    /** The model host. Absent at creation: the first one that has a key, else `offline`. */
    readonly assistantProvider?: string | null;
    /** Any model name the provider accepts; empty: the provider's default model. */
    readonly assistantModel?: string | null;
    /** Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended. */
    readonly assistantLLMUrl?: string | null;
    readonly assistantSystemPrompt?: string | null;
    readonly assistantTemperature?: number | null;
    readonly assistantMaxTokens?: number | null;
    /** Delimiter that splits a reply into separate lines; empty: by sentence. */
    readonly assistantResponseSplitter?: string | null;
    readonly config?: {
      readonly speech?: {
        readonly stt?: {
          readonly vendor?: string | null;
          /** Language tag; several separated by commas, the likeliest first. */
          readonly languages?: string | null;
        } | null;
        /** Takes over if the first recogniser fails, or returns no text for audible speech. */
        readonly sttFallback?: {
          readonly enabled?: boolean | null;
          readonly vendor?: string | null;
          readonly languages?: string | null;
        } | null;
        /** Voices in order of preference; disabled ones are skipped. */
        readonly ttsData?: readonly {
          readonly enabled?: boolean;
          readonly vendor?: string;
          readonly language?: string;
          /** The vendor's voice id; empty: its default voice. */
          readonly voice?: string;
          /** Voice settings. A vendor ignores those it has no notion of. */
          readonly config?: {
            /** The vendor's voice model; empty: its default. */
            readonly modelId?: string;
            readonly stability?: number;
            readonly similarityBoost?: number;
            readonly speakerBoost?: boolean;
            readonly styleExaggeration?: number;
            /** Same seed, same rendering, where the vendor can; 0: none. */
            readonly seed?: number;
            readonly speed?: number;
            /** Numbers, dates and abbreviations are spoken as a person would. */
            readonly applyTextNormalization?: boolean;
          };
        }[] | null;
      } | null;
    } | null;
    /** Words and names that the recogniser should favour. */
    readonly hints?: readonly string[] | null;
    /** `enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file. */
    readonly backgroundSound?: string | null;
    readonly backgroundSoundVolume?: number | null;
    readonly ttsCacheEnabled?: boolean | null;
    /** `global` is deprecated and will be removed. */
    readonly ttsAudioCacheScope?: 'assistant' | 'team' | 'global' | null;
    /** Consecutive turns without a voice after which the call is ended; 0: never. */
    readonly maxConsecutiveTtsFailures?: number | null;
    readonly recordingEnabled?: boolean | null;
    /** Recording continues after a forward or a warm transfer. */
    readonly recordAfterTransfer?: boolean | null;
    /** A transcript file is stored beside the recording. */
    readonly postCallTranscriptsEnabled?: boolean | null;
    readonly assistantBackchannelingEnabled?: boolean | null;
    readonly dtmfInputEnabled?: boolean | null;
    /** Minutes. */
    readonly maxCallDuration?: number | null;
    /** Seconds of silence before an idle message. */
    readonly idleTimeout?: number | null;
    readonly maxIdleMessagesInSequence?: number | null;
    readonly startSpeakingOptions?: {
      /** Minimum time from the end of the turn to the first audio of the reply. */
      readonly waitSeconds?: number | null;
      /** What decides that the caller is done: `parley` (built in), `off` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name. */
      readonly smartEndpointing?: string | null;
      readonly onPunctuationSeconds?: number | null;
      readonly onNoPunctuationSeconds?: number | null;
      readonly onNumberSeconds?: number | null;
      /** Milliseconds of waiting in any case. */
      readonly EngineBaseValue?: number | null;
      /** Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds. */
      readonly EngineScaleValue?: number | null;
    } | null;
    readonly stopSpeakingOptions?: {
      /** Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts. */
      readonly numberOfWords?: number | null;
      /** Duration of voice that holds the reply. */
      readonly voiceSeconds?: number | null;
    } | null;
    readonly userInterruptionAckPlan?: {
      readonly enabled?: boolean | null;
      /** Maximum number of acknowledgements in one call. */
      readonly count?: number | null;
      /** An interruption counts as early until more words of the reply than this were heard. */
      readonly words?: number | null;
      /** Spoken in turn; empty: stock phrases in the call's language. */
      readonly phrases?: readonly string[] | null;
    } | null;
    readonly assistantToolIds?: readonly string[] | null;
    readonly assistantPredefinedTools?: {
      readonly knowledgeBase?: boolean | null;
      readonly endCall?: boolean | null;
      readonly appointment?: boolean | null;
      readonly volumeControl?: boolean | null;
      readonly waitList?: boolean | null;
      readonly callForward?: boolean | null;
      readonly sendSms?: boolean | null;
      /** Who asks not to be called again is put on the list of numbers that are not called. */
      readonly doNotCall?: boolean | null;
    } | null;
    readonly assistantType?: 'single_prompt' | 'workflow_based' | null;
    /** Only with `workflow_based`; without it, such an assistant behaves by its prompt. */
    readonly assistantWorkflow?: {
      readonly start?: string;
      readonly nodes?: readonly {
        readonly id: string;
        readonly name?: string;
        /** Added to the system prompt while in this node. */
        readonly prompt?: string;
        /** Spoken on entering the node. */
        readonly message?: string;
        /** Tools of this node alone, beside the assistant's own. */
        readonly toolIds?: readonly string[];
        /** Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them. */
        readonly variables?: readonly {
          readonly name: string;
          readonly description?: string;
        }[];
        /** The call ends after this node. */
        readonly end?: boolean;
      }[];
      readonly edges?: readonly ({
        readonly from: string;
        readonly to: string;
        readonly condition: {
          readonly type: 'model';
          /** A condition that the model evaluates. */
          readonly description: string;
        } | {
          readonly type: 'variable';
          readonly name: string;
          readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
          /** Compared ignoring case. */
          readonly value?: string;
        };
      })[] | null;
    } | null;
    /** Only with assistantPredefinedTools.knowledgeBase. */
    readonly assistantKnowledgeBaseIds?: readonly string[] | null;
    /** Said when ending the call; only with assistantPredefinedTools.endCall. */
    readonly endCallMessage?: string | null;
    /** Only with assistantPredefinedTools.endCall; empty: the built-in description. */
    readonly endCallToolDescription?: string | null;
    /** Phrases that end the call; only with assistantPredefinedTools.endCall. */
    readonly endCallPhrases?: readonly string[] | null;
    readonly callForwardData?: {
      readonly phoneNumber?: '' | string | null;
      readonly extension?: string | null;
      readonly name?: string | null;
    } | null;
    readonly warmTransferEnabled?: boolean | null;
    /** The assistant briefs the operator, who accepts or declines. */
    readonly warmTransferConversational?: boolean | null;
    /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
    readonly holdMusicUrl?: string | null;
    /** Seconds to wait for an answer after dialling. */
    readonly warmTransferTimeout?: number | null;
    readonly assistantAnalysis?: {
      readonly summary?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
      } | null;
      readonly successEvaluation?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
        readonly rubric?: 'NumericScale' | 'DescriptiveScale' | 'Checklist' | 'Matrix' | 'PercentageScale' | 'LikertScale' | 'AutomaticRubric' | 'PassFail' | null;
      } | null;
      readonly structuredData?: {
        readonly enabled?: boolean | null;
        /** Empty: the built-in prompt. */
        readonly prompt?: string | null;
        readonly timeoutSeconds?: number | null;
        /** JSON Schema of the data wanted. */
        readonly schema?: Readonly<Record<string, unknown>> | null;
      } | null;
    } | null;
    readonly assistantOverrides?: {
      /** Spoken first; empty: the model opens the conversation. */
      readonly welcomeMessage?: string | null;
      readonly welcomeMessageMode?: 'assistant-speaks-first' | 'assistant-waits-for-user' | 'automatic' | null;
      /** false: the caller cannot interrupt the welcome message. */
      readonly welcomeMessageInterruptionsEnabled?: boolean | null;
      readonly recordingEnabled?: boolean | null;
      /** Recording continues after a forward or a warm transfer. */
      readonly recordAfterTransfer?: boolean | null;
      /** A transcript file is stored beside the recording. */
      readonly postCallTranscriptsEnabled?: boolean | null;
      /** Consecutive turns without a voice after which the call is ended; 0: never. */
      readonly maxConsecutiveTtsFailures?: number | null;
      readonly warmTransferEnabled?: boolean | null;
      /** The assistant briefs the operator, who accepts or declines. */
      readonly warmTransferConversational?: boolean | null;
      /** WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music. */
      readonly holdMusicUrl?: string | null;
      /** Seconds to wait for an answer after dialling. */
      readonly warmTransferTimeout?: number | null;
      /** Folder of the recording within the storage. */
      readonly recordingPath?: string | null;
      /** Values of `{{name}}` in spoken texts and prompts. */
      readonly dynamicVariables?: Readonly<Record<string, string | null>> | null;
    } | null;
    readonly assistantServer?: {
      readonly url?: string | null;
      readonly timeoutSeconds?: number | null;
      /** Signs the requests by the Standard Webhooks scheme; empty: unsigned. After `whsec_` it is base64, as its libraries take it; any other text is the key itself (`{format: "raw"}`). */
      readonly secret?: string | null;
      readonly headers?: Readonly<Record<string, string | null>> | null;
      readonly enabled?: boolean | null;
      /** The kinds of webhook to send. */
      readonly messages?: readonly ('status-update' | 'conversation-update' | 'hang' | 'end-of-call-report' | 'error')[] | null;
    } | null;
    readonly assistantOutcome?: readonly ({
      readonly type: 'string' | 'number' | 'boolean' | 'date';
      /** A path into structuredData, such as booking.date. */
      readonly field: string;
    })[] | null;
    readonly smsConfiguration?: {
      readonly enabled?: boolean | null;
      /** Text messages are answered with the assistant's own prompt instead of `smsPrompt`. */
      readonly sameAsAssistant?: boolean | null;
      readonly smsPrompt?: string | null;
    } | null;
    readonly persistHistory?: {
      readonly enabled?: boolean | null;
      readonly call?: boolean | null;
      readonly sms?: boolean | null;
      /** Days. */
      readonly retentionPeriod?: number | null;
    } | null;
    /** For how long its calls are kept; the team’s rule holds if it is shorter. */
    readonly retentionDays?: {
      /** Days after a call’s end until its recording is deleted. */
      readonly sound?: number | null;
      /** Days after a call’s end until the whole call is deleted: transcript, events, analysis and recording. Texts (SMS) are deleted by the same number. */
      readonly text?: number | null;
    } | null;
    readonly redaction?: {
      /** What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing. */
      readonly kinds?: readonly ('card' | 'bank-account' | 'identity-number' | 'phone' | 'name' | 'address' | 'date-of-birth' | 'email' | 'health')[] | null;
      /** Words and phrases that are taken out as well, in any spelling of case and accents. */
      readonly words?: readonly string[] | null;
      /** What the recording has in place of the words: a tone, silence, or the words. */
      readonly sound?: 'tone' | 'silence' | 'keep' | null;
      /** `sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it. */
      readonly originals?: 'discard' | 'sealed' | null;
      /** The language model, too, gets the earlier turns of the call without it. */
      readonly model?: boolean | null;
      readonly service?: {
        /** Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended. */
        readonly url?: string | null;
        readonly minScore?: number | null;
        readonly timeoutSeconds?: number | null;
        /** When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone. */
        readonly onFailure?: 'withhold' | 'rules' | null;
      } | null;
    } | null;
    readonly recordingConsent?: {
      /** Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone. */
      readonly announce?: 'never' | 'by-region' | 'always' | null;
      /** What is said, before the welcome message; empty: a sentence in the call’s language. */
      readonly text?: string | null;
      /** Nothing is recorded until the other side has agreed in words. */
      readonly ask?: boolean | null;
      /** What was recorded before the refusal: deleted, or kept up to that word. */
      readonly onRefusal?: 'delete' | 'cut' | null;
    } | null;
    /** When it may call somebody; a call outside of these hours is refused. */
    readonly callingHours?: {
      readonly enabled?: boolean | null;
      readonly days?: readonly ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[] | null;
      readonly from?: string | null;
      /** Calls begin before this time. */
      readonly to?: string | null;
      /** Empty: that of the called number; where it may be in several, it must be within the hours in all of them. */
      readonly timeZone?: string | null;
    } | null;
  };
  /** Tools that answer otherwise, by name. */
  readonly tools?: Readonly<Record<string, {
    /** Why the tool fails, for the model. */
    readonly error: string;
  } | {
    readonly result: string;
  }>>;
  /** What the caller does who is answered before they have said all. */
  readonly caller?: 'speaks-on' | 'waits' | 'repeats';
  /** The assistant’s model answers what it was not asked in the recorded call, 40 times at most. It is paid like any other request. */
  readonly askModel?: boolean;
  /** The model is asked no more when it is spent. Needed where a vendor’s model is asked; `cost` needs its price. */
  readonly budget?: {
    /** In the currency of the prices. */
    readonly cost?: number;
    /** Input and output together. */
    readonly tokens?: number;
  };
};

/** A version of an assistant that answers instead of the one that the call had; `assistant` then changes this one. */
export type WhatIfInstead = {
  /** Opaque identifier. */
  readonly assistantId: string;
  /** The number of a version, or a label such as `production`. Absent: the published one. */
  readonly assistantVersion?: string;
};

export type WhatIfTable = {
  readonly calls: readonly {
    /** Opaque identifier. */
    readonly callId: string;
    /** Nothing would have been otherwise. */
    readonly same: boolean;
    readonly unknownTurns: number;
    readonly recorded: CallFigures;
    readonly replayed: CallFigures;
  }[];
  readonly skipped: readonly {
    /** Opaque identifier. */
    readonly callId: string;
    readonly reason: string;
  }[];
  /** Calls that match and were not looked at; repeat with an earlier `endDate`. */
  readonly remaining: number;
  readonly recorded: SummedFigures;
  readonly replayed: SummedFigures;
  readonly notReplayed: readonly string[];
};

/** The caller’s words and what was said to them. */
export type WhatIfTurn = {
  /** ms since the call was created */
  readonly fromMs: number;
  /** ms since the call was created */
  readonly toMs: number;
  /** Empty before the caller’s first words. */
  readonly user: string;
  readonly assistant: string;
  /** From the end of the caller’s speech to the first sound of the answer. */
  readonly answerMs?: number;
  readonly tools: readonly ({
    readonly name: string;
    /** JSON with sorted keys. */
    readonly arguments: string;
    readonly outcome: 'result' | 'error' | 'unanswered';
    /** What the tool answered. */
    readonly text: string;
  })[];
  /** The assistant began to speak while the caller had more to say. */
  readonly cutIn: boolean;
  /** The caller did not hear the end of a reply. */
  readonly lost: boolean;
};

export type Who = {
  /** Opaque identifier. */
  readonly teamId: string;
  readonly teamName: string;
  /** viewer: sees how assistants, tools, knowledge and numbers are set up, and the statistics. reviewer: also reads and hears calls, marks them and writes notes about them. builder: also changes the set-up, and starts and controls calls. admin: also imports, buys and deletes numbers, deletes calls, makes API keys and invites people. */
  readonly role: 'viewer' | 'reviewer' | 'builder' | 'admin';
  /** Absent for a person. */
  readonly apiKey?: {
    /** Opaque identifier. */
    readonly id: string;
    readonly name: string;
  };
  /** Absent for an API key. */
  readonly person?: {
    /** Opaque identifier. */
    readonly id: string;
    readonly name: string;
    readonly email: string;
  };
};

/** What each operation takes and answers; without a `response`, the answer is not JSON. */
export interface Operations {
  /** List the assistants. */
  listAssistants: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Names of fields, separated by commas: each item has these alone, and its `_id` and `name`. */
      readonly fields?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name, prompt, welcome message, model, voice, language. */
      readonly search?: string;
      /** At most 100 ids, separated by commas. */
      readonly ids?: string;
      /** Only those that use the tool. */
      readonly toolId?: string;
      /** Only those that use the knowledge base. */
      readonly knowledgeBaseId?: string;
    };
    response: readonly (Assistant | AssistantPart)[];
  };
  /** Create an assistant. */
  createAssistant: {
    body: AssistantInput;
    response: SavedAssistant;
  };
  /** Count the calls and the numbers of each of some assistants. */
  getAssistantUses: {
    query: {
      /** At most 100 ids, separated by commas. */
      readonly ids: string;
    };
    response: readonly AssistantUses[];
  };
  /** Get an assistant. */
  getAssistant: {
    path: {
      readonly id: string;
    };
    response: Assistant;
  };
  /** Update an assistant. */
  updateAssistant: {
    path: {
      readonly id: string;
    };
    body: AssistantPatch;
    response: SavedAssistant;
  };
  /** Delete an assistant. */
  deleteAssistant: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** List the versions of an assistant. */
  listAssistantVersions: {
    path: {
      readonly id: string;
    };
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
    };
    response: readonly AssistantVersion[];
  };
  /** Save changes as a version that calls do not use yet. */
  createAssistantDraft: {
    path: {
      readonly id: string;
    };
    body: AssistantDraftInput;
    response: AssistantVersion;
  };
  /** Get a version of an assistant, by number or label. */
  getAssistantVersion: {
    path: {
      readonly id: string;
      readonly version: string;
    };
    response: AssistantVersionDetail;
  };
  /** List what a version has changed. */
  compareAssistantVersions: {
    path: {
      readonly id: string;
      readonly version: string;
    };
    query?: {
      /** Compared with this version; absent: with the one before. */
      readonly from?: string;
    };
    response: readonly VersionChange[];
  };
  /** Have calls use a version: publish a draft, or restore an earlier one. */
  publishAssistantVersion: {
    path: {
      readonly id: string;
      readonly version: string;
    };
    response: SavedAssistant;
  };
  /** Give a version a label, which numbers and calls may name. */
  setAssistantLabel: {
    path: {
      readonly id: string;
      readonly label: string;
    };
    body: VersionLabelInput;
    response: AssistantVersion;
  };
  /** Remove a label. */
  removeAssistantLabel: {
    path: {
      readonly id: string;
      readonly label: string;
    };
    response: AssistantVersion;
  };
  /** Get what publishing a version of an assistant requires. */
  getPublishGate: {
    path: {
      readonly id: string;
    };
    response: PublishGate;
  };
  /** Set what publishing a version of an assistant requires. */
  setPublishGate: {
    path: {
      readonly id: string;
    };
    body: PublishGate;
    response: PublishGate;
  };
  /** List the tools. */
  listTools: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name, description, address of the server. */
      readonly search?: string;
      /** At most 100 ids, separated by commas. */
      readonly ids?: string;
    };
    response: readonly Tool[];
  };
  /** Create a tool. */
  createTool: {
    body: ToolInput;
    response: Tool;
  };
  /** Count the assistants that use each of some tools. */
  getToolUses: {
    query: {
      /** At most 100 ids, separated by commas. */
      readonly ids: string;
    };
    response: readonly UsingAssistants[];
  };
  /** Get a tool. */
  getTool: {
    path: {
      readonly id: string;
    };
    response: Tool;
  };
  /** Update a tool. */
  updateTool: {
    path: {
      readonly id: string;
    };
    body: ToolPatch;
    response: Tool;
  };
  /** Delete a tool. */
  deleteTool: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** Test a tool. */
  testTool: {
    path: {
      readonly id: string;
    };
    body: ToolTest;
    response: ToolTrial;
  };
  /** List the calendars. */
  listCalendars: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name. */
      readonly search?: string;
    };
    response: readonly Calendar[];
  };
  /** Create a calendar. */
  createCalendar: {
    body: CalendarInput;
    response: Calendar;
  };
  /** Get a calendar. */
  getCalendar: {
    path: {
      readonly id: string;
    };
    response: Calendar;
  };
  /** Update a calendar. */
  updateCalendar: {
    path: {
      readonly id: string;
    };
    body: CalendarPatch;
    response: Calendar;
  };
  /** Delete a calendar. */
  deleteCalendar: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** List the free slots. */
  listSlots: {
    path: {
      readonly id: string;
    };
    query?: {
      /** The first day; today when it is absent. */
      readonly date?: string;
      readonly days?: number;
    };
    response: readonly Slot[];
  };
  /** List the appointments. */
  listAppointments: {
    path: {
      readonly id: string;
    };
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Now when it is absent. */
      readonly from?: string;
      /** Default: one year after `from`. */
      readonly to?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name, number, notes, reference. */
      readonly search?: string;
    };
    response: readonly Appointment[];
  };
  /** Book an appointment. */
  bookAppointment: {
    path: {
      readonly id: string;
    };
    body: AppointmentInput;
    response: Appointment;
  };
  /** Move an appointment. */
  moveAppointment: {
    path: {
      readonly id: string;
      readonly appointmentId: string;
    };
    body: AppointmentMove;
    response: Appointment;
  };
  /** Cancel an appointment. */
  cancelAppointment: {
    path: {
      readonly id: string;
      readonly appointmentId: string;
    };
    response: Appointment;
  };
  /** List the wait lists. */
  listWaitLists: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name. */
      readonly search?: string;
    };
    response: readonly WaitList[];
  };
  /** Create a wait list. */
  createWaitList: {
    body: WaitListInput;
    response: WaitList;
  };
  /** Get a wait list. */
  getWaitList: {
    path: {
      readonly id: string;
    };
    response: WaitList;
  };
  /** Update a wait list. */
  updateWaitList: {
    path: {
      readonly id: string;
    };
    body: WaitListPatch;
    response: WaitList;
  };
  /** Delete a wait list. */
  deleteWaitList: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** List the waiting entries. */
  listWaitListEntries: {
    path: {
      readonly id: string;
    };
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name, number, notes. */
      readonly search?: string;
    };
    response: readonly WaitListEntry[];
  };
  /** Add an entry to a wait list. */
  addWaitListEntry: {
    path: {
      readonly id: string;
    };
    body: WaitListEntryInput;
    response: WaitListEntry;
  };
  /** Take the next entry. */
  takeNextWaitListEntry: {
    path: {
      readonly id: string;
    };
    response: WaitListEntry;
  };
  /** Remove an entry from a wait list. */
  removeWaitListEntry: {
    path: {
      readonly id: string;
      readonly entryId: string;
    };
    response: WaitListEntry;
  };
  /** List the suites of tests. */
  listTestSuites: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      readonly assistantId?: string;
    };
    response: readonly TestSuiteSummary[];
  };
  /** Create a suite of tests. */
  createTestSuite: {
    body: TestSuiteInput;
    response: TestSuite;
  };
  /** Get a suite of tests. */
  getTestSuite: {
    path: {
      readonly id: string;
    };
    response: TestSuite;
  };
  /** Update a suite of tests. */
  updateTestSuite: {
    path: {
      readonly id: string;
    };
    body: TestSuitePatch;
    response: TestSuite;
  };
  /** Delete a suite of tests. */
  deleteTestSuite: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** Check tests without running them. */
  checkTests: {
    body: TestCheckInput;
    response: TestCheck;
  };
  /** Run tests. */
  startTestRun: {
    body: TestRunInput;
    response: TestRun;
  };
  /** List runs of tests. */
  listTestRuns: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      readonly suiteId?: string;
      readonly assistantId?: string;
    };
    response: readonly TestRunSummary[];
  };
  /** Get a run of tests with its results. */
  getTestRun: {
    path: {
      readonly id: string;
    };
    response: TestRun;
  };
  /** Have a model judge a call. */
  judgeCall: {
    body: JudgementInput;
    response: Judgement;
  };
  /** Get a call as a test. */
  getCallAsTest: {
    path: {
      readonly id: string;
    };
    response: CallAsTest;
  };
  /** List the numbers. */
  listNumbers: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      readonly label?: string;
      /** Only those attached to it. */
      readonly assistantId?: string;
      /** Words that each have to be the id, or occur in any case in one of these: number, label, carrier, name of the assistant. */
      readonly search?: string;
    };
    response: readonly Number[];
  };
  /** Search for numbers to buy. */
  listAvailableNumbers: {
    query: {
      readonly provider: 'twilio' | 'telnyx' | 'asterisk' | 'emulator';
      readonly country?: string;
      readonly areaCode?: string;
      readonly contains?: string;
    };
    response: readonly AvailableNumber[];
  };
  /** Buy a number. */
  purchaseNumber: {
    body: NumberPurchase;
    response: Number;
  };
  /** Import a number of Twilio. */
  importTwilioNumber: {
    body: TwilioNumberImport;
    response: Number;
  };
  /** Import a number of Telnyx. */
  importTelnyxNumber: {
    body: TelnyxNumberImport;
    response: Number;
  };
  /** Import a number of Asterisk. */
  importAsteriskNumber: {
    body: AsteriskNumberImport;
    response: Number;
  };
  /** Import a number of Emulator. */
  importEmulatorNumber: {
    body: EmulatorNumberImport;
    response: Number;
  };
  /** Get a number. */
  getNumber: {
    path: {
      readonly id: string;
    };
    response: Number;
  };
  /** Attach, detach or switch a number. */
  updateNumber: {
    path: {
      readonly id: string;
    };
    body: NumberChange;
    response: Number;
  };
  /** Delete a number. */
  deleteNumber: {
    path: {
      readonly id: string;
    };
    query?: {
      readonly release?: 'true' | 'false';
    };
    response: {
      readonly message: string;
    };
  };
  /** Set a number's webhooks. */
  configureNumberWebhooks: {
    path: {
      readonly id: string;
    };
    response: NumberWebhooks;
  };
  /** Check whether calls to a number arrive. */
  checkNumberSetup: {
    path: {
      readonly id: string;
    };
    response: NumberSetup;
  };
  /** List the knowledge bases. */
  listKnowledgeBases: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: title, description. */
      readonly search?: string;
      /** At most 100 ids, separated by commas. */
      readonly ids?: string;
    };
    response: {
      readonly knowledge_bases: readonly KnowledgeBase[];
    };
  };
  /** Create a knowledge base. */
  createKnowledgeBase: {
    body: KnowledgeBaseInput;
    response: KnowledgeBase;
  };
  /** Count the assistants that use each of some knowledge bases. */
  getKnowledgeBaseUses: {
    query: {
      /** At most 100 ids, separated by commas. */
      readonly ids: string;
    };
    response: readonly UsingAssistants[];
  };
  /** Get a knowledge base. */
  getKnowledgeBase: {
    path: {
      readonly id: string;
    };
    response: KnowledgeBase;
  };
  /** Replace a knowledge base. */
  replaceKnowledgeBase: {
    path: {
      readonly id: string;
    };
    body: KnowledgeBaseReplacement;
    response: KnowledgeBase;
  };
  /** Delete a knowledge base. */
  deleteKnowledgeBase: {
    path: {
      readonly id: string;
    };
    response: {
      readonly message: string;
    };
  };
  /** Get the training status. */
  getKnowledgeBaseStatus: {
    path: {
      readonly id: string;
    };
    response: KnowledgeBaseStatus;
  };
  /** Train a knowledge base again. */
  trainKnowledgeBase: {
    path: {
      readonly id: string;
    };
    response: KnowledgeBaseStatus;
  };
  /** Search a knowledge base. */
  searchKnowledgeBase: {
    path: {
      readonly id: string;
    };
    body: KnowledgeSearch;
    response: {
      readonly results: readonly KnowledgeHit[];
    };
  };
  /** See which questions of callers have no answer. */
  getKnowledgeCoverage: {
    path: {
      readonly id: string;
    };
    query?: {
      /** Calls of so many days. */
      readonly days?: number;
    };
    response: KnowledgeCoverage;
  };
  /** Stop listing questions as unanswered. */
  dismissUnansweredQuestions: {
    path: {
      readonly id: string;
    };
    body: DismissedQuestions;
    response: {
      readonly message: string;
    };
  };
  /** List the FAQ entries. */
  listFaq: {
    path: {
      readonly id: string;
    };
    response: Faq;
  };
  /** Add FAQ entries. */
  addFaq: {
    path: {
      readonly id: string;
    };
    body: NewFaq;
    response: Faq;
  };
  /** Update FAQ entries by their ids. */
  updateFaq: {
    path: {
      readonly id: string;
    };
    body: FaqChanges;
    response: Faq;
  };
  /** Delete an FAQ entry. */
  deleteFaq: {
    path: {
      readonly id: string;
      readonly faqId: string;
    };
    response: {
      readonly message: string;
    };
  };
  /** List the files. */
  listFiles: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
    };
    response: {
      readonly files: readonly File[];
    };
  };
  /** Upload a file. */
  uploadFile: {
    body: FormData;
    response: File;
  };
  /** Get a file. */
  getFile: {
    path: {
      readonly id: string;
    };
    response: File;
  };
  /** Delete a file. */
  deleteFile: {
    path: {
      readonly id: string;
    };
    response: {
      readonly message: string;
    };
  };
  /** Download a file. */
  getFileContent: {
    path: {
      readonly id: string;
    };
    query?: {
      /** Whether to answer with an address at the server that keeps the file. */
      readonly redirect?: 'true' | 'false';
    };
  };
  /** Start a call. */
  connectCall: {
    body: ConnectInput;
    response: ConnectedCall;
  };
  /** List the calls, page by page. */
  listCalls: {
    query?: {
      /** Calls that started at or after this time, or on or after this day. */
      readonly startDate?: string;
      /** Calls that started at or before this time, or on or before this day. */
      readonly endDate?: string;
      readonly status?: 'queued' | 'ongoing' | 'forwarded' | 'finished';
      readonly assistantId?: string;
      readonly userNumber?: string;
      readonly callType?: 'web' | 'phone';
      readonly direction?: 'inbound' | 'outbound';
      readonly endReason?: string;
      /** `true`: calls that have not ended; `false`: calls that have. */
      readonly live?: 'true' | 'false';
      /** Part of a number, of a name or of what was said, or the id of a call. Where calls are encrypted, what was said is searched in the newest 500 of those that match otherwise. */
      readonly search?: string;
      /** Calls with all of these, separated by commas: failed, short, transferred, unhappy, tool-failed, long-silence. short: answered, and over in less than 15 seconds. unhappy: the analysis says that the call missed its goal. long-silence: a reply was due for five seconds, or the call ended by the caller’s silence. */
      readonly flags?: readonly ('failed' | 'short' | 'transferred' | 'unhappy' | 'tool-failed' | 'long-silence')[];
      /** `true`: calls that somebody has looked at; `false`: the others. */
      readonly reviewed?: 'true' | 'false';
      /** Calls with this tag. */
      readonly tag?: string;
      readonly sort?: 'startAt' | 'endAt' | 'status' | 'conversationId' | 'duration' | 'cost';
      readonly order?: 'asc' | 'desc';
      readonly page?: number;
      readonly size?: number;
    };
    response: CallPage;
  };
  /** Export the calls that match. */
  exportCalls: {
    query?: {
      /** Calls that started at or after this time, or on or after this day. */
      readonly startDate?: string;
      /** Calls that started at or before this time, or on or before this day. */
      readonly endDate?: string;
      readonly status?: 'queued' | 'ongoing' | 'forwarded' | 'finished';
      readonly assistantId?: string;
      readonly userNumber?: string;
      readonly callType?: 'web' | 'phone';
      readonly direction?: 'inbound' | 'outbound';
      readonly endReason?: string;
      /** `true`: calls that have not ended; `false`: calls that have. */
      readonly live?: 'true' | 'false';
      /** Part of a number, of a name or of what was said, or the id of a call. Where calls are encrypted, what was said is searched in the newest 500 of those that match otherwise. */
      readonly search?: string;
      /** Calls with all of these, separated by commas: failed, short, transferred, unhappy, tool-failed, long-silence. short: answered, and over in less than 15 seconds. unhappy: the analysis says that the call missed its goal. long-silence: a reply was due for five seconds, or the call ended by the caller’s silence. */
      readonly flags?: readonly ('failed' | 'short' | 'transferred' | 'unhappy' | 'tool-failed' | 'long-silence')[];
      /** `true`: calls that somebody has looked at; `false`: the others. */
      readonly reviewed?: 'true' | 'false';
      /** Calls with this tag. */
      readonly tag?: string;
      readonly format?: 'csv' | 'json';
    };
    response: readonly ExportedCall[];
  };
  /** Get the calls before and after a call in a list. */
  getCallNeighbours: {
    path: {
      readonly id: string;
    };
    query?: {
      /** Calls that started at or after this time, or on or after this day. */
      readonly startDate?: string;
      /** Calls that started at or before this time, or on or before this day. */
      readonly endDate?: string;
      readonly status?: 'queued' | 'ongoing' | 'forwarded' | 'finished';
      readonly assistantId?: string;
      readonly userNumber?: string;
      readonly callType?: 'web' | 'phone';
      readonly direction?: 'inbound' | 'outbound';
      readonly endReason?: string;
      /** `true`: calls that have not ended; `false`: calls that have. */
      readonly live?: 'true' | 'false';
      /** Part of a number, of a name or of what was said, or the id of a call. Where calls are encrypted, what was said is searched in the newest 500 of those that match otherwise. */
      readonly search?: string;
      /** Calls with all of these, separated by commas: failed, short, transferred, unhappy, tool-failed, long-silence. short: answered, and over in less than 15 seconds. unhappy: the analysis says that the call missed its goal. long-silence: a reply was due for five seconds, or the call ended by the caller’s silence. */
      readonly flags?: readonly ('failed' | 'short' | 'transferred' | 'unhappy' | 'tool-failed' | 'long-silence')[];
      /** `true`: calls that somebody has looked at; `false`: the others. */
      readonly reviewed?: 'true' | 'false';
      /** Calls with this tag. */
      readonly tag?: string;
      readonly sort?: 'startAt' | 'endAt' | 'status' | 'conversationId' | 'duration' | 'cost';
      readonly order?: 'asc' | 'desc';
    };
    response: CallNeighbours;
  };
  /** Mark a call as reviewed, or tag it. */
  markCall: {
    path: {
      readonly id: string;
    };
    body: CallMarks;
    response: CallSummary;
  };
  /** Get a call with its messages. */
  getCall: {
    path: {
      readonly id: string;
    };
    response: Call;
  };
  /** Delete a call with everything kept about it. */
  deleteCall: {
    path: {
      readonly id: string;
    };
    query?: {
      /** `true`: ends the call first, if it is live. */
      readonly end?: 'true' | 'false';
    };
    response: DeletedCall;
  };
  /** Write a note about a call. */
  addCallNote: {
    path: {
      readonly id: string;
    };
    body: CallNoteInput;
    response: CallNote;
  };
  /** Delete a note about a call. */
  deleteCallNote: {
    path: {
      readonly id: string;
      readonly noteId: string;
    };
    response: CallNote;
  };
  /** Delete the ended calls that match a filter. */
  deleteCalls: {
    body: CallFilter;
    response: DeletedCalls;
  };
  /** Keep a call, for legal reasons. */
  holdCall: {
    path: {
      readonly id: string;
    };
    body: HoldInput;
    response: CallSummary;
  };
  /** Release the hold of a call. */
  releaseCall: {
    path: {
      readonly id: string;
    };
    response: CallSummary;
  };
  /** Control a live call. */
  controlCall: {
    path: {
      readonly id: string;
    };
    body: Control;
    response: Controlled;
  };
  /** Get the recording. */
  getCallRecording: {
    path: {
      readonly id: string;
    };
    query?: {
      /** Whether to answer with an address at the server that keeps the file. */
      readonly redirect?: 'true' | 'false';
    };
  };
  /** Get the transcript. */
  getCallTranscript: {
    path: {
      readonly id: string;
    };
    query?: {
      readonly format?: 'json' | 'text';
    };
    response: Transcript;
  };
  /** Listen to a live call, over a WebSocket. */
  listenToCall: {
    path: {
      readonly id: string;
    };
    query?: {
      /** Of `createListenToken`, for clients that cannot set headers. */
      readonly token?: string;
    };
    response: ListenFormat;
  };
  /** Get a URL for listening to a live call. */
  createListenToken: {
    path: {
      readonly id: string;
    };
    response: ListenAddress;
  };
  /** Get a URL for speaking with the caller of a live call. */
  takeOverCall: {
    path: {
      readonly id: string;
    };
    response: ListenAddress;
  };
  /** Get the call's event log as it was before redaction. */
  getCallOriginals: {
    path: {
      readonly id: string;
    };
  };
  /** Get the call's event log. */
  getCallEvents: {
    path: {
      readonly id: string;
    };
  };
  /** Replay an ended call with a change. */
  replayCall: {
    path: {
      readonly id: string;
    };
    body: WhatIfInput;
    response: WhatIf;
  };
  /** Estimate what asking the model in a replay costs. */
  estimateReplay: {
    path: {
      readonly id: string;
    };
    body: WhatIfChange;
    response: ModelEstimate;
  };
  /** Replay many ended calls with a change. */
  replayCalls: {
    body: WhatIfCallsInput;
    response: WhatIfTable;
  };
  /** Get a telephone at the built-in carrier. */
  createHandset: {
    body: HandsetConfig;
    response: Handset;
  };
  /** List the webhooks of a call with their attempts. */
  listCallDeliveries: {
    path: {
      readonly id: string;
    };
    response: DeliveryList;
  };
  /** Send a webhook again. */
  redeliverCallDelivery: {
    path: {
      readonly id: string;
      /** Opaque identifier. */
      readonly deliveryId: string;
    };
    response: Delivery;
  };
  /** List the vendors: whose accounts the team uses, and which parts are ready. */
  listVendors: {
    response: Vendors;
  };
  /** Set or replace the team's own key at a vendor. */
  setVendorKey: {
    path: {
      readonly vendor: string;
    };
    body: VendorKeyInput;
    response: TeamVendor;
  };
  /** Remove the team's own key at a vendor. */
  removeVendorKey: {
    path: {
      readonly vendor: string;
    };
    response: TeamVendor;
  };
  /** Try each part of a vendor once with the account that the team uses. */
  testVendor: {
    path: {
      readonly vendor: string;
    };
    response: readonly VendorTest[];
  };
  /** List the models of a vendor, by its own list. */
  listVendorModels: {
    query: {
      readonly vendor: string;
    };
    response: VendorModels;
  };
  /** List the voices of a vendor, by its own list where it has one. */
  listVendorVoices: {
    query: {
      readonly vendor: string;
    };
    response: VendorVoices;
  };
  /** Hear a voice say a short text. */
  speakSample: {
    body: VoiceSampleInput;
  };
  /** See what is wrong now, and what to do about it. */
  getHealth: {
    response: Health;
  };
  /** Count the calls, their failures and their times to answer, by hour or day. */
  getCallStatistics: {
    query?: {
      /** Calls that started at or after this time. Default: seven days before the end. */
      readonly startDate?: string;
      /** Calls that started at or before this time. Default: now. */
      readonly endDate?: string;
      /** At most 400 of them are answered at once. */
      readonly interval?: 'hour' | 'day';
      /** Whose hours and days. */
      readonly timeZone?: string;
      readonly assistantId?: string;
    };
    response: CallStatistics;
  };
  /** Get for how long calls are kept. */
  getRetention: {
    response: Retention;
  };
  /** Set for how long calls are kept. */
  setRetention: {
    body: RetentionInput;
    response: Retention;
  };
  /** List the ids of deleted calls, and whether their files are removed. */
  listDeletedCalls: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
    };
    response: readonly DeletedCall[];
  };
  /** Find everything kept about a caller, by number. */
  findCallerData: {
    path: {
      /** Phone number in E.164 form. */
      readonly number: string;
    };
    response: CallerData;
  };
  /** Delete everything kept about a caller, by number. */
  deleteCallerData: {
    path: {
      /** Phone number in E.164 form. */
      readonly number: string;
    };
    response: CallerData;
  };
  /** List the numbers whose data must not be deleted. */
  listNumberHolds: {
    response: readonly NumberHold[];
  };
  /** Keep everything about a caller, for legal reasons. */
  holdNumber: {
    path: {
      /** Phone number in E.164 form. */
      readonly number: string;
    };
    body: HoldInput;
    response: NumberHold;
  };
  /** Release the hold of a number. */
  releaseNumber: {
    path: {
      /** Phone number in E.164 form. */
      readonly number: string;
    };
    response: NumberHold;
  };
  /** List the numbers that are not called. */
  listDoNotCall: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
    };
    response: readonly DoNotCall[];
  };
  /** Add a number that is not called. */
  addDoNotCall: {
    body: DoNotCallInput;
    response: DoNotCall;
  };
  /** Add the numbers of a CSV list. */
  importDoNotCall: {
    body: DoNotCallImport;
    response: DoNotCallImported;
  };
  /** Allow a number to be called again. */
  removeDoNotCall: {
    path: {
      /** Phone number in E.164 form. */
      readonly number: string;
    };
    response: DoNotCall;
  };
  /** List the API keys of the team. */
  listApiKeys: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name, prefix, role. */
      readonly search?: string;
    };
    response: readonly ApiKey[];
  };
  /** Create an API key. */
  createApiKey: {
    body: ApiKeyInput;
    response: NewApiKey;
  };
  /** Get who sends the request. */
  getWho: {
    response: Who;
  };
  /** Change an API key. */
  updateApiKey: {
    path: {
      readonly id: string;
    };
    body: ApiKeyPatch;
    response: ApiKey;
  };
  /** Revoke an API key. */
  revokeApiKey: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** List the public keys of the team. */
  listPublicKeys: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
    };
    response: readonly PublicKey[];
  };
  /** Create a public key. */
  createPublicKey: {
    body: PublicKeyInput;
    response: PublicKey;
  };
  /** Change a public key. */
  updatePublicKey: {
    path: {
      readonly id: string;
    };
    body: PublicKeyPatch;
    response: PublicKey;
  };
  /** Delete a public key. */
  deletePublicKey: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** Start a web call with a public key. */
  startPublicCall: {
    body: PublicCallInput;
    response: PublicCall;
  };
  /** List the people of the team. */
  listPeople: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name, e-mail address, role. */
      readonly search?: string;
    };
    response: readonly Person[];
  };
  /** Change the name or the role of a person. */
  updatePerson: {
    path: {
      readonly id: string;
    };
    body: PersonPatch;
    response: Person;
  };
  /** Remove a person. */
  removePerson: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** Sign a person out everywhere. */
  signOutPerson: {
    path: {
      readonly id: string;
    };
    response: Person;
  };
  /** Take the second factor off a person. */
  resetSecondFactor: {
    path: {
      readonly id: string;
    };
    response: Person;
  };
  /** List the open invitations. */
  listInvitations: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: e-mail address, role. */
      readonly search?: string;
    };
    response: readonly Invitation[];
  };
  /** Invite a person. */
  createInvitation: {
    body: InvitationInput;
    response: NewInvitation;
  };
  /** Take an invitation back. */
  revokeInvitation: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** Get the ways to sign in, and whether this browser has. */
  getSignInMethods: {
    response: SignInMethods;
  };
  /** Sign in with a password. */
  signIn: {
    body: SignInInput;
    response: SignIn;
  };
  /** Give the second factor. */
  giveSecondFactor: {
    body: CodeInput;
    response: SignIn;
  };
  /** Sign out of this browser. */
  signOut: {
    response: SignIn;
  };
  /** Sign in at the provider of OpenID Connect. */
  startOpenId: {
    body: OpenIdStart;
    response: OpenIdAddress;
  };
  /** Look at an invitation. */
  openInvitation: {
    body: InvitationToken;
    response: OpenInvitation;
  };
  /** Accept an invitation with a password. */
  acceptInvitation: {
    body: Acceptance;
    response: SignIn;
  };
  /** Get your account. */
  getAccount: {
    response: Account;
  };
  /** Change your password. */
  changePassword: {
    body: PasswordChange;
    response: Account;
  };
  /** List where you are signed in. */
  listSessions: {
    response: readonly Session[];
  };
  /** End one of your sessions. */
  endSession: {
    path: {
      readonly id: string;
    };
    response: {
      /** Opaque identifier. */
      readonly id: string;
    };
  };
  /** Sign out everywhere, here too. */
  signOutEverywhere: {
    response: SignIn;
  };
  /** Start to set up a second factor. */
  startSecondFactor: {
    body: PasswordCheck;
    response: FactorSetup;
  };
  /** Confirm the second factor by a code. */
  confirmSecondFactor: {
    body: CodeInput;
    response: RecoveryCodes;
  };
  /** Remove your second factor. */
  removeSecondFactor: {
    body: CodeInput;
    response: Account;
  };
  /** List who changed, read or heard what. */
  listAudit: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** The id of a person or an API key. */
      readonly actor?: string;
      /** An action, such as `deleteCall`, or the id of what something was done to. */
      readonly about?: string;
      readonly outcome?: 'done' | 'refused';
      /** From this time on. */
      readonly startDate?: string;
      /** Until this time. */
      readonly endDate?: string;
    };
    response: readonly AuditEntry[];
  };
  /** Check that the audit log is as it was written. */
  checkAudit: {
    response: AuditCheck;
  };
  /** Export the whole audit log. */
  exportAudit: {
    query?: {
      readonly format?: 'jsonl' | 'csv';
    };
  };
  /** List the teams. */
  listTeams: {
    query?: {
      readonly limit?: number;
      readonly cursor?: string;
      /** Words that each have to be the id, or occur in any case in one of these: name. */
      readonly search?: string;
    };
    response: readonly Team[];
  };
  /** Create a team. */
  createTeam: {
    body: TeamInput;
    response: NewTeam;
  };
  /** Get a team. */
  getTeam: {
    path: {
      readonly id: string;
    };
    response: Team;
  };
  /** Change the name or the limits of a team. */
  updateTeam: {
    path: {
      readonly id: string;
    };
    body: TeamPatch;
    response: Team;
  };
  /** Delete a team with everything it owns. */
  deleteTeam: {
    path: {
      readonly id: string;
    };
    response: Team;
  };
  /** Suspend a team. */
  suspendTeam: {
    path: {
      readonly id: string;
    };
    body: SuspensionInput;
    response: Team;
  };
  /** End the suspension of a team. */
  resumeTeam: {
    path: {
      readonly id: string;
    };
    response: Team;
  };
  /** Get what a team uses, now and on each day. */
  getTeamUsage: {
    path: {
      readonly id: string;
    };
    query?: {
      /** The first day, at most 400 before the last one; 29 days before it if absent. */
      readonly from?: string;
      /** The last day; today if absent. */
      readonly to?: string;
    };
    response: TeamUsage;
  };
  /** List the vendors, and whose accounts a team uses. */
  listTeamVendors: {
    path: {
      readonly id: string;
    };
    response: readonly TeamVendor[];
  };
  /** Give a team its own account at a vendor, or replace the account's key. */
  setTeamVendor: {
    path: {
      readonly id: string;
      readonly vendor: string;
    };
    body: TeamVendorInput;
    response: TeamVendor;
  };
  /** Remove a team's own account at a vendor. */
  removeTeamVendor: {
    path: {
      readonly id: string;
      readonly vendor: string;
    };
    response: TeamVendor;
  };
  /** Give a team a new key for the files of its calls. */
  rotateTeamEncryptionKey: {
    path: {
      readonly id: string;
    };
    response: Team;
  };
  /** Create an admin's API key for a team. */
  createTeamApiKey: {
    path: {
      readonly id: string;
    };
    body: TeamApiKeyInput;
    response: NewApiKey;
  };
  /** Export the audit log of what concerns no team. */
  exportServiceAudit: {
    query?: {
      readonly format?: 'jsonl' | 'csv';
    };
  };
}

export const operations = {
  listAssistants: { method: 'GET', path: '/assistants/v1/assistants', idempotent: false },
  createAssistant: { method: 'POST', path: '/assistants/v1/assistants', idempotent: true },
  getAssistantUses: { method: 'GET', path: '/assistants/v1/assistants/uses', idempotent: false },
  getAssistant: { method: 'GET', path: '/assistants/v1/assistants/{id}', idempotent: false },
  updateAssistant: { method: 'PATCH', path: '/assistants/v1/assistants/{id}', idempotent: false },
  deleteAssistant: { method: 'DELETE', path: '/assistants/v1/assistants/{id}', idempotent: false },
  listAssistantVersions: { method: 'GET', path: '/assistants/v1/assistants/{id}/versions', idempotent: false },
  createAssistantDraft: { method: 'POST', path: '/assistants/v1/assistants/{id}/versions', idempotent: true },
  getAssistantVersion: { method: 'GET', path: '/assistants/v1/assistants/{id}/versions/{version}', idempotent: false },
  compareAssistantVersions: { method: 'GET', path: '/assistants/v1/assistants/{id}/versions/{version}/changes', idempotent: false },
  publishAssistantVersion: { method: 'POST', path: '/assistants/v1/assistants/{id}/versions/{version}/publish', idempotent: false },
  setAssistantLabel: { method: 'PUT', path: '/assistants/v1/assistants/{id}/labels/{label}', idempotent: false },
  removeAssistantLabel: { method: 'DELETE', path: '/assistants/v1/assistants/{id}/labels/{label}', idempotent: false },
  getPublishGate: { method: 'GET', path: '/assistants/v1/assistants/{id}/publish-gate', idempotent: false },
  setPublishGate: { method: 'PUT', path: '/assistants/v1/assistants/{id}/publish-gate', idempotent: false },
  listTools: { method: 'GET', path: '/assistants/v1/tools', idempotent: false },
  createTool: { method: 'POST', path: '/assistants/v1/tools', idempotent: true },
  getToolUses: { method: 'GET', path: '/assistants/v1/tools/uses', idempotent: false },
  getTool: { method: 'GET', path: '/assistants/v1/tools/{id}', idempotent: false },
  updateTool: { method: 'PATCH', path: '/assistants/v1/tools/{id}', idempotent: false },
  deleteTool: { method: 'DELETE', path: '/assistants/v1/tools/{id}', idempotent: false },
  testTool: { method: 'POST', path: '/assistants/v1/tools/{id}/test', idempotent: false },
  listCalendars: { method: 'GET', path: '/assistants/v1/calendars', idempotent: false },
  createCalendar: { method: 'POST', path: '/assistants/v1/calendars', idempotent: true },
  getCalendar: { method: 'GET', path: '/assistants/v1/calendars/{id}', idempotent: false },
  updateCalendar: { method: 'PATCH', path: '/assistants/v1/calendars/{id}', idempotent: false },
  deleteCalendar: { method: 'DELETE', path: '/assistants/v1/calendars/{id}', idempotent: false },
  listSlots: { method: 'GET', path: '/assistants/v1/calendars/{id}/slots', idempotent: false },
  listAppointments: { method: 'GET', path: '/assistants/v1/calendars/{id}/appointments', idempotent: false },
  bookAppointment: { method: 'POST', path: '/assistants/v1/calendars/{id}/appointments', idempotent: true },
  moveAppointment: { method: 'PUT', path: '/assistants/v1/calendars/{id}/appointments/{appointmentId}', idempotent: false },
  cancelAppointment: { method: 'DELETE', path: '/assistants/v1/calendars/{id}/appointments/{appointmentId}', idempotent: false },
  listWaitLists: { method: 'GET', path: '/assistants/v1/wait-lists', idempotent: false },
  createWaitList: { method: 'POST', path: '/assistants/v1/wait-lists', idempotent: true },
  getWaitList: { method: 'GET', path: '/assistants/v1/wait-lists/{id}', idempotent: false },
  updateWaitList: { method: 'PATCH', path: '/assistants/v1/wait-lists/{id}', idempotent: false },
  deleteWaitList: { method: 'DELETE', path: '/assistants/v1/wait-lists/{id}', idempotent: false },
  listWaitListEntries: { method: 'GET', path: '/assistants/v1/wait-lists/{id}/entries', idempotent: false },
  addWaitListEntry: { method: 'POST', path: '/assistants/v1/wait-lists/{id}/entries', idempotent: true },
  takeNextWaitListEntry: { method: 'POST', path: '/assistants/v1/wait-lists/{id}/take-next', idempotent: true },
  removeWaitListEntry: { method: 'DELETE', path: '/assistants/v1/wait-lists/{id}/entries/{entryId}', idempotent: false },
  listTestSuites: { method: 'GET', path: '/tests/v1/suites', idempotent: false },
  createTestSuite: { method: 'POST', path: '/tests/v1/suites', idempotent: true },
  getTestSuite: { method: 'GET', path: '/tests/v1/suites/{id}', idempotent: false },
  updateTestSuite: { method: 'PATCH', path: '/tests/v1/suites/{id}', idempotent: false },
  deleteTestSuite: { method: 'DELETE', path: '/tests/v1/suites/{id}', idempotent: false },
  checkTests: { method: 'POST', path: '/tests/v1/check', idempotent: false },
  startTestRun: { method: 'POST', path: '/tests/v1/runs', idempotent: true },
  listTestRuns: { method: 'GET', path: '/tests/v1/runs', idempotent: false },
  getTestRun: { method: 'GET', path: '/tests/v1/runs/{id}', idempotent: false },
  judgeCall: { method: 'POST', path: '/tests/v1/judgements', idempotent: false },
  getCallAsTest: { method: 'GET', path: '/calls/v1/conversations/{id}/test', idempotent: false },
  listNumbers: { method: 'GET', path: '/assistants/v1/numbers', idempotent: false },
  listAvailableNumbers: { method: 'GET', path: '/assistants/v1/numbers/available', idempotent: false },
  purchaseNumber: { method: 'POST', path: '/assistants/v1/numbers/purchase', idempotent: true },
  importTwilioNumber: { method: 'POST', path: '/assistants/v1/numbers/twilio', idempotent: true },
  importTelnyxNumber: { method: 'POST', path: '/assistants/v1/numbers/telnyx', idempotent: true },
  importAsteriskNumber: { method: 'POST', path: '/assistants/v1/numbers/asterisk', idempotent: true },
  importEmulatorNumber: { method: 'POST', path: '/assistants/v1/numbers/emulator', idempotent: true },
  getNumber: { method: 'GET', path: '/assistants/v1/numbers/{id}', idempotent: false },
  updateNumber: { method: 'PUT', path: '/assistants/v1/numbers/{id}', idempotent: false },
  deleteNumber: { method: 'DELETE', path: '/assistants/v1/numbers/{id}', idempotent: false },
  configureNumberWebhooks: { method: 'POST', path: '/assistants/v1/numbers/{id}/webhooks', idempotent: false },
  checkNumberSetup: { method: 'GET', path: '/assistants/v1/numbers/{id}/setup', idempotent: false },
  listKnowledgeBases: { method: 'GET', path: '/kb/v1/knowledge-bases', idempotent: false },
  createKnowledgeBase: { method: 'POST', path: '/kb/v1/knowledge-bases', idempotent: true },
  getKnowledgeBaseUses: { method: 'GET', path: '/kb/v1/knowledge-bases/uses', idempotent: false },
  getKnowledgeBase: { method: 'GET', path: '/kb/v1/knowledge-bases/{id}', idempotent: false },
  replaceKnowledgeBase: { method: 'PUT', path: '/kb/v1/knowledge-bases/{id}', idempotent: false },
  deleteKnowledgeBase: { method: 'DELETE', path: '/kb/v1/knowledge-bases/{id}', idempotent: false },
  getKnowledgeBaseStatus: { method: 'GET', path: '/kb/v1/knowledge-bases/{id}/status', idempotent: false },
  trainKnowledgeBase: { method: 'POST', path: '/kb/v1/knowledge-bases/{id}/train', idempotent: false },
  searchKnowledgeBase: { method: 'POST', path: '/kb/v1/knowledge-bases/{id}/search', idempotent: false },
  getKnowledgeCoverage: { method: 'GET', path: '/kb/v1/knowledge-bases/{id}/coverage', idempotent: false },
  dismissUnansweredQuestions: { method: 'POST', path: '/kb/v1/knowledge-bases/{id}/coverage/dismiss', idempotent: false },
  listFaq: { method: 'GET', path: '/kb/v1/knowledge-bases/{id}/faq-template', idempotent: false },
  addFaq: { method: 'POST', path: '/kb/v1/knowledge-bases/{id}/faq-template', idempotent: true },
  updateFaq: { method: 'PUT', path: '/kb/v1/knowledge-bases/{id}/faq-template', idempotent: false },
  deleteFaq: { method: 'DELETE', path: '/kb/v1/knowledge-bases/{id}/faq-template/{faqId}', idempotent: false },
  listFiles: { method: 'GET', path: '/kb/v1/files', idempotent: false },
  uploadFile: { method: 'POST', path: '/kb/v1/files', idempotent: true },
  getFile: { method: 'GET', path: '/kb/v1/files/{id}', idempotent: false },
  deleteFile: { method: 'DELETE', path: '/kb/v1/files/{id}', idempotent: false },
  getFileContent: { method: 'GET', path: '/kb/v1/files/{id}/content', idempotent: false },
  connectCall: { method: 'POST', path: '/calls/v1/conversations/connect', idempotent: true },
  listCalls: { method: 'GET', path: '/calls/v1/conversations', idempotent: false },
  exportCalls: { method: 'GET', path: '/calls/v1/conversations/export', idempotent: false },
  getCallNeighbours: { method: 'GET', path: '/calls/v1/conversations/{id}/neighbours', idempotent: false },
  markCall: { method: 'PATCH', path: '/calls/v1/conversations/{id}', idempotent: false },
  getCall: { method: 'GET', path: '/calls/v1/conversations/{id}', idempotent: false },
  deleteCall: { method: 'DELETE', path: '/calls/v1/conversations/{id}', idempotent: false },
  addCallNote: { method: 'POST', path: '/calls/v1/conversations/{id}/notes', idempotent: true },
  deleteCallNote: { method: 'DELETE', path: '/calls/v1/conversations/{id}/notes/{noteId}', idempotent: false },
  deleteCalls: { method: 'POST', path: '/calls/v1/conversations/delete', idempotent: false },
  holdCall: { method: 'PUT', path: '/calls/v1/conversations/{id}/hold', idempotent: false },
  releaseCall: { method: 'DELETE', path: '/calls/v1/conversations/{id}/hold', idempotent: false },
  controlCall: { method: 'POST', path: '/calls/v1/conversations/{id}/control', idempotent: false },
  getCallRecording: { method: 'GET', path: '/calls/v1/conversations/{id}/recording', idempotent: false },
  getCallTranscript: { method: 'GET', path: '/calls/v1/conversations/{id}/transcript', idempotent: false },
  listenToCall: { method: 'GET', path: '/calls/v1/conversations/{id}/listen', idempotent: false },
  createListenToken: { method: 'POST', path: '/calls/v1/conversations/{id}/listen', idempotent: false },
  takeOverCall: { method: 'POST', path: '/calls/v1/conversations/{id}/take-over', idempotent: false },
  getCallOriginals: { method: 'GET', path: '/calls/v1/conversations/{id}/originals', idempotent: false },
  getCallEvents: { method: 'GET', path: '/calls/v1/conversations/{id}/events', idempotent: false },
  replayCall: { method: 'POST', path: '/calls/v1/conversations/{id}/what-if', idempotent: false },
  estimateReplay: { method: 'POST', path: '/calls/v1/conversations/{id}/what-if/estimate', idempotent: false },
  replayCalls: { method: 'POST', path: '/calls/v1/conversations/what-if', idempotent: false },
  createHandset: { method: 'POST', path: '/calls/v1/handsets', idempotent: false },
  listCallDeliveries: { method: 'GET', path: '/calls/v1/conversations/{id}/deliveries', idempotent: false },
  redeliverCallDelivery: { method: 'POST', path: '/calls/v1/conversations/{id}/deliveries/{deliveryId}/redeliver', idempotent: false },
  listVendors: { method: 'GET', path: '/vendors/v1/vendors', idempotent: false },
  setVendorKey: { method: 'PUT', path: '/vendors/v1/accounts/{vendor}', idempotent: false },
  removeVendorKey: { method: 'DELETE', path: '/vendors/v1/accounts/{vendor}', idempotent: false },
  testVendor: { method: 'POST', path: '/vendors/v1/accounts/{vendor}/test', idempotent: false },
  listVendorModels: { method: 'GET', path: '/vendors/v1/models', idempotent: false },
  listVendorVoices: { method: 'GET', path: '/vendors/v1/voices', idempotent: false },
  speakSample: { method: 'POST', path: '/vendors/v1/speech', idempotent: false },
  getHealth: { method: 'GET', path: '/health/v1/health', idempotent: false },
  getCallStatistics: { method: 'GET', path: '/calls/v1/statistics', idempotent: false },
  getRetention: { method: 'GET', path: '/privacy/v1/retention', idempotent: false },
  setRetention: { method: 'PUT', path: '/privacy/v1/retention', idempotent: false },
  listDeletedCalls: { method: 'GET', path: '/privacy/v1/deleted-calls', idempotent: false },
  findCallerData: { method: 'GET', path: '/privacy/v1/callers/{number}', idempotent: false },
  deleteCallerData: { method: 'DELETE', path: '/privacy/v1/callers/{number}', idempotent: false },
  listNumberHolds: { method: 'GET', path: '/privacy/v1/holds', idempotent: false },
  holdNumber: { method: 'PUT', path: '/privacy/v1/holds/{number}', idempotent: false },
  releaseNumber: { method: 'DELETE', path: '/privacy/v1/holds/{number}', idempotent: false },
  listDoNotCall: { method: 'GET', path: '/privacy/v1/do-not-call', idempotent: false },
  addDoNotCall: { method: 'POST', path: '/privacy/v1/do-not-call', idempotent: true },
  importDoNotCall: { method: 'POST', path: '/privacy/v1/do-not-call/import', idempotent: false },
  removeDoNotCall: { method: 'DELETE', path: '/privacy/v1/do-not-call/{number}', idempotent: false },
  listApiKeys: { method: 'GET', path: '/auth/v1/api-keys', idempotent: false },
  createApiKey: { method: 'POST', path: '/auth/v1/api-keys', idempotent: true },
  getWho: { method: 'GET', path: '/auth/v1/me', idempotent: false },
  updateApiKey: { method: 'PATCH', path: '/auth/v1/api-keys/{id}', idempotent: false },
  revokeApiKey: { method: 'DELETE', path: '/auth/v1/api-keys/{id}', idempotent: false },
  listPublicKeys: { method: 'GET', path: '/auth/v1/public-keys', idempotent: false },
  createPublicKey: { method: 'POST', path: '/auth/v1/public-keys', idempotent: true },
  updatePublicKey: { method: 'PATCH', path: '/auth/v1/public-keys/{id}', idempotent: false },
  deletePublicKey: { method: 'DELETE', path: '/auth/v1/public-keys/{id}', idempotent: false },
  startPublicCall: { method: 'POST', path: '/public/v1/calls', idempotent: false },
  listPeople: { method: 'GET', path: '/auth/v1/people', idempotent: false },
  updatePerson: { method: 'PATCH', path: '/auth/v1/people/{id}', idempotent: false },
  removePerson: { method: 'DELETE', path: '/auth/v1/people/{id}', idempotent: false },
  signOutPerson: { method: 'POST', path: '/auth/v1/people/{id}/sign-out', idempotent: false },
  resetSecondFactor: { method: 'DELETE', path: '/auth/v1/people/{id}/second-factor', idempotent: false },
  listInvitations: { method: 'GET', path: '/auth/v1/invitations', idempotent: false },
  createInvitation: { method: 'POST', path: '/auth/v1/invitations', idempotent: false },
  revokeInvitation: { method: 'DELETE', path: '/auth/v1/invitations/{id}', idempotent: false },
  getSignInMethods: { method: 'GET', path: '/auth/v1/sign-in', idempotent: false },
  signIn: { method: 'POST', path: '/auth/v1/sign-in', idempotent: false },
  giveSecondFactor: { method: 'POST', path: '/auth/v1/sign-in/second-factor', idempotent: false },
  signOut: { method: 'POST', path: '/auth/v1/sign-out', idempotent: false },
  startOpenId: { method: 'POST', path: '/auth/v1/sign-in/openid', idempotent: false },
  openInvitation: { method: 'POST', path: '/auth/v1/sign-in/invitation', idempotent: false },
  acceptInvitation: { method: 'POST', path: '/auth/v1/sign-in/accept', idempotent: false },
  getAccount: { method: 'GET', path: '/auth/v1/account', idempotent: false },
  changePassword: { method: 'PUT', path: '/auth/v1/account/password', idempotent: false },
  listSessions: { method: 'GET', path: '/auth/v1/account/sessions', idempotent: false },
  endSession: { method: 'DELETE', path: '/auth/v1/account/sessions/{id}', idempotent: false },
  signOutEverywhere: { method: 'POST', path: '/auth/v1/account/sign-out', idempotent: false },
  startSecondFactor: { method: 'POST', path: '/auth/v1/account/second-factor', idempotent: false },
  confirmSecondFactor: { method: 'PUT', path: '/auth/v1/account/second-factor', idempotent: false },
  removeSecondFactor: { method: 'POST', path: '/auth/v1/account/second-factor/remove', idempotent: false },
  listAudit: { method: 'GET', path: '/auth/v1/audit', idempotent: false },
  checkAudit: { method: 'GET', path: '/auth/v1/audit/check', idempotent: false },
  exportAudit: { method: 'GET', path: '/auth/v1/audit/export', idempotent: false },
  listTeams: { method: 'GET', path: '/admin/v1/teams', idempotent: false },
  createTeam: { method: 'POST', path: '/admin/v1/teams', idempotent: false },
  getTeam: { method: 'GET', path: '/admin/v1/teams/{id}', idempotent: false },
  updateTeam: { method: 'PATCH', path: '/admin/v1/teams/{id}', idempotent: false },
  deleteTeam: { method: 'DELETE', path: '/admin/v1/teams/{id}', idempotent: false },
  suspendTeam: { method: 'POST', path: '/admin/v1/teams/{id}/suspend', idempotent: false },
  resumeTeam: { method: 'POST', path: '/admin/v1/teams/{id}/resume', idempotent: false },
  getTeamUsage: { method: 'GET', path: '/admin/v1/teams/{id}/usage', idempotent: false },
  listTeamVendors: { method: 'GET', path: '/admin/v1/teams/{id}/vendors', idempotent: false },
  setTeamVendor: { method: 'PUT', path: '/admin/v1/teams/{id}/vendors/{vendor}', idempotent: false },
  removeTeamVendor: { method: 'DELETE', path: '/admin/v1/teams/{id}/vendors/{vendor}', idempotent: false },
  rotateTeamEncryptionKey: { method: 'POST', path: '/admin/v1/teams/{id}/encryption-key', idempotent: false },
  createTeamApiKey: { method: 'POST', path: '/admin/v1/teams/{id}/api-keys', idempotent: false },
  exportServiceAudit: { method: 'GET', path: '/admin/v1/audit/export', idempotent: false },
} as const;
