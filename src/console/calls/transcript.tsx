import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { clockText } from '../ui/duration.tsx';
import { SPEAKERS } from './call-names.ts';
import type { Player } from './player.ts';
import { RedactedText } from './redacted-text.tsx';
import type { SpokenLine } from './timeline-lines.ts';

interface TranscriptProps {
  readonly lines: readonly SpokenLine[];
  readonly player: Player;
  /** Lines can be clicked to play them. */
  readonly seekable: boolean;
}

/** The transcript; a click on a line plays it, and the line being played is marked. */
export function Transcript({ lines, player, seekable }: TranscriptProps) {
  const current = useComputed(() => lineAt(lines, player.positionMs.value));
  const list = useRef<HTMLOListElement>(null);
  const id = current.value;
  const playing = player.playing.value;
  useEffect(() => {
    if (!playing || id === undefined) return;
    list.current
      ?.querySelector(`[data-line="${CSS.escape(id)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [id, playing]);
  return (
    <ol ref={list} class="call-lines" aria-label="Transcript">
      {lines.map((line) => (
        <Line
          key={line.id}
          line={line}
          current={line.id === id}
          player={player}
          seekable={seekable}
        />
      ))}
    </ol>
  );
}

interface LineProps {
  readonly line: SpokenLine;
  readonly current: boolean;
  readonly player: Player;
  readonly seekable: boolean;
}

function Line({ line, current, player, seekable }: LineProps) {
  const { id, role, speaker, fromMs, open, unheard } = line;
  const time = clockText(fromMs / 1000);
  // Selecting text is not a click.
  const press = (): void => {
    if (seekable && getSelection()?.isCollapsed !== false) player.seek(fromMs);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same
    <li
      class="call-line"
      data-line={id}
      data-role={speaker === undefined ? role : 'supervisor'}
      data-open={open || undefined}
      aria-current={current && seekable ? 'true' : undefined}
      data-seekable={seekable || undefined}
      onClick={press}
    >
      <span class="call-line-head">
        <span class="call-line-who">{speaker ?? SPEAKERS[role]}</span>
        {seekable ? (
          <button type="button" class="call-line-time numeric" aria-label={`Go to ${time}`}>
            {time}
          </button>
        ) : (
          <span class="call-line-time numeric">{time}</span>
        )}
      </span>
      <p class="spoken call-line-text">
        {current && seekable ? (
          <FollowedText line={line} player={player} />
        ) : (
          <RedactedText text={line.text} />
        )}
        {unheard !== '' && (
          <>
            {' '}
            <del class="call-line-unheard" title="Cut off before it was heard">
              <span class="visually-hidden">Not heard: </span>
              <RedactedText text={unheard} />
            </del>
          </>
        )}
      </p>
    </li>
  );
}

/** The text with the word being played marked, if word times are known. */
function FollowedText({ line, player }: { readonly line: SpokenLine; readonly player: Player }) {
  const at = useComputed(() =>
    line.words.findLastIndex(({ fromMs }) => fromMs <= player.positionMs.value),
  ).value;
  if (line.words.length === 0 || at < 0) return <RedactedText text={line.text} />;
  const words = line.text.split(/(\s+)/);
  return (
    <>
      <RedactedText text={words.slice(0, 2 * at).join('')} />
      {at * 2 < words.length && (
        <mark class="call-word">
          <RedactedText text={words[2 * at] ?? ''} />
        </mark>
      )}
      <RedactedText text={words.slice(2 * at + 1).join('')} />
    </>
  );
}

/** Id of the line being spoken at a time; of several, the one that began last. */
function lineAt(lines: readonly SpokenLine[], atMs: number): string | undefined {
  return lines.findLast(
    ({ fromMs, toMs }) => fromMs - 50 <= atMs && atMs <= Math.max(toMs, fromMs + 400),
  )?.id;
}
