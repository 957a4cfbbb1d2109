import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { clockText } from '../ui/duration.tsx';
import type { Line } from './transcript-model.ts';

/** Distance from the end at which a scrolled list counts as scrolled to its end. */
const STICKY_PX = 48;

interface ConversationProps {
  readonly lines: readonly Line[];
  /** Shown until the first line. */
  readonly empty: string;
  /** @defaultValue Conversation */
  readonly title?: string;
  /** Shown below the lines. */
  readonly children?: ComponentChildren;
}

/** The transcript: speaker, time and text; for an interrupted reply, the heard and the unheard part. */
export function Conversation({
  lines,
  empty,
  title = 'Conversation',
  children,
}: ConversationProps) {
  const scroller = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const box = scroller.current;
    // Do not scroll if the reader has scrolled up.
    if (box && atEnd.current) box.scrollTop = box.scrollHeight;
  }, [lines]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const note = (): void => {
      atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < STICKY_PX;
    };
    box.addEventListener('scroll', note, { passive: true });
    return () => box.removeEventListener('scroll', note);
  }, []);
  return (
    <div class="conversation">
      <h2 id="conversation-title">{title}</h2>
      <section
        ref={scroller}
        class="script"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
        tabIndex={0}
        aria-labelledby="conversation-title"
      >
        <div role="log" aria-live="polite">
          <ol id="transcript" class="transcript">
            {lines.map((line) => (
              <ShownLine key={line.id} line={line} />
            ))}
          </ol>
        </div>
        {lines.length === 0 && <p class="empty">{empty}</p>}
      </section>
      {children}
    </div>
  );
}

function ShownLine({ line }: { readonly line: Line }) {
  const { role, text, final, cut, unheard, atMs } = line;
  const looks = ['line', role, !final && 'interim', cut && 'cut'].filter(Boolean).join(' ');
  return (
    // Interim text is hidden from screen readers, so each line is read out once.
    <li class={looks} aria-hidden={final ? undefined : true}>
      <span class="who">{role === 'user' ? 'You' : 'Assistant'}</span>
      <time class="at">{clockText(atMs / 1000)}</time>
      <span class="said">
        {text}
        {cut && <span class="cut-mark"> — cut off</span>}
        {unheard && (
          <span class="unheard">
            <span class="visually-hidden">Not heard: </span>
            {unheard}
          </span>
        )}
      </span>
    </li>
  );
}
