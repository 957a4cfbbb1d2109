import { useEffect, useRef } from 'preact/hooks';
import { Score } from './score.ts';

interface StageProps {
  readonly states: { readonly user: string; readonly assistant: string };
  /** The lanes scroll. */
  readonly running: boolean;
  /** Passes the score to the parent, which feeds it levels many times a second. */
  readonly onScore: (score: Score | undefined) => void;
}

/** State of both sides, and their voices as scrolling lanes. */
export function Stage({ states, running, onScore }: StageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const score = useRef<Score>();
  useEffect(() => {
    if (!canvas.current) return;
    const made = new Score(canvas.current);
    score.current = made;
    onScore(made);
    return () => {
      onScore(undefined);
      made.dispose();
    };
  }, []);
  useEffect(() => {
    if (running) score.current?.start();
    else score.current?.stop();
  }, [running]);
  return (
    <section class="stage" aria-label="Who speaks">
      <dl class="states">
        <div class="state user">
          <dt>You</dt>
          <dd id="user-state" data-state={states.user}>
            {states.user}
          </dd>
        </div>
        <div class="state assistant">
          <dt>Assistant</dt>
          <dd id="assistant-state" data-state={states.assistant}>
            {states.assistant}
          </dd>
        </div>
      </dl>
      <div class="score-frame" aria-hidden="true">
        <canvas ref={canvas} class="score" />
      </div>
    </section>
  );
}
