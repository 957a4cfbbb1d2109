import { useEffect, useRef } from 'preact/hooks';
import { LevelMeter } from './level-meter.ts';

interface StageProps {
  readonly states: { readonly user: string; readonly assistant: string };
  /** The lanes scroll. */
  readonly running: boolean;
  /** Passes the meter to the parent, which feeds it levels many times a second. */
  readonly onMeter: (meter: LevelMeter | undefined) => void;
}

/** State of both sides, and their voices as scrolling lanes. */
export function Stage({ states, running, onMeter }: StageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const meter = useRef<LevelMeter>();
  useEffect(() => {
    if (!canvas.current) return;
    const created = new LevelMeter(canvas.current);
    meter.current = created;
    onMeter(created);
    return () => {
      onMeter(undefined);
      created.dispose();
    };
  }, []);
  useEffect(() => {
    if (running) meter.current?.start();
    else meter.current?.stop();
  }, [running]);
  return (
    <section class="stage" aria-label="Speaker">
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
