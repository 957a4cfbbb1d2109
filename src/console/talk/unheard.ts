import { parseLine } from '../calls/journal.ts';

interface Spoken {
  readonly uttId: number;
  readonly text: string;
  readonly cancelledAt?: number;
}

/** The unheard part of an interrupted reply, as far as it had been sent to synthesis; undefined if unknown. */
export function unheardRest(log: string, heard: string): string | undefined {
  // Find the latest reply whose text starts with the part that was heard.
  for (const texts of silencedReplies(log).toReversed()) {
    for (let first = texts.length - 1; first >= 0; first--) {
      const said = texts.slice(first).join(' ');
      if (said.startsWith(heard)) return said.slice(heard.length).trim() || undefined;
    }
  }
  return undefined;
}

/** For each time playback was cleared: the texts sent to synthesis since the time before. */
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
      // Utterances cancelled earlier were drafts, not meant to be heard.
      const meant = spoken.filter(({ cancelledAt = line.at }) => cancelledAt >= line.at);
      replies.push(meant.map(({ text }) => text));
      spoken = [];
    }
  }
  return replies;
}
