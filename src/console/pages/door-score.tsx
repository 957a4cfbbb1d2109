/** Decoration: two voices taking turns, drawn as bars. */
const CALLER = [
  0, 0, 2, 5, 8, 6, 9, 7, 4, 8, 5, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 7, 9, 5, 6, 2, 0,
];
const ASSISTANT = [
  4, 7, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 6, 9, 7, 8, 5, 9, 6, 7, 4, 2, 0, 0, 0, 0, 0, 5,
];
const STEP = 8;
const MIDDLE = 24;

export function DoorScore() {
  return (
    <svg
      class="door-score"
      viewBox={`0 0 ${CALLER.length * STEP} ${MIDDLE * 2}`}
      preserveAspectRatio="xMinYMid"
      aria-hidden="true"
    >
      {CALLER.map((height, index) => (
        <Bar key={`caller-${index * STEP}`} voice="user" x={index * STEP} height={height} up />
      ))}
      {ASSISTANT.map((height, index) => (
        <Bar key={`assistant-${index * STEP}`} voice="assistant" x={index * STEP} height={height} />
      ))}
    </svg>
  );
}

interface BarProps {
  readonly voice: 'user' | 'assistant';
  readonly x: number;
  readonly height: number;
  readonly up?: boolean;
}

function Bar({ voice, x, height, up }: BarProps) {
  const length = 2 + height * 2;
  return (
    <rect
      class={height === 0 ? 'rest' : voice}
      x={x}
      y={up ? MIDDLE - 2 - length : MIDDLE + 2}
      width={4}
      height={length}
      rx={2}
    />
  );
}
