import { isRedacting, type RedactionKind } from '../contract/redaction.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { CallBatch, CallStore } from '../ports/call-store.ts';
import type { Llm } from '../ports/llm.ts';
import type { Log } from '../ports/log.ts';
import type { RecordRedaction } from '../ports/redaction.ts';
import type { KnownValue } from '../redaction/analyse-texts.ts';
import { CallRedactor } from '../redaction/call-redactor.ts';
import { withRedactedTurns } from '../redaction/llm-with-redacted-turns.ts';
import { createPresidio } from '../redaction/presidio/ask-presidio.ts';
import type { TextAnalyser } from '../redaction/text-analyser.ts';
import { appendOriginals, type CallKeys, keepCallKeys } from '../store/call-originals.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';

export interface RedactCallDeps {
  readonly db: Db;
  readonly textAnalyser: Pick<TextAnalyser, 'analyse'>;
  /** Sends requests to a redaction service of the team. */
  readonly toolFetch: OutboundFetch;
  readonly log: Log;
}

/** Everything by which one call's record is redacted. */
export interface CallRedaction {
  /** For the session. */
  readonly record: RecordRedaction;
  /** Redacts batches before the store gets them. */
  store(store: CallStore): CallStore;
  /** Redacts what is kept elsewhere because the store refused it. */
  keepUnsaved(keep: (batch: CallBatch) => Promise<void>): (batch: CallBatch) => Promise<void>;
  /** A model that gets the earlier turns redacted, if the assistant's owner wants that. */
  model(llm: Llm): Llm;
}

/**
 * The redaction of a call by its assistant's settings; undefined if nothing is to be taken out. `restored`: the call
 * that an earlier process has left.
 */
export async function redactionOfCall(
  deps: RedactCallDeps,
  record: CallRecord,
  restored?: RestoredCall,
): Promise<CallRedaction | undefined> {
  const { assistant } = record.snapshot;
  // Calls of an earlier version have no such settings.
  const settings = assistant.redaction;
  if (!settings || !isRedacting(settings)) return undefined;
  const { db, textAnalyser, toolFetch, log } = deps;
  const { teamId, id: callId } = record;
  const keys =
    settings.originals === 'sealed' ? await keepCallKeys(db, { teamId, callId }) : undefined;
  const redactor = new CallRedactor({
    settings,
    languages: assistant.config.speech.stt.languages.split(',').map((tag) => tag.trim()),
    analyse: (task) => textAnalyser.analyse(task, teamId),
    ...(settings.service.url
      ? { askService: createPresidio(settings, { fetch: toolFetch, team: teamId }) }
      : {}),
    known: knownOf(record, settings.kinds),
    onWithheld: (error) =>
      log.warn({ callId, err: error }, 'texts of a call could not be judged and were withheld'),
  });
  if (restored) await redactor.recall(restored.messages);
  const redact = async (batch: CallBatch): Promise<CallBatch> => {
    const redacted = await redactor.redact(batch);
    if (keys) await keepOriginals(db, { callId, keys, batch, redacted });
    return redacted;
  };
  return {
    record: {
      onLine: (listener) => redactor.onLine(listener),
      ...(settings.sound === 'keep'
        ? {}
        : {
            sound: {
              by: settings.sound,
              parts: () => redactor.soundParts(),
              ...(keys ? { key: keys.sound } : {}),
            },
          }),
    },
    store: (store) => ({
      ...(store.hurry ? { hurry: () => store.hurry?.() } : {}),
      async write(batch) {
        await store.write(await redact(batch));
        redactor.stored();
      },
    }),
    keepUnsaved: (keep) => async (batch) => keep(await redact(batch)),
    model: (llm) => (settings.model ? withRedactedTurns(llm, redactor) : llm),
  };
}

async function keepOriginals(
  db: Db,
  {
    callId,
    keys,
    batch,
    redacted,
  }: {
    readonly callId: string;
    readonly keys: CallKeys;
    readonly batch: CallBatch;
    readonly redacted: CallBatch;
  },
): Promise<void> {
  const lines = batch.lines.filter((line, i) => redacted.lines[i]?.data !== line.data);
  await appendOriginals(db, { callId, keys, lines });
}

/** What is known of the caller before the first word. */
function knownOf(
  { userNumber, customerName }: CallRecord,
  kinds: readonly RedactionKind[],
): readonly KnownValue[] {
  const digits = userNumber?.replaceAll(/\D/g, '') ?? '';
  return [
    ...(kinds.includes('phone') && digits.length > 6
      ? [{ label: 'phone' as const, value: digits }]
      : []),
    ...(kinds.includes('name') && customerName
      ? [{ label: 'name' as const, value: customerName.toLowerCase() }]
      : []),
  ];
}
