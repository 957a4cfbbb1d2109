import type { Message } from '../store/messages.ts';

/** Formats a transcript for people: one line for each message, with its time in the recording. */
export function transcriptText(messages: readonly Message[], beganAt: Date): string {
  return messages
    .map(({ role, text, timestamp }) => {
      const seconds = Math.max(0, Math.floor((timestamp.getTime() - beganAt.getTime()) / 1000));
      const clock = `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`;
      return `[${clock}] ${role}: ${onOneLine(text)}\n`;
    })
    .join('');
}

/** Splits at line breaks, since a regular expression for blanks around them would take quadratic time. */
function onOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

const pad = (value: number) => String(value).padStart(2, '0');
