import type { Tone } from '../ui/tone.ts';
import { endReason } from './end-reasons.ts';
import type { JournalLine } from './journal.ts';

export type TimelineEventGroup = 'call' | 'turn' | 'tool' | 'transfer' | 'control' | 'fault';

/** Something that happened in a call, described for people. */
export interface TimelineEvent {
  /** Sequence number in the journal. */
  readonly seq: number;
  readonly atMs: number;
  readonly group: TimelineEventGroup;
  readonly title: string;
  readonly detail?: string;
  readonly tone?: Tone;
  /** The message that the event belongs to. */
  readonly messageId?: string;
}

type Told = Omit<TimelineEvent, 'seq' | 'atMs'> & { readonly atMs?: number };

const STATUS = { queued: 'Queued', ongoing: 'Started', forwarded: 'Forwarded', finished: 'Ended' };

/** Describes a journal line for people; undefined for most lines. */
export function timelineEventOf(line: JournalLine): TimelineEvent | undefined {
  const description =
    ofCall(line) ??
    ofTurn(line) ??
    ofTool(line) ??
    ofTransfer(line) ??
    ofControl(line) ??
    ofFault(line);
  return description && { seq: line.seq, atMs: line.at, ...description };
}

function ofCall(line: JournalLine): Told | undefined {
  const group = 'call';
  switch (line.type) {
    case 'leg.ringing':
      return { group, title: 'Ringing' };
    case 'leg.answered':
      return { group, title: 'Answered' };
    case 'status':
      return line.data.status === 'finished' || line.data.status === 'ongoing'
        ? undefined
        : { group, title: STATUS[line.data.status] };
    case 'media.resumed':
      return { group, title: 'Connection restored', tone: 'good' };
    case 'workflow.step':
      return {
        group,
        title: `Workflow: ${line.data.from} to ${line.data.to}`,
        detail: `by ${line.data.by}`,
      };
    case 'finish': {
      const { text, tone } = endReason(line.data.endReason);
      const { failure } = line.data;
      return {
        group,
        title: `Ended: ${text}`,
        tone,
        ...(failure ? { detail: failure.message } : {}),
      };
    }
    case 'log':
      return { group, title: capital(line.data.note), ...detailOf(line.data.data) };
    default:
      return undefined;
  }
}

function ofTurn(line: JournalLine): Told | undefined {
  const group = 'turn';
  switch (line.type) {
    case 'transcript.append': {
      const { messageId, role, text, at } = line.data.message;
      if (role === 'user') return { group, title: 'Caller', detail: text, atMs: at, messageId };
      return role === 'system' ? { group, title: 'Note', detail: text, atMs: at } : undefined;
    }
    case 'turn.metrics': {
      const { totalMs, turn } = line.data.metrics;
      return totalMs === undefined
        ? undefined
        : {
            group,
            title: 'Reply started',
            detail: `turn ${turn}, after ${Math.round(totalMs)} ms`,
          };
    }
    case 'play.hold':
      return { group, title: 'Speech paused: the caller speaks' };
    case 'play.release':
      return { group, title: 'Speech resumed' };
    case 'play.clear':
      return { group, title: 'Barge-in: reply cut off', tone: 'warn' };
    case 'play.backchannel':
      return { group, title: 'Backchannel', detail: line.data.text };
    case 'dtmf':
      return { group, title: `Key ${line.data.digit}` };
    case 'beep':
      return { group, title: 'Mailbox beep' };
    default:
      return undefined;
  }
}

function ofTool(line: JournalLine): Told | undefined {
  const group = 'tool';
  switch (line.type) {
    case 'llm.toolCall': {
      const { name, problem } = line.data;
      if (problem === undefined) return undefined;
      return { group, title: `Tool ${name}: invalid call`, detail: problem, tone: 'bad' };
    }
    case 'tool.invoke':
      return {
        group,
        title: `Tool ${line.data.name}`,
        detail: JSON.stringify(line.data.arguments),
      };
    case 'tool.result':
      return { group, title: 'Tool answered', detail: line.data.result, tone: 'good' };
    case 'tool.error':
      return { group, title: 'Tool failed', detail: line.data.error, tone: 'bad' };
    case 'tool.cancel':
      return { group, title: 'Tool cancelled', tone: 'warn' };
    default:
      return undefined;
  }
}

function ofTransfer(line: JournalLine): Told | undefined {
  const group = 'transfer';
  switch (line.type) {
    case 'leg.dial':
      return {
        group,
        title: `Transfer: dialling ${line.data.name || line.data.to}`,
        detail: line.data.to,
      };
    case 'operator.ringing':
      return { group, title: 'Transfer: ringing' };
    case 'operator.answered':
      return { group, title: 'Transfer: answered' };
    case 'operator.accepted':
      return { group, title: 'Transfer: accepted', tone: 'good' };
    case 'operator.hungUp':
      return { group, title: 'Transfer: the operator hung up' };
    case 'operator.declined':
      return { group, title: 'Transfer: declined', detail: line.data.reason, tone: 'warn' };
    case 'operator.failed':
      return { group, title: 'Transfer: failed', detail: line.data.reason, tone: 'bad' };
    case 'leg.bridge':
      return { group, title: 'Caller and operator are connected', tone: 'good' };
    case 'leg.resume':
      return { group, title: "The operator's line is asked for again" };
    case 'hold.music':
      return { group, title: line.data.on ? 'Hold music' : 'Hold music ends' };
    default:
      return undefined;
  }
}

function ofControl(line: JournalLine): Told | undefined {
  const group = 'control';
  switch (line.type) {
    case 'control.say':
      return { group, title: 'Control: say', detail: line.data.text };
    case 'control.forward':
      return {
        group,
        title: 'Control: transfer',
        ...(line.data.to ? { detail: line.data.to } : {}),
      };
    case 'control.dtmf':
      return { group, title: 'Control: tones', detail: line.data.digits };
    case 'control.end':
      return {
        group,
        title: 'Control: end',
        ...(line.data.text ? { detail: line.data.text } : {}),
      };
    case 'control.addMessage':
      return { group, title: 'Control: whisper to assistant', detail: line.data.text };
    case 'control.mute':
      return {
        group,
        title: `Control: ${line.data.who} ${line.data.on ? 'muted' : 'unmuted'}`,
      };
    case 'supervisor.join':
      return { group, title: `${line.data.by} has taken over`, tone: 'warn' };
    case 'supervisor.leave':
      return { group, title: 'Given back to the assistant' };
    case 'control.refused':
      return { group, title: 'Control: refused', detail: line.data.reason, tone: 'warn' };
    default:
      return undefined;
  }
}

function ofFault(line: JournalLine): Told | undefined {
  const group = 'fault';
  const tone = 'bad';
  switch (line.type) {
    case 'leg.failed':
      return { group, title: 'Could not be reached', detail: line.data.reason, tone };
    case 'media.lost':
      return { group, title: 'Connection lost', tone };
    case 'process.lost':
      return { group, title: 'The process of the call ended', tone };
    case 'stt.error':
      return { group, title: 'Transcription failed', detail: line.data.error.message, tone };
    case 'llm.error':
      return { group, title: 'Model failed', detail: line.data.error.message, tone };
    case 'tts.failed':
      return { group, title: 'Voice failed', detail: line.data.error.message, tone };
    case 'vendor.failover': {
      const { vendor, successor, delayMs, error } = line.data;
      const seconds = (delayMs / 1000).toFixed(1);
      const title = vendor === successor ? `${vendor} was retried` : `${successor} took over`;
      return { group, title, detail: `${error.message} (after ${seconds} s)`, tone: 'warn' };
    }
    case 'webhook':
      return line.data.kind === 'hang'
        ? { group, title: 'No answer for 5 seconds', tone: 'warn' }
        : undefined;
    case 'failure':
      return { group, title: 'Failure', ...detailOf(line.data), tone };
    case 'call.crashed':
      return { group, title: 'Internal error', ...detailOf(line.data), tone };
    default:
      return undefined;
  }
}

function detailOf(data: Readonly<Record<string, unknown>> | undefined): {
  readonly detail?: string;
} {
  const message = data?.message ?? data?.text;
  if (typeof message === 'string') return { detail: message };
  return data && Object.keys(data).length > 0 ? { detail: JSON.stringify(data) } : {};
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
