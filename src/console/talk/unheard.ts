import { parseLine } from '../calls/journal.ts';

interface Spoken {
  readonly uttId: number;
  readonly text: string;
  readonly cancelledAt?: number;
}

/** What was still to be said of a reply that was cut, as far as it had been given to the voice. */
export function unheardRest(log: string, heard: string): string | undefined {
  // The latest reply that begins as what was heard does.
  for (const texts of silencedReplies(log).toReversed()) {
    for (let first = texts.length - 1; first >= 0; first--) {
      const said = texts.slice(first).join(' ');
      if (said.startsWith(heard)) return said.slice(heard.length).trim() || undefined;
    }
  }
  return undefined;
}

/** What the voice had been given up to each instant at which playback was cleared, since the one before. */
function silencedReplies(log: string): string[][] {
  const replies: string[][] = [];
  let spoken: Spoken[] = [];
  for (const line of log.split('\n').flatMap((text) => parseLine(text) ?? [])) {
    if (line.type === 'tts.start') {
      spoken.push({ uttId: line.data.uttId, text: line.data.text });
    } else if (line.type === 'tts.cancel') {
      const { uttId } = line.data;
      spoken = spoken.map((each) =>
        each.uttId === uttId ? { ...each, cancelledAt: line.at } : each,
      );
    } else if (line.type === 'play.clear') {
      // What was given up before was a draft that nobody was to hear.
      const meant = spoken.filter(({ cancelledAt = line.at }) => cancelledAt >= line.at);
      replies.push(meant.map(({ text }) => text));
      spoken = [];
    }
  }
  return replies;
}
