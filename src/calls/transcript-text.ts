import type { Message } from '../store/messages.ts';

/** A transcript for people: a line a message, with its time from the start of the call. */
export function transcriptText(messages: readonly Message[], startAt: Date): string {
  return messages
    .map(({ role, text, timestamp }) => {
      const seconds = Math.max(0, Math.floor((timestamp.getTime() - startAt.getTime()) / 1000));
      const clock = `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`;
      return `[${clock}] ${role}: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`;
    })
    .join('');
}

const pad = (value: number) => String(value).padStart(2, '0');
