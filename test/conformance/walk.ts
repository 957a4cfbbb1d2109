/** A row of the contract: what it promises, how far it holds, and the test that shows it. */
interface Row {
  readonly row: string;
  readonly works: 'yes' | string;
  /** Under `test/`. */
  readonly file: string;
  /** Part of the test's title. */
  readonly title: string;
}

const row = (name: string, file: string, title: string, works = 'yes'): Row => ({
  row: name,
  works,
  file: `${file}.test.ts`,
  title,
});

/** The contract in its order. Shapes, types, enums and endpoints are compared one by one in `service-api.test.ts`. */
export const WALK: Readonly<Record<string, readonly Row[]>> = {
  Resources: [
    row('Fields of each resource, their types and values', 'conformance/service-api', '%s: %j'),
    row(
      'Assistant: a name is enough, every default',
      'api/assistants',
      'a name is enough: 201 with every default',
    ),
    row(
      'Assistant: every field comes back as sent',
      'api/assistants',
      'every field of the contract comes back as it was sent, none with its default',
    ),
    row(
      'workflow_based with the seed’s fields alone',
      'api/assistants',
      'workflow_based is taken with the seed’s fields alone',
    ),
    row('Tool: every default', 'api/tools', 'a name and a server are enough'),
    row(
      'Tool: every field comes back as sent',
      'api/tools',
      'every field comes back as it was sent',
    ),
    row(
      'Number: imported, attached, switched, detached',
      'api/numbers',
      'attaches, switches and detaches',
    ),
    row('File', 'api/files', 'an upload answers with the file'),
    row(
      'FAQ entries',
      'api/knowledge-bases',
      'get ids and defaults, keep their order, and queue the base',
    ),
    row(
      'FAQ entry: updatable false',
      'api/knowledge-bases',
      'that are locked refuse changes and deletion until the same PUT unlocks them',
    ),
    row('Order of properties', 'api/property-order', 'of a tool is as it was sent'),
    row(
      'Secrets are sealed and shown to no one else',
      'api/secrets',
      'are in no row, no log line, no refusal and no remembered answer',
    ),
  ],
  'Conversation behaviour': [
    row(
      'welcomeMessageMode: assistant-speaks-first',
      'engine/opening',
      '[W1] is spoken as soon as the call is answered',
    ),
    row(
      'welcomeMessageMode: assistant-waits-for-user',
      'engine/opening',
      '[W2] waits for the caller',
    ),
    row(
      'welcomeMessageMode: automatic',
      'engine/opening',
      '[W3] automatic: at once to who calls us',
    ),
    row(
      'Uninterruptible welcome',
      'engine/barge-in',
      '[B9] what was said towards its end becomes a turn when it is over',
    ),
    row(
      'Each field of the assistant governs the call',
      'engine/resolve-settings',
      '%s: governs calls',
    ),
    row(
      'startSpeakingOptions: waitSeconds',
      'engine/reply',
      '[A3] no audio before the end of a closed question + %d ms, and no more wait than that',
    ),
    row('startSpeakingOptions: onNumberSeconds', 'engine/endpointing', '[N3] %s ends in a number'),
    row(
      'startSpeakingOptions: on(No)PunctuationSeconds',
      'engine/endpointing',
      '[N4] %s by its punctuation',
    ),
    row(
      'startSpeakingOptions: EngineBaseValue, EngineScaleValue',
      'engine/endpointing',
      '[N2] grows linearly with the probability',
    ),
    row(
      'stopSpeakingOptions: voiceSeconds',
      'engine/barge-in',
      '[B2] a sound shorter than voiceSeconds does not',
    ),
    row(
      'stopSpeakingOptions: numberOfWords',
      'engine/barge-in',
      '[B8] voice alone never holds, and fewer words than named do not interrupt',
    ),
    row(
      'assistantResponseSplitter',
      'engine/split-reply',
      "at the assistant's own delimiter and nowhere else",
    ),
    row(
      'hints: told to the recogniser',
      'providers/socket-recognisers',
      'deepgram: hints are key terms, as many as it takes',
    ),
    row('hints: a hint interrupts', 'engine/words', 'a hint always counts'),
    row(
      'assistantProvider: custom-llm, temperature and limit',
      'providers/openai-llm',
      'the request is what the endpoint expects, with the key in its header alone',
    ),
    row(
      'AssemblyAI: its own wire',
      'providers/socket-recognisers',
      'assemblyai: a model by language, key terms as a list',
    ),
    row('dtmfInputEnabled', 'engine/reply', '[D2] make a turn: at #, or when no more come'),
    row('recordAfterTransfer', 'session/transfer', 'recordAfterTransfer %s'),
    row('recordingEnabled', 'session/recorder', 'both channels stand where they were heard'),
    row(
      'postCallTranscriptsEnabled, recordingPath',
      'service/after-call.long',
      'its transcript beside the recording',
    ),
    row(
      'assistantOverrides',
      'contract/apply-overrides',
      "the call's overrides win over the assistant's own",
    ),
    row('dynamicVariables, {{name}}', 'calls/variables', 'texts are filled from what is built in'),
    row(
      '{{name}} without a value',
      'calls/web-calls',
      'whose texts name what has no value says so in the log',
    ),
    row(
      'Fields allowed only with another',
      'contract/assistant',
      '%s is refused without %s, and both are named',
    ),
    row(
      'userInterruptionAckPlan',
      'engine/acknowledge',
      'an early interruption that is nothing but "wait" is acknowledged',
    ),
    row(
      'assistantBackchannelingEnabled',
      'engine/reply',
      '[B15] a long story that will go on is murmured to',
    ),
    row(
      'idleTimeout, maxIdleMessagesInSequence',
      'engine/opening',
      '[I1] [I2] [I3] prompts after each full silence',
    ),
    row('maxCallDuration', 'engine/ending', '[E5] the longest duration ends the call'),
    row('endCall, endCallMessage', 'engine/ending', '[E1] the endCall tool'),
    row('endCallPhrases', 'engine/ending', '[E2] a closing phrase that was heard hangs up'),
    row(
      'maxConsecutiveTtsFailures',
      'engine/ending',
      '[E6] pieces without a voice are not part of the record',
    ),
    row(
      'sttFallback, ordered ttsData; AssemblyAI and Gemini',
      'failures/vendor-failover',
      'a recogniser and a voice that are down are replaced in the call, which says so; Gemini answers in it',
    ),
    row(
      'assistantProvider: Azure',
      'failures/vendor-failover',
      'a deployment at Azure answers in a call',
    ),
    row(
      'ttsAudioCacheScope: assistant, team, global',
      'providers/assistant-vendors',
      'what is cached for the scope %s is synthesised %i times',
    ),
    row(
      'assistantPredefinedTools: appointment',
      'tools/appointment-tools',
      'a caller looks for a time, books it, moves it and cancels it',
    ),
    row(
      'assistantPredefinedTools: waitList',
      'tools/wait-list-tools',
      'callers get on, ask for their position, move up and leave',
    ),
    row('volumeControl', 'engine/volume', 'follows the wish of the caller'),
    row('assistantWorkflow', 'engine/workflow-calls', 'has the prompt and the tools of its node'),
    row('persistHistory', 'store/history', 'calls and texts are remembered together'),
    row(
      'assistantAnalysis, assistantOutcome',
      'analysis/analyse-call',
      'all steps at once: summary, verdict',
    ),
    row(
      'backgroundSound, holdMusicUrl',
      'sounds/sound-library',
      'may be %s: a tone of 440 Hz is that tone',
      'yes: WAV, MP3, Ogg Vorbis, Ogg Opus',
    ),
    row(
      'ttsAudioCacheScope: global is deprecated',
      'api/assistants',
      'the deprecated cache scope still works',
    ),
    row(
      'Tools, asked for aloud offline',
      'providers/offline-stt/topics.long',
      'a tool is called that is asked for in words near its description',
    ),
    row(
      'Knowledge base of documents, asked aloud offline',
      'knowledge/asked-aloud',
      'is heard in questions of several forms, and answers with its passage',
    ),
    row(
      'Knowledge base: sources of answers, and questions without one',
      'api/knowledge-coverage',
      'a call names its sources, and what it could not answer is listed until there is an answer',
    ),
  ],
  Telephone: [
    row(
      'Inbound call, each carrier',
      'telephone/phone-calls',
      'an inbound call is answered, heard, and hung up by the caller',
    ),
    row(
      'Outbound call, each carrier',
      'telephone/phone-calls',
      'an outbound call rings, is answered',
    ),
    row(
      'callForwardData with an extension: tones',
      'engine/transfer',
      '[X2] blind: dialled, the extension keyed',
    ),
    row(
      'Transfer to another telephone, each carrier',
      'telephone/transfers',
      '[X2] [X5] a caller is put through to another telephone',
    ),
    row(
      'warmTransferConversational: the operator meets nothing of the workflow',
      'engine/briefing',
      '[X4] the operator meets nothing of a workflow',
    ),
    row(
      'Warm transfer: announced',
      'engine/briefing',
      '[X4] announced: hears the summary to its end',
    ),
    row(
      'A transfer that fails: each step and the reason in the record',
      'calls/present-transfers',
      'a line that fails: its own word for it stands beside the reason',
    ),
    row(
      'Keys of the caller and of control',
      'telephone/phone-calls',
      'keys that control presses reach the far end',
    ),
    row(
      'Inbound switched off',
      'telephone/phone-calls',
      'a number whose inbound switch is off refuses the call',
    ),
    row(
      'A custom sound that the vendor cannot play',
      'api/numbers',
      "cannot have a sound of one's own where the vendor cannot play it",
    ),
    row(
      'Outcomes of the built-in carrier',
      'telephone/phone-calls',
      'the built-in carrier: %s is %s',
    ),
    row(
      'Voicemail of a called party',
      'engine/screening',
      '[V1] [V2] that is a machine (%s) gets a message after its own, and a hang-up',
    ),

    row(
      'sendSms tool on a phone call',
      'telephone/send-sms',
      'a model texts the caller, and knows of the text',
    ),
    row(
      'smsConfiguration: texts are answered',
      'telephone/texts',
      'a text is answered by the assistant',
    ),
    row(
      'Number purchase',
      'api/numbers',
      'buys once, keeps the number, and tells the vendor where to call',
    ),
    row(
      'Number purchase: the vendor fails afterwards',
      'api/numbers',
      'what was bought is kept even when the vendor then fails',
    ),
    row(
      'A call for a number that nobody imported',
      'telephone/forgery',
      'a call for a number that nobody imported is refused',
    ),
    row('Telnyx: signature', 'carriers/signatures', 'Telnyx signed it, within five minutes'),
    row('Telnyx: media', 'carriers/media-protocols', 'telnyx: A-law where the leg has it'),
  ],
  'States and transitions': [
    row(
      'Call status moves forward only',
      'store/calls',
      'moves forward through the legal steps and not back',
    ),
    row(
      'Knowledge base: queued, training, trained',
      'knowledge/training',
      'a queued base is trained, and then answers from its files',
    ),
    row('Failed training keeps the index', 'knowledge/training', 'a training that fails says why'),
    row('Retraining', 'knowledge/training', 'a base is queued again when its time has come'),
    row(
      'Content that changes during training',
      'knowledge/training',
      'content that changes meanwhile queues it again after the run',
    ),
    row(
      'Web crawl: subpaths and exclusions',
      'knowledge/crawl',
      'stays below its start, and out of what is excluded',
    ),
    row('Web crawl', 'knowledge/crawl', 'follows links on its own host, each once'),
    row(
      'A file that is attached stays',
      'api/files',
      'a file that is attached stays until it is detached',
    ),
  ],
  Endpoints: [
    row('Each operation, its status and shape', 'conformance/service-api', '%s %s answers %i %s'),
    row('Connect: which assistant', 'api/connect', 'the inline assistant wins over assistantId'),
    row(
      'Connect: a missing credential is refused before anything is dialled',
      'failures/vendor-not-ready',
      'refuses an inline assistant, and a phone call before anything is dialled',
    ),
    row(
      'Creating and changing an assistant warn',
      'failures/vendor-not-ready',
      'is warned of when an assistant is changed',
    ),
    row(
      'Connect: overrides on top',
      'api/connect',
      'the call keeps what it runs on: overrides laid over',
    ),
    row(
      'A vendor that refuses to dial: 502',
      'api/phone-calls',
      "the carrier's refusal is 502 in its words",
    ),
    row(
      'Control of a call that is not live: 409',
      'api/calls',
      'of a call that is over, not live here, or unwilling is refused',
    ),
    row(
      'Lists: newest first, paged on request',
      'api/assistants',
      'the list is newest first, whole by default, paged on request',
    ),
    row('Calls are paged', 'api/calls', 'is paged by ten, newest first, without messages'),
    row(
      'Another team finds nothing',
      'api/assistants',
      'another team sees, changes and deletes nothing',
    ),
    row('FAQ PUT is all or nothing', 'api/knowledge-bases', 'are all updated or none'),
    row(
      'Listening',
      'api/listen',
      'begins with the format, brings sound and events, ends with the reason',
    ),
    row(
      'Deletion of what is in use',
      'api/tools',
      'a tool that an assistant uses cannot be deleted',
    ),
    row(
      'Number deleted, and released on request',
      'api/numbers',
      'with release=true it is given back to the vendor first',
    ),
    row('Control', 'api/calls', '%j reaches the live call'),
    row(
      'PATCH is a merge patch',
      'api/assistants',
      'merges objects, replaces arrays, and gives back defaults',
    ),
    row('Idempotency-Key', 'api/conventions', 'repeats the first answer: POST %s'),
    row('ETag and If-Match', 'api/conventions', 'that is stale refuses the change'),
    row(
      'Idempotency-Key with another body',
      'api/conventions',
      'with another body or address is refused',
    ),
    row('Rate limit', 'api/conventions', 'a team that asks too often waits'),
  ],
  Authentication: [
    row('Bearer alone', 'api/errors', 'that is %s is refused'),
    row('A revoked key', 'api/errors', 'is refused from the moment it is revoked'),
    row(
      'A revoked key, on another node',
      'api/errors',
      'that another node revoked is refused at once',
    ),
    row(
      'Roles of keys: every operation',
      'api/roles',
      'as a key of the role %s, where the least role is',
    ),
    row('A limit of the team', 'api/teams', 'live calls, when many begin at once'),
    row('A suspended team', 'service/teams', 'a live call of a suspended team ends with words'),
    row('A deleted team', 'calls/delete-team', 'leaves none of its rows and files'),
    row('Roles of people: every operation', 'api/roles', 'as a person of the role %s, where'),
    row(
      'Sessions of people',
      'api/people',
      'a session counts only beside the header of the console',
    ),
    row('The last admin', 'store/api-keys', 'the last key that may administer the team'),
    row(
      'The secret of a tool’s server',
      'tools/function-tool',
      'is signed, and carries the plain secret',
    ),
  ],
  Events: [
    row(
      'Every kind, in order',
      'events/outbox',
      'every status, every message once its text is final',
    ),
    row(
      'Signed, at least once',
      'events/dispatcher',
      'in order, signed so that the reference receiver believes it',
    ),
    row(
      'hang: a reply that is due for five seconds',
      'engine/never-silent',
      '[K3] a reply that is long in coming: webhook at 5 s',
    ),
    row(
      'Retried for a day, then kept as dead',
      'events/dispatcher',
      'after a day it is given up, and what waited behind it gets its own try',
    ),
    row('error of type tool', 'engine/tools', '[T4] one that is broken is told to its owner'),
    row(
      'Request to a tool’s server, in OpenAPI',
      'contract/openapi',
      'with examples that hold and a true signature',
    ),
    row('Redelivery', 'api/deliveries', 'sends a settled message again'),
  ],
  'Errors, limits, versioning': [
    row('The words of each area', 'conformance/service-api', '%s fails in the words of its area'),
    row('Validation names every field', 'api/errors', 'a refusal names every field and why'),
    row('Bounds', 'conformance/service-api', '%s: %s to %s'),
    row(
      'Why a call failed: docs',
      'docs/docs',
      'docs/failures.md is what npm run docs makes of the table',
    ),
    row(
      'Why a call failed: the same sentence in record, log, webhooks, socket and console',
      'failures/walk',
      '%s: its record, log, webhooks, socket and console say why',
    ),
    row('Version 1.1.0', 'conformance/service-api', 'the description carries the version 1.1.0'),
  ],
};
